// The short list of shared passages below the map, and stepping through it.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";
import { ItemList } from "./item_list.js";

/** `show(list, chosen, texts, review, note)` draws; on: {choose(i), keeps(i), label(item)} */
export class TopPassages extends ItemList {
  constructor(on) {
    super(on, createElement("div.lv-items"));
  }

  /** Arguments as in `take`; note: what is said where there is none. */
  show(list, chosen, texts, review, note = "") {
    this.take(list, chosen, texts, review);
    if (!list.length) {
      redraw(this.element, ...(note ? [createElement("p.lv-none", {}, note)] : []));
      return;
    }
    const listed = this.listed();
    const place = listed.indexOf(chosen);
    const shared = listed.filter((i) => this.group(list[i]) === labels.sharedPassages);
    const top = this.items?.scrollTop ?? 0;
    this.items = createElement(
      "ol.lv-item-list",
      { "aria-label": labels.sharedPassages },
      ...this.rows(listed, (i) => createElement("li", {}, this.line(i))),
    );
    redraw(
      this.element,
      createElement(
        "header.lv-items-header",
        {},
        createElement("h3", {}, labels.sharedPassages),
        createElement("span.lv-count", {}, place < 0 ? `${shared.length}` : labels.ofShown(place + 1, listed.length)),
        ...this.arrows(),
      ),
      this.items,
    );
    this.items.scrollTop = top;
  }
}
