// The linked view: one selection, shown by the matrix and by both texts. What the reader chose is kept here; `Position`
// keeps where in the matrices that is.

import * as labels from "./labels.js";
import { VERSION } from "./payload/packed_values.js";
import { DocumentText } from "./payload/document_text.js";
import { debounce, createElement, keepFocus } from "./frame/dom.js";
import { decodePassages } from "./payload/shared_passages.js";
import { TileRequests } from "./payload/tile_requests.js";
import { MapPosition } from "./map/map_position.js";
import { palette } from "./map/colour_ramp.js";
import { itemKey } from "./review/review_marks.js";
import { ReviewSession } from "./review/review_session.js";
import { rowsOf, viewSettings } from "./frame/view_settings.js";
import { keepReadingPlace } from "./texts/reading_place.js";
import { mapsToCompare } from "./models/model_comparison.js";
import { RequestedSelection, samePassages, selectAgain } from "./frame/requested_selection.js";
import { fillTables, itemsOf, listOf } from "./passages/listed_items.js";
import { changeCount, listNote, passageCount } from "./passages/passage_notes.js";
import { SplitSteps } from "./passages/split_steps.js";
import { openingRole } from "./map/opening.js";
import { contributionMap } from "./whatif/what_if_panel.js";
import { buildLayout } from "./frame/view_layout.js";

const SEND_AFTER = 150; // milliseconds; a click is one message
const SILENT = 6000; // milliseconds without news of a running comparison, after which the page is asked again

/**
 * @typedef {ReturnType<typeof buildLayout>} Layout
 * @typedef {ReturnType<typeof import("./payload/decode_models.js").decodeModels>[number]} Model
 */

export class View {
  // What `build` makes of a payload.

  /** @type {{a: DocumentText, b: DocumentText}} */
  texts;
  /** @type {any} */
  payload;
  /** @type {import("./types").SharedPassage[] | null} */
  shared; // null while they are not known
  /** @type {Model[]} */
  models;
  /** @type {Model[]} */
  neighbours;
  /** @type {TileRequests} */
  pieces;
  /** @type {MapPosition} */
  position;
  /** @type {any} */
  selected;
  /** @type {ReviewSession} */
  reviewing;
  /** @type {any} */
  colours;
  /** @type {Layout["live"]} */
  live;
  /** @type {Layout["tip"]} */
  tip;
  /** @type {Layout["figure"]} */
  figure;
  /** @type {Layout["rivals"]} */
  rivals;
  /** @type {Layout["top"]} */
  top;
  /** @type {Layout["passageList"]} */
  passageList;
  /** @type {Layout["closest"]} */
  closest;
  /** @type {Layout["changes"]} */
  changes;
  /** @type {Layout["ledger"]} */
  ledger;
  /** @type {Layout["chart"]} */
  chart;
  /** @type {Layout["whatIf"]} */
  whatIf;
  /** @type {Layout["why"]} */
  why;
  /** @type {Layout["wordCells"]} */
  wordCells;
  /** @type {Layout["tabs"]} */
  tabs;
  /** @type {Layout["fold"]} */
  fold;
  /** @type {Layout["whose"]} */
  whose;
  /** @type {Layout["help"]} */
  help;
  /** @type {Layout["panes"]} */
  panes;
  /** @type {Layout["body"]} */
  body;
  /** @type {Layout["narrow"]} */
  narrow;
  /** @type {Layout["element"]} */
  element;

  constructor(root, payload, callbacks) {
    this.root = root;
    this.callbacks = callbacks;
    this.send = debounce(SEND_AFTER, (selected) => this.callbacks.onSelect?.(selected));
    this.sendSettings = debounce(SEND_AFTER, () => this.callbacks.onSettings?.(viewSettings(this)));
    this.wanted = new RequestedSelection();
    this.askAgain = debounce(SILENT, () => {
      this.callbacks.onSilence?.();
      this.awaitNews();
    });
    this.build(payload);
    window.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    window.addEventListener("storage", (event) => this.root.isConnected && this.reviewing?.heard(event));
  }

