// The split of both texts by kind of shared text, counted again without the passages that the reader leaves out.

import { firstGreater } from "./sorted_spans.js";

/** @import {Side, Span, SplitData, SplitFilter, SplitPart} from "../types" */

const FIELDS = 5; // of a stretch: start, end, number of its kind or REST, words, whether it is quoted
const REST = -1; // the number of the words that are not shared
const SAME = 0.8; // share of the shorter one of two passages that both have in common if they are the same

/** Nothing is left out. @type {SplitFilter} */
export const WHOLE_SPLIT = { words: 0, quotations: true, rejected: [] };

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
    const put = (/** @type {number} */ kind, /** @type {number} */ count) => {
      counts[kind === REST ? counts.length - 1 : kind] += count;
    };
    for (let i = 0; i < kinds.length; i += 1) {
      if (quoted[i] && !filter.quotations) continue;
      if (kinds[i] === REST || (!filter.words && filter.quotations && !filter.rejected.length)) put(kinds[i], words[i]);
      else for (const [kind, share] of this.sharesOf(side, i, kept, filter)) put(kind, share * words[i]);
    }
    const total = counts.reduce((all, count) => all + count, 0) || 1;
    const isRejected = (/** @type {number[]} */ [a0, a1, b0, b1]) =>
      filter.rejected.some(({ a, b }) => a && b && holds(a, a0, a1) && holds(b, b0, b1));
    const spansOf = (/** @type {number} */ kind) =>
      this.passages
        .filter((passage, k) => passage.kind === kind && kept[k] && !isRejected(passage.span))
        .map((passage) => passage.span);
    return [...this.data.kinds, this.data.rest].map(({ label, means }, kind) => ({
      label,
      means,
      share: counts[kind] / total,
      passages: spansOf(kind),
    }));
  }

  /**
   * The kinds of a stretch, each with its share of it: the strongest kind of the passages over it that are kept, where they
   * are not rejected, else the next one. A stretch without a passage of its kind stands for itself: of identical words
   * that are in several places one pair of places is listed.
   * @param {Side} side
   * @param {number} i
   * @param {boolean[]} kept
   * @param {SplitFilter} filter
   * @returns {[kind: number, share: number][]}
   */
  sharesOf(side, i, kept, { words: least, rejected }) {
    const { kinds, words, starts, ends } = this.stretches[side];
    const [own, span] = [kinds[i], /** @type {Span} */ ([starts[i], ends[i]])];
    const over = this.covering[side][i].map((k) => ({ ...this.passages[k], isKept: kept[k] }));
    if (!over.some(({ kind }) => kind === own)) {
      const gone = words[i] < least ? 1 : covered(span, rejected, side);
      return [
        [own, 1 - gone],
        [REST, gone],
      ];
    }
    const left = over.filter(({ kind, isKept }) => isKept && kind >= own);
    if (!left.length) return [[REST, 1]];
    const [first, next] = [...new Set(left.map(({ kind }) => kind))].sort((x, y) => x - y);
    const ofFirst = left.filter(({ kind }) => kind === first).map((passage) => passage.span);
    const rejectedOf = (/** @type {number[]} */ passage) => rejected.filter((mark) => touches(mark, passage));
    const gone = Math.min(...ofFirst.map((passage) => covered(span, rejectedOf(passage), side)));
    return [
      [first, 1 - gone],
      [next ?? REST, gone],
    ];
  }
}

/**
 * Share of a stretch that lies in the passages of these marks.
 * @param {Span} span
 * @param {SplitFilter["rejected"]} marks
 * @param {Side} side
 */
function covered([start, end], marks, side) {
  const spans = marks.flatMap((mark) => (mark[side] ? [mark[side]] : []));
  let [inside, at] = [0, start];
  for (const [from, to] of spans.toSorted((x, y) => x[0] - y[0])) {
    const [first, last] = [Math.max(at, from), Math.min(end, to)];
    if (last > first) [inside, at] = [inside + last - first, last];
  }
  return inside / (end - start || 1);
}

/**
 * Whether a mark has something in common with a passage in both texts.
 * @param {SplitFilter["rejected"][number]} mark
 * @param {number[]} passage
 */
function touches({ a, b }, [a0, a1, b0, b1]) {
  return Boolean(a && b && a[0] < a1 && a0 < a[1] && b[0] < b1 && b0 < b[1]);
}

/**
 * @param {number[]} places
 * @param {Float64Array} words
 */
function sum(places, words) {
  return places.reduce((all, i) => all + words[i], 0);
}

/**
 * Whether a passage counts: it is long enough, and not quoted where quotations are left out.
 * @param {{words: number, quoted: boolean}} passage
 * @param {SplitFilter} filter
 */
function keeps({ words, quoted }, filter) {
  return words >= filter.words && !(quoted && !filter.quotations);
}

/**
 * Whether a span holds nearly all of a passage.
 * @param {Span} span
 * @param {number} start
 * @param {number} end
 */
function holds(span, start, end) {
  return Math.min(span[1], end) - Math.max(span[0], start) >= SAME * (end - start);
}

/**
 * Whether two passages are nearly the same, or one lies in the other.
 * @param {Span} span
 * @param {number} start
 * @param {number} end
 */
export function isSame(span, start, end) {
  return Math.min(span[1], end) - Math.max(span[0], start) >= SAME * Math.min(span[1] - span[0], end - start);
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
