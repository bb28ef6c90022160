// What fills the width of the panes of pages, and how near: one choice for both texts, so that their pages stay in step.

import * as labels from "../labels.js";
import { selectBox, createElement } from "../frame/dom.js";

const FITS = [
  { value: "text", text: labels.fitText, title: labels.fitTextTitle },
  { value: "column", text: labels.fitColumn, title: labels.fitColumnTitle },
  { value: "page", text: labels.fitPage, title: labels.fitPageTitle },
];
const STEP = 1.25;
const NEAREST = 3;

/** `make()` gives controls; on: {fit(fit, zoom), strip(shown) whether small pages stand beside} */
export class PageTools {
  constructor(on) {
    this.on = on;
    this.fit = "text";
    this.zoom = 1;
    this.lists = [];
    this.buttons = [];
    /** @type {boolean | null} whether small pages stand beside; null: nobody has said */
    this.strip = null;
  }

  /** Controls for one pane; those of the other do the same. */
  make() {
    const button = (text, title, by) =>
      createElement(
        "button.lv-quiet",
        { type: "button", title, "aria-label": title, onclick: () => this.set(this.fit, this.zoom * by) },
        text,
      );
    const fit = selectBox(labels.whatFillsWidth, FITS, this.fit, (value) => this.set(value, 1));
    this.lists.push(fit.firstElementChild);
    const small = createElement(
      "button.lv-quiet",
      {
        type: "button",
        title: labels.smallPagesTitle,
        "aria-pressed": String(Boolean(this.strip)),
        onclick: () => this.showStrip(!this.strip),
      },
      "Pages",
    );
    this.buttons.push(small);
    return createElement(
      "div.lv-page-tools",
      { role: "group", "aria-label": labels.howPagesAreShown },
      small,
      fit,
      button(labels.smaller, "Smaller", 1 / STEP),
      button("+", labels.larger, STEP),
    );
  }

  showStrip(shown) {
    this.strip = shown;
    for (const button of this.buttons) button.setAttribute("aria-pressed", String(shown));
    this.on.strip(shown);
  }

  set(fit, zoom) {
    this.fit = fit;
    this.zoom = Math.min(NEAREST, Math.max(1 / STEP, zoom));
    for (const list of this.lists) list.value = fit;
    this.on.fit(this.fit, this.zoom);
  }
}