  // ---- payload ----

  build(payload) {
    this.refused = payload.version !== VERSION;
    if (this.refused) return void this.refuse(payload.version);
    this.texts = { a: new DocumentText(payload.documents.a, "a"), b: new DocumentText(payload.documents.b, "b") };
    this.payload = payload;
    this.shared = decodePassages(payload);
    this.models = this.neighbours = [];
    this.pieces = new TileRequests(this, payload);
    this.position = new MapPosition(this.models[0] || null);
    this.selected = null; // {axes, a, b} and the cell, if it is one
    this.reviewing = new ReviewSession(this);
    this.splitSteps = new SplitSteps(this);
    this.chosen = -1; // index of the passage or change that is selected, in `items`
    this.asked = payload.settings?.tab || null; // the tab that the reader has chosen; `tab` is the one that is shown
    /** @type {string | null} */
    this.first = null; // the tab that stands first; null while it is not known whether the texts are versions
    this.listedChanges = payload.changes.list;
    this.beside = payload.levels.includes(payload.settings?.beside) ? payload.settings.beside : null; // level of the maps of all models, or null: that of the map
    this.shading = payload.settings?.shading || null; // key of the weights that shade the texts; null: best counterparts
    this.rows = rowsOf(payload.settings); // which passages are the rows of the claim chart
    this.wanted.drop();
    Object.assign(this, buildLayout(this));
    fillTables(this);
    this.passageList.filter.standard = payload.settings?.standard ?? "apart";
    this.adopt();
    this.show();
    this.obey(payload);
    this.awaitNews();
  }

  /** A payload that never came would leave the view at what it knows; while there is more to come, it asks. */
  awaitNews() {
    if (this.payload.active) this.askAgain();
    else this.askAgain.cancel();
  }

  /** Say that the payload is of another version than this view, which would read it wrongly. */
  refuse(version) {
    const why = labels.otherVersion(VERSION, version ?? "unknown");
    this.root.replaceChildren(createElement("div.lv", {}, createElement("p.lv-note", { role: "alert" }, why)));
  }

  /** Another view in place of this one; where only the sections of its texts have changed, the reader stays in place. */
  rebuild(payload) {
    const same = (side) => payload.documents[side].text === this.payload.documents[side].text;
    const kept = !this.refused && payload.version === VERSION && same("a") && same("b");
    const restored = kept ? [keepReadingPlace(this), keepFocus(this.root)] : [];
    this.build(payload);
    for (const restore of restored) restore();
  }

  /** New data: other texts rebuild everything; other maps keep the reader's place. */
  update(payload) {
    const other = this.refused || payload.version !== VERSION || payload.texts !== this.payload.texts;
    if (other) return void this.rebuild(payload);
    const changed = payload.generation !== this.payload.generation;
    const chosen = this.items[this.chosen];
    this.payload = payload;
    if (changed) {
      this.listedChanges = payload.changes.list;
      this.shared = decodePassages(payload);
      const name = this.model?.name;
      this.pieces.decode(payload);
      const same = this.models.find((m) => m.name === name);
      if (same) this.position.model = same;
      else this.position.setModel(this.models[0] || null);
    }
    const filled = fillTables(this);
    if (chosen && (changed || filled)) {
      this.chosen = this.items.findIndex((item) => itemKey(item) === itemKey(chosen));
    }
    if (changed) this.show();
    else if (filled) this.showItems();
    this.obey(payload);
    this.awaitNews();
  }

  /** What the page asks for: a selection (each once, as soon as there is a map to show it on), page images. */
  obey(payload) {
    this.reviewing.open(payload.review);
    if (this.position.current()) this.help.walkOnce(payload.tour);
    this.wanted.ask(payload.wanted);
    if (this.position.current()) {
      this.wanted.obey(this.selected, Boolean(this.model?.pending), (wanted) => selectAgain(this, wanted));
    }
    this.panes.take(payload, this.shared);
    this.pieces.take(payload.tiles);
  }

