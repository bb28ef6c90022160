// What is said of a list as a whole: how many passages or changes there are, or why there is none.

import * as labels from "../labels.js";
import { STANDARD, saysTheSame } from "../payload/shared_passages.js";
import { FORM, isOnPassage, itemKey, keyOf } from "../review/review_marks.js";

/** @import {View} from "../view.js" */

/**
 * How many passages say the same, as the headline counts them: without standard text that counts apart.
 * @param {View} view
 */
export function passageCount({ shared, panes: { split } }) {
  const counted = shared?.filter((passage, i) => saysTheSame(passage) && split.keeps(i) && split.label(passage) !== STANDARD); // prettier-ignore
  return counted?.length ?? null;
}

/**
 * How many changes there are, as the headline counts them: without differences of form.
 * @param {View} view
 */
export function changeCount({ listedChanges }) {
  return listedChanges?.filter(({ kind }) => kind !== FORM).length ?? null;
}

/**
 * Above the list of the tab: that it is empty, and why, or that decisions are on passages that it does not hold.
 * @param {View} view
 */
export function listNote({ shared, payload, reviewing, tab }) {
  if (tab === "changes") return payload.changes.note;
  if (!shared) return payload.active || !payload.scores.length ? labels.passagesToCome : labels.passagesNotSearched;
  const known = new Set(shared.map(itemKey));
  const lost = reviewing.review.list().filter((mark) => isOnPassage(mark) && !known.has(keyOf(mark))).length;
  return [shared.length ? "" : labels.noPassage, lost ? labels.unplaced(lost) : ""].filter(Boolean).join(" ");
}
