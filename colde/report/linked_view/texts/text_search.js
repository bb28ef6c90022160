// The search field of a text: every hit, exact to the character, and going from one to the next.

import * as labels from "../labels.js";
import { debounce, createElement } from "../frame/dom.js";

const HITS = 2000; // no more are marked
const TYPED_AFTER = 120; // milliseconds

/** on: {found(hits, now, go)}: [{start, end}], the index of one of them, and whether to go to it */
export class TextSearch {
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.hits = [];
    this.now = 0;
    this.input = createElement("input", {
      type: "search",
      placeholder: labels.find,
      "aria-label": labels.findInText(text.side.toUpperCase()),
    });
    this.count = createElement("output.lv-count", { "aria-live": "polite" });
    this.element = createElement(
      "div.lv-find",
      { role: "search", "aria-label": labels.textName(text.side.toUpperCase()) },
      this.input,
      this.count,
    );
    this.input.addEventListener(
      "input",
      debounce(TYPED_AFTER, () => this.find(this.search(this.input.value))),
    );
    this.input.addEventListener("keydown", (event) => {
      if (event.key === "Enter") this.step(event.shiftKey ? -1 : 1);
      if (event.key === "Escape") {
        this.input.value = "";
        this.find([]);
      }
      event.stopPropagation();
    });
  }

  find(hits) {
    Object.assign(this, { hits, now: 0 });
    this.show();
  }

  /** Search for these words and be at this hit, without going to it. */
  mark(words, hit) {
    this.input.value = words;
    Object.assign(this, { hits: this.search(words), now: hit });
    this.show(false);
  }

  step(by) {
    if (!this.hits.length) return;
    this.now = (this.now + by + this.hits.length) % this.hits.length;
    this.show();
  }

  show(go = true) {
    const { hits, now } = this;
    const place = `${now + 1}/${hits.length}${hits.length === HITS ? "+" : ""}`;
    this.count.textContent = this.input.value ? (hits.length ? place : "none") : "";
    this.on.found(hits, now, go);
  }

  search(words) {
    if (!words.trim()) return [];
    const pattern = new RegExp(
      words
        .trim()
        .replace(/[.*+?^${}()|[\]\\/]/g, "\\$&")
        .replace(/\s+/g, "\\s+"),
      "giu",
    );
    const hits = [];
    for (const match of this.text.text.matchAll(pattern)) {
      hits.push({ start: this.text.codePoint(match.index), end: this.text.codePoint(match.index + match[0].length) });
      if (hits.length === HITS) break;
    }
    return hits;
  }
}
