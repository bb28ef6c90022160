// A change in both texts: the words that differ, or the place of a sentence in the text that lacks it.

import { wordDifference } from "../passages/word_diff.js";

/**
 * @import {TextPane} from "./text_pane.js"
 * @import {Change} from "../types"
 */

/**
 * Mark the words in which the two sentences differ; of a sentence that one text lacks, its place in that text.
 * @param {{left: TextPane, right: TextPane}} slots
 * @param {Change} change
 */
export function markChange({ left, right }, { a, b, near }) {
  if (a && b) {
    const difference = wordDifference(left.text.slice(a.start, a.end), right.text.slice(b.start, b.end));
    left.mark("inside", differingSpans(left.text, a.start, difference?.[0] ?? []));
    right.mark("inside", differingSpans(right.text, b.start, difference?.[1] ?? []));
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

/**
 * The words of a passage that its counterpart does not have, as marks.
 * @param {TextPane["text"]} text
 * @param {number} start of the passage
 * @param {import("../passages/word_diff.js").Piece[]} pieces of the passage
 */
function differingSpans(text, start, pieces) {
  let at = text.utf16(start);
  return pieces.flatMap((piece) => {
    const from = at;
    at += piece.text.length;
    return piece.same ? [] : [{ start: text.codePoint(from), end: text.codePoint(at), class: "lv-answers" }];
  });
}
