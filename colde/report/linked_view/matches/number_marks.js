// The marks of matches and changes in a text: a number, and a colour for how much the passages have in common.

import { WORD_FOR_WORD_KINDS, isChange } from "../review/review_marks.js";

/** @import {Change, Match, Side} from "../types" */

/**
 * A mark for each match or change that has a passage in this text.
 * @param {((Match | Change) & {number: number})[]} matches
 * @param {Side} side
 */
export function numberMarks(matches, side) {
  return matches.flatMap((match) => {
    const passage = match[side];
    if (!passage) return [];
    const kind = isChange(match) ? "change" : stepOf(match.kind);
    return [{ start: passage.start, end: passage.end, class: `lv-matched lv-matched-${kind}`, number: match.number }];
  });
}

/**
 * Three degrees of similarity: the same words, other words, the same subject.
 * @param {string} kind
 */
function stepOf(kind) {
  if (WORD_FOR_WORD_KINDS.includes(kind)) return "same";
  return kind === "reworded" ? "reworded" : "subject";
}
