// The tab of the matches: all of them with their passages, to be filtered, accepted, rejected and noted.

import { number } from "./data.js";
import { chooser, debounce, focusedIn, make } from "./dom.js";
import { EVERYTHING, filtered, sectionsOf } from "./review.js";
import { shortened, wordDifference } from "./worddiff.js";

const QUOTED = 260; // characters of a passage in the list
const FILTERED_AFTER = 200; // milliseconds
const DECISIONS = { accepted: "✓", rejected: "✕" };

/**
 * `show(list, chosen, texts, review)` draws. on: {choose(i), decide(i, decision), note(i, text), filter(filter)};
 * without `decide` decisions are shown and cannot be changed.
 */
export class ReviewList {
  constructor(on) {
    this.on = on;
    this.list = [];
    this.chosen = -1;
    this.texts = null;
    this.review = null;
    this.all = false; // whether those that do not stand out are listed, too
    this.filter = { ...EVERYTHING };
    this.filters = make("div.lv-filters", { role: "search", "aria-label": "Filter the matches" });
    this.head = make("div.lv-matches-header");
    this.items = make("ol.lv-match-list", { "aria-label": "Matches" });
    this.element = make("div.lv-matches.lv-quoted", {}, this.head, this.filters, this.items);
    this.textSoon = debounce(FILTERED_AFTER, (text) => this.set({ text }));
  }

  /** list: all matches, strong ones first; chosen: index of one of them, or −1; texts: {a: Text, b: Text} */
  show(list, chosen, texts, review) {
    const other = list !== this.list;
    Object.assign(this, { list, chosen, texts, review });
    if (list[chosen]?.weak) this.all = true;
    if (other) this.drawFilters();
    this.draw();
  }

  /** Take on a filter; everything is counted again. */
  set(change) {
    Object.assign(this.filter, change);
    this.on.filter({ ...this.filter });
    this.draw();
  }

  /** Indices of what the filter lets through, weak ones only where they were asked for. */
  listed() {
    return filtered(this.list, this.filter, this.texts, this.review).filter((i) => this.all || !this.list[i].weak);
  }

  drawFilters() {
    const unique = (values) => [...new Set(values)].sort((x, y) => x.localeCompare(y));
    const options = (all, values) => [{ value: "", text: all }, ...values.map((value) => ({ value, text: value }))];
    const { filter } = this;
    const words = make("input", { type: "number", min: "0", step: "5", value: filter.words || "", "aria-label": "Least words", placeholder: "min. words" });
    words.addEventListener("input", () => this.set({ words: Math.max(0, Number(words.value) || 0) }));
    const text = make("input", { type: "search", value: filter.text, "aria-label": "Words in the match", placeholder: "words" });
    text.addEventListener("input", () => this.textSoon(text.value));
    const quotations = make("input", { type: "checkbox", checked: !filter.quotations });
    quotations.addEventListener("change", () => this.set({ quotations: !quotations.checked }));
    for (const field of [words, text]) field.addEventListener("keydown", (event) => event.stopPropagation());
    const sections = unique(this.list.flatMap((match) => sectionsOf(match, this.texts)));
    this.filters.replaceChildren(
      chooser("Kind of match", options("all kinds", unique(this.list.map((match) => match.kind))), filter.kind, (kind) => this.set({ kind })),
      chooser("Decision", options("all decisions", ["open", "accepted", "rejected"]), filter.decision, (decision) => this.set({ decision })),
      chooser("Section of the match", options("all sections", sections), filter.section, (section) => this.set({ section })),
      words,
      text,
      make("label.lv-choice", {}, quotations, make("span", {}, " leave out quotations")),
    );
  }

  draw() {
    const within = this.hasFocus() && this.items.contains(focusedIn(this.element));
    const { list, chosen, review } = this;
    const listed = this.listed();
    const strong = list.filter((match) => !match.weak).length;
    const decided = (which) => list.filter((match) => review.of(match).decision === which).length;
    const button = (text, title, by) => make("button.lv-quiet", { type: "button", "aria-label": title, title: `${title} (${by > 0 ? "n" : "p"})`, onclick: () => this.step(by) }, text);
    const counts = `${listed.length} of ${list.length} shown · ${decided("accepted")} accepted · ${decided("rejected")} rejected`;
    this.head.replaceChildren(make("span.lv-count", { role: "status" }, counts), button("‹", "Previous match", -1), button("›", "Next match", 1));
    const top = this.items.scrollTop;
    this.items.replaceChildren(...listed.map((i) => this.item(i)));
    if (strong < list.length) this.items.append(make("li", {}, this.fold(strong)));
    this.items.scrollTop = top;
    if (within && chosen >= 0) this.buttonOf(chosen)?.focus({ preventScroll: true });
  }

