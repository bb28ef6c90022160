// The closest sentences of the two texts that lie in no shared passage, folded below the list.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { quotes } from "./passage_quotes.js";

/** `show(pairs, texts)` draws; on: {pick(a, b)} shows two sentences in the texts. */
export class ClosestSentences {
  constructor(on) {
    this.on = on;
    this.pairs = null;
    this.element = createElement("details.lv-closest", { hidden: true });
  }

  /** pairs: [{a, b, certainty}], the closest first, or null */
  show(pairs, texts) {
    if (pairs === this.pairs) return;
    this.pairs = pairs;
    this.element.hidden = !pairs?.length;
    const pick = ({ a, b }) => this.on.pick([a.start, a.end], [b.start, b.end]);
    const item = (pair) =>
      createElement(
        "li",
        {},
        createElement(
          "button.lv-part",
          { type: "button", onclick: () => pick(pair) },
          createElement("span.lv-item-certainty", { title: labels.certaintyTitle }, labels.certainty(pair.certainty)),
          ...quotes({ ...pair, kind: "" }, texts, true),
        ),
      );
    this.element.replaceChildren(
      createElement("summary", {}, `${labels.closest} ${pairs?.length ?? ""}`),
      createElement("ol.lv-parts", {}, ...(pairs ?? []).map(item)),
    );
  }
}
