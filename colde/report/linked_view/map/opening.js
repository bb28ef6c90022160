// What a comparison opens on, as long as the reader has chosen nothing.

/** @import {Match} from "../types" */

/**
 * The measure of the first map: shared passages where some are significant, else topic similarity.
 * @param {{evidence?: Match[]} | null | undefined} model
 */
export function openingRole(model) {
  return model?.evidence?.some((match) => !match.weak) ? "passages" : "topic";
}
