// The matrix on a canvas. Every point of the canvas maps to a cell: labels, legend and outline stand outside it.

import { debounce, oncePerFrame, sideLetter, createElement, context2d } from "../frame/dom.js";
import { averagePixels, hatch } from "./cell_pixels.js";
import { ramp, shadeLevel } from "./colour_ramp.js";
import { AxisNames, labelName } from "./axis_names.js";

const LABEL_PITCH = 13; // pixels a label needs
const NUMBER_WIDTH = 6; // pixels a character of a column's number needs
const MOST_NAMED = 40; // rows for whose names a matrix is made higher
const LENS_BELOW = 5; // pixels; smaller cells are shown enlarged beside the pointer
const LENS = 13; // cells across the lens, odd so that one is in the middle
const HIGHEST = 64; // pixels; no row is higher, however few there are
const GAP_FROM = 10; // cells at least this large are drawn apart

let heatmaps = 0; // on this page, for ids of their own

/**
 * `show(state)` draws; `on.hover(cell | null, event)`, `on.choose(cell)`, `on.back()`, `on.focus(cell)` report.
 * A cell is {row, column}: indices into the whole map, not into the part of it that is shown.
 */
export class Heatmap {
  /** @type {{width: number, height: number}} */
  size;
  /** @type {any[]} */
  drawn;

  constructor(on) {
    this.on = on;
    this.canvas = createElement("canvas.lv-canvas", {
      "data-testid": "heatmap",
      tabindex: "0",
      role: "application",
      "aria-roledescription": "heatmap",
    });
    this.rowLabels = createElement("div.lv-row-labels");
    this.columnLabels = createElement("div.lv-column-labels");
    this.corner = createElement("div.lv-corner");
    this.names = new AxisNames();
    heatmaps += 1;
    this.summary = createElement("p.lv-live", { id: `lv-summary-${heatmaps}` });
    this.canvas.setAttribute("aria-describedby", this.summary.id);
    this.element = createElement(
      "div.lv-matrix",
      {},
      this.corner,
      this.columnLabels,
      this.rowLabels,
      this.canvas,
      this.names.element,
      this.summary,
    );
    this.base = document.createElement("canvas");
    this.paintSoon = oncePerFrame(() => this.paint());
    this.listen();
    this.observer = new ResizeObserver(debounce(30, () => this.layout()));
    this.observer.observe(this.element);
  }

  /** state: {map, sides: sides of the rows and of the columns, rows, columns, colours, room() → the greatest height, selected, strongest, rowLabels, columnLabels, label, summary} */
  show(state) {
    const moved = this.state?.key !== state.key;
    this.state = state;
    if (moved) {
      const at = state.selected || state.strongest || { row: state.rows[0], column: state.columns[0] };
      this.focus = { r: Math.max(0, state.rows.indexOf(at.row)), c: Math.max(0, state.columns.indexOf(at.column)) };
      this.hovered = null;
    }
    this.focus.r = Math.min(this.focus.r, state.rows.length - 1);
    this.focus.c = Math.min(this.focus.c, state.columns.length - 1);
    this.canvas.setAttribute("aria-label", state.label);
    this.nameSides(state.sides);
    this.summary.textContent = state.summary;
    Object.assign(this.canvas.dataset, {
      map: state.map.name,
      level: state.map.offered,
      rows: state.rows.length,
      columns: state.columns.length,
    });
    this.layout();
  }

  /** Whose passages are the rows and whose the columns: in the corner, and in the hue of their labels. */
  nameSides([down, along]) {
    this.rowLabels.dataset.of = down;
    this.columnLabels.dataset.of = along;
    this.corner.replaceChildren(sideLetter(down), " ↓ ", sideLetter(along), " →");
  }

  /** Size the canvas to the room there is; the matrix keeps near the shape of its texts. */
  layout() {
    const { state } = this;
    if (!state || !this.element.isConnected) return;
    const total = this.element.clientWidth;
    if (!total) return;
    const gutter = Math.round(Math.min(176, Math.max(72, total * 0.36)));
    const width = Math.max(40, total - gutter);
    const shape = Math.min(1.05, Math.max(0.5, state.rows.length / state.columns.length));
    const runs = new Set(state.rows.map((i) => state.rowLabels(i).run ?? `row ${i}`)).size;
    const named = Math.min(runs, MOST_NAMED) * LABEL_PITCH; // what the names of the rows need
    const height = Math.round(
      Math.min(Math.max(Math.min(width * shape, state.room()), named), HIGHEST * state.rows.length),
    );
    this.size = { width, height };
    this.element.style.gridTemplateColumns = `${gutter}px ${width}px`;
    Object.assign(this.canvas.style, { width: `${width}px`, height: `${height}px` });
    const density = window.devicePixelRatio || 1;
    const drawn = [state.map, state.rows, state.columns, state.colours, width, height, density];
    if (!this.drawn || drawn.some((value, i) => value !== this.drawn[i])) {
      this.drawn = drawn;
      this.canvas.width = Math.round(width * density);
      this.canvas.height = Math.round(height * density);
      this.labels();
      this.drawBase();
    }
    this.paint();
  }

