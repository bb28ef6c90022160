// The note that floats beside the pointer, and what it says of a cell, of a sentence's counterpart and of a weight.

import * as labels from "../labels.js";
import { sideLetter, createElement } from "./dom.js";
import { opening } from "../map/cell_descriptions.js";

export class Tooltip {
  constructor() {
    this.element = createElement("div.lv-tip", { hidden: true, role: "presentation" });
  }

  /** Show these parts beside a point of the window; without parts, nothing. */
  show(parts, point) {
    this.element.hidden = !parts.length;
    if (!parts.length) return;
    this.element.replaceChildren(...parts);
    this.put(point);
  }

  hide() {
    this.element.hidden = true;
  }

  /** Below and right of the point, inside the element that holds the note; above it where there is no room below. */
  put({ clientX, clientY }) {
    const frame = this.element.parentElement.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.element;
    const x = Math.max(4, Math.min(clientX - frame.left + 16, frame.width - width - 4));
    const below = clientY - frame.top + 18;
    const y =
      clientY + 18 + height > window.innerHeight || below + height > frame.height
        ? clientY - frame.top - height - 12
        : below;
    this.element.style.transform = `translate(${x}px, ${Math.max(0, y)}px)`;
  }
}

/** Value and both passages of a cell; `texts` are those of the rows and of the columns. */
export function cellTooltip(map, { row, column }, [left, right], pending) {
  const value = map.at(row, column);
  const itself = map.side !== "across" && row === column;
  const missing = itself ? "the same passage" : pending || map.awaits(row, column) ? "not yet" : "no value";
  const line = (text, span) =>
    createElement(
      "p",
      {},
      sideLetter(text.side),
      ` ${text.place(span[0])}`,
      createElement("q", {}, opening(text, span, 90)),
    );
  return [
    createElement(
      "p.lv-tip-value",
      {},
      Number.isNaN(value) ? missing : map.said(value),
      createElement("small", {}, map.kind === "attention" ? ` ${map.unit}` : ` ${map.label}, ${map.unit}`),
    ),
    line(left, map.rows.span(row)),
    line(right, map.columns.span(column)),
  ];
}

/** The best counterpart by a map, which lies in this text; `words`: which words match each other, or "". */
export function counterpartTooltip(text, map, { value, span }, words = "") {
  return [
    createElement("p.lv-tip-value", {}, map.said(value), createElement("small", {}, labels.bestCounterpartSuffix)),
    createElement(
      "p",
      {},
      sideLetter(text.side),
      ` ${text.place(span[0])}`,
      createElement("q", {}, text.snippet(...span, 90)),
    ),
    ...(words ? [createElement("p.lv-tip-words", {}, createElement("small", {}, labels.matchingWords), words)] : []),
    createElement("p.lv-hint", {}, labels.clickShows),
  ];
}

/** A weight of the shading, `said` as it stands in the text. */
export function weightTooltip(shading, said) {
  const whole = shading.kind === "attention" ? labels.ofAttention : ` ${shading.label}`;
  return createElement("p.lv-tip-value.lv-share", {}, said, createElement("small", {}, whole));
}
