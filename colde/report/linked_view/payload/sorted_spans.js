// Searching spans whose starts and ends both rise.

/** @import {Passages, Span} from "../types" */

/**
 * First index in the sorted `values` whose value is greater than `x`.
 * @param {ArrayLike<number>} values
 * @param {number} x
 */
export function firstGreater(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * First index in the sorted `values` whose value is not less than `x`.
 * @param {ArrayLike<number>} values
 * @param {number} x
 */
function firstNotLess(values, x) {
  return firstGreater(values, x - 1); // whole numbers
}

/**
 * Half-open index range of the spans that overlap [start, end); both their starts and their ends rise.
 * @param {ArrayLike<number>} starts
 * @param {ArrayLike<number>} ends
 * @param {number} start
 * @param {number} end
 * @returns {Span}
 */
export function overlapRange(starts, ends, start, end) {
  const first = firstGreater(ends, start);
  return [first, Math.max(first, firstNotLess(starts, end))];
}

/**
 * @param {number[]} flat start and end of each passage
 * @returns {Passages}
 */
export function passageList(flat) {
  const starts = new Int32Array(flat.length / 2);
  const ends = new Int32Array(flat.length / 2);
  for (let i = 0; i < starts.length; i += 1) [starts[i], ends[i]] = [flat[2 * i], flat[2 * i + 1]];
  return {
    starts,
    ends,
    length: starts.length,
    span: (i) => [starts[i], ends[i]],
    range: (start, end) => overlapRange(starts, ends, start, end),
    /** Indices of the passages that overlap [start, end). */
    within(start, end) {
      const [first, last] = overlapRange(starts, ends, start, end);
      return Array.from({ length: last - first }, (_, i) => first + i);
    },
    /** Index of the passage that holds the offset, or −1. */
    holding(offset) {
      const i = firstGreater(starts, offset) - 1;
      return i >= 0 && offset < ends[i] ? i : -1;
    },
    all: () => Array.from({ length: starts.length }, (_, i) => i),
  };
}
