// What can be done with the passage that is selected in a text: leave it out, or all but it; put it back; or make it a row of the chart.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { excludedShare } from "./exclusions.js";

/** `choose(span, out)` shows the buttons for a passage, where anybody has offered them. */
export class ExcludeButtons {
  constructor() {
    /** @type {import("../types").Span | null} */
    this.chosen = null;
    this.element = createElement("div.lv-leaving", {
      role: "group",
      "aria-label": labels.selectedPassage,
      hidden: true,
    });
  }

  /**
   * @param {(span: import("../types").Span) => void} leave
   * @param {(span: import("../types").Span) => void} only
   * @param {{isOffered(): boolean, add(span: import("../types").Span): void} | null} rows makes a passage a row of the chart; null where none can be
   */
  offer(leave, only, rows) {
    const button = (/** @type {string} */ title, /** @type {(span: import("../types").Span) => void} */ act) =>
      createElement("button.lv-quiet", { type: "button", title, onclick: () => this.chosen && act(this.chosen) });
    this.leave = button(labels.askWithout, leave);
    this.only = button(labels.askAlone, only);
    this.only.textContent = labels.onlyThis;
    this.rows = rows;
    this.add = button(labels.addRowTitle, (span) => rows?.add(span));
    this.add.textContent = labels.addRow;
    this.element.replaceChildren(this.leave, this.only, this.add);
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
    if (!this.leave || !this.only || !this.add) return;
    this.leave.textContent = gone ? labels.putBack : labels.leaveOut;
    this.only.hidden = Boolean(gone);
    this.add.hidden = !this.rows?.isOffered();
  }
}
