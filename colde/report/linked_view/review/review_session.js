// The review of a view: what the reader decides about a passage or a change is kept, told to the page, and seen in both texts.

import * as labels from "../labels.js";
import { debounce } from "../frame/dom.js";
import { passageCount } from "../passages/passage_notes.js";
import { ReviewCopy } from "./review_copy.js";
import { ReviewMarks, keyOf, sameMarks } from "./review_marks.js";

const TOLD_AFTER = 250; // milliseconds; a note is one message, not one for each letter

/** `view` is the View it belongs to, which draws the lists. */
export class ReviewSession {
  constructor(view) {
    this.view = view;
    this.review = new ReviewMarks();
    this.copy = new ReviewCopy(undefined);
    /** @type {string | null} */
    this.opened = null; // the id of the saved review that was taken on last
    this.file = ""; // that of the review file that this browser has seen
    this.said = "";
    this.tell = debounce(TOLD_AFTER, () => view.callbacks.onReview?.(this.review.list()));
  }

  /**
   * A review of the page: taken on once for each id, which is that of the file that was opened for these texts. At first,
   * what this browser has kept comes before what the page knows, which can lack the last decision; a file that the
   * browser has not seen joins both.
   * @param {{id: string, pair?: [string, string], marks: import("../types").Marked[], out?: string} | null} saved
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
    this.takeOut(saved.out || copy?.out);
    if (copy || saved.id || saved.marks.length) this.keep();
    if (!sameMarks(this.review.list(), saved.marks)) this.tell();
    this.view.showItems();
    this.filtered();
  }

  /**
   * Another tab has decided about the same texts, or the reader has cleared what this browser keeps.
   * @param {StorageEvent} event
   */
  heard(event) {
    if (!this.copy.key || (event.key !== null && event.key !== this.copy.key)) return;
    const copy = this.copy.read();
    this.review.load(copy?.marks ?? [], copy?.undo ?? []);
    this.takeOut(copy?.out ?? "");
    this.view.showItems();
    this.filtered();
    this.tell();
  }

  /** @param {string | undefined} out what was left out; undefined changes nothing */
  takeOut(out) {
    if (out !== undefined && out !== this.view.whatIf.out) this.view.whatIf.set(out);
  }

  /** Keep everything in this browser; the lists say so when it cannot. */
  keep() {
    const before = this.review.isKept;
    this.review.isKept = this.copy.write({
      marks: this.review.list(),
      out: this.view.whatIf.out,
      file: this.file,
      undo: this.review.undoable(),
    });
    if (this.review.isKept !== before) this.view.showItems();
  }

  decide(i, decision) {
    const item = this.view.items[i];
    this.review.decide(item, decision);
    this.tellAt(labels.itemText(this.view.listed().noun, i + 1, this.review.of(item).decision || labels.openAgain));
  }

  undo() {
    this.review.undo();
    this.tellAt(labels.undone);
  }

  /** Keep what was decided, draw it, and tell it the page at once. */
  tellAt(said) {
    this.keep();
    this.view.say(said);
    this.view.showItems();
    this.filtered();
    this.tell.now();
  }

  note(i, text) {
    this.review.write(this.view.items[i], text);
    this.keep();
    this.tell();
  }

  /** The reader has left the field of a note: what they do next must find it told. */
  noted() {
    this.review.noted();
    this.tell.now();
  }

  /** The filters of the list or what was rejected have changed: what counts, and the marks in the texts, follow. */
  filtered() {
    const { view } = this;
    const { words, quotations, standard } = view.passageList.filter;
    const rejected = this.review.list().filter((mark) => mark.decision === "rejected" && !mark.change);
    view.panes.split.filterBy({ words, quotations, standard, rejected: new Set(rejected.map(keyOf)) });
    view.tabs.number("passages", passageCount(view));
    this.showMarks();
  }

  /** Number and colour the passages or changes in both texts: those that are listed and not rejected. */
  showMarks() {
    const { view } = this;
    const listed = view.listed();
    const { split } = view.panes;
    const shown = listed.listed().filter((i) => this.review.of(view.items[i]).decision !== "rejected");
    const marked = shown.map((i) => ({ ...view.items[i], number: i + 1, label: split.label(view.items[i]) }));
    const said = JSON.stringify([
      listed.noun,
      view.position.axes,
      marked.map(({ number, label, a, b }) => [number, label, a, b]),
    ]);
    if (said === this.said) return;
    this.said = said;
    view.panes.number(marked);
  }
}
