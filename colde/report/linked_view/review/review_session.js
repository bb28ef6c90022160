// The review of a view: what the reader decides about a passage or a change is seen in the lists and in both texts.

import * as labels from "../labels.js";
import { debounce } from "../frame/dom.js";
import { passageCount } from "../passages/passage_notes.js";
import { KeptReview, TOLD_AFTER } from "./kept_review.js";
import { isOnPassage, keyOf } from "./review_marks.js";

/** `view` is the View it belongs to, which draws the lists. */
export class ReviewSession extends KeptReview {
  constructor(view) {
    super(
      debounce(TOLD_AFTER, () => view.callbacks.onReview?.(this.review.list())),
      () => {
        view.showItems();
        this.filtered();
      },
    );
    this.view = view;
    this.said = "";
  }

  leaveOut(out) {
    if (out !== this.view.whatIf.out) this.view.whatIf.set(out);
  }

  keep() {
    this.out = this.view.whatIf.out;
    super.keep();
  }

  decide(i, decision) {
    const item = this.view.items[i];
    this.decideOn(item, decision);
    this.view.say(labels.itemText(this.view.listed().noun, i + 1, this.review.of(item).decision || labels.openAgain));
  }

  addRow(span) {
    this.review.addRow(span);
    this.decided();
    this.view.say(labels.rowAdded);
  }

  removeRow(i) {
    this.review.removeRow(this.view.items[i]);
    this.decided();
    this.view.say(labels.rowRemoved);
  }

  undo() {
    this.takeBack();
    this.view.say(labels.undone);
  }

  note(i, text) {
    this.noteOn(this.view.items[i], text);
  }

  /** The filters of the list or what was rejected have changed: what counts, and the marks in the texts, follow. */
  filtered() {
    const { view } = this;
    const { words, quotations, standard } = view.passageList.filter;
    const rejected = this.review.list().filter((mark) => mark.decision === "rejected" && isOnPassage(mark));
    view.panes.split.filterBy({ words, quotations, standard, rejected: new Set(rejected.map(keyOf)) });
    view.tabs.number("passages", passageCount(view));
    this.showMarks();
  }

  /** Number and colour the passages or changes in both texts: those that are listed and not rejected. */
  showMarks() {
    const { view } = this;
    const listed = view.listed();
    const numbered = listed.reviewed ? listed.listed() : [];
    const shown = numbered.filter((i) => this.review.of(view.items[i]).decision !== "rejected");
    const marked = shown.map((i) => ({ ...view.items[i], number: i + 1, label: listed.on.label(view.items[i]) }));
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
