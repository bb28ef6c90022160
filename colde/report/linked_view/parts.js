// Parts of a score over pairs of sections: from the reference up to the score, and what is left without some of them.

/**
 * @import {SimilarityMap} from "./data.js"
 * @import {Cell} from "./types"
 */

/** @typedef {{a: Set<number>, b: Set<number>}} LeftOut sections, as indices into those of each text */
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
    if (some.length) add(name, some.reduce((sum, c) => sum + c.value, 0), null, some.length);
  }
  found.push({ kind: "whole", name: "end", from: 0, to: score, cell: null, count: 0 });
  return found;
}

/**
 * The sum of the cells of these rows and columns.
 * @param {SimilarityMap} map
 * @param {number[]} rows
 * @param {number[]} columns
 */
export function keptSum(map, rows, columns) {
  let sum = 0;
  for (const row of rows) for (const column of columns) sum += map.at(row, column) || 0;
  return sum;
}

/**
 * “a:3,b:7-9” as sets; what does not read so is passed over.
 * @param {string | null | undefined} out
 * @returns {LeftOut}
 */
export function parseLeftOut(out) {
  /** @type {LeftOut} */
  const left = { a: new Set(), b: new Set() };
  for (const part of (out || "").split(",")) {
    const read = /^([ab]):(\d{1,4})(?:-(\d{1,4}))?$/.exec(part);
    if (!read) continue;
    const side = /** @type {"a" | "b"} */ (read[1]);
    for (let k = Number(read[2]); k <= Number(read[3] ?? read[2]); k += 1) left[side].add(k);
  }
  return left;
}

/**
 * The opposite: neighbours as a range, so that an address stays short.
 * @param {LeftOut} left
 */
export function leftOutSaid(left) {
  const parts = [];
  for (const side of /** @type {const} */ (["a", "b"])) {
    const sorted = [...left[side]].sort((x, y) => x - y);
    for (let i = 0; i < sorted.length; i += 1) {
      const first = sorted[i];
      while (sorted[i + 1] === sorted[i] + 1) i += 1;
      parts.push(first === sorted[i] ? `${side}:${first}` : `${side}:${first}-${sorted[i]}`);
    }
  }
  return parts.join(",");
}
