// What the list beside the map and the tab of the matches share: the chosen match, its line, the steps, the fold.

import * as labels from "../labels.js";
import { DECISION_SIGNS, isChange } from "../review/review_marks.js";
import { formatNumber } from "../payload/similarity_map.js";
import { focusedIn, createElement } from "../frame/dom.js";

/**
 * A list of matches, strong ones first, or of changes. A subclass draws; it names what it lists by its index in `list`.
 * A change has no weight, and may have a passage in one text only.
 */
export class MatchList {
  /** noun: what is listed, as a word in sentences */
  constructor(on, element, noun = "match") {
    this.on = on;
    this.noun = noun;
    this.list = [];
    this.chosen = -1;
    this.texts = null;
    this.review = null;
    this.all = false; // whether those that do not stand out are listed, too
    /** @type {boolean | null} what the reader has chosen, where it is not the default */
    this.allWanted = null;
    this.element = element;
    element.dataset.noun = noun;
  }

  /** Take on what is to be shown; list: all matches; chosen: index of one of them, or −1; texts: {a: Text, b: Text}; review: what was decided */
  take(list, chosen, texts, review) {
    const other = list !== this.list;
    Object.assign(this, { list, chosen, texts, review });
    if (other) this.all = this.allWanted ?? !this.strong; // where none stands out, the nearest are still worth a look
    if (list[chosen]?.weak) this.all = true;
  }

  /** What is said above a list of which no match stands out; null where one does. */
  noneStandsOut() {
    if (this.strong || !this.list.length) return null;
    return createElement("p.lv-none", {}, this.all ? labels.noPassageStandsOutWeak : labels.noPassageStandsOut);
  }

  /** How many stand out. */
  get strong() {
    return this.list.filter((match) => !match.weak).length;
  }

  /** Indices of what is listed, in its order. */
  listed() {
    return this.list.flatMap((match, i) => (this.all || !match.weak ? [i] : []));
  }

  /** The buttons to the match before and to the next. */
  arrows() {
    const button = (text, title, by) =>
      createElement(
        "button.lv-quiet",
        {
          type: "button",
          "aria-label": title,
          title: `${title} (${by > 0 ? "n" : "p"})`,
          onclick: () => this.step(by),
        },
        text,
      );
    return [button("‹", labels.previousItem(this.noun), -1), button("›", labels.nextItem(this.noun), 1)];
  }

  /** Where a match or a change is in each text that has it. */
  places(i) {
    const item = this.list[i];
    return ["a", "b"].flatMap((side) =>
      item[side] ? [item[side].place ?? this.texts[side].passagePlace(item[side].start, item[side].end)] : [],
    );
  }

  /** Both places; that of a change once if it is the same in both texts. */
  placesLine(i) {
    const [one, two] = this.places(i);
    const name = (place) => createElement("bdi", {}, place); // text from right to left keeps its quotation marks
    if (two === undefined || (isChange(this.list[i]) && one === two)) return [name(one)];
    return [name(one), createElement("i", {}, " ↔ "), name(two)];
  }

  /** The button of a match: its number, places, kind, decision and weight, and what a subclass adds. */
  line(i, ...more) {
    const { kind, weight } = this.list[i];
    const decision = this.review?.of(this.list[i]).decision;
    const decided = decision
      ? [" ", createElement("b.lv-decision", {}, `${DECISION_SIGNS[decision]} ${decision}`)]
      : [];
    return createElement(
      "button.lv-match",
      {
        type: "button",
        "aria-pressed": String(i === this.chosen),
        "data-match": i,
        "data-focus": `${this.noun} ${i}`,
        "data-weak": this.list[i].weak ? "true" : null,
        "data-decision": decision || null,
        onclick: () => this.on.choose(i),
      },
      createElement("span.lv-badge", { "data-kind": kind }, String(i + 1)),
      createElement("span.lv-match-places", {}, ...this.placesLine(i)),
      createElement("span.lv-match-kind", {}, kind, ...decided),
      weight === undefined ? null : createElement("span.lv-match-weight", {}, formatNumber(weight)),
      ...more,
    );
  }

  /** The button that lists the weak ones, or hides them; draw: makes the list anew. */
  fold(draw) {
    const toggle = () => {
      this.all = !this.all;
      this.allWanted = this.all === !this.strong ? null : this.all;
      draw();
    };
    const button = createElement(
      "button.lv-weaker",
      { type: "button", "data-focus": "weak matches", onclick: toggle },
      this.all ? labels.hideWeak : labels.showWeak((this.list.length - this.strong).toLocaleString("en")),
    );
    return createElement("li", {}, button);
  }

  /** To the next match or the one before, round the ends. */
  step(by) {
    const listed = this.listed();
    if (!listed.length) return;
    const at = listed.indexOf(this.chosen);
    this.on.choose(at < 0 ? listed[by > 0 ? 0 : listed.length - 1] : listed[(at + by + listed.length) % listed.length]);
  }

  hasFocus() {
    return Boolean(focusedIn(this.element));
  }

  /** Scroll `items`, and nothing else, so that this match can be seen, this share of the height below its top; with the focus on it if wanted. */
  scrollTo(items, i, share, focus) {
    const button = items?.querySelector(`[data-match="${i}"]`);
    if (!button) return;
    const [list, box] = [items.getBoundingClientRect(), button.parentElement.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) items.scrollTop += box.top - list.top - list.height * share;
    if (focus) button.focus({ preventScroll: true });
  }
}
