// The short list of shared passages below the map, and stepping through it.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";
import { MatchList } from "./match_list.js";

/** `show(list, chosen, texts, review)` draws; on: {choose(i)} */
export class TopMatches extends MatchList {
  constructor(on) {
    super(on, createElement("div.lv-matches"));
  }

  /** list: [{a, b, kind, weight, weak: whether unrelated texts have such, too}], strong ones first; the others as in `take` */
  show(list, chosen, texts, review) {
    this.take(list, chosen, texts, review);
    if (!list.length) return void this.element.replaceChildren();
    const listed = this.listed();
    const { strong } = this;
    const top = this.items?.scrollTop ?? 0;
    this.items = createElement(
      "ol.lv-match-list",
      { "aria-label": labels.sharedPassages },
      ...listed.map((i) => createElement("li", {}, this.line(i))),
    );
    if (strong < list.length) this.items.append(this.weaker());
    redraw(
      this.element,
      createElement(
        "header.lv-matches-header",
        {},
        createElement("h3", {}, labels.sharedPassages),
        createElement("span.lv-count", {}, chosen < 0 ? `${strong}` : labels.ofShown(chosen + 1, listed.length)),
        ...this.arrows(),
      ),
      this.noneStandsOut() ?? "",
      this.items,
    );
    this.items.scrollTop = top;
  }

  weaker() {
    return this.fold(() =>
      this.show(this.list, this.all ? this.chosen : Math.min(this.chosen, this.strong - 1), this.texts, this.review),
    );
  }

  /** Scroll the list, and nothing else, so that this match can be seen; with the focus on it if wanted. */
  reveal(i, focus) {
    this.scrollTo(this.items, i, 1 / 3, focus);
  }
}
