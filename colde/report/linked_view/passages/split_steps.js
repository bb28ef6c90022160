// A part of the split leads through its passages, in both texts and in the list.

import { showItem } from "./listed_items.js";

/** @import {SplitPart} from "../types" */

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
    this.places.set(label, place + 1);
    const { view } = this;
    if (view.tab === "passages") view.passageList.showKind(label);
    if (view.items === view.shared) return showItem(view, passages[place]);
    const { a, b } = /** @type {import("../types").SharedPassage[]} */ (view.shared)[passages[place]];
    view.pick([a.start, a.end], [b.start, b.end]);
  }
}