  labels() {
    const { rows, columns, rowLabels, columnLabels } = this.state;
    const [down, along] = this.state.sides;
    const { height, width } = this.size;
    const byRow = placeLabels(this.rowLabels, rows, rowLabels, height, "top", (i) => this.on.label(0, i));
    const byColumn = placeLabels(this.columnLabels, columns, columnLabels, width, "left", (i) => this.on.label(1, i));
    const rowNames = { side: down, noun: "rows", labels: byRow };
    this.names.show([rowNames, { side: along, noun: "columns", labels: byColumn }]);
    this.crosshair();
  }

  /** Emphasise the labels of the row and the column that the pointer or the keyboard is at. */
  crosshair() {
    const at = this.hovered || (this.canvas.matches(":focus-visible") ? this.focus : null);
    for (const [host, index] of [
      [this.rowLabels, at?.r],
      [this.columnLabels, at?.c],
    ]) {
      for (const label of host.children) {
        const [first, last] = [Number(label.dataset.first), Number(label.dataset.last)];
        label.classList.toggle("lv-label-at", index !== undefined && index >= first && index <= last);
      }
    }
  }

  /** The cells alone, at the canvas's own resolution; large matrices are averaged down to its pixels. */
  drawBase() {
    const { map, rows, columns } = this.state;
    const { dark } = this.state.colours;
    const { width, height } = this.canvas;
    this.base.width = width;
    this.base.height = height;
    const paint = context2d(this.base);
    const colours = ramp(map.ramp, dark);
    const limits = map.range();
    paint.clearRect(0, 0, width, height);
    const none = hatch(paint, dark);
    const cell = Math.min(width / columns.length, height / rows.length);
    this.roomy = cell >= GAP_FROM * (window.devicePixelRatio || 1);
    if (!this.roomy) {
      const image = averagePixels(
        map,
        rows,
        columns,
        Math.min(width, columns.length),
        Math.min(height, rows.length),
        colours,
        limits,
      );
      paint.fillStyle = none;
      paint.fillRect(0, 0, width, height);
      paint.imageSmoothingEnabled = false;
      paint.drawImage(image, 0, 0, width, height);
      this.drawBorders(paint);
      return;
    }
    const density = window.devicePixelRatio || 1;
    paint.font = `${Math.round(11 * density)}px ${getComputedStyle(this.canvas).fontFamily}`;
    paint.textAlign = "center";
    paint.textBaseline = "middle";
    const longest = Math.max(
      24 * density,
      ...limits.slice(0, 2).map((value) => paint.measureText(map.said(value)).width),
    );
    const labelled = cell >= 22 * density && width / columns.length >= longest + 6 * density;
    rows.forEach((row, r) => {
      columns.forEach((column, c) => {
        const value = map.at(row, column);
        const [x, y, w, h] = this.rectangle(r, c, width, height);
        if (Number.isNaN(value)) {
          paint.fillStyle = none;
          paint.fillRect(x, y, w, h);
          return;
        }
        const k = 3 * shadeLevel(value, limits);
        paint.fillStyle = `rgb(${colours[k]}, ${colours[k + 1]}, ${colours[k + 2]})`;
        paint.fillRect(x, y, w, h);
        if (!labelled) return;
        const bright = 0.2126 * colours[k] + 0.7152 * colours[k + 1] + 0.0722 * colours[k + 2];
        paint.fillStyle = bright > 140 ? "rgb(20 28 38)" : "rgb(255 255 255)";
        paint.fillText(map.said(value), x + w / 2, y + h / 2 + density / 2);
      });
    });
  }

