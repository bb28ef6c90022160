// Parts of a score over pairs of sections: from the reference up to the score.

/**
 * @import {SimilarityMap} from "../payload/similarity_map.js"
 * @import {Cell} from "../types"
 */

/** @typedef {{kind: "whole" | "part", name: string, from: number, to: number, cell: Cell | null, count: number}} Step */

/**
 * Bars of a waterfall: the reference, the greatest parts, all others that add, all others that take away, the score.
 * @param {SimilarityMap} map
 * @param {number} reference
 * @param {number} score
 * @param {number} most parts that stand by themselves
 * @returns {Step[]}
 */
export function waterfall(map, reference, score, most) {
  const cells = [];
  for (let row = 0; row < map.height; row += 1) {
    for (let column = 0; column < map.width; column += 1) {
      const value = map.at(row, column);
      if (value) cells.push({ row, column, value });
    }
  }
  cells.sort((x, y) => Math.abs(y.value) - Math.abs(x.value));
  const named = cells.slice(0, most).sort((x, y) => y.value - x.value);
  const rest = cells.slice(most);
  /** @type {Step[]} */
  const found = [{ kind: "whole", name: "start", from: 0, to: reference, cell: null, count: 0 }];
  let at = reference;
  const add = (/** @type {string} */ name, /** @type {number} */ value, /** @type {Cell | null} */ cell, count = 1) => {
    found.push({ kind: "part", name, from: at, to: at + value, cell, count });
    at += value;
  };
  for (const { row, column, value } of named) add("pair", value, { row, column });
  const others = { for: rest.filter((c) => c.value > 0), against: rest.filter((c) => c.value < 0) };
  for (const [name, some] of Object.entries(others)) {
    if (some.length) {
      add(
        name,
        some.reduce((sum, c) => sum + c.value, 0),
        null,
        some.length,
      );
    }
  }
  found.push({ kind: "whole", name: "end", from: 0, to: score, cell: null, count: 0 });
  return found;
}
