// The split of both texts, in step with what the reader leaves out of it.

import * as labels from "../labels.js";
import { TextSplit, WHOLE_SPLIT } from "../payload/text_split.js";

/** @import {Side, SplitData, SplitFilter} from "../types" */

/** `panes()` are the TextPanes whose bars are drawn. */
export class SplitBars {
  /** @param {() => Iterable<import("./text_pane.js").TextPane>} panes */
  constructor(panes) {
    this.panes = panes;
    /** @type {TextSplit | null} */
    this.split = null; // null until the words are counted
    this.filter = WHOLE_SPLIT;
    this.taken = "";
  }

  /** @param {SplitData | null} data null until the words are counted */
  take(data) {
    const content = JSON.stringify(data);
    if (content === this.taken) return;
    this.taken = content;
    this.split = data && new TextSplit(data);
    this.filterBy(this.filter);
  }

  /**
   * Count the split again without what the reader leaves out.
   * @param {SplitFilter} filter
   */
  filterBy(filter) {
    this.filter = filter;
    for (const pane of this.panes()) this.draw(pane);
  }

  /** @param {import("./text_pane.js").TextPane} pane */
  draw(pane) {
    const { split, filter } = this;
    const changed = filter.words > 0 || !filter.quotations || filter.rejected.length > 0;
    const remarks = [split?.missing ?? "", changed ? labels.splitChanged : ""].filter(Boolean);
    pane.split.show(split?.parts(pane.text.side, filter) ?? null, split?.note ?? "", remarks);
  }

  /** The passages that say the same in both texts. */
  matching() {
    const topics = ["opposite", "same topic"];
    const kinds = this.split?.data.kinds.filter(({ label }) => !topics.includes(label)) ?? [];
    return kinds.flatMap(({ passages }) => passages);
  }

  /**
   * Whether a passage lies in quotations.
   * @param {Side} side
   * @param {number} start
   * @param {number} end
   */
  isQuoted(side, start, end) {
    return this.split?.isQuoted(side, start, end) ?? false;
  }
}
