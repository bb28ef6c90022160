// The review of one pair of texts: decisions and notes, kept in this browser and told to the page.

/**
 * @import {Marked} from "../types"
 * @import {Reviewed} from "./review_marks.js"
 */

import { ReviewCopy } from "./review_copy.js";
import { ReviewMarks, sameMarks } from "./review_marks.js";

export const TOLD_AFTER = 250; // milliseconds; a note is one message, not one for each letter

/** What the page knows of a review. @typedef {{id: string, pair?: [string, string], marks: Marked[], out?: string}} Saved */

export class KeptReview {
  /**
   * @param {(() => void) & {now(): void}} tell tells the page some time after the last decision, or `now`
   * @param {() => void} draw draws everything that follows from the review
   */
  constructor(tell, draw) {
    this.review = new ReviewMarks();
    this.copy = new ReviewCopy(undefined);
    /** @type {string | null} */
    this.opened = null; // the id of the saved review that was taken on last
    this.file = ""; // that of the review file that this browser has seen
    this.out = ""; // what was left out with What if
    this.tell = tell;
    this.draw = draw;
  }

  /**
   * A review of the page: taken on once for each id, which is that of the file that was opened for these texts. At first,
   * what this browser has kept comes before what the page knows, which can lack the last decision; a file that the
   * browser has not seen joins both.
   * @param {Saved | null} saved
   */
  open(saved) {
    if (!saved || saved.id === this.opened) return;
    const first = this.opened === null;
    this.opened = saved.id;
    this.copy = new ReviewCopy(saved.pair);
    const copy = this.copy.read();
    if (copy) this.review.load(copy.marks, copy.undo);
    else if (first) this.review.load(saved.marks);
    if (copy ? saved.id && saved.id !== copy.file : !first) this.review.merge(saved.marks);
    this.file = saved.id || copy?.file || "";
    const out = saved.out || copy?.out;
    if (out !== undefined) this.leaveOut(out);
    if (copy || saved.id || saved.marks.length) this.keep();
    if (!sameMarks(this.review.list(), saved.marks)) this.tell();
    this.draw();
  }

  /**
   * Another tab has decided about the same texts, or the reader has cleared what this browser keeps.
   * @param {StorageEvent} event
   */
  heard(event) {
    if (!this.copy.key || (event.key !== null && event.key !== this.copy.key)) return;
    const copy = this.copy.read();
    this.review.load(copy?.marks ?? [], copy?.undo ?? []);
    this.leaveOut(copy?.out ?? "");
    this.draw();
    this.tell();
  }

  /** @param {string} out what is left out with What if */
  leaveOut(out) {
    this.out = out;
  }

  /** Keep everything in this browser; what is drawn says so when it cannot. */
  keep() {
    const before = this.review.isKept;
    this.review.isKept = this.copy.write({
      marks: this.review.list(),
      out: this.out,
      file: this.file,
      undo: this.review.undoable(),
    });
    if (this.review.isKept !== before) this.draw();
  }

  /**
   * Accept or reject a passage, a change or a row; the same once more takes it back.
   * @param {Reviewed} item
   * @param {"accepted" | "rejected"} decision
   */
  decideOn(item, decision) {
    this.review.decide(item, decision);
    this.decided();
  }

  /** Take the last step back. */
  takeBack() {
    this.review.undo();
    this.decided();
  }

  decided() {
    this.keep();
    this.draw();
    this.tell.now();
  }

  /**
   * @param {Reviewed} item
   * @param {string} text
   */
  noteOn(item, text) {
    this.review.write(item, text);
    this.keep();
    this.tell();
  }

  /** The reader has left the field of a note: what they do next must find it told. */
  noted() {
    this.review.noted();
    this.tell.now();
  }
}
