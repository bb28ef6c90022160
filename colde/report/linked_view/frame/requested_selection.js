// A selection that the page asks for: shown as soon as there is a map to show it on, and again when all maps are there.

export class RequestedSelection {
  constructor() {
    /** @type {string | null} */
    this.known = null;
    this.drop();
  }

  /**
   * What a payload asks for; the same again is no new wish.
   * @param {object | null | undefined} selection
   */
  ask(selection) {
    const key = selection ? JSON.stringify(selection) : null;
    if (key && key !== this.known) [this.known, this.open, this.shown] = [key, selection, undefined];
    if (!key) this.known = null;
  }

  drop() {
    /** @type {object | null} */
    this.open = null;
    /** @type {unknown} */
    this.shown = undefined; // what was selected after the wish was shown
  }

  /**
   * At once on the maps there are, and again on all of them, unless the reader has moved on.
   * @param {unknown} selected what is selected now
   * @param {boolean} pending whether maps are still to come
   * @param {(wish: any) => unknown} show returns what it selected
   */
  obey(selected, pending, show) {
    if (!this.open) return;
    const first = this.shown === undefined;
    const untouched = selected === this.shown;
    if (first || (untouched && !pending)) this.shown = show(this.open);
    if (!pending || !(first || untouched)) this.open = null;
  }
}

/**
 * Select a cell again, or else the two passages; returns the selection.
 * @param {import("../view.js").View} view
 * @param {any} wish as the view has told it
 */
export function selectAgain(view, { map: name, row, column, path, a, b }) {
  const map = view.model?.map(name);
  const there = map && row < map.height && column < map.width;
  const same = (/** @type {any} */ x, /** @type {any} */ y) => !x || (x[0] === y[0] && x[1] === y[1]);
  if (there) {
    view.position.go(map, path || []);
    view.showTexts(); // the map may be one of a text with itself
  }
  if (there && same(a, map.rows.span(row)) && same(b, map.columns.span(column))) view.choose({ row, column }, false);
  else if (a || b) view.pick(a, b, false);
  return view.selected;
}

/**
 * Whether a selection shows the passages that another one has shown: the reader may have scrolled away from them.
 * @param {any} before
 * @param {any} selection
 */
export function samePassages(before, { a, b }) {
  return Boolean(before) && JSON.stringify([before.a, before.b]) === JSON.stringify([a, b]);
}
