// The payload of colde/report/view_payload.py as objects that answer the view's questions.
// Offsets are Unicode code points everywhere; only `Text.slice` turns them into JavaScript's UTF-16 positions.

import { MapTiles, unpackInt16 } from "./map_tiles.js";

/**
 * @import {Axes, DocumentData, Limits, MapData, ModelData, OverviewData, Passages, Section, Side, Span, Unit, ValuedCell, WeightsData} from "../types"
 */

export const VERSION = 7; // of the payload; the one that payload.py has
const TIMES_AVERAGE = "of an even spread"; // unit of attention: 1.0× is what every cell had if the model looked everywhere alike
const FLAT_RANGE = 1000; // to the end of the colours of a map that says nothing: all its cells are pale
const DARKEST_QUANTILE = 0.99; // share of the units of a text whose weight is below the darkest shade
/** @type {Record<Axes, [Side, Side]>} */
export const AXIS_SIDES = { across: ["a", "b"], within_a: ["a", "a"], within_b: ["b", "b"] }; // side of a map → the texts of its rows and columns

/**
 * Whether a model has no result of the pair: it still works, or the comparison was cancelled or failed before it had one.
 * @param {{pending?: boolean, stopped?: string | null} | null | undefined} model
 */
export function hasNoResult(model) {
  return Boolean(model && (model.pending || model.stopped));
}

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
function overlapRange(starts, ends, start, end) {
  const first = firstGreater(ends, start);
  return [first, Math.max(first, firstNotLess(starts, end))];
}

