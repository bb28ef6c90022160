// The similarity map with all that stands around it: one matrix to walk in, its controls and its legend.

import * as labels from "../labels.js";
import { hasNoResult } from "../payload/decode_models.js";
import { AXIS_SIDES } from "../payload/similarity_map.js";
import { debounce, createElement } from "../frame/dom.js";
import { Heatmap } from "./heatmap.js";
import { ShadingLegend } from "../texts/weight_shading.js";
import { cellTooltip } from "../frame/tooltip.js";
import { MapPath, Legend, MapControls } from "./map_controls.js";
import {
  AXES_NAMES,
  LEVEL_NAMES,
  cellName,
  cellText,
  rowLabels,
  matrixSummary,
  columnLabels,
} from "./cell_descriptions.js";

const ROOM = 400; // pixels; the matrix is not higher where nothing bounds it
const LIST = 190; // pixels left to the list of passages below it
const LOWEST = 76; // pixels; the matrix is not lower

/**
 * `show(state)` draws. `texts` are {a: Text, b: Text}; `position` is read and never changed. on: what `Toolbar` and
 * `Crumbs` report, and {choose(cell), back(), label(axis, index), weight(shading, side, i), tip(parts, event), say(text)}
 */
export class MapFigure {
  constructor(texts, position, on) {
    this.texts = texts;
    this.position = position;
    this.on = on;
    this.crumbs = new MapPath(on);
    this.toolbar = new MapControls(on);
    this.meaning = createElement("p.lv-meaning");
    this.info = createElement(
      "button.lv-quiet.lv-info",
      { type: "button", "aria-label": labels.whatMapShows, "aria-expanded": "false", onclick: () => this.explain() },
      "i",
    );
    this.meaning.hidden = true;
    this.note = createElement("p.lv-note", { hidden: true });
    this.legend = new Legend(on);
    this.heatmap = new Heatmap({
      hover: (cell, event) => this.showTip(cell, event),
      focus: (cell, event) => {
        on.say(this.cellSaid(cell));
        this.showTip(cell, event);
      },
      choose: on.choose,
      back: on.back,
      label: on.label,
    });
    this.shadingLegend = new ShadingLegend({ go: on.weight });
    this.controls = createElement("div.lv-controls", {}, this.toolbar.element, this.info);
    this.resized = new ResizeObserver(debounce(30, () => this.heatmap.layout()));
    const parts = [
      this.controls,
      this.meaning,
      this.crumbs.element,
      this.note,
      this.heatmap.element,
      this.legend.element,
      this.shadingLegend.element,
    ];
    this.element = createElement("section.lv-figure", { "aria-label": labels.similarityMap }, ...parts);
  }

  /** Say what the map shows, or no longer. */
  explain() {
    this.meaning.hidden = !this.meaning.hidden;
    this.info.setAttribute("aria-expanded", String(!this.meaning.hidden));
    this.heatmap.layout();
  }

  /** How high the matrix may be: what the column has left, when all else has its place. */
  room() {
    const column = this.element.parentElement;
    if (!column || getComputedStyle(column).getPropertyValue("--lv-bounded").trim() !== "1") return ROOM;
    const around = this.element.offsetHeight - this.heatmap.canvas.offsetHeight;
    return Math.max(LOWEST, column.clientHeight - around - LIST);
  }

  /** state: {selected, shading, colours} */
  show(state) {
    const { model, path } = this.position;
    const now = this.position.current();
    this.element.classList.toggle("lv-empty", !now);
    this.note.hidden = Boolean(model && now && !hasNoResult(model));
    this.note.textContent = emptyMapText(model);
    this.crumbs.show(path.map((entry) => cellName(this.position.entryMap(entry), entry, this.sides())));
    this.showControls(state);
    for (const part of [this.heatmap, this.legend]) part.element.hidden = !now;
    this.crumbs.element.hidden = !now || !path.length;
    this.meaning.textContent = this.info.title = now ? now.map.meaning : "";
    this.info.hidden = !now;
    if (!now) return;
    this.legend.show(now, state.colours.dark);
    this.showHeatmap(now, state);
    if (this.element.parentElement) this.resized.observe(this.element.parentElement);
  }

  showHeatmap({ map, rows, columns, strongest }, { selected, colours }) {
    const { model, axes, path } = this.position;
    const [left, right] = this.sides();
    const key = JSON.stringify([model.name, map.name, path]);
    if (key !== this.key) this.on.tip([]); // what it said was about another matrix
    this.key = key;
    this.heatmap.show({
      map,
      sides: AXIS_SIDES[axes],
      rows,
      columns,
      colours,
      room: () => this.room(),
      key,
      strongest,
      selected: this.position.cellOf(selected),
      rowLabels: rowLabels(left, map.rows, rows, map.offered, !path.length),
      columnLabels: columnLabels(right, map.columns, columns, map.offered, !path.length),
      summary: matrixSummary(map, rows, columns, [left, right]),
      label: labels.mapLabel(
        map.label,
        LEVEL_NAMES[map.offered].toLowerCase(),
        AXES_NAMES[axes],
        rows.length,
        columns.length,
      ),
    });
  }

  showTip(cell, event) {
    const now = cell && this.position.current();
    const about = () => [
      ...cellTooltip(now.map, cell, this.sides(), this.position.model.pending),
      this.heatmap.lens(cell) || "",
    ];
    this.on.tip(now ? about() : [], event);
  }

  /** Where the selected cell is on the screen; the whole matrix where it has been opened; null where neither is seen. */
  selectedBox(selected) {
    const cell = this.position.cellOf(selected);
    const seen = this.position.current() && !this.element.parentElement?.hidden && this.heatmap.canvas.clientHeight;
    if (!seen) return null;
    if (cell) return this.heatmap.rectangleOf(cell);
    return this.position.path.length ? this.heatmap.canvas.getBoundingClientRect() : null;
  }

  /** A cell of the matrix in words. */
  cellSaid(cell) {
    return cellText(this.position.current().map, cell, this.sides());
  }

  /** The texts of the rows and of the columns. */
  sides() {
    return AXIS_SIDES[this.position.axes].map((side) => this.texts[side]);
  }

  showControls({ shading }) {
    const { model, axes, level } = this.position;
    const now = this.position.current();
    this.toolbar.show({
      allAxes: this.position.allAxes(),
      axes,
      levels: model?.levels(axes) || [],
      level,
      maps: now ? model.find(axes, level) : [],
      map: now?.map,
      shadings: model?.shadings || [],
      shading,
    });
  }

  showShading(shading, dark) {
    this.shadingLegend.show(shading, dark);
  }
}

const STOPPED = {
  cancelled: (title) => labels.cancelledBefore(title),
  failed: (title) => labels.failedBefore(title),
};

function emptyMapText(model) {
  if (!model) return labels.mapPlaceholder;
  if (model.stopped) return STOPPED[model.stopped](model.title);
  return model.pending ? labels.stillReading(model.title) : labels.noMap(model.title);
}
