// The split of both texts, in step with what the reader leaves out of it.

import * as labels from "../labels.js";
import { labelOf, saysTheSame } from "../payload/shared_passages.js";
import { TextSplit, WHOLE_SPLIT } from "../payload/text_split.js";

/** @import {SharedPassage, SplitData, SplitFilter} from "../types" */

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

  /**
   * @param {SplitData | null} data null until the words are counted
   * @param {SharedPassage[] | null} passages
   */
  take(data, passages) {
    const content = JSON.stringify([data, passages?.map(({ a, b }) => [a, b])]);
    if (content === this.taken) return;
    this.taken = content;
    this.split = data && new TextSplit(data, passages ?? []);
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
    const changed = filter.words > 0 || !filter.quotations || filter.standard === "out" || filter.rejected.size > 0;
    const remarks = [split?.data.missing ?? "", changed ? labels.splitChanged : ""].filter(Boolean);
    pane.split.show(split?.parts(pane.text.side, filter) ?? null, split?.data.note ?? "", remarks);
  }

  /** Places of both texts that say the same: start and end in a, start and end in b. */
  matching() {
    const parts = this.split?.passages.flatMap((passage) => passage.parts.filter(saysTheSame)) ?? [];
    return parts.map(({ a, b }) => [a.start, a.end, b.start, b.end]);
  }

  /**
   * Whether passage i of the list counts.
   * @param {number} i
   */
  keeps(i) {
    return this.split?.keeps(i, this.filter) ?? true;
  }

  /**
   * What a passage or a change counts as.
   * @param {{kind: string, standard?: boolean}} item
   */
  label(item) {
    return labelOf(item, this.filter.standard);
  }
}
