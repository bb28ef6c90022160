// Parts of a score over pairs of passages: from the reference up to the score.

/**
 * @import {MadeOf, PairContribution} from "../types"
 */

/** @typedef {{kind: "whole" | "part", name: string, from: number, to: number, share: number, pair: PairContribution | null, count: number}} Step */

const NO_REFERENCE = 0.0005; // of a score: a reference below it has no bar

/**
 * Bars of a waterfall: the reference, the pairs that contribute most, all others that add, all others that take away, the score.
 * @param {MadeOf} made
 * @param {number} score
 * @param {number} most pairs that stand by themselves
 * @returns {Step[]}
 */
export function waterfall(made, score, most) {
  const named = made.pairs.slice(0, most);
  const rest = made.pairs.slice(most);
  const sum = (/** @type {PairContribution[]} */ pairs) => pairs.reduce((total, { part }) => total + part, 0);
  const raised = sum(made.pairs) + made.raising.part;
  /** @type {Step[]} */
  const steps = [];
  const whole = (/** @type {string} */ name, /** @type {number} */ to) =>
    steps.push({ kind: "whole", name, from: 0, to, share: NaN, pair: null, count: 0 });
  let at = made.reference;
  const add = (
    /** @type {string} */ name,
    /** @type {number} */ part,
    /** @type {PairContribution | null} */ pair = null,
    count = 1,
  ) => {
    if (count) {
      steps.push({ kind: "part", name, from: at, to: at + part, share: pair?.share ?? part / raised, pair, count });
    }
    at += part;
  };
  if (Math.abs(made.reference) >= NO_REFERENCE) whole("start", made.reference);
  for (const pair of named) add("pair", pair.part, pair);
  add("for", made.raising.part + sum(rest), null, made.raising.count + rest.length);
  add("against", made.lowering.part, null, made.lowering.count);
  whole("end", score);
  return steps;
}

/**
 * A share of a score: 39 %, 5.9 %, −0.3 %; a smaller one is under 0.1 %.
 * @param {number} share
 */
export function shareText(share) {
  const size = Math.abs(share);
  if (0 < size && size < 0.0005) return "under 0.1 %";
  return `${share < 0 ? "−" : ""}${(100 * size).toFixed(size >= 0.0995 ? 0 : 1)} %`;
}
