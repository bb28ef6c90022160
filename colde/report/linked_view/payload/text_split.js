// The split of both texts by kind of shared text, counted again without the passages that the reader leaves out.

import { firstGreater } from "./sorted_spans.js";

/** @import {Side, Span, SplitData, SplitFilter, SplitPart} from "../types" */

const FIELDS = 5; // of a stretch: start, end, number of its kind or REST, words, whether it is quoted
const REST = -1; // the number of the words that are not shared
const SAME = 0.8; // share of a passage that a match has to cover for both to be the same

/** Nothing is left out. @type {SplitFilter} */
export const WHOLE_SPLIT = { words: 0, quotations: true, rejected: [] };

/** The stretches of one text, in reading order. */
class Stretches {
  /** @param {number[]} flat */
  constructor(flat) {
    const field = (/** @type {number} */ k) =>
      Float64Array.from({ length: flat.length / FIELDS }, (_, i) => flat[FIELDS * i + k]);
    this.starts = field(0);
    this.kinds = field(2);
    this.words = field(3);
    this.quoted = field(4);
  }

  /**
   * Places of the stretches that begin in a passage; none goes beyond its end.
   * @param {number} start
   * @param {number} end
   */
  inside(start, end) {
    const [first, last] = [firstGreater(this.starts, start - 1), firstGreater(this.starts, end - 1)];
    return Array.from({ length: last - first }, (_, i) => first + i);
  }
}

export class TextSplit {
  /** @param {SplitData} data */
  constructor(data) {
    this.data = data;
    this.note = data.note;
    this.missing = data.missing;
    this.stretches = { a: new Stretches(data.a), b: new Stretches(data.b) };
    const passages = data.kinds.flatMap(({ passages: spans }, kind) => spans.map((span) => ({ kind, span })));
    this.passages = passages.map(({ kind, span }) => {
      const [a, b] = [this.stretches.a.inside(span[0], span[1]), this.stretches.b.inside(span[2], span[3])];
      const words = Math.min(sum(a, this.stretches.a.words), sum(b, this.stretches.b.words));
      const quoted = this.isQuoted("a", span[0], span[1]) || this.isQuoted("b", span[2], span[3]);
      return { kind, span, a, b, words, quoted };
    });
    this.covering = { a: this.coveringOf("a"), b: this.coveringOf("b") };
  }

  /**
   * For each stretch of a text, the places in `passages` of those that cover it.
   * @param {Side} side
   */
  coveringOf(side) {
    /** @type {number[][]} */
    const covering = Array.from(this.stretches[side].starts, () => []);
    for (const [k, passage] of this.passages.entries()) for (const i of passage[side]) covering[i].push(k);
    return covering;
  }

  /**
   * Whether a passage lies in quotations.
   * @param {Side} side
   * @param {number} start
   * @param {number} end
   */
  isQuoted(side, start, end) {
    const { starts, quoted } = this.stretches[side];
    const [first, last] = [Math.max(0, firstGreater(starts, start) - 1), firstGreater(starts, end - 1)];
    return first < last && quoted.subarray(first, last).every((flag) => flag === 1);
  }

  /**
   * The parts of a text, the strongest kind first and the rest last.
   * @param {Side} side
   * @param {SplitFilter} filter
   * @returns {SplitPart[]}
   */
  parts(side, filter) {
    const { kinds, words, quoted } = this.stretches[side];
    const kept = this.passages.map((passage) => keeps(passage, filter));
    const counts = new Float64Array(this.data.kinds.length + 1); // the last one is the rest
    for (let i = 0; i < kinds.length; i += 1) {
      if (quoted[i] && !filter.quotations) continue;
      const kind = kinds[i] === REST ? REST : this.kindNow(side, i, kept, filter.words);
      counts[kind === REST ? counts.length - 1 : kind] += words[i];
    }
    const total = counts.reduce((all, count) => all + count, 0) || 1;
    const spansOf = (/** @type {number} */ kind) =>
      this.passages.filter((passage, k) => passage.kind === kind && kept[k]).map((passage) => passage.span);
    return [...this.data.kinds, this.data.rest].map(({ label, means }, kind) => ({
      label,
      means,
      share: counts[kind] / total,
      passages: spansOf(kind),
    }));
  }

  /**
   * The strongest kind of the passages over a stretch that are kept. A stretch without a passage of its kind stands for
   * itself: of identical words that are in several places one pair of places is listed.
   * @param {Side} side
   * @param {number} i
   * @param {boolean[]} kept
   * @param {number} least words
   */
  kindNow(side, i, kept, least) {
    const { kinds, words } = this.stretches[side];
    const covering = this.covering[side][i];
    if (!covering.some((k) => this.passages[k].kind === kinds[i])) return words[i] < least ? REST : kinds[i];
    const left = covering.filter((k) => kept[k]).map((k) => this.passages[k].kind);
    return left.length ? Math.min(...left) : REST;
  }
}

/**
 * @param {number[]} places
 * @param {Float64Array} words
 */
function sum(places, words) {
  return places.reduce((all, i) => all + words[i], 0);
}

/**
 * Whether a passage counts: it is long enough, not quoted where quotations are left out, and not rejected.
 * @param {{span: number[], words: number, quoted: boolean}} passage
 * @param {SplitFilter} filter
 */
function keeps({ span: [a0, a1, b0, b1], words, quoted }, filter) {
  if (words < filter.words || (quoted && !filter.quotations)) return false;
  return !filter.rejected.some(({ a, b }) => a && b && holds(a, a0, a1) && holds(b, b0, b1));
}

/**
 * Whether a span holds nearly all of a passage.
 * @param {Span} span
 * @param {number} start
 * @param {number} end
 */
export function holds(span, start, end) {
  return Math.min(span[1], end) - Math.max(span[0], start) >= SAME * (end - start);
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
