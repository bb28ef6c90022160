// What can be done with the passage that is selected in a text: leave it out, or all but it; or put it back.

import { createElement } from "../frame/dom.js";
import { excludedShare } from "./exclusions.js";

/** `choose(span, out)` shows the buttons for a passage, where anybody has offered them. */
export class ExcludeButtons {
  constructor() {
    /** @type {import("../types").Span | null} */
    this.chosen = null;
    this.element = createElement("div.lv-leaving", {
      role: "group",
      "aria-label": "The selected passage",
      hidden: true,
    });
  }

  /**
   * @param {(span: import("../types").Span) => void} leave
   * @param {(span: import("../types").Span) => void} only
   */
  offer(leave, only) {
    const button = (/** @type {string} */ title, /** @type {(span: import("../types").Span) => void} */ act) =>
      createElement("button.lv-quiet", { type: "button", title, onclick: () => this.chosen && act(this.chosen) });
    this.leave = button("What would the models say without this passage?", leave);
    this.only = button("What would the models say of this passage alone?", only);
    this.only.textContent = "Only this";
    this.element.replaceChildren(this.leave, this.only);
  }

  /**
   * The passage that is to be left out or put back when the reader says so; null for none. `out`: what is left out already.
   * @param {import("../types").Span | null} span
   * @param {import("../types").Span[]} out
   */
  choose(span, out) {
    this.chosen = span;
    this.element.hidden = !span || !this.leave;
    const gone = span && excludedShare(out, span) === 1;
    if (!this.leave || !this.only) return;
    this.leave.textContent = gone ? "Put back" : "Leave out";
    this.only.hidden = Boolean(gone);
  }
}
