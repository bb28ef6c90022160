// A matrix of the payload over two lists of passages, with its values, limits and strongest cells.

import * as labels from "../labels.js";
import { MapTiles } from "./map_tiles.js";
import { passageList } from "./sorted_spans.js";

/** @import {Axes, Limits, MapData, OverviewData, PackedValues, Side, Span, ValuedCell} from "../types" */

const TIMES_AVERAGE = labels.averageAttention; // unit of attention: 1.0× is what every cell had if the model looked everywhere alike
const LEAST_RANGE = 0.5; // of the values above what is usual, the share that the colours take at least
const FLAT_RANGE = 1000; // to the end of the colours of a map that says nothing: all its cells are pale
/** @type {Record<Axes, [Side, Side]>} */
export const AXIS_SIDES = { across: ["a", "b"], within_a: ["a", "a"], within_b: ["b", "b"] }; // side of a map → the texts of its rows and columns

/** A matrix over two lists of passages; NaN where a value does not exist. What it is, it says in the fields of `_map` in payload.py. */
export class SimilarityMap {
  /**
   * @param {string} name
   * @param {MapData} map
   * @param {number} missing what stands for a value that does not exist
   */
  constructor(name, map, missing) {
    this.name = name;
    this.role = map.role;
    this.level = map.level;
    this.offered = map.offered;
    this.side = map.side;
    this.label = map.label;
    this.preference = map.preference;
    this.kind = map.kind;
    this.unit = map.kind === "attention" ? TIMES_AVERAGE : map.unit;
    this.scale = map.scale;
    this.flat = Boolean(map.flat);
    this.meaning = map.meaning;
    this.reference = map.reference ?? null; // of contributions: values + reference + residual are the score
    this.residual = map.residual ?? null;
    this.steps = map.steps;
    this.missing = missing;
    this.ramp = map.scale === "diverging" ? map.scale : map.kind;
    this.height = map.shape[0];
    this.width = map.shape[1];
    this.rows = passageList(map.rows);
    this.columns = passageList(map.columns);
    this.packed = contentKey(map);
    this.tiles = map.overview ? new MapTiles(map.overview, map.shape, missing) : null; // null: all values are here
    this.values = this.tiles?.values ?? map.values?.numbers ?? new Int16Array();
    this.even = map.kind === "attention" ? this.mean() : 0; // what each cell had if all had the same
    this.usual = map.usual ?? null; // 95 of 100 cells of unrelated pairs stay below it
    this.fixed = map.limits ?? null; // where the values begin and end, whatever the pair
    this.fromUsual = map.role === "topic" && this.fixed !== null && this.usual !== null; // no colour for what is usual
    /** @type {Limits | null} */
    this.limits = null;
    /** @type {Record<"rows" | "columns", Float32Array | null>} */
    this.greatest = { rows: null, columns: null };
  }

  /**
   * @param {number} row
   * @param {number} column
   */
  at(row, column) {
    if (this.tiles && !this.tiles.has(row, column)) return NaN;
    const value = this.values[row * this.width + column];
    return value === this.missing ? NaN : value / this.steps;
  }

  /**
   * Whether a value exists that is on its way.
   * @param {number} row
   * @param {number} column
   */
  awaits(row, column) {
    return Boolean(this.tiles && this.tiles.about(row, column) !== this.missing && !this.tiles.has(row, column));
  }

  /**
   * What a part is drawn from: the values, or the means of an overview where the part is so large that these do.
   * @param {number[]} rows
   * @param {number[]} columns
   * @returns {(row: number, column: number) => number}
   */
  drawnFrom(rows, columns) {
    const { tiles } = this;
    if (!tiles?.isWide(rows, columns)) return (row, column) => this.at(row, column);
    return (row, column) => {
      const value = tiles.about(row, column);
      return value === this.missing ? NaN : value / this.steps;
    };
  }

  /** The mean of the values there are; 0 where there are none. */
  mean() {
    if (this.tiles) return this.tiles.data.mean / this.steps;
    let [sum, count] = [0, 0];
    for (const value of this.values) {
      if (value === this.missing) continue;
      sum += value;
      count += 1;
    }
    return count ? sum / count / this.steps : 0;
  }

  /**
   * Where the colours begin and end.
   * @returns {Limits}
   */
  range() {
    this.limits ||= this.scale === "diverging" ? this.bothWays() : this.oneWay();
    return this.limits;
  }

  /**
   * The same for every pair where the map has limits of its own; from what is usual on where all cells of a pair can be
   * high; else nearly the least value (a few very low cells would pale all others) and the greatest.
   * @returns {Limits}
   */
  oneWay() {
    if (this.fixed && this.even <= 0 && !this.fromUsual) return [this.fixed[0], this.fixed[1], this.usual];
    let most = this.tiles?.data.most ?? this.missing;
    if (!this.tiles) for (const value of this.values) if (value > most) most = value;
    if (this.fixed && this.usual !== null && this.fromUsual) {
      return [this.usual, Math.max(most / this.steps, this.usual + LEAST_RANGE * (this.fixed[1] - this.usual))];
    }
    const step = Math.max(1, Math.floor(this.values.length / 100_000));
    const sample = this.tiles
      ? Int16Array.of(this.tiles.data.low)
      : Int16Array.from({ length: Math.floor(this.values.length / step) }, (_, i) => this.values[i * step])
          .filter((value) => value !== this.missing)
          .sort();
    const low = sample.length ? sample[Math.floor(0.01 * sample.length)] / this.steps : 0;
    const high = most / this.steps;
    if (this.flat) return [low, low + FLAT_RANGE];
    if (this.even > 0) return [0, Math.max(high, 2 * this.even)];
    return high > low ? [low, high] : [low, low + 1 / this.steps];
  }

