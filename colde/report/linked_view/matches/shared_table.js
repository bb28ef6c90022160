// How much of each text is copied, edited, paraphrased: a table whose numbers lead through the passages.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";

/** @import {SharedKind, Span} from "../types" */

/** `show(kinds)` draws; on: {pick(a, b)}: a passage of each text */
export class SharedTable {
  /** @param {{pick(a: Span, b: Span): void}} on */
  constructor(on) {
    this.on = on;
    /** @type {Map<string, number>} */
    this.next = new Map(); // kind → which of its passages comes next
    this.said = "";
    this.element = createElement("details.lv-shared-table", { hidden: true });
  }

  /**
   * @param {SharedKind[] | null | undefined} kinds
   * @param {string} note how the words were counted, and what was not looked for
   */
  show(kinds, note) {
    const said = JSON.stringify([kinds ?? null, note]);
    if (said === this.said) return; // a new table would take the focus from the number that was pressed
    this.said = said;
    this.element.hidden = !kinds?.length;
    if (!kinds?.length) return;
    const head = ["Shared", "Of A", "Of B", "Passages"].map((name) => createElement("th", { scope: "col" }, name));
    const rows = kinds.map((kind) =>
      createElement(
        "tr",
        { title: kind.means },
        createElement("th", { scope: "row" }, kind.kind),
        ...[kind.a, kind.b, kind.kind === "rest" ? "" : String(kind.count)].map((n) =>
          createElement("td", {}, this.number(kind, n)),
        ),
      ),
    );
    this.element.replaceChildren(
      createElement("summary", {}, labels.sharedHeading),
      createElement(
        "table",
        {},
        createElement("thead", {}, createElement("tr", {}, ...head)),
        createElement("tbody", {}, ...rows),
      ),
      createElement("p.lv-note", {}, note),
    );
  }

  /**
   * @param {SharedKind} kind
   * @param {string} text
   */
  number(kind, text) {
    if (!kind.passages.length) return text;
    return createElement(
      "button.lv-quiet.lv-why-link",
      { type: "button", "aria-label": labels.nextSharedPassage(text, kind.kind), onclick: () => this.step(kind) },
      text,
    );
  }

  /** Show the next passage of a kind, the longest first. */
  step(/** @type {SharedKind} */ kind) {
    const at = this.next.get(kind.kind) ?? 0;
    const [a0, a1, b0, b1] = kind.passages[at];
    this.next.set(kind.kind, (at + 1) % kind.passages.length);
    this.on.pick([a0, a1], [b0, b1]);
  }
}
