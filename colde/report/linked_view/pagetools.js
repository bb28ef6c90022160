// What fills the width of the panes of pages, and how near: one choice for both texts, so that their pages stay in step.

import { chooser, make } from "./dom.js";

const FITS = [
  { value: "text", text: "Fit text", title: "Margins cut off" },
  { value: "column", text: "Fit column", title: "One column fills the pane" },
  { value: "page", text: "Fit page", title: "The page with its margins" },
];
const STEP = 1.25;
const NEAREST = 3;

/** `make()` gives controls; on: {fit(fit, zoom)} */
export class PageTools {
  constructor(on) {
    this.on = on;
    this.fit = "text";
    this.zoom = 1;
    this.lists = [];
  }

  /** Controls for one pane; those of the other do the same. */
  make() {
    const button = (text, title, by) => make("button.lv-quiet", { type: "button", title, "aria-label": title, onclick: () => this.set(this.fit, this.zoom * by) }, text);
    const fit = chooser("What fills the width", FITS, this.fit, (value) => this.set(value, 1));
    this.lists.push(fit.firstElementChild);
    return make("div.lv-page-tools", { role: "group", "aria-label": "Size of the pages" }, fit, button("−", "Smaller", 1 / STEP), button("+", "Larger", STEP));
  }

  set(fit, zoom) {
    this.fit = fit;
    this.zoom = Math.min(NEAREST, Math.max(1 / STEP, zoom));
    for (const list of this.lists) list.value = fit;
    this.on.fit(this.fit, this.zoom);
  }
}
