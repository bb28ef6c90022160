// The folded lines of a text, each of which opens a part that is not compared. Tab reaches one of them; the arrow keys,
// Home and End go from one to the next.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { skippedLabel } from "./skipped_label.js";

/** @import {Section} from "../types" */

/**
 * The folded element of a section that is not compared, at the end of a text.
 * @param {HTMLElement} text
 * @param {Section} section
 * @param {number} index
 */
export function foldedSection(text, section, index) {
  const attributes = { "data-section": index, tabindex: linesOf(text).length ? "-1" : "0", title: labels.foldedTitle };
  return createElement("details.lv-aside", {}, createElement("summary", attributes, skippedLabel(section)));
}

/**
 * Moves the focus from the folded line that has it to another one, and lets Tab return to that one.
 * @param {HTMLElement} text
 * @param {KeyboardEvent} event
 */
export function stepThroughFolded(text, event) {
  const lines = linesOf(text);
  const at = lines.indexOf(/** @type {HTMLElement} */ (event.target));
  const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: lines.length - 1 }[event.key];
  if (at < 0 || to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
  event.preventDefault();
  event.stopPropagation();
  const next = lines[Math.max(0, Math.min(lines.length - 1, to))];
  lines[at].tabIndex = -1;
  next.tabIndex = 0;
  next.focus();
}

/**
 * @param {HTMLElement} text
 * @returns {HTMLElement[]}
 */
function linesOf(text) {
  return [...text.querySelectorAll(":scope > .lv-aside > summary")].map((line) => /** @type {HTMLElement} */ (line));
}
