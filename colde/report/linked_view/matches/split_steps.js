// A part of the split leads through its passages, in both texts and in the list of matches.

import { isSame } from "../payload/text_split.js";

/** @import {Match, Span, SplitPart} from "../types" */

/** Kind of match by the name of a part. @type {Record<string, string>} */
const MATCH_KINDS = {
  identical: "verbatim",
  edited: "edited",
  paraphrased: "reworded",
  translated: "translation",
  opposite: "opposite",
  "same topic": "related",
};

/** `next(part)` shows the next passage; `view` is the View it belongs to. */
export class SplitSteps {
  /** @param {import("../view.js").View} view */
  constructor(view) {
    this.view = view;
    /** @type {Map<string, number>} */
    this.places = new Map(); // part → which of its passages comes next
  }

  /** @param {SplitPart} part */
  next({ label, passages }) {
    const place = (this.places.get(label) ?? 0) % passages.length;
    const [a0, a1, b0, b1] = passages[place];
    this.places.set(label, place + 1);
    const { view } = this;
    if (view.tab === "matches") view.quoted.showKind(MATCH_KINDS[label]);
    const same = (/** @type {Match} */ { a, b }) =>
      isSame([a.start, a.end], a0, a1) && isSame([b.start, b.end], b0, b1);
    const match = view.tab === "changes" ? -1 : (view.model?.evidence ?? []).findIndex(same);
    if (match >= 0) view.goTo(match);
    else view.pick([a0, a1], [b0, b1]);
  }
}
