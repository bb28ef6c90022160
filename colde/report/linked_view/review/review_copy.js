// The copy of a review in this browser. It is written at once with each decision, so that neither a reload nor a lost
// connection can lose one; it holds no text of the documents.

/**
 * @import {Marked} from "../types"
 * @typedef {{marks: Marked[], out: string, file: string, undo: Marked[][]}} Copy
 * marks: decisions and notes; out: what was left out, as "a:3,b:7-9"; file: id of the review file that was opened last;
 * undo: what there was before each of the last decisions and notes
 */

export const PREFIX = "colde-review ";

/** The copy of one pair, whichever of its texts is A. */
export class ReviewCopy {
  /** @param {[string, string] | undefined} pair hashes of text A and of text B; without them, nothing is kept */
  constructor(pair) {
    this.key = pair ? PREFIX + [...pair].sort().join(" ") : "";
    this.swapped = Boolean(pair && pair[0] > pair[1]);
  }

  /** @returns {Copy | null} null where this browser has none */
  read() {
    try {
      const { marks, out, file, undo = [] } = JSON.parse((this.key && storage()?.getItem(this.key)) || "null");
      if (typeof out !== "string" || typeof file !== "string") return null;
      if (![marks, ...undo].every((list) => list.every(isMark))) return null;
      return this.turned({ marks, out, file, undo });
    } catch {
      return null; // none, or not what `write` wrote
    }
  }

  /**
   * A browser without room for it keeps the last one; the server has the review as long as the page is open.
   * @param {Copy} copy
   * @returns {boolean} false if this browser could not keep it
   */
  write(copy) {
    if (!this.key) return true;
    try {
      window.localStorage.setItem(this.key, JSON.stringify(this.turned(copy)));
      return true;
    } catch {
      return false;
    }
  }

  /**
   * The same with A and B exchanged, where the copy holds them so.
   * @param {Copy} copy
   * @returns {Copy}
   */
  turned(copy) {
    if (!this.swapped) return copy;
    const out = copy.out.replaceAll(/[ab](?=[:@])/g, (side) => (side === "a" ? "b" : "a"));
    const turned = (/** @type {Marked[]} */ marks) => marks.map((mark) => ({ ...mark, a: mark.b, b: mark.a }));
    return { ...copy, out, marks: turned(copy.marks), undo: copy.undo.map(turned) };
  }
}

/** The storage of this browser; null where the page may not use it. */
function storage() {
  try {
    return window.localStorage;
  } catch {
    return null;
  }
}

/** @param {any} value */
function isMark({ a, b, decision, note }) {
  const isSpan = (/** @type {any} */ span) => span === null || (Array.isArray(span) && span.every(Number.isInteger));
  return isSpan(a) && isSpan(b) && ["", "accepted", "rejected"].includes(decision) && typeof note === "string";
}
