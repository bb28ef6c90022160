// What the labels of a map stand for: a list, folded below it, of the rows and columns that have no room for their names.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";

/** @import {Side} from "../types" */

/**
 * A label of a run of rows or columns: what is drawn, or null where there is no room for it, and the name.
 * @typedef {{drawn: string | null, text: string}} AxisLabel
 */

/** `show(axes)` draws */
export class AxisNames {
  constructor() {
    this.title = createElement("summary");
    this.lists = createElement("div.lv-axis-lists", { tabindex: "0" }); // long lists are scrolled by keys, too
    this.element = createElement("details.lv-axis-names", { hidden: true }, this.title, this.lists);
  }

  /** @param {{side: Side, noun: string, labels: AxisLabel[]}[]} axes rows and columns, all of them */
  show(axes) {
    const unnamed = axes.filter((axis) => axis.labels.some((label) => label.drawn !== label.text));
    this.element.hidden = !unnamed.length;
    this.title.textContent = labels.axisNames(unnamed.map((axis) => axis.noun).join(" and "));
    redraw(
      this.lists,
      ...unnamed.map(({ side, noun, labels: entries }) =>
        createElement(
          "ol",
          { "data-of": side, "aria-label": labels.axisOfText(noun, side.toUpperCase()) },
          ...entries.map(({ drawn, text }, i) => createElement("li", {}, entryText(drawn ?? `${i + 1}`, text))),
        ),
      ),
    );
  }
}

/**
 * “3 · Results”; “2.1 Data” where the name begins with what is drawn.
 * @param {string} drawn
 * @param {string} text
 */
export function entryText(drawn, text) {
  return drawn === text || beginsWith(text, drawn) ? text : `${drawn} · ${text}`;
}

/**
 * The name of a label for those who do not see it; it begins with what is drawn, as speech input needs it.
 * @param {string} drawn
 * @param {string} text
 */
export function labelName(drawn, text) {
  return drawn === text || beginsWith(text, drawn) ? text : `${drawn}: ${text}`;
}

/**
 * @param {string} text
 * @param {string} drawn
 */
function beginsWith(text, drawn) {
  return text.startsWith(drawn) && /^[\s.:)]/.test(text.slice(drawn.length));
}
