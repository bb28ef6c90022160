// Where the reader is in a model's matrices: which two texts, which level and map, which cells opened on the way.

import { AXIS_SIDES, preferredMap } from "../payload/similarity_map.js";

/**
 * @import {SimilarityMap} from "../payload/similarity_map.js"
 * @import {Axes, Cell, Passages, Selection, Span, Step, ValuedCell} from "../types"
 * @typedef {ReturnType<typeof import("../payload/decode_models.js").decodeModels>[number]} Model
 * @typedef {{role: string, label?: string, name?: string}} Measure
 * @typedef {{map: SimilarityMap, outer: SimilarityMap | null, parent?: Step, rows: number[], columns: number[], strongest: ValuedCell | null}} Part
 */

export class MapPosition {
  /** @param {Model | null} model null while there is none */
  constructor(model) {
    this.model = model;
    /** @type {Axes} */
    this.axes = "across";
    /** @type {string | null} */
    this.level = null;
    /** @type {Step[]} */
    this.path = []; // {map, row, column} of every cell that was opened, the outermost first
    /** @type {Measure | null} */
    this.measure = null; // what the maps of all levels show, as far as a level has it
    this.isChosen = false; // whether the reader has chosen the measure
    /** @type {Part | null} */
    this.part = null;
  }

  /**
   * Of the maps for these axes and this level, the one of the measure; without one, the first of the model.
   * @param {string | null} level
   */
  mapAt(level) {
    const maps = this.model?.find(this.axes, level) || [];
    return mapOf(maps, this.measure) || preferredMap(maps);
  }

  /**
   * The map of a step of the path, or null where the model has no such cell.
   * @param {Step} entry
   */
  entryMap(entry) {
    const map = this.model?.map(entry.map);
    return map && entry.row < map.height && entry.column < map.width ? map : null;
  }

  /**
   * What is on screen, or null where the model has no map.
   * @returns {Part | null}
   */
  current() {
    const map = this.mapAt(this.level);
    if (!map || !map.height || !map.width) return null;
    const parent = this.path.at(-1);
    const outer = parent ? this.entryMap(parent) : null;
    const kept = this.part; // the same part is the same object, so that the matrix need not be drawn again
    if (kept && kept.map === map && kept.outer === outer && kept.parent === parent) return kept;
    const rows = parent && outer ? map.rows.within(...outer.rows.span(parent.row)) : map.rows.all();
    const columns = parent && outer ? map.columns.within(...outer.columns.span(parent.column)) : map.columns.all();
    if (!rows.length || !columns.length) return null;
    this.part = { map, outer, parent, rows, columns, strongest: map.strongest(rows, columns) };
    return this.part;
  }

  /** Put right what the model lacks. */
  settle() {
    const levels = this.model?.levels(this.axes) || [];
    if (!levels.length && this.axes !== "across") this.axes = "across";
    if (this.path.some((entry) => !this.entryMap(entry))) this.path = [];
    const there = this.model?.levels(this.axes) || [];
    if (!this.level || !there.includes(this.level)) [this.level, this.path] = [there[0] || null, []];
    if (this.level && !this.current()) [this.level, this.path] = [there[0], []];
  }

  /**
   * The cell on screen that shows a selection: the one that holds it, else the strongest it touches if it was picked elsewhere.
   * @param {Selection | null} selected
   * @returns {Cell | null}
   */
  cellOf(selected) {
    const now = this.current();
    if (!now || !selected || selected.axes !== this.axes) return null;
    const { map, rows, columns } = now;
    const inside = (/** @type {Passages} */ passages, /** @type {Span} */ [start, end]) => {
      const i = passages.holding(start);
      return i >= 0 && passages.ends[i] >= end ? i : -1;
    };
    const [row, column] = [inside(map.rows, selected.a), inside(map.columns, selected.b)];
    if (rows.includes(row) && columns.includes(column)) return { row, column };
    if (!selected.picked) return null;
    const touched = (/** @type {Passages} */ passages, /** @type {Span} */ span, /** @type {number[]} */ shown) =>
      passages.within(...span).filter((i) => shown.includes(i));
    return map.strongest(touched(map.rows, selected.a, rows), touched(map.columns, selected.b, columns));
  }

  /** The axes for which the model has maps. */
  allAxes() {
    return /** @type {Axes[]} */ (Object.keys(AXIS_SIDES)).filter((axes) => this.model?.levels(axes).length);
  }

  /**
   * How fine a level is; the coarsest is 0.
   * @param {string} level
   */
  depth(level) {
    return this.model?.depth(level) ?? 0;
  }

  // ---- moving ----

  /**
   * Show this measure until the reader chooses one.
   * @param {string} role of its maps
   */
  suggest(role) {
    if (!this.isChosen) this.measure = { role };
  }

  /** @param {Model | null} model */
  setModel(model) {
    this.model = model;
    this.path = [];
  }

  /** @param {Axes} axes */
  setAxes(axes) {
    this.axes = axes;
    this.path = [];
  }

  /** @param {string} level */
  setLevel(level) {
    this.level = level;
    this.path = this.path.filter((entry) => this.depth(this.entryMap(entry)?.offered ?? level) < this.depth(level));
    if (!this.current()) this.path = [];
  }

  /** @param {SimilarityMap | undefined} map whose measure is shown at all levels from now on */
  setMap(map) {
    if (!map) return;
    this.measure = { role: map.role, label: map.label, name: map.name };
    this.isChosen = true;
  }

  /**
   * Straight to a map, by the steps of this path that the model has.
   * @param {SimilarityMap} map
   * @param {Step[]} path
   */
  go(map, path) {
    this.axes = map.side;
    this.level = map.offered;
    this.path = path.filter((entry) => this.entryMap(entry));
    this.setMap(map);
  }

  /**
   * To the whole matrix of a level.
   * @param {string | null} level
   */
  restart(level) {
    this.level = level;
    this.path = [];
  }

  /**
   * Back to the matrix from which the step at this depth was taken.
   * @param {number} depth
   */
  up(depth) {
    const map = this.entryMap(this.path[depth]);
    this.path = this.path.slice(0, depth);
    if (!map) return;
    this.level = map.offered;
    this.setMap(map);
  }

  /**
   * To the next finer matrix of the same measure of a cell that has more than one value.
   * @param {SimilarityMap} map
   * @param {number} row
   * @param {number} column
   */
  open(map, row, column) {
    for (const level of this.model?.levels(this.axes) || []) {
      if (this.depth(level) <= this.depth(map.offered)) continue;
      const finer = mapOf(this.model?.find(this.axes, level) || [], map);
      if (!finer) continue;
      const [rows, columns] = [
        finer.rows.within(...map.rows.span(row)),
        finer.columns.within(...map.columns.span(column)),
      ];
      if (rows.length * columns.length < 2) continue;
      this.setMap(map);
      this.path = [...this.path, { map: map.name, row, column }];
      this.level = level;
      return;
    }
  }
}

/**
 * Of these maps of one level, that of a measure.
 * @param {SimilarityMap[]} maps
 * @param {Measure | null} measure
 */
function mapOf(maps, measure) {
  const ofRole = maps.filter((m) => m.role === measure?.role);
  const same = (/** @type {"name" | "label"} */ field) => ofRole.find((m) => m[field] === measure?.[field]);
  return same("name") || same("label") || preferredMap(ofRole);
}