  /** Thin lines where one section ends and the next begins. */
  drawBorders(paint) {
    const { rows, columns, rowLabels, columnLabels, colours } = this.state;
    const { width, height } = this.canvas;
    paint.fillStyle = colours.ground;
    for (const [indices, label, size, line] of [
      [rows, rowLabels, height, (at) => paint.fillRect(0, at, width, 1)],
      [columns, columnLabels, width, (at) => paint.fillRect(at, 0, 1, height)],
    ]) {
      const runs = indices.map((i) => label(i).run);
      if (new Set(runs).size > size / 8) continue; // lines as dense as that would hide the cells
      runs.forEach((run, i) => i && run !== runs[i - 1] && line(Math.round((i * size) / indices.length)));
    }
  }

  /** The cells around one, enlarged; null where cells are large enough to be seen. */
  lens({ row, column }) {
    const { map, rows, columns, colours } = this.state;
    if (Math.min(this.size.width / columns.length, this.size.height / rows.length) >= LENS_BELOW) return null;
    const table = ramp(map.ramp, colours.dark);
    const density = window.devicePixelRatio || 1;
    const step = Math.round(9 * density);
    const canvas = createElement("canvas.lv-lens", { width: LENS * step, height: LENS * step, "aria-hidden": "true" });
    canvas.style.width = `${(LENS * step) / density}px`;
    const paint = context2d(canvas);
    const half = (LENS - 1) / 2;
    const [r, c] = [rows.indexOf(row), columns.indexOf(column)];
    for (let y = 0; y < LENS; y += 1) {
      for (let x = 0; x < LENS; x += 1) {
        const [i, j] = [rows[r + y - half], columns[c + x - half]];
        const value = i === undefined || j === undefined ? NaN : map.at(i, j);
        if (Number.isNaN(value)) continue;
        const k = 3 * shadeLevel(value, map.range());
        paint.fillStyle = `rgb(${table[k]}, ${table[k + 1]}, ${table[k + 2]})`;
        paint.fillRect(x * step, y * step, step - 1, step - 1);
      }
    }
    paint.strokeStyle = colours.ink;
    paint.lineWidth = 1.5 * density;
    paint.strokeRect(half * step - 1, half * step - 1, step + 1, step + 1);
    return canvas;
  }

  rectangle(r, c, width, height) {
    const { rows, columns } = this.state;
    const edge = (i, n, size) => Math.round((i * size) / n);
    const [x, y] = [edge(c, columns.length, width), edge(r, rows.length, height)];
    const gap = this.roomy ? Math.max(1, Math.round(window.devicePixelRatio || 1)) : 0;
    return [
      x,
      y,
      Math.max(1, edge(c + 1, columns.length, width) - x - gap),
      Math.max(1, edge(r + 1, rows.length, height) - y - gap),
    ];
  }

  /** Cells from the base, then what moves: selected, strongest, hovered and focused cell. */
  paint() {
    const { state, canvas } = this;
    const { width, height } = canvas;
    const paint = context2d(canvas);
    const density = window.devicePixelRatio || 1;
    paint.clearRect(0, 0, width, height);
    paint.drawImage(this.base, 0, 0);
    const { ink, ground, accent } = state.colours;
    const frame = (r, c, stroke, thickness) => {
      let [x, y, w, h] = this.rectangle(r, c, width, height);
      const least = 7 * density;
      if (w < least) [x, w] = [x - (least - w) / 2, least];
      if (h < least) [y, h] = [y - (least - h) / 2, least];
      for (const [style, line] of [
        [ground, thickness + 2 * density],
        [stroke, thickness],
      ]) {
        paint.strokeStyle = style;
        paint.lineWidth = line;
        paint.strokeRect(x + thickness / 2, y + thickness / 2, w - thickness, h - thickness);
      }
    };
    const local = (cell) => cell && [state.rows.indexOf(cell.row), state.columns.indexOf(cell.column)];
    const strongest = local(state.strongest);
    if (strongest && !this.roomy) frame(...strongest, ink, density);
    const selected = local(state.selected);
    if (selected && selected[0] >= 0 && selected[1] >= 0) frame(...selected, accent, 2.5 * density);
    if (this.hovered) frame(this.hovered.r, this.hovered.c, ink, 1.5 * density);
    if (this.canvas.matches(":focus-visible")) frame(this.focus.r, this.focus.c, ink, 2 * density);
    this.crosshair();
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { rows, columns } = this.state;
    const index = (at, size, n) => Math.max(0, Math.min(n - 1, Math.floor((at / size) * n)));
    return {
      r: index(event.clientY - box.top, box.height, rows.length),
      c: index(event.clientX - box.left, box.width, columns.length),
    };
  }

