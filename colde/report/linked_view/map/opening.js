// What a comparison opens on, as long as the reader has chosen nothing.

import { saysTheSame } from "../payload/shared_passages.js";

/** @import {SharedPassage} from "../types" */

/**
 * The measure of the first map: shared passages where some say the same, else topic similarity.
 * @param {SharedPassage[] | null} passages
 */
export function openingRole(passages) {
  return passages?.some((passage) => saysTheSame(passage) && !passage.standard) ? "passages" : "topic";
}
