// A change in both texts: the words that differ, or the place of a sentence in the text that lacks it.

/**
 * @import {TextPane} from "./text_pane.js"
 * @import {Change} from "../types"
 */

/**
 * Mark the words in which the two sentences differ; of a sentence that one text lacks, its place in that text.
 * @param {{left: TextPane, right: TextPane}} slots
 * @param {Pick<Change, "near" | "marks"> & {a: unknown, b: unknown}} change
 */
export function markChange({ left, right }, { a, b, near, marks }) {
  if (a && b) {
    left.mark("inside", differing(marks.a));
    right.mark("inside", differing(marks.b));
    return;
  }
  const pane = a ? right : left;
  const last = pane.text.units.length - 1;
  if (near === null || last < 0) return;
  const [unit] = pane.text.unitsIn(Math.max(0, near - 1), Math.max(1, near));
  const { start, end } = pane.text.units[Math.min(unit, last)];
  if (near) pane.mark("inside", [{ start: end - 1, end, class: "lv-missing" }]);
  pane.reveal(start, end);
}

/** Marks of the words that differ, by their start and end. */
const differing = (spans) => spans.map(([start, end]) => ({ start, end, class: "lv-answers" }));