  /** Indices into the whole map of a cell on screen. */
  global({ r, c }) {
    return { row: this.state.rows[r], column: this.state.columns[c] };
  }

  /** The box of a cell of the whole map in page coordinates; null where it is not shown. */
  rectangleOf({ row, column }) {
    const [r, c] = [this.state.rows.indexOf(row), this.state.columns.indexOf(column)];
    if (r < 0 || c < 0) return null;
    const box = this.canvas.getBoundingClientRect();
    const [w, h] = [box.width / this.state.columns.length, box.height / this.state.rows.length];
    return new DOMRect(box.left + c * w, box.top + r * h, w, h);
  }

  /** The cell's box in page coordinates, for the tooltip of a focused cell. */
  boxOf({ r, c }) {
    const box = this.canvas.getBoundingClientRect();
    const [w, h] = [box.width / this.state.columns.length, box.height / this.state.rows.length];
    return { clientX: box.left + (c + 0.5) * w, clientY: box.top + (r + 0.5) * h };
  }

  listen() {
    const { canvas } = this;
    canvas.addEventListener("pointermove", (event) => {
      if (!this.state) return;
      const cell = this.cellAt(event);
      const same = this.hovered && this.hovered.r === cell.r && this.hovered.c === cell.c;
      this.hovered = cell;
      if (!same) this.paintSoon();
      this.on.hover(this.global(cell), event);
    });
    canvas.addEventListener("pointerleave", () => {
      this.hovered = null;
      if (this.state) this.paintSoon();
      this.on.hover(null);
    });
    canvas.addEventListener("click", (event) => {
      if (!this.state || event.detail > 1) return; // the second click of a double click would land in the next matrix
      this.focus = this.cellAt(event);
      this.on.choose(this.global(this.focus));
    });
    canvas.addEventListener("focus", () => this.state && this.paintSoon());
    canvas.addEventListener("blur", () => {
      this.on.hover(null);
      if (this.state) this.paintSoon();
    });
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (!this.state || event.altKey || event.metaKey) return;
    const { rows, columns } = this.state;
    const last = { r: rows.length - 1, c: columns.length - 1 };
    const { r, c } = this.focus;
    const page = Math.max(1, Math.round(rows.length / 10));
    const moves = {
      ArrowUp: { r: r - 1, c },
      ArrowDown: { r: r + 1, c },
      ArrowLeft: { r, c: c - 1 },
      ArrowRight: { r, c: c + 1 },
      PageUp: { r: r - page, c },
      PageDown: { r: r + page, c },
      Home: event.ctrlKey ? { r: 0, c: 0 } : { r, c: 0 },
      End: event.ctrlKey ? last : { r, c: last.c },
    };
    if (moves[event.key]) {
      const to = moves[event.key];
      this.focus = { r: Math.max(0, Math.min(last.r, to.r)), c: Math.max(0, Math.min(last.c, to.c)) };
      this.paintSoon();
      this.on.focus(this.global(this.focus), this.boxOf(this.focus));
    } else if (event.key === "Enter" || event.key === " ") {
      this.on.choose(this.global(this.focus));
    } else if (event.key === "Escape") {
      this.on.back();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }
}

/**
 * One label for each run of equal labels, left out where it would touch the one before.
 * @returns {import("./axis_names.js").AxisLabel[]}
 */
function placeLabels(host, indices, label, size, edge, choose) {
  host.replaceChildren();
  host.style[edge === "top" ? "height" : "width"] = `${size}px`;
  const step = size / indices.length;
  let free = -Infinity;
  const placed = [];
  for (let i = 0; i < indices.length;) {
    const { text, run, short } = label(indices[i]);
    let next = i + 1;
    while (run !== undefined && next < indices.length && label(indices[next]).run === run) next += 1;
    const middle = ((i + next) / 2) * step;
    const half = (edge === "top" ? LABEL_PITCH : Math.max(LABEL_PITCH, NUMBER_WIDTH * (short ?? text).length + 2)) / 2;
    const fits = middle - half >= free;
    placed.push({ drawn: fits ? (short ?? text) : null, text });
    if (fits) {
      const at = indices[i];
      const about = {
        type: "button",
        tabindex: "-1",
        title: text,
        "aria-label": labelName(short ?? text, text),
        "data-first": i,
        "data-last": next - 1,
        onclick: () => choose(at),
      };
      const button = createElement("button.lv-label", about, short ?? text);
      button.style[edge] = `${middle}px`;
      host.append(button);
      free = middle + half;
    }
    i = next;
  }
  return placed;
}
