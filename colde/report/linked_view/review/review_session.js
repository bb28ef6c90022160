// The review of a view: what the reader decides about a match or a change is kept, told to the page, and seen in both texts.

import * as labels from "../labels.js";
import { debounce } from "../frame/dom.js";
import { ReviewMarks } from "./review_marks.js";

const TOLD_AFTER = 250; // milliseconds; a note is one message, not one for each letter

/** `view` is the View it belongs to, which draws the lists. */
export class ReviewSession {
  constructor(view) {
    this.view = view;
    this.review = new ReviewMarks();
    this.opened = null; // the saved review that was opened last
    this.said = "";
    this.tell = debounce(TOLD_AFTER, () => view.callbacks.onReview?.(this.review.list()));
  }

  /** A saved review, {id, marks, out: what was left out}: taken on once. */
  open(saved) {
    if (!saved || saved.id === this.opened) return;
    this.opened = saved.id;
    this.review.load(saved.marks);
    if (saved.out !== undefined && saved.out !== this.view.whatIf.out) this.view.whatIf.set(saved.out);
    this.view.showMatches();
    this.filtered();
  }

  decide(i, decision) {
    const match = this.view.items[i];
    this.review.decide(match, decision);
    this.tellAt(labels.itemText(this.view.listed().noun, i + 1, this.review.of(match).decision || labels.openAgain));
  }

  undo() {
    this.review.undo();
    this.tellAt(labels.undone);
  }

  /** Draw what was decided, and tell it the page at once. */
  tellAt(said) {
    this.view.say(said);
    this.view.showMatches();
    this.filtered();
    this.tell.now();
  }

  note(i, text) {
    this.review.write(this.view.items[i], text);
    this.tell();
  }

  /** The reader has left the field of a note: what they do next must find it told. */
  noted() {
    this.review.noted();
    this.tell.now();
  }

  /** The filters of the list or what was rejected have changed: the marks in the texts and their split follow. */
  filtered() {
    const { words, quotations } = this.view.quoted.filter;
    const rejected = this.review.list().filter((mark) => mark.decision === "rejected" && !mark.change);
    this.view.panes.split.filterBy({ words, quotations, rejected });
    this.showMarks();
  }

  /** Number and colour the matches or changes in both texts: those that are listed and not rejected. */
  showMarks() {
    const { view } = this;
    const listed = view.listed();
    const seen = listed === view.matches ? null : new Set(listed.listed());
    const wanted = (match, i) => (seen ? seen.has(i) : !match.weak) && this.review.of(match).decision !== "rejected";
    const shown = view.items.map((match, i) => ({ match, i })).filter(({ match, i }) => wanted(match, i));
    const said = JSON.stringify([
      listed.noun,
      view.model?.name,
      view.model?.pending,
      view.position.axes,
      shown.map(({ match, i }) => [i, match.a, match.b]),
    ]);
    if (said === this.said) return;
    this.said = said;
    view.panes.number(shown.map(({ match, i }) => ({ ...match, number: i + 1 })));
  }
}
