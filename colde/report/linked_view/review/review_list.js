// The tabs of the shared passages and of the changes: all of them with their words, to be filtered, accepted, rejected and noted.

import * as labels from "../labels.js";
import { selectBox, debounce, createElement, redraw } from "../frame/dom.js";
import { ItemList } from "../passages/item_list.js";
import { partList, quotes } from "../passages/passage_quotes.js";
import { STANDARD } from "../payload/shared_passages.js";
import { NO_FILTER, filterItems, foldedChanges, isChange, sectionsOf } from "./review_marks.js";
import { reviewTools, undoButton } from "./review_tools.js";

const MOST_DRAWN = 50; // at first, of a long list, and with each press for more
const FILTERED_AFTER = 200; // milliseconds

/**
 * `show(list, chosen, texts, review, note)` draws. on: {choose(i), canDecide(), decide(i, decision), note(i, text), noted() when a note is written, undo(), filter(), standard() when standard text counts otherwise, part(part) shows a part of a passage, keeps(i), label(item) as in ItemList};
 * where nobody takes them, decisions are shown and cannot be changed.
 */
export class ReviewList extends ItemList {
  /** name: of the list; noun: of one of what it lists */
  constructor(on, name, noun) {
    super(on, createElement("div.lv-items.lv-reviewed"), noun);
    this.filter = { ...NO_FILTER };
    this.first = 0; // place in the list of the first one that is drawn
    this.end = MOST_DRAWN; // place after the last one
    this.kinds = createElement("div.lv-kinds", { role: "group", "aria-label": labels.kindsOf(noun) });
    this.standard = createElement("div.lv-kinds", { role: "group", "aria-label": labels.standardText, hidden: true });
    this.filters = createElement("div.lv-filters", {
      role: "search",
      "aria-label": labels.filterItems(name.toLowerCase()),
    });
    this.head = createElement("div.lv-items-header");
    this.items = createElement("ol.lv-item-list", { "aria-label": name, tabindex: "-1" });
    this.none = createElement("div");
    this.element.append(this.head, this.kinds, this.standard, this.filters, this.none, this.items);
    this.drawSoon = debounce(FILTERED_AFTER, () => this.set({}));
    this.listDrawn = []; // the list and the state that the items were drawn from
    this.drawn = "";
  }

  /** Arguments as in `take`; note: what is said above the list. */
  show(list, chosen, texts, review, note = "") {
    const other = list !== this.list;
    this.take(list, chosen, texts, review);
    this.note = note;
    if (other) {
      this.resetPart(0);
      this.drawFilters();
    }
    this.draw();
  }

  /** Draw the part of a long list around this place, and no other. */
  resetPart(place) {
    this.first = place - (place % MOST_DRAWN);
    this.end = this.first + MOST_DRAWN;
  }

  /** Take on a filter; everything is counted again. */
  set(change) {
    Object.assign(this.filter, change);
    this.on.filter();
    this.drawKinds();
    this.draw();
  }

  /** Indices of what the filter lets through. */
  listed() {
    return filterItems(this.list, this.filter, this.texts, this.review, this.on);
  }

  drawFilters() {
    const unique = (values) => [...new Set(values)].sort((x, y) => x.localeCompare(y));
    const options = (all, values) => [{ value: "", text: all }, ...values.map((value) => ({ value, text: value }))];
    this.kinds.hidden = this.filters.hidden = !this.list.length;
    this.drawKinds();
    const { filter } = this;
    const words = createElement("input", {
      type: "number",
      min: "0",
      step: "5",
      value: filter.words || "",
      "aria-label": labels.leastWords,
      placeholder: "min. words",
    });
    words.addEventListener("input", () => this.set({ words: Math.max(0, Number(words.value) || 0) }));
    const text = createElement("input", {
      type: "search",
      value: filter.text,
      "aria-label": labels.wordsInPassages,
      placeholder: "containing",
    });
    text.addEventListener("input", () => {
      this.filter.text = text.value;
      this.drawSoon();
    });
    const quotations = createElement("input", { type: "checkbox", checked: !filter.quotations });
    quotations.addEventListener("change", () => this.set({ quotations: !quotations.checked }));
    for (const field of [words, text]) field.addEventListener("keydown", (event) => event.stopPropagation());
    const sections = unique(this.list.flatMap((item) => sectionsOf(item, this.texts)));
    redraw(
      this.filters,
      selectBox(
        labels.decision,
        options("all decisions", ["open", "accepted", "rejected"]),
        filter.decision,
        (decision) => this.set({ decision }),
      ),
      selectBox(labels.sectionOfPassages, options("all sections", sections), filter.section, (section) =>
        this.set({ section }),
      ),
      text,
      ...(this.noun === "passage"
        ? [words, createElement("label.lv-choice", {}, quotations, createElement("span", {}, labels.excludeQuotations))]
        : []),
    );
  }