/** One document: its text, its sections, and `units`: headings and sentences in reading order. */
export class DocumentText {
  /**
   * @param {DocumentData} doc
   * @param {Side} side
   */
  constructor(doc, side) {
    this.side = side;
    this.title = doc.title;
    this.words = doc.words;
    this.pages = doc.pages;
    this.pageSizes = doc.page_sizes;
    this.notes = doc.notes;
    this.aside = doc.aside;
    this.text = doc.text;
    this.sections = doc.sections;
    this.sectionStarts = doc.sections.map((s) => s.start);
    this.astral = astralPositions(doc.text);
    this.astralUnits = this.astral.map((position, i) => position + i);
    this.units = unitsOf(doc.sections, (s, e) => this.slice(s, e));
    this.starts = Int32Array.from(this.units, (u) => u.start);
    this.ends = Int32Array.from(this.units, (u) => u.end);
    const kept = doc.sections.filter((s) => !s.role);
    const full = kept.filter((s) => this.slice(s.body, s.end).trim()); // a heading alone is not compared
    this.compared = full.length || kept.length;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  slice(start, end) {
    return this.text.slice(this.utf16(start), this.utf16(end));
  }

  /** @param {number} codePoint */
  utf16(codePoint) {
    return codePoint + firstGreater(this.astral, codePoint - 1);
  }

  /** @param {number} utf16 */
  codePoint(utf16) {
    return utf16 - firstGreater(this.astralUnits, utf16 - 1);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  unitsIn(start, end) {
    return overlapRange(this.starts, this.ends, start, end);
  }

  /** @param {number} offset */
  section(offset) {
    return Math.max(0, firstGreater(this.sectionStarts, offset) - 1);
  }

  /**
   * The heading as it stands in the text; a reader may have given the section another name.
   * @param {Section} section
   */
  ownHeading(section) {
    return this.slice(section.start, section.body).trimEnd();
  }

  /**
   * The heading over this offset, or its first words where there is none.
   * @param {number} offset
   */
  heading(offset) {
    const section = this.sections[this.section(offset)];
    if (!section) return "";
    return section.heading || this.snippet(section.start, section.end, 28);
  }

  /** @param {number} offset */
  page(offset) {
    const [first, last] = this.unitsIn(offset, offset + 1);
    for (let i = first; i < Math.max(last, first + 1) && i < this.units.length; i += 1) {
      const page = this.units[i].page;
      if (page) return page;
    }
    return null;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {number} length
   */
  snippet(start, end, length) {
    const text = this.slice(start, Math.min(end, start + length * 2))
      .replace(/\s+/g, " ")
      .trim();
    const cut = text.length > length ? `${text.slice(0, length).replace(/\s+\S*$/, "")}…` : text;
    return end - start > length * 2 && !cut.endsWith("…") ? `${cut}…` : cut;
  }

  /**
   * “Results, p. 4”
   * @param {number} offset
   */
  place(offset) {
    const page = this.page(offset);
    return this.heading(offset) + (page ? `, p. ${page}` : "");
  }
}

/** @param {string} text */
function astralPositions(text) {
  const found = [];
  for (let i = 0, codePoint = 0; i < text.length; i += 1, codePoint += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      found.push(codePoint);
      i += 1;
    }
  }
  return found;
}

/**
 * Headings, sentences, and whatever text stands between sentences, in reading order.
 * @param {Section[]} sections
 * @param {(start: number, end: number) => string} slice
 */
function unitsOf(sections, slice) {
  const hasText = (/** @type {number} */ start, /** @type {number} */ end) => slice(start, end).trim() !== "";
  /** @type {Unit[]} */
  const units = [];
  sections.forEach((section, index) => {
    /** @type {(kind: Unit["kind"], start: number, end: number, sentence?: number) => void} */
    const add = (kind, start, end, sentence = -1) => {
      const page = sentence < 0 ? null : section.pages?.[sentence] || null;
      units.push({ kind, start, end, section: index, sentence, page, paragraph: -1 });
    };
    const own = slice(section.start, section.body).trimEnd();
    if (own) {
      add("heading", section.start, section.start + [...own].length);
      units[units.length - 1].page = section.pages?.[0] || null;
    }
    let next = 0;
    const sentences = section.sentences;
    for (let p = 0; p < section.paragraphs.length; p += 2) {
      const from = units.length;
      let at = section.paragraphs[p];
      const end = section.paragraphs[p + 1];
      while (next < sentences.length && sentences[next] < end) {
        const [start, stop] = [sentences[next], sentences[next + 1]];
        if (start > at && hasText(at, start)) add("gap", at, start);
        add("sentence", start, stop, next / 2);
        at = stop;
        next += 2;
      }
      if (end > at && hasText(at, end)) add("gap", at, end);
      for (let i = from; i < units.length; i += 1) units[i].paragraph = p / 2;
    }
  });
  return units;
}

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
    this.values = this.tiles?.values ?? unpackInt16(map.values);
    if (map.side !== "across" && !this.tiles) this.maskDiagonal();
    this.even = map.kind === "attention" ? this.mean() : 0; // what each cell had if all had the same
    this.usual = map.usual ?? null; // 95 of 100 cells of unrelated pairs stay below it
    this.fixed = map.limits ?? null; // where the colours begin and end, whatever the pair
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

  /** A passage with itself says nothing, and would be the strongest of all. */
  maskDiagonal() {
    const { rows, columns, width } = this;
    for (let i = 0; i < Math.min(rows.length, columns.length); i += 1) {
      if (rows.starts[i] === columns.starts[i] && rows.ends[i] === columns.ends[i]) {
        this.values[i * width + i] = this.missing;
      }
    }
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
   * The same for every pair where the map has limits of its own; else nearly the least value (a few very low cells would
   * pale all others) and the greatest.
   * @returns {Limits}
   */
  oneWay() {
    if (this.fixed && this.even <= 0) return [this.fixed[0], this.fixed[1], this.usual];
    let most = this.tiles?.data.most ?? this.missing;
    if (!this.tiles) for (const value of this.values) if (value > most) most = value;
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
 * @param {number[]} flat start and end of each passage
 * @returns {Passages}
 */
function passageList(flat) {
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

/** Weights of single units of one text, from the model's shading; `weights` are 0 to 1, the text's greatest is 1. */
class TextWeights {
  /**
   * @param {WeightsData} data
   * @param {number} missing
   */
  constructor({ spans: flat, steps, values }, missing) {
    this.spans = passageList(flat);
    this.values = Float64Array.from(unpackInt16(values), (v) => (v === missing ? NaN : v / steps));
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
 * What tells values from others: packed numbers mean nothing without their steps.
 * @param {{steps: number, values: string, overview?: OverviewData | null}} data
 */
function contentKey({ steps, values, overview }) {
  return `${steps} ${overview ? overview.digest : values}`;
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

/**
 * .83, −.12, 1.00: no leading zero, as numbers stand in tables; `signed` ones above zero have a plus.
 * @param {number} value
 */
export function formatNumber(value, digits = 2, signed = false) {
  if (Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(digits).replace(/^0/, "");
  if (!/[1-9]/.test(text)) return text;
  return (value < 0 ? "−" : signed ? "+" : "") + text;
}
