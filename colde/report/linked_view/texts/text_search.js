// The search field of a text: every hit, exact to the character, and going from one to the next.

import * as labels from "../labels.js";
import { debounce, createElement } from "../frame/dom.js";

const HITS = 2000; // no more are marked
const TYPED_AFTER = 120; // milliseconds

/** on: {found(hits, now)}: [{start, end}] and the index of the one to go to */
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

  step(by) {
    if (!this.hits.length) return;
    this.now = (this.now + by + this.hits.length) % this.hits.length;
    this.show();
  }

  show() {
    const { hits, now } = this;
    const place = `${now + 1}/${hits.length}${hits.length === HITS ? "+" : ""}`;
    this.count.textContent = this.input.value ? (hits.length ? place : "none") : "";
    this.on.found(hits, now);
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
