// The marks of passages and changes in a text: a number, and a colour for the kind; and of the parts of one of them.

import { isChange } from "../review/review_marks.js";

/** @import {Change, SharedPassage, Side} from "../types" */

/**
 * A mark for each passage or change that stands in this text.
 * @param {((SharedPassage | Change) & {number: number, label: string})[]} items
 * @param {Side} side
 */
export function numberMarks(items, side) {
  return items.flatMap((item) => {
    const place = item[side];
    if (!place) return [];
    const kind = isChange(item) ? "change" : item.label;
    return [{ start: place.start, end: place.end, class: `lv-marked lv-kind-${slug(kind)}`, number: item.number }];
  });
}

/**
 * A mark for each part of a passage in this text.
 * @param {SharedPassage} passage
 * @param {Side} side
 */
export function partMarks({ parts }, side) {
  return parts.map((part) => ({ ...part[side], class: `lv-inside lv-inside-${slug(part.kind)}` }));
}

/** @param {string} kind */
function slug(kind) {
  return kind.replaceAll(" ", "-");
}
