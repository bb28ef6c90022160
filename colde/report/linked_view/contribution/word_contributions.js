// Two sentences word by word: which pairs of words make what they add to the score.

import * as labels from "../labels.js";
import {
  contributionText,
  contributionTexts,
  listedPairs,
  strongestPairs,
  wordPairs,
} from "../passages/word_alignment.js";
import { formatNumber } from "../payload/similarity_map.js";
import { debounce, createElement, redraw } from "../frame/dom.js";

/**
 * @import {WordCellsData} from "../types"
 */

const ASK_WORDS_AFTER = 300; // milliseconds after the last choice
const LONGEST_ASKED = 4000; // characters of a passage that is still a few sentences

/**
 * `ask(a, b)` when two passages are chosen; `show(found, model)` draws what came of it. `view` is the View of which it is a part.
 */
export class WordContributions {
  constructor(view) {
    this.view = view;
    /** @type {string | null} */
    this.asked = null;
    this.askSoon = debounce(ASK_WORDS_AFTER, (asked) => this.view.callbacks.onWords?.(asked));
    this.element = createElement("section.lv-word-cells", { "aria-label": labels.wordByWord, hidden: true });
  }

  /** What the reader selected, or null: of two sentences, and of a short passage, the words are asked for. */
  choose(selected) {
    const few = selected?.axes === "across" && (selected.picked || selected.level === "sentence");
    this.ask(few ? selected.a : null, few ? selected.b : null);
  }

  /** Two passages were chosen, or null. */
  ask(a, b) {
    const short = a && b && a[1] - a[0] <= LONGEST_ASKED && b[1] - b[0] <= LONGEST_ASKED;
    const asked = short ? { a: [...a], b: [...b], model: this.view.model?.name } : null;
    this.asked = asked && JSON.stringify(asked);
    if (asked && this.view.callbacks.onWords) this.askSoon(asked);
    else this.askSoon.cancel();
    this.show(this.found);
  }

  /** @param {WordCellsData | null | undefined} found */
  show(found) {
    this.found = found;
    const known = found && found.asked === this.asked && found.pairs.length ? found : null;
    if (known === this.shown) return;
    this.shown = known;
    this.element.hidden = !known;
    const pairs = known ? wordPairs(known) : [];
    this.mark(pairs);
    if (!known) return void this.element.replaceChildren();
    const { texts, payload, model } = this.view;
    const score = payload.scores.find(({ name }) => name === model?.name)?.score ?? NaN;
    const listed = listedPairs(pairs, (side, span) => texts[side].slice(...span));
    const said = contributionTexts(
      listed.map(({ adds }) => adds),
      known.total,
    );
    const item = (/** @type {typeof listed[0]} */ { name, adds, pairs: places }) => {
      const on = () => this.view.panes.markWords(places);
      const off = () => this.mark(pairs);
      return createElement(
        "li",
        { tabindex: "0", onmouseenter: on, onmouseleave: off, onfocus: on, onblur: off },
        name,
        " ",
        createElement("b", {}, said(adds)),
      );
    };
    redraw(
      this.element,
      createElement(
        "p",
        { role: "status", title: labels.wordResidual(known.residual.toExponential(0)) },
        labels.wordTotal(contributionText(known.total), formatNumber(score, 3)),
      ),
      createElement("ol", { "aria-label": labels.wordPairs }, ...listed.map(item)),
    );
  }

  /** The words that stand marked as long as the two sentences are chosen. */
  mark(pairs) {
    const { panes } = this.view;
    panes.kept = strongestPairs(pairs);
    panes.words = pairs;
    panes.markWords([]);
  }
}
