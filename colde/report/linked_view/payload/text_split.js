// The split of both texts by kind of shared text, counted again without the passages that the reader leaves out.

import { itemKey } from "../review/review_marks.js";
import { STANDARD, labelOf } from "./shared_passages.js";
import { firstGreater } from "./sorted_spans.js";

/** @import {SharedPassage, Side, SplitData, SplitFilter, SplitPart} from "../types" */

const FIELDS = 5; // of a stretch: start, end, number of its kind or −1, words, whether it is quoted

/** Nothing is left out. @type {SplitFilter} */
export const WHOLE_SPLIT = { words: 0, quotations: true, standard: "apart", rejected: new Set() };

/** The stretches of one text, in reading order. */
class Stretches {
  /** @param {number[]} flat */
  constructor(flat) {
    const field = (/** @type {number} */ k) =>
      Float64Array.from({ length: flat.length / FIELDS }, (_, i) => flat[FIELDS * i + k]);
    this.starts = field(0);
    this.ends = field(1);
    this.kinds = field(2);
    this.words = field(3);
    this.quoted = field(4);
  }

  /**
   * Places of the stretches that begin in a passage; none goes beyond its end.
   * @param {{start: number, end: number}} passage
   */
  inside({ start, end }) {
    const [first, last] = [firstGreater(this.starts, start - 1), firstGreater(this.starts, end - 1)];
    return Array.from({ length: last - first }, (_, i) => first + i);
  }

  /**
   * Whether a passage lies in quotations.
   * @param {{start: number, end: number}} passage
   */
  isQuoted({ start, end }) {
    const [first, last] = [Math.max(0, firstGreater(this.starts, start) - 1), firstGreater(this.starts, end - 1)];
    return first < last && this.quoted.subarray(first, last).every((flag) => flag === 1);
  }
}

export class TextSplit {
  /**
   * @param {SplitData} data
   * @param {SharedPassage[]} passages
   */
  constructor(data, passages) {
    this.data = data;
    this.passages = passages;
    this.labels = data.kinds.map(({ label }) => label);
    this.stretches = { a: new Stretches(data.a), b: new Stretches(data.b) };
    this.quoted = passages.map(({ a, b }) => this.stretches.a.isQuoted(a) || this.stretches.b.isQuoted(b));
    this.covering = { a: this.coveringOf("a"), b: this.coveringOf("b") };
  }

  /**
   * For each stretch of a text, the passages that cover it, by their places in the list.
   * @param {Side} side
   */
  coveringOf(side) {
    const stretches = this.stretches[side];
    /** @type {number[][]} */
    const covering = Array.from(stretches.starts, () => []);
    for (const [k, passage] of this.passages.entries()) {
      for (const i of stretches.inside(passage[side])) covering[i].push(k);
    }
    return covering;
  }

  /**
   * Whether passage i counts: it is long enough, and neither quoted nor standard where these are left out.
   * @param {number} i
   * @param {SplitFilter} filter
   */
  keeps(i, { words, quotations, standard }) {
    const passage = this.passages[i];
    if (passage.standard && standard === "out") return false;
    return Math.min(...passage.words) >= words && (quotations || !this.quoted[i]);
  }

  /**
   * The parts of a text, the strongest kind first and the rest last.
   * @param {Side} side
   * @param {SplitFilter} filter
   * @returns {SplitPart[]}
   */
  parts(side, filter) {
    const { kinds, words, quoted } = this.stretches[side];
    const kept = this.passages.map((passage, i) => this.keeps(i, filter) && !filter.rejected.has(itemKey(passage)));
    const counts = new Float64Array(this.labels.length + 1); // the last one is the rest
    for (let i = 0; i < kinds.length; i += 1) {
      const isStandard = this.labels[kinds[i]] === STANDARD;
      if ((quoted[i] && !filter.quotations) || (isStandard && filter.standard === "out")) continue;
      counts[this.kindOf(side, i, kept, filter)] += words[i];
    }
    const total = counts.reduce((all, count) => all + count, 0) || 1;
    return [...this.data.kinds, this.data.rest].map(({ label, means }, kind) => ({
      label,
      means,
      share: counts[kind] / total,
      passages: this.withLabel(label, kept, filter),
    }));
  }

  /**
   * The number of the kind of a stretch: the strongest among the parts over it of passages that count.
   * @param {Side} side
   * @param {number} i
   * @param {boolean[]} kept
   * @param {SplitFilter} filter
   */
  kindOf(side, i, kept, { standard }) {
    const { starts, ends, kinds } = this.stretches[side];
    const [own, over, rest] = [kinds[i], this.covering[side][i], this.labels.length];
    if (own < 0) return rest;
    const joins = this.labels[own] === STANDARD && standard === "with";
    if (!joins && over.every((k) => kept[k])) return own;
    const numbers = over
      .filter((k) => kept[k])
      .flatMap((k) =>
        this.passages[k].parts
          .filter((part) => part[side].start < ends[i] && starts[i] < part[side].end)
          .map(({ kind }) => this.labels.indexOf(labelOf({ kind, standard: this.passages[k].standard }, standard))),
      );
    return Math.min(rest, ...numbers.filter((number) => number >= 0));
  }

  /**
   * The passages that count as this, or else those that have parts of this kind.
   * @param {string} label
   * @param {boolean[]} kept
   * @param {SplitFilter} filter
   */
  withLabel(label, kept, { standard }) {
    const numbers = [...this.passages.keys()].filter((i) => kept[i]);
    const whole = numbers.filter((i) => labelOf(this.passages[i], standard) === label);
    const inPart = (/** @type {SharedPassage} */ passage) =>
      labelOf(passage, standard) !== STANDARD && passage.parts.some(({ kind }) => kind === label);
    return whole.length ? whole : numbers.filter((i) => inPart(this.passages[i]));
  }
}

/**
 * A share as the reports write it: 0 % and 100 % only where it is exactly that.
 * @param {number} share
 */
export function sharePercent(share) {
  if (share > 0 && share < 0.005) return "under 1 %";
  if (share > 0.995 && share < 1) return "over 99 %";
  const [percent, floor] = [100 * share, Math.floor(100 * share)];
  return `${percent - floor === 0.5 ? floor + (floor % 2) : Math.round(percent)} %`; // halves to even, as Python
}