  /** What the tab that is shown lists: changes, rows of a table, or shared passages. */
  get items() {
    return itemsOf(this);
  }

  get model() {
    return this.position.model;
  }

  // ---- frame ----

  /** Take on the colours of the page's theme. */
  adopt() {
    this.element.dataset.theme = palette(this.element).dark ? "dark" : "light";
    this.colours = palette(this.element); // the shades of a dark theme are others
    this.panes.adopt(this.colours);
  }

  /** Put the map away, so that the lines between the texts are seen whole; or bring it back. */
  foldMap() {
    const folded = this.body.classList.toggle("lv-folded");
    this.fold.textContent = folded ? labels.showMap : labels.textsOnly;
  }

  repaint() {
    if (this.refused) return;
    this.adopt();
    this.showMiddle();
    const shading = this.shadingNow();
    if (shading) this.figure.showShading(shading, this.colours.dark);
    this.panes.repaint();
  }

  say(text) {
    this.live.textContent = text;
  }

  // ---- what is shown ----

  /** Redraw everything from the state; puts the state right where the model lacks what it names. */
  show() {
    this.position.suggest(openingRole(this.shared));
    this.position.settle();
    this.whose.show(this.models, this.model?.name);
    this.showTexts();
    this.showMiddle();
  }

  /** What stands between the texts: the panel of the chosen tab, and no other, is drawn. */
  showMiddle() {
    this.tabs.offer("models", this.payload.scores.length + this.payload.comparable.length > 1);
    this.tabs.number("passages", passageCount(this));
    this.tabs.number("changes", changeCount(this));
    this.tabs.offer("ledger", this.payload.ledger !== undefined && Boolean(this.shared)); // the page makes it when asked
    this.tabs.offer("why", Boolean(contributionMap(this.model)));
    if (this.listedChanges) this.first ??= this.payload.changes.versions && !this.selected ? "changes" : "map";
    this.tabs.offer("chart", this.payload.chart !== undefined && Boolean(this.shared));
    const before = this.listed();
    this.tab = this.tabs.choose(this.asked ?? this.first);
    this.body.dataset.tab = this.tab ?? "";
    if (before.noun !== this.listed().noun) this.chosen = -1; // of another list
    this.whatIf.show(this.model, this.payload);
    this.wordCells.show(this.payload.words);
    if (this.tab === "why") this.why.show(this.model, this.payload);
    if (this.tab === "map") this.figure.show(this.shown());
    if (this.tab === "models") {
      this.rivals.show({
        ...mapsToCompare(this.payload, [...this.models, ...this.neighbours], [this.beside, this.position.level]),
        scores: this.payload.scores,
        name: this.model?.name,
        selected: this.selected,
        colours: this.colours,
      });
    }
    this.showItems();
    this.narrow.passages(this.selected);
  }

  showTexts() {
    const shading = this.shadingNow();
    this.panes.show(shading, this.selected);
    if (this.model) this.figure.showShading(shading, this.colours.dark);
  }

  /** The list that the chosen tab has; the short one of passages where it has none. */
  listed() {
    return listOf(this);
  }

  showItems() {
    const listed = this.listed();
    if (listed !== this.top) this.top.element.replaceChildren();
    for (const list of [this.passageList, this.changes, this.ledger, this.chart]) if (list !== listed) list.clear();
    if (listed === this.passageList) this.closest.show(this.payload.closest, this.texts);
    listed.show(this.items, this.chosen, this.texts, this.reviewing.review, listNote(this));
    this.reviewing.showMarks();
  }

  /** What shades the texts: weights of the model's own choice, or null for the best counterparts. */
  shadingNow() {
    return this.model?.shadings.find((s) => s.key === this.shading) || null;
  }

  /** The state of the figure. */
  shown() {
    return { selected: this.selected, shading: this.shadingNow(), colours: this.colours };
  }

  // ---- what the reader does ----

  setModel(name) {
    this.position.setModel(this.models.find((m) => m.name === name) ?? null);
    this.show();
  }

