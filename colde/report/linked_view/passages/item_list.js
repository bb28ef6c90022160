// What the list beside the map and the tabs of passages and changes share: the chosen one, its line, the steps.

import * as labels from "../labels.js";
import { DECISION_SIGNS, isChange } from "../review/review_marks.js";
import { STANDARD, saysTheSame } from "../payload/shared_passages.js";
import { focusedIn, createElement } from "../frame/dom.js";

/**
 * A list of shared passages, or of changes. A subclass draws `items`; it names what it lists by its index in `list`.
 * A change has no certainty, and may stand in one text only.
 */
export class ItemList {
  /** noun: what is listed, as a word in sentences; on: {choose(i), keeps(i) whether a passage counts, label(item) what it counts as} */
  constructor(on, element, noun = "passage") {
    this.on = on;
    this.noun = noun;
    this.list = [];
    this.chosen = -1;
    this.reviewed = true; // whether its items are accepted and rejected, and numbered in the texts
    this.texts = null;
    this.review = null;
    this.element = element;
    /** @type {any} */
    this.items = null;
    element.dataset.noun = noun;
  }

  /** Take on what is to be shown; list: all of them; chosen: index of one of them, or −1; texts: {a: Text, b: Text}; review: what was decided */
  take(list, chosen, texts, review) {
    Object.assign(this, { list, chosen, texts, review });
  }

  /** Indices of what is listed, in its order. */
  listed() {
    return [...this.list.keys()].filter((i) => this.on.keeps(i));
  }

  /** These items as `draw` draws them; a heading stands over those that say something else, and over standard text. */
  rows(listed, draw) {
    let before = labels.sharedPassages;
    return listed.flatMap((i) => {
      const group = this.group(this.list[i]);
      const heading = createElement("li.lv-item-heading", {}, createElement("h4", {}, group));
      const isNew = group !== before;
      before = group;
      return isNew ? [heading, draw(i)] : [draw(i)];
    });
  }

  /** What stands over an item and its neighbours. */
  group(item) {
    if (this.on.label(item) === STANDARD) return labels.standardText;
    return isChange(item) || saysTheSame(item) ? labels.sharedPassages : labels.otherPassages;
  }

  /** The buttons to the one before and to the next. */
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

  /** Where a passage or a change is in each text that has it. */
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

  /** The button of an item: its number, places, kind, words, decision and certainty, and what a subclass adds. */
  line(i, ...more) {
    const item = this.list[i];
    const decision = this.review?.of(item).decision;
    const decided = decision
      ? [" ", createElement("b.lv-decision", {}, `${DECISION_SIGNS[decision]} ${decision}`)]
      : [];
    const figures = isChange(item) ? [] : [certaintyElement(item.certainty)];
    return createElement(
      "button.lv-item",
      {
        type: "button",
        "aria-pressed": String(i === this.chosen),
        "data-item": i,
        "data-focus": `${this.noun} ${i}`,
        "data-decision": decision || null,
        onclick: () => this.on.choose(i),
      },
      createElement("span.lv-badge", { "data-kind": this.on.label(item) }, String(i + 1)),
      createElement("span.lv-item-places", {}, ...this.placesLine(i)),
      createElement(
        "span.lv-item-kind",
        {},
        isChange(item) ? `${item.kind} ${item.also}`.trim() : labels.kindAndWords(item.kind, item.words),
        ...decided,
      ),
      ...figures,
      ...more,
    );
  }

  /** To the next one or the one before, round the ends. */
  step(by) {
    const listed = this.listed();
    if (!listed.length) return;
    const at = listed.indexOf(this.chosen);
    this.on.choose(at < 0 ? listed[by > 0 ? 0 : listed.length - 1] : listed[(at + by + listed.length) % listed.length]);
  }

  hasFocus() {
    return Boolean(focusedIn(this.element));
  }

  /** Scroll the list, and nothing else, so that this item can be seen; with the focus on it if wanted. */
  reveal(i, focus) {
    const button = this.items?.querySelector(`[data-item="${i}"]`);
    if (!button) return;
    const [list, box] = [this.items.getBoundingClientRect(), button.parentElement.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.items.scrollTop += box.top - list.top - list.height / 4;
    if (focus) button.focus({ preventScroll: true });
  }
}

/** How certain it is that two sides belong together. */
export function certaintyElement(share) {
  return createElement("span.lv-item-certainty", { title: labels.certaintyTitle }, labels.certainty(share));
}