  fold(strong) {
    const weak = this.list.length - strong;
    const toggle = () => {
      this.all = !this.all;
      this.draw();
      this.element.querySelector(".lv-weaker").focus({ preventScroll: true });
    };
    return make("button.lv-weaker", { type: "button", "aria-expanded": String(this.all), onclick: toggle }, `${this.all ? "▾" : "▸"} ${weak} usual between unrelated texts`);
  }

  item(i) {
    const { texts, review } = this;
    const match = this.list[i];
    const { decision, note } = review.of(match);
    const place = (text, { start, section }) => {
      const page = text.page(start);
      return (section || text.heading(start)) + (page ? `, p. ${page}` : "");
    };
    const passage = (side) => texts[side].slice(match[side].start, match[side].end);
    const words = marked(match.kind, passage("a"), passage("b"));
    const quote = (side) => make("q.lv-match-quote", { "data-side": side, dir: "auto" }, ...(words?.[side === "a" ? 0 : 1] ?? [texts[side].snippet(match[side].start, match[side].end, QUOTED)]));
    const button = make(
      "button.lv-match",
      { type: "button", "aria-pressed": String(i === this.chosen), "data-match": i, "data-decision": decision || null, onclick: () => this.on.choose(i) },
      make("span.lv-badge", { "data-kind": match.kind }, String(i + 1)),
      make("span.lv-match-places", {}, place(texts.a, match.a), make("i", {}, " ↔ "), place(texts.b, match.b)),
      make("span.lv-match-kind", {}, decision ? `${DECISIONS[decision]} ${decision}` : match.kind),
      make("span.lv-match-weight", {}, number(match.weight)),
      quote("a"),
      quote("b"),
    );
    const parts = [button];
    if (i === this.chosen && this.on.decide) parts.push(this.tools(i, decision, note));
    else if (note) parts.push(make("p.lv-match-note", { dir: "auto" }, note));
    return make("li", {}, ...parts);
  }

  /** What can be done with the chosen match. */
  tools(i, decision, note) {
    const decide = (which, label, key) =>
      make("button.lv-decide", { type: "button", "aria-pressed": String(decision === which), title: `${label} (${key})`, onclick: () => this.on.decide(i, which) }, `${DECISIONS[which]} ${label}`);
    const field = make("textarea", { rows: "2", "aria-label": `Note on match ${i + 1}`, placeholder: "Note", dir: "auto" });
    field.value = note;
    field.addEventListener("input", () => this.on.note(i, field.value));
    field.addEventListener("keydown", (event) => event.stopPropagation());
    return make("div.lv-review-tools", {}, decide("accepted", "Accept", "a"), decide("rejected", "Reject", "r"), field);
  }

  step(by) {
    const listed = this.listed();
    if (!listed.length) return;
    const at = listed.indexOf(this.chosen);
    this.on.choose(at < 0 ? listed[by > 0 ? 0 : listed.length - 1] : listed[(at + by + listed.length) % listed.length]);
  }

  hasFocus() {
    return Boolean(focusedIn(this.element));
  }

  buttonOf(i) {
    return this.items.querySelector(`[data-match="${i}"]`);
  }

  /** Scroll the list, and nothing else, so that this match can be seen; with the focus on it if wanted. */
  reveal(i, focus) {
    const item = this.buttonOf(i);
    if (!item) return;
    const [list, box] = [this.items.getBoundingClientRect(), item.parentElement.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.items.scrollTop += box.top - list.top - list.height / 4;
    if (focus) item.focus({ preventScroll: true });
  }
}

/** Both passages with the words marked in which they differ, where they are nearly the same, else those they share; or null. */
function marked(kind, a, b) {
  const nearly = kind === "verbatim" || kind === "edited";
  if (!nearly && kind !== "reworded") return null;
  const found = wordDifference(a.replaceAll(/\s+/g, " "), b.replaceAll(/\s+/g, " "));
  const look = nearly ? "span.lv-differs" : "span.lv-shared";
  return found && found.map((pieces) => shortened(pieces, QUOTED).map((p) => (p.same === nearly ? document.createTextNode(p.text) : make(look, {}, p.text))));
}
