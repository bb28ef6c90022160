// The headings of a text as a list that leads to its sections.

import * as labels from "../labels.js";
import { formatNumber } from "../payload/similarity_map.js";
import { createElement, focusedIn } from "../frame/dom.js";

/** on: {go(offset), weight(section) → value of the best counterpart, null or undefined} */
export class TextOutline {
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.element = createElement("nav.lv-outline", {
      hidden: true,
      "aria-label": labels.outlineOfText(text.side.toUpperCase()),
    });
    this.element.addEventListener("keydown", (event) => {
      if (event.key !== "Escape") return;
      this.toggle(false);
      event.stopPropagation();
    });
    this.button = createElement(
      "button.lv-quiet",
      { type: "button", "aria-expanded": "false", onclick: () => this.toggle() },
      labels.outline,
    );
  }

  toggle(open = this.element.hidden) {
    if (focusedIn(this.element)) this.button.focus({ preventScroll: true });
    this.element.hidden = !open;
    this.button.setAttribute("aria-expanded", String(open));
    if (open && !this.element.childElementCount) this.fill();
  }

  fill() {
    this.text.sections.forEach((section, i) => {
      if (!section.heading && section.role) return;
      const page = this.text.page(section.start);
      const weight = this.on.weight(i);
      const entry = createElement(
        "button.lv-outline-entry",
        { type: "button", "data-level": Math.min(section.level, 4), "data-aside": Boolean(section.role) },
        createElement("span", {}, this.text.heading(section.start)),
        createElement("small", {}, page ? `p. ${page}` : ""),
      );
      if (weight !== undefined) entry.title = labels.strongestCounterpart(formatNumber(weight));
      entry.addEventListener("click", () => {
        this.toggle(false);
        this.on.go(section.start);
      });
      this.element.append(entry);
    });
  }
}