  /**
   * As far below zero as above it, so that zero has the colour of the middle.
   * @returns {Limits}
   */
  bothWays() {
    let most = this.tiles ? Math.max(1, this.tiles.data.most, -this.tiles.data.least) : 1;
    if (!this.tiles) {
      for (const value of this.values) if (value !== this.missing) most = Math.max(most, Math.abs(value));
    }
    return [-most / this.steps, most / this.steps];
  }

  /**
   * A value in as many digits as tell the cells of this map apart; with its sign where zero is a middle. Attention is
   * said as a multiple of what an even spread would give.
   * @param {number} value
   */
  said(value) {
    if (this.even > 0) return Number.isNaN(value) ? "–" : `${(value / this.even).toFixed(1)}×`;
    const [low, high] = this.range();
    const most = this.fixed ? 1 : Math.max(Math.abs(low), Math.abs(high));
    const digits = most >= 0.095 ? 2 : Math.min(6, 1 + Math.ceil(-Math.log10(most)));
    return formatNumber(value, digits, this.scale === "diverging");
  }

  /**
   * The greatest of these cells, or null.
   * @param {number[]} rows
   * @param {number[]} columns
   * @returns {ValuedCell | null}
   */
  strongest(rows, columns) {
    const known = this.tiles?.isWide(rows, columns) && this.greatestCells(rows, columns, 1)[0];
    if (known) return known;
    this.tiles?.fetch(rows, columns);
    let [raw, row, column] = [this.missing, -1, -1];
    for (const r of rows) {
      const line = r * this.width;
      for (const c of columns) if (this.values[line + c] > raw) [raw, row, column] = [this.values[line + c], r, c];
    }
    return row < 0 ? null : { row, column, value: raw / this.steps };
  }

  /**
   * The greatest of these cells, at most `count`, the greatest first.
   * @param {number[]} rows
   * @param {number[]} columns
   * @param {number} count
   * @returns {ValuedCell[]}
   */
  greatestCells(rows, columns, count) {
    if (this.tiles?.isWide(rows, columns)) {
      const [inRows, inColumns] = [new Set(rows), new Set(columns)];
      return this.tiles.data.top
        .filter(([row, column]) => inRows.has(row) && inColumns.has(column))
        .slice(0, count)
        .map(([row, column, raw]) => ({ row, column, value: raw / this.steps }));
    }
    this.tiles?.fetch(rows, columns);
    /** @type {ValuedCell[]} */
    const found = [];
    for (const row of rows) {
      for (const column of columns) {
        const raw = this.values[row * this.width + column];
        if (raw === this.missing || (found.length === count && raw / this.steps <= found[count - 1].value)) continue;
        found.push({ row, column, value: raw / this.steps });
        found.sort((x, y) => y.value - x.value);
        found.length = Math.min(found.length, count);
      }
    }
    return found;
  }

  /**
   * Row and column ranges of the cells whose passages overlap these two, or null.
   * @param {Span} a
   * @param {Span} b
   */
  block(a, b) {
    const [r0, r1] = this.rows.range(...a);
    const [c0, c1] = this.columns.range(...b);
    return r0 < r1 && c0 < c1 ? { r0, r1, c0, c1 } : null;
  }

  /**
   * Greatest value of each row (or column); NaN where none exists.
   * @param {"rows" | "columns"} axis
   * @returns {Float32Array}
   */
  best(axis) {
    let greatest = this.greatest[axis];
    if (!greatest) {
      const count = axis === "rows" ? this.height : this.width;
      const raw = this.tiles?.best[axis] ?? new Int16Array(count).fill(this.missing);
      for (let row = 0, i = 0; row < (this.tiles ? 0 : this.height); row += 1) {
        for (let column = 0; column < this.width; column += 1, i += 1) {
          const k = axis === "rows" ? row : column;
          if (this.values[i] > raw[k]) raw[k] = this.values[i];
        }
      }
      greatest = Float32Array.from(raw, (v) => (v === this.missing ? NaN : v / this.steps));
      this.greatest[axis] = greatest;
    }
    return greatest;
  }
}

/**
 * The map of one level to begin with, or null.
 * @param {SimilarityMap[]} maps
 */
export function preferredMap(maps) {
  return maps.reduce(
    (best, m) => (best && best.preference <= m.preference ? best : m),
    /** @type {SimilarityMap | null} */ (null),
  );
}

/**
 * What tells values from others: packed numbers mean nothing without their steps.
 * @param {{steps: number, values: PackedValues | null, overview?: OverviewData | null}} data
 */
export function contentKey({ steps, values, overview }) {
  return `${steps} ${overview ? overview.digest : values?.packed}`;
}

/**
 * 0.83, −0.12, 1.00; `signed` numbers above zero have a plus.
 * @param {number} value
 */
export function formatNumber(value, digits = 2, signed = false) {
  if (Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits);
  if (!/[1-9]/.test(text)) return text;
  return (value < 0 ? "−" : signed ? "+" : "") + text;
}

const MOST_DIGITS = 4; // of numbers that are told apart

/**
 * Numbers with two digits, or with as many more as tell apart those that differ: 0.2497 and 0.2500; null stays null.
 * @param {(number | null)[]} values
 * @returns {(string | null)[]}
 */
export function formatApart(values) {
  const known = values.filter((value) => value !== null);
  let digits = 2;
  const texts = () => known.map((value) => formatNumber(value, digits));
  while (digits < MOST_DIGITS && new Set(texts()).size < new Set(known).size) digits += 1;
  return values.map((value) => (value === null ? null : formatNumber(value, digits)));
}
