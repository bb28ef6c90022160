// The models of the payload with their maps and weights. Parts that did not change since the last payload are kept.

import { SimilarityMap, contentKey } from "./similarity_map.js";
import { passageList } from "./sorted_spans.js";

/** @import {Axes, ModelData, WeightsData} from "../types" */

const DARKEST_QUANTILE = 0.99; // share of the units of a text whose weight is below the darkest shade

/**
 * Whether a model has no result of the pair: it still works, or the comparison was cancelled or failed before it had one.
 * @param {{pending?: boolean, stopped?: string | null} | null | undefined} model
 */
export function hasNoResult(model) {
  return Boolean(model && (model.pending || model.stopped));
}

/** Weights of single units of one text, from the model's shading; `weights` are 0 to 1, the text's greatest is 1. */
class TextWeights {
  /**
   * @param {WeightsData} data
   * @param {number} missing
   */
  constructor({ spans: flat, steps, values }, missing) {
    this.spans = passageList(flat);
    this.values = Float64Array.from(values.numbers, (v) => (v === missing ? NaN : v / steps));
    const there = this.values.filter((v) => v === v).sort();
    this.high = there.at(-1) ?? 0;
    // A few units far above all others would leave the rest without a shade.
    this.dark = Math.max(there[Math.floor(DARKEST_QUANTILE * (there.length - 1))] ?? 0, this.high / 100) || 1;
    /** @type {number[] | null} */
    this.order = null;
  }

  /** @param {number} i */
  weight(i) {
    return Math.max(0, Math.min(1, this.values[i] / this.dark));
  }

  /** Indices from the greatest value down. */
  ranked() {
    this.order ||= [...this.values.keys()]
      .filter((i) => this.values[i] > 0)
      .sort((i, j) => this.values[j] - this.values[i]);
    return this.order;
  }
}

/**
 * Models with their maps; `find(axes, level)` are the maps to choose from. Maps that did not change are taken over.
 * @param {ModelData[]} models
 * @param {{missing: number, levels: string[]}} payload what stands for no value, and the levels from coarse to fine
 * @param {any[]} before what this function returned for the payload before
 */
export function decodeModels(models, { missing, levels }, before = []) {
  return models.map((model) => {
    const known = before.find((m) => m.name === model.name);
    const maps = Object.entries(model.maps).map(([name, map]) => {
      /** @type {SimilarityMap | undefined} */
      const old = known?.map(name);
      const same = old && old.packed === contentKey(map) && old.meaning === map.meaning && old.height === map.shape[0];
      return same ? old : new SimilarityMap(name, map, missing);
    });
    const shadings = (model.shadings || []).map((shading) => {
      const old = known?.shadings.find((/** @type {any} */ s) => s.key === shading.key);
      const now = { a: shading.a && contentKey(shading.a), b: shading.b && contentKey(shading.b) };
      if (old && old.packed.a === now.a && old.packed.b === now.b) return old;
      const [a, b] = [shading.a, shading.b].map((side) => side && new TextWeights(side, missing));
      return { ...shading, a, b, packed: now };
    });
    return {
      ...model,
      maps,
      shadings,
      map: (/** @type {string} */ name) => maps.find((m) => m.name === name),
      find: (/** @type {Axes} */ axes, /** @type {string | null} */ level) =>
        maps.filter((m) => m.side === axes && m.offered === level),
      depth: (/** @type {string} */ level) => levels.indexOf(level),
      /** The map that stands beside those of other models: of this level, else the finest there is. */
      beside: (/** @type {string} */ level) =>
        maps.find(
          (m) => m.name === (model.typical[level] || model.typical[levels.findLast((l) => model.typical[l]) ?? ""]),
        ),
      levels: (/** @type {Axes} */ axes) =>
        levels.filter((level) => maps.some((m) => m.side === axes && m.offered === level)),
    };
  });
}
