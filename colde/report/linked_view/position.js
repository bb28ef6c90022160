// Where the reader is in a model's matrices: which two texts, which level and map, which cells opened on the way.

import { AXES, LEVELS, preferred } from "./data.js";

export class Position {
  constructor(model) {
    this.model = model; // or null while there is none
    this.axes = "ab";
    this.level = null;
    this.path = []; // {map, row, column} of every cell that was opened, the outermost first
    this.chosen = {}; // axes and level → name of the map chosen there
    this.part = null;
  }

  /** Of the maps for these axes and this level, the chosen one. */
  mapAt(level) {
    const maps = this.model?.find(this.axes, level) || [];
    const name = this.chosen[this.axes + level];
    return maps.find((m) => m.name === name) || preferred(maps);
  }

  /** The map of a step of the path, or null where the model has no such cell. */
  entryMap(entry) {
    const map = this.model?.map(entry.map);
    return map && entry.row < map.height && entry.column < map.width ? map : null;
  }

  /** {map, rows, columns, strongest} on screen, or null where the model has no map. */
  current() {
    const map = this.mapAt(this.level);
    if (!map || !map.height || !map.width) return null;
    const parent = this.path.at(-1);
    const outer = parent && this.entryMap(parent);
    const kept = this.part; // the same part is the same object, so that the matrix need not be drawn again
    if (kept?.map === map && kept.outer === outer && kept.parent === parent) return kept;
    const rows = parent ? map.rows.within(...outer.rows.span(parent.row)) : map.rows.all();
    const columns = parent ? map.columns.within(...outer.columns.span(parent.column)) : map.columns.all();
    if (!rows.length || !columns.length) return null;
    this.part = { map, outer, parent, rows, columns, strongest: map.strongest(rows, columns) };
    return this.part;
  }

  /** Put right what the model lacks. */
  settle() {
    const levels = this.model?.levels(this.axes) || [];
    if (!levels.length && this.axes !== "ab") this.axes = "ab";
    if (this.path.some((entry) => !this.entryMap(entry))) this.path = [];
    const there = this.model?.levels(this.axes) || [];
    if (!there.includes(this.level)) [this.level, this.path] = [there[0] || null, []];
    if (this.level && !this.current()) [this.level, this.path] = [there[0], []];
  }

  /** The cell on screen that shows a selection: the one that holds it, else the strongest it touches if it was picked elsewhere. */
  cellOf(selected) {
    const now = this.current();
    if (!now || !selected || selected.axes !== this.axes) return null;
    const { map, rows, columns } = now;
    const inside = (passages, [start, end]) => {
      const i = passages.holding(start);
      return i >= 0 && passages.ends[i] >= end ? i : -1;
    };
    const [row, column] = [inside(map.rows, selected.a), inside(map.columns, selected.b)];
    if (rows.includes(row) && columns.includes(column)) return { row, column };
    if (!selected.picked) return null;
    const touched = (passages, span, shown) => passages.within(...span).filter((i) => shown.includes(i));
    return map.strongest(touched(map.rows, selected.a, rows), touched(map.columns, selected.b, columns));
  }

  /** The axes for which the model has maps. */
  allAxes() {
    return Object.keys(AXES).filter((axes) => this.model?.levels(axes).length);
  }

  // ---- moving ----

  setModel(model) {
    Object.assign(this, { model, path: [] });
  }

  setAxes(axes) {
    Object.assign(this, { axes, path: [] });
  }

  setLevel(level) {
    this.level = level;
    this.path = this.path.filter((entry) => LEVELS.indexOf(this.entryMap(entry).level) < LEVELS.indexOf(level));
    if (!this.current()) this.path = [];
  }

  setMap(name) {
    this.chosen[this.axes + this.level] = name;
  }

  /** Straight to a map, by the steps of this path that the model has. */
  go(map, path) {
    Object.assign(this, { axes: map.axes, level: map.level, path: path.filter((entry) => this.entryMap(entry)) });
    this.setMap(map.name);
  }

  /** To the whole matrix of a level. */
  restart(level) {
    Object.assign(this, { level, path: [] });
  }

  /** Back to the matrix from which the step at this depth was taken. */
  up(depth) {
    const map = this.entryMap(this.path[depth]);
    this.path = this.path.slice(0, depth);
    this.level = map.level;
    this.setMap(map.name);
  }

  /** To the next finer matrix of a cell that has more than one value. */
  open(map, row, column) {
    for (const level of this.model.levels(this.axes)) {
      if (LEVELS.indexOf(level) <= LEVELS.indexOf(map.level)) continue;
      const finer = this.mapAt(level);
      const [rows, columns] = [finer.rows.within(...map.rows.span(row)), finer.columns.within(...map.columns.span(column))];
      if (rows.length * columns.length < 2) continue;
      this.path = [...this.path, { map: map.name, row, column }];
      this.level = level;
      return;
    }
  }
}
