// Both texts scroll together: where they say the same, the counterpart of what is read in one stands beside it in the other.

import * as labels from "../labels.js";
import { createElement, oncePerFrame } from "../frame/dom.js";
import { firstGreater } from "../payload/sorted_spans.js";

/**
 * @import {Side} from "../types"
 * @typedef {import("./text_pane.js").TextPane} TextPane
 * @typedef {[a: number, b: number]} Anchor offsets in both texts that belong together
 */

/**
 * Anchors that rise in both texts: of passages [start in a, end in a, start in b, end in b] those that give the longest
 * chain, and the ends of the texts. Passages that were moved are not among them.
 * @param {number[][]} passages
 * @param {Record<Side, number>} lengths
 * @returns {Anchor[]}
 */
export function anchorsOf(passages, lengths) {
  const sorted = passages.toSorted((x, y) => x[0] - y[0] || x[2] - y[2]);
  /** @type {{passage: number[], length: number, before: number}[]} */
  const chains = [];
  for (const passage of sorted) {
    const chain = { passage, length: passage[1] - passage[0], before: -1 };
    for (const [k, earlier] of chains.entries()) {
      const rises = earlier.passage[1] <= passage[0] && earlier.passage[3] <= passage[2];
      const length = earlier.length + passage[1] - passage[0];
      if (rises && length > chain.length) Object.assign(chain, { length, before: k });
    }
    chains.push(chain);
  }
  let k = chains.reduce((best, chain, i) => (best < 0 || chain.length > chains[best].length ? i : best), -1);
  /** @type {Anchor[]} */
  const anchors = [[lengths.a, lengths.b]];
  for (; k >= 0; k = chains[k].before) {
    const [a0, a1, b0, b1] = chains[k].passage;
    anchors.unshift([a0, b0], [a1, b1]);
  }
  return [[0, 0], ...anchors];
}

/**
 * The offset in the other text that belongs to one of this text: between two anchors in proportion.
 * @param {Anchor[]} anchors
 * @param {number} offset
 * @param {0 | 1} from which of an anchor is of this text
 */
export function counterpartOffset(anchors, offset, from) {
  const after = Math.min(
    anchors.length - 1,
    Math.max(
      1,
      firstGreater(
        anchors.map((anchor) => anchor[from]),
        offset,
      ),
    ),
  );
  const [before, next] = [anchors[after - 1], anchors[after]];
  const share = (offset - before[from]) / (next[from] - before[from] || 1);
  const to = from === 0 ? 1 : 0;
  return Math.round(before[to] + Math.max(0, Math.min(1, share)) * (next[to] - before[to]));
}

/** `take(passages, lengths, on)` whenever the shared passages change; `follow(from, to)` when the reader has scrolled a pane. */
export class ScrollTogether {
  constructor() {
    /** @type {Anchor[]} */
    this.anchors = [];
    this.on = false;
    this.isChosen = false; // whether the reader has switched it
    this.button = createElement(
      "button.lv-quiet.lv-together",
      { type: "button", "aria-pressed": "false", title: labels.scrollTogetherTitle, onclick: () => this.choose() },
      labels.scrollTogether,
    );
    /** @type {[TextPane, TextPane] | null} */
    this.moved = null;
    this.alignSoon = oncePerFrame(() => this.align());
  }

  choose() {
    this.isChosen = true;
    this.set(!this.on);
  }

  /** @param {boolean} on */
  set(on) {
    this.on = on;
    this.button.setAttribute("aria-pressed", String(on));
  }

  /**
   * @param {number[][]} passages of both texts that say the same
   * @param {Record<Side, number>} lengths of the texts
   * @param {boolean} versions whether the texts are versions of each other, which scroll together unasked
   */
  take(passages, lengths, versions) {
    const key = JSON.stringify([passages.length, passages[0], passages.at(-1), lengths]);
    if (key !== this.key) this.anchors = anchorsOf(passages, lengths);
    this.key = key;
    if (!this.isChosen) this.set(versions);
  }

  /**
   * @param {TextPane} from
   * @param {TextPane} to
   */
  follow(from, to) {
    if (!this.on || !this.anchors.length || from.text.side === to.text.side || from.pages || to.pages) return;
    this.moved = [from, to];
    this.alignSoon();
  }

  align() {
    if (!this.moved) return;
    const [from, to] = this.moved;
    const offset = from.offsetAtLine();
    if (offset !== null) to.putAtLine(counterpartOffset(this.anchors, offset, from.text.side === "a" ? 0 : 1));
  }
}
