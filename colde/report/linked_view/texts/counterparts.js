// Which sentences of the two texts match each other, and how strongly, by the finest map of a model.

import { preferredMap } from "../payload/similarity_map.js";

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {SimilarityMap} from "../payload/similarity_map.js"
 * @import {Answer, Axes, Limits, Span} from "../types"
 * @typedef {ReturnType<typeof import("../payload/decode_models.js").decodeModels>[number]} Model
 */

const MOST_LINKS = 6;
const LINKED_FROM = 0.3; // weaker pairs of sentences are not joined by a line

/**
 * The map that says most exactly what answers what, or null.
 * @param {Model | null} model
 * @param {Axes} axes
 */
export function finestMap(model, axes) {
  for (const level of ["sentence", "chunk", "section"]) {
    const map = preferredMap(model?.find(axes, level).filter((m) => m.role !== "attention") || []);
    if (map) return map;
  }
  return null;
}

/**
 * Values of the best counterparts between which sentences get darker: like half of all, and nearly the strongest.
 * @param {SimilarityMap} map
 * @returns {Limits}
 */
export function strengthLimits(map) {
  const values = [...map.best("rows"), ...map.best("columns")].filter((v) => !Number.isNaN(v)).sort((x, y) => x - y);
  const at = (/** @type {number} */ share) => values[Math.round(share * (values.length - 1))] ?? 0;
  return [at(0.5), Math.max(at(0.995), at(0.5) + 1e-4)];
}

/**
 * 0 for a sentence like half of all, 1 for the strongest; what the shading shows.
 * @param {number} value
 * @param {Limits} limits
 */
export function strength(value, [low, high]) {
  return Math.max(0, Math.min(1, (value - low) / (high - low)));
}

/**
 * For every unit of a text, the strength of its best counterpart.
 * @param {SimilarityMap} map
 * @param {"rows" | "columns"} axis
 * @param {DocumentText} text
 * @param {Limits} limits
 */
export function strengths(map, axis, text, limits) {
  const best = map.best(axis);
  return Float32Array.from(text.units, (u) => {
    const i = u.sentence < 0 ? -1 : map[axis].holding(u.start);
    return i < 0 ? NaN : strength(best[i], limits);
  });
}

/**
 * For every section of a text, the value of its best counterpart; null where the model has no map of sections.
 * @param {Model} model
 * @param {"rows" | "columns"} axis
 * @param {DocumentText} text
 */
export function strongestPerSection(model, axis, text) {
  const map = preferredMap(model.find("across", "section").filter((m) => m.role !== "attention"));
  return map ? text.sections.map((s) => map.best(axis)[map[axis].holding(s.start)]) : null;
}

/**
 * The best counterparts of passage i of an axis, greatest first.
 * @param {SimilarityMap} map
 * @param {"rows" | "columns"} axis
 * @param {number} i
 * @param {number} count at most so many
 * @param {boolean} own whether both axes are one text
 */
export function counterparts(map, axis, i, count, own) {
  const to = axis === "rows" ? map.columns : map.rows;
  /** @type {{value: number, span: Span}[]} */
  const found = [];
  for (let k = 0; k < to.length; k += 1) {
    const value = axis === "rows" ? map.at(i, k) : map.at(k, i);
    if (Number.isNaN(value) || (own && k === i) || (found.length === count && value <= found[count - 1].value)) {
      continue;
    }
    found.push({ value, span: to.span(k) });
    found.sort((x, y) => y.value - x.value);
    found.length = Math.min(found.length, count);
  }
  return found;
}

/**
 * Which sentences of two passages answer which, as lines: strongest first, each sentence once.
 * @param {SimilarityMap | null} map
 * @param {Span} a
 * @param {Span} b
 * @param {Limits} limits
 * @returns {Answer[]}
 */
export function matchingPairs(map, a, b, limits) {
  if (!map || map.level !== "sentence") return [{ a, b, strength: 0.5 }];
  const found = [];
  for (const row of map.rows.within(...a)) {
    for (const column of map.columns.within(...b)) {
      const value = strength(map.at(row, column), limits);
      if (value > LINKED_FROM) found.push({ row, column, value });
    }
  }
  found.sort((x, y) => y.value - x.value);
  const [rows, columns] = [new Set(), new Set()];
  /** @type {Answer[]} */
  const pairs = [];
  for (const { row, column, value } of found) {
    if (rows.has(row) || columns.has(column)) continue;
    rows.add(row);
    columns.add(column);
    pairs.push({ a: map.rows.span(row), b: map.columns.span(column), strength: value });
    if (pairs.length === MOST_LINKS) break;
  }
  return pairs.length ? pairs : [{ a, b, strength: LINKED_FROM }];
}
