// The closest sentences of the two texts that lie in no shared passage, folded below the list.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { certaintyElement } from "./item_list.js";
import { pairItem } from "./passage_quotes.js";

/** `show(pairs, texts)` draws; press(pair) shows two sentences in the texts. */
export class ClosestSentences {
  constructor(press) {
    this.press = press;
    this.pairs = null;
    this.element = createElement("details.lv-closest", { hidden: true });
  }

  /** pairs: [{a, b, certainty}], the closest first, or null */
  show(pairs, texts) {
    if (pairs === this.pairs) return;
    this.pairs = pairs;
    this.element.hidden = !pairs?.length;
    const item = (pair) => pairItem({ ...pair, kind: "" }, texts, certaintyElement(pair.certainty), this.press);
    this.element.replaceChildren(
      createElement("summary", {}, `${labels.closest} ${pairs?.length ?? ""}`),
      createElement("ol.lv-parts", {}, ...(pairs ?? []).map(item)),
    );
  }
}
