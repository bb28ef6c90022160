// The tab of the matches: all of them with their passages, to be filtered, accepted, rejected and noted.

import * as labels from "../labels.js";
import { selectBox, debounce, focusedIn, createElement } from "../frame/dom.js";
import { MatchList } from "../matches/match_list.js";
import { NO_FILTER, filterMatches, sectionsOf } from "./review_marks.js";
import { shortenDiff, wordDifference } from "../matches/word_diff.js";

const QUOTED = 260; // characters of a passage in the list
const FILTERED_AFTER = 200; // milliseconds
const DECISIONS = { accepted: "✓", rejected: "✕" };

/**
 * `show(list, chosen, texts, review)` draws. on: {choose(i), canDecide(), decide(i, decision), note(i, text), noted() when a note is written, filter(filter)};
 * where nobody takes them, decisions are shown and cannot be changed.
 */
export class ReviewList extends MatchList {
  constructor(on) {
    super(on, createElement("div.lv-matches.lv-quoted"));
    this.filter = { ...NO_FILTER };
    this.filters = createElement("div.lv-filters", { role: "search", "aria-label": labels.filterMatches });
    this.head = createElement("div.lv-matches-header");
    this.items = createElement("ol.lv-match-list", { "aria-label": labels.matches });
    this.none = createElement("div");
    this.element.append(this.head, this.filters, this.none, this.items);
    this.textSoon = debounce(FILTERED_AFTER, (text) => this.set({ text }));
  }

  /** Arguments as in `take`. */
  show(list, chosen, texts, review) {
    const other = list !== this.list;
    this.take(list, chosen, texts, review);
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
    return filterMatches(this.list, this.filter, this.texts, this.review).filter((i) => this.all || !this.list[i].weak);
  }

  drawFilters() {
    const unique = (values) => [...new Set(values)].sort((x, y) => x.localeCompare(y));
    const options = (all, values) => [{ value: "", text: all }, ...values.map((value) => ({ value, text: value }))];
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
      "aria-label": labels.wordsInMatch,
      placeholder: "containing",
    });
    text.addEventListener("input", () => this.textSoon(text.value));
    const quotations = createElement("input", { type: "checkbox", checked: !filter.quotations });
    quotations.addEventListener("change", () => this.set({ quotations: !quotations.checked }));
    for (const field of [words, text]) field.addEventListener("keydown", (event) => event.stopPropagation());
    const sections = unique(this.list.flatMap((match) => sectionsOf(match, this.texts)));
    this.filters.replaceChildren(
      selectBox(
        labels.kindOfMatch,
        options(labels.allKinds, unique(this.list.map((match) => match.kind))),
        filter.kind,
        (kind) => this.set({ kind }),
      ),
      selectBox(
        labels.decision,
        options("all decisions", ["open", "accepted", "rejected"]),
        filter.decision,
        (decision) => this.set({ decision }),
      ),
      selectBox(labels.sectionOfMatch, options("all sections", sections), filter.section, (section) =>
        this.set({ section }),
      ),
      words,
      text,
      createElement("label.lv-choice", {}, quotations, createElement("span", {}, labels.leaveOutQuotations)),
    );
  }

  draw() {
    const within = this.hasFocus() && this.items.contains(focusedIn(this.element));
    const { list, chosen, review } = this;
    const listed = this.listed();
    const { strong } = this;
    const decided = (which) => list.filter((match) => review.of(match).decision === which).length;
    const counts = labels.reviewState(listed.length, list.length, decided("accepted"), decided("rejected"));
    this.head.replaceChildren(createElement("span.lv-count", { role: "status" }, counts), ...this.arrows());
    const top = this.items.scrollTop;
    this.none.replaceChildren(this.noneStandsOut() ?? "");
    this.items.replaceChildren(...listed.map((i) => this.item(i)));
    if (strong < list.length) this.items.append(this.fold(`${list.length - strong}`, () => this.draw()));
    this.items.scrollTop = top;
    if (within && chosen >= 0) this.items.querySelector(`[data-match="${chosen}"]`)?.focus({ preventScroll: true });
  }

  item(i) {
    const { texts, review } = this;
    const match = this.list[i];
    const { decision, note } = review.of(match);
    const passage = (side) => texts[side].slice(match[side].start, match[side].end);
    const words = marked(match.kind, passage("a"), passage("b"));
    const quote = (side) =>
      createElement(
        "q.lv-match-quote",
        { "data-of": side, dir: "auto" },
        ...(words?.[side === "a" ? 0 : 1] ?? [texts[side].snippet(match[side].start, match[side].end, QUOTED)]),
      );
    const button = this.line(i, decision ? `${DECISIONS[decision]} ${decision}` : match.kind, quote("a"), quote("b"));
    const parts = [button];
    if (i === this.chosen && this.on.canDecide()) parts.push(this.tools(i, decision, note));
    else if (note) parts.push(createElement("p.lv-match-note", { dir: "auto" }, note));
    return createElement("li", {}, ...parts);
  }

  /** What can be done with the chosen match. */
  tools(i, decision, note) {
    const decide = (which, label, key) =>
      createElement(
        "button.lv-decide",
        {
          type: "button",
          "aria-pressed": String(decision === which),
          title: `${label} (${key})`,
          onclick: () => this.on.decide(i, which),
        },
        `${DECISIONS[which]} ${label}`,
      );
    const field = createElement("textarea", {
      rows: "2",
      "aria-label": labels.noteOnMatch(i + 1),
      placeholder: labels.note,
      dir: "auto",
    });
    field.value = note;
    field.addEventListener("input", () => this.on.note(i, field.value));
    field.addEventListener("change", () => this.on.noted());
    field.addEventListener("keydown", (event) => event.stopPropagation());
    return createElement(
      "div.lv-review-tools",
      {},
      decide("accepted", labels.accept, "a"),
      decide("rejected", labels.reject, "r"),
      field,
    );
  }

  /** Scroll the list, and nothing else, so that this match can be seen; with the focus on it if wanted. */
  reveal(i, focus) {
    this.scrollTo(this.items, i, 1 / 4, focus);
  }
}

/** Both passages with the words marked in which they differ, where they are nearly the same, else those they share; or null. */
function marked(kind, a, b) {
  const nearly = kind === "verbatim" || kind === "edited";
  if (!nearly && kind !== "reworded") return null;
  const found = wordDifference(a.replaceAll(/\s+/g, " "), b.replaceAll(/\s+/g, " "));
  const look = nearly ? "span.lv-differs" : "span.lv-shared";
  return (
    found &&
    found.map((pieces) =>
      shortenDiff(pieces, QUOTED).map((p) =>
        p.same === nearly ? document.createTextNode(p.text) : createElement(look, {}, p.text),
      ),
    )
  );
}