  setAxes(axes) {
    this.position.setAxes(axes);
    Object.assign(this, { selected: null, chosen: -1 });
    this.panes.clear();
    this.show();
  }

  setLevel(level) {
    this.position.setLevel(level);
    this.showMiddle();
  }

  setMap(name) {
    this.position.setMap(this.model?.map(name));
    this.showMiddle();
  }

  setTab(key) {
    if (this.body.classList.contains("lv-folded")) this.foldMap();
    this.asked = key;
    if (key === "models" && this.position.axes !== "across") this.setAxes("across");
    this.panes.markPlace(null);
    this.tip.hide();
    this.showMiddle();
    this.sendSettings();
  }

  /** The level of the maps of all models. */
  setBeside(level) {
    this.beside = level;
    this.showMiddle();
    this.sendSettings();
  }

  /** Show a model's maps: at once where they are here, else the page is asked for them. */
  askModel(name) {
    if (this.models.some((m) => m.name === name)) this.setModel(name);
    else this.callbacks.onModel?.(name);
  }

  setShading(key) {
    this.shading = key;
    this.showTexts();
    if (this.tab === "map") this.figure.showControls(this.shown());
    this.sendSettings();
  }

  /** The strongest cell of the whole matrix. */
  chooseStrongest() {
    this.position.restart(this.model?.levels(this.position.axes)[0] ?? null);
    const cell = this.position.current()?.strongest;
    if (cell) this.choose(cell);
  }

  up(depth) {
    this.position.up(depth);
    this.showMiddle();
  }

  /** To the matrix before; from the first one, to no selection. */
  back() {
    if (this.position.path.length) {
      this.up(this.position.path.length - 1);
    } else if (this.selected) {
      Object.assign(this, { selected: null, chosen: -1 });
      this.panes.mark(null);
      this.showMiddle();
      this.send(null);
    }
  }

  /** Select a cell: both texts show its passages, and the matrix opens it where there is a finer one. */
  choose({ row, column }, tell = true) {
    const part = this.position.current();
    if (!part) return;
    const { map } = part;
    const { axes, path } = this.position;
    const before = this.selected;
    this.selected = {
      axes,
      map: map.name,
      level: map.offered,
      row,
      column,
      path: [...path],
      a: map.rows.span(row),
      b: map.columns.span(column),
    };
    this.chosen = -1;
    this.say(labels.selectedCell(this.figure.cellSaid({ row, column })));
    this.position.open(map, row, column);
    this.panes.mark(this.selected, tell || !samePassages(before, this.selected));
    this.showMiddle();
    if (tell) this.tell();
  }

  /** Select two passages, whatever the matrix shows; it goes to where both lie. One of them may be null. */
  pick(a, b, tell = true) {
    const { position } = this;
    if (position.axes !== "across") position.setAxes("across");
    const axes = /** @type {const} */ ("across");
    const before = this.selected;
    this.selected = { axes, picked: true, a, b, path: [], map: null, level: null, row: null, column: null };
    const both = a && b ? this.selected : null;
    if (both && !position.cellOf(both)) position.restart(this.model?.levels("across")[0] || null);
    const cell = position.cellOf(both);
    if (cell) {
      const map = /** @type {import("./payload/similarity_map.js").SimilarityMap} */ (position.current()?.map);
      const { row, column } = cell;
      Object.assign(this.selected, { row, column, map: map.name, level: map.offered, path: [...position.path] });
    }
    this.showTexts();
    this.panes.mark(this.selected, tell || !samePassages(before, this.selected));
    this.showMiddle();
    if (tell) this.tell();
  }

  revealLabel(axis, index) {
    const map = this.position.current()?.map;
    if (!map) return;
    const { left, right } = this.panes.slots;
    (axis === 0 ? left : right).reveal(...(axis === 0 ? map.rows : map.columns).span(index));
  }

  tell() {
    const { axes, picked, ...selected } = this.selected;
    this.send(selected);
  }
}