  /** A button for each kind, with the number of those that count; several can be pressed. And how standard text counts. */
  drawKinds() {
    const { kinds } = this.filter;
    const counts = new Map(kinds.map((kind) => [kind, 0]));
    for (const [i, item] of this.list.entries()) {
      const kind = this.on.label(item);
      if (this.on.keeps(i)) counts.set(kind, (counts.get(kind) ?? 0) + 1);
    }
    const toggle = (kind) =>
      this.set({ kinds: kinds.includes(kind) ? kinds.filter((other) => other !== kind) : [...kinds, kind] });
    const button = (text, pressed, onclick, more) =>
      createElement("button.lv-decide", { type: "button", "aria-pressed": String(pressed), onclick, ...more }, text);
    redraw(
      this.kinds,
      ...[...counts].map(([kind, count]) =>
        button(`${kind} ${count.toLocaleString("en")}`, kinds.includes(kind), () => toggle(kind), {
          "data-kind": kind,
          "data-focus": kind,
        }),
      ),
    );
    this.standard.hidden = !this.list.some((item) => item.standard);
    redraw(
      this.standard,
      createElement("span", {}, labels.standardText),
      ...Object.entries(labels.standardCounts).map(([standard, text]) =>
        button(
          text,
          this.filter.standard === standard,
          () => {
            this.set({ standard, kinds: kinds.filter((kind) => kind !== STANDARD) });
            this.on.standard();
          },
          { "data-focus": standard },
        ),
      ),
    );
  }

  /** List this kind alone, or all where none counts as it. */
  showKind(kind) {
    this.set({ kinds: this.list.some((item) => this.on.label(item) === kind) ? [kind] : [] });
  }

  draw() {
    const { list, chosen, review } = this;
    const listed = this.listed();
    const decided = (which) => list.filter((item) => review.of(item).decision === which).length;
    const counts = labels.reviewState(listed.length, list.length, decided("accepted"), decided("rejected"));
    redraw(
      this.head,
      createElement("span.lv-count", { role: "status" }, list.length ? counts : ""),
      ...(this.on.canDecide() && list.length ? [undoButton(this.on, review)] : []),
      ...(list.length ? this.arrows() : []),
    );
    const note = this.note || (list.length && !listed.length ? labels.noneListed : "");
    this.none.replaceChildren(
      note ? createElement("p.lv-none", {}, note) : "",
      review.isKept ? "" : createElement("p.lv-none", { role: "alert" }, labels.notKept),
    );
    const place = listed.indexOf(chosen);
    if (place >= 0 && (place < this.first || place >= this.end)) this.resetPart(place);
    if (this.first >= listed.length) this.resetPart(0);
    this.drawItems(listed);
  }

  /** A note that is being written stays as it is while nothing else changes. */
  drawItems(listed) {
    const { list, chosen, review, first } = this;
    const end = Math.min(this.end, listed.length);
    const shown = listed.map((i) => [i, review.of(list[i]).decision, i === chosen || review.of(list[i]).note]);
    const { standard, form } = this.filter;
    const folded = foldedChanges(list, this.filter);
    const state = JSON.stringify([first, end, standard, form, folded, this.on.canDecide(), shown]);
    if (list === this.listDrawn && state === this.drawn) {
      const field = this.items.querySelector("textarea");
      if (field) field.value = review.of(list[chosen]).note;
      return;
    }
    [this.listDrawn, this.drawn] = [list, state];
    const parts = this.rows(listed.slice(first, end), (i) => this.item(i));
    if (first > 0) parts.unshift(this.more(listed, first - MOST_DRAWN));
    if (end < listed.length) parts.push(this.more(listed, end));
    else if (folded) parts.push(this.fold(folded));
    const top = this.items.scrollTop;
    redraw(this.items, ...parts);
    this.items.scrollTop = top;
  }

  /** Draw nothing, while another list is shown. */
  clear() {
    this.drawn = "";
    this.items.replaceChildren();
  }

  /** The button that adds the next part of a long list to what is drawn, or the part before; its first one gets the focus. */
  more(listed, first) {
    const end = Math.min(first + MOST_DRAWN, listed.length);
    const add = () => {
      Object.assign(this, { first: Math.min(this.first, first), end: Math.max(this.end, first + MOST_DRAWN) });
      this.draw();
      this.reveal(listed[first], true);
    };
    const label = labels.showPart(first + 1, end);
    return createElement("li", {}, createElement("button.lv-more", { type: "button", onclick: add }, label));
  }

  /** The button that lists the differences of form after the other changes, or no more. */
  fold(count) {
    const { form } = this.filter;
    const attributes = {
      type: "button",
      "aria-expanded": String(form),
      "data-focus": "form",
      onclick: () => this.set({ form: !form }),
    };
    return createElement("li", {}, createElement("button.lv-more", attributes, labels.formChanges(count, form)));
  }

  item(i) {
    const { texts, review } = this;
    const item = this.list[i];
    const { note } = review.of(item);
    const chosen = i === this.chosen;
    const description = item.description ? createElement("span.lv-described", {}, item.description) : null;
    const opened = chosen && !isChange(item) && item.parts.length > 0;
    const parts = [this.line(i, description, ...(opened ? [] : quotes(item, texts, chosen)))];
    if (chosen && this.on.canDecide()) parts.push(reviewTools(this.on, item, i, review.of(item), this.noun));
    else if (note) parts.push(createElement("p.lv-item-note", { dir: "auto" }, note));
    if (opened) parts.push(partList(item, texts, (part) => this.on.part(part)));
    return createElement("li", {}, ...parts);
  }
}
