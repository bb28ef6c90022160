// The matrices of several models over the same two texts, each on its own scale, with one cursor for all of them.

import * as labels from "../labels.js";
import { ONE_COLOUR } from "../map/cell_descriptions.js";
import { averagePixels, hatch } from "../map/cell_pixels.js";
import { debounce, oncePerFrame, createElement, context2d, keepFocus } from "../frame/dom.js";
import { gradient, ramp } from "../map/colour_ramp.js";

const SAID_AFTER = 250; // milliseconds at rest before the place is put into words
const LEAST = 7; // pixels; a frame around smaller cells would not be seen

/**
 * `show(state)` draws; `on.hover({a, b} | null)`, `on.choose(a, b)`, `on.back()` report; `on.place(a, b)` says where
 * two passages stand. A place is two passages, [start, end) in each text: each matrix finds its own cells for it.
 */
export class SmallMultiples {
  constructor(on) {
    this.on = on;
    this.figures = [];
    this.cursor = null; // {a, b, source: name, row, column}
    this.current = 0; // the one matrix that Tab reaches
    this.list = createElement("div.lv-multiples", { role: "group", "aria-label": labels.mapsSideBySide });
    this.line = createElement("p.lv-place", { role: "status", "aria-live": "polite" });
    this.element = createElement("div.lv-beside-figure", {}, this.list, this.line);
    this.paintSoon = oncePerFrame(() => this.paint());
    this.saySoon = debounce(SAID_AFTER, () => this.say());
    this.observer = new ResizeObserver(debounce(30, () => this.figures.forEach((f) => f.layout())));
    this.observer.observe(this.list);
  }

  /** state: {entries: [{name, title, pending, stopped, active, map}], shape, colours, selected: {a, b} | null} */
  show(state) {
    this.state = state;
    const same =
      this.figures.length === state.entries.length &&
      state.entries.every((e, i) => e.name === this.figures[i].entry.name);
    if (!same) {
      const focused = this.figures[this.current]?.entry.name;
      this.figures = state.entries.map((_, i) => new SmallMultiple(this, i));
      this.current = Math.max(
        0,
        state.entries.findIndex((e) => e.name === focused),
      );
      const focusAgain = keepFocus(this.list);
      this.list.replaceChildren(...this.figures.map((f) => f.element));
      this.figures.forEach((figure, i) => figure.show(state.entries[i]));
      focusAgain();
    } else {
      this.figures.forEach((figure, i) => figure.show(state.entries[i]));
    }
    this.paint();
    if (!this.cursor) this.say();
  }

  move(cursor) {
    this.cursor = cursor;
    this.on.hover(cursor);
    this.paintSoon();
    this.saySoon();
  }

  /** Put the keyboard on a matrix, at the place where the cursor is. */
  enter(index) {
    const figure = this.figures[Math.max(0, Math.min(this.figures.length - 1, index))];
    figure.canvas.focus();
  }

  paint() {
    this.figures.forEach((figure, i) => {
      figure.canvas.tabIndex = i === this.current ? 0 : -1;
      figure.paint();
    });
  }

  /** The place, and what each model says of it. */
  say() {
    const place = this.cursor || this.state.selected;
    const values = () => this.figures.map((f) => `${f.entry.title} ${f.read(place)}`).join(", ");
    const lines = place ? [...this.on.place(place.a, place.b), values()] : [labels.moveOverMatrix];
    const text = lines.join(". ");
    if (text === this.said) return;
    this.said = text;
    this.line.replaceChildren(
      ...lines.map((line, i) => createElement("span", {}, i < lines.length - 1 ? `${line}. ` : line)),
    );
  }
}

class SmallMultiple {
  constructor(owner, index) {
    this.owner = owner;
    this.index = index;
    this.canvas = createElement("canvas.lv-canvas", {
      "data-testid": "multiple",
      tabindex: "-1",
      role: "application",
      "aria-roledescription": "heatmap",
    });
    this.title = createElement("b");
    this.value = createElement("output.lv-at", { "aria-live": "off" });
    this.what = createElement("small");
    this.low = createElement("span");
    this.ramp = createElement("span.lv-ramp", { "aria-hidden": "true" });
    this.high = createElement("span");
    this.element = createElement(
      "figure.lv-multiple",
      {},
      createElement("figcaption", {}, createElement("span.lv-multiple-title", {}, this.title, this.value), this.what),
      this.canvas,
      createElement("div.lv-scale", {}, this.low, this.ramp, this.high),
    );
    this.base = document.createElement("canvas");
    this.listen();
  }

  show(entry) {
    const { colours } = this.owner.state;
    const { map, title } = entry;
    this.entry = entry;
    const [low, high] = map.range();
    const what = `${map.label}, ${map.level}s`;
    this.title.textContent = title;
    this.element.classList.toggle("lv-active", entry.active);
    this.what.textContent = `${what} · ${map.unit}${entry.pending ? labels.stillReadingSuffix : entry.stopped ? ` · ${entry.stopped}` : ""}`;
    this.what.title = map.meaning;
    [this.low.textContent, this.high.textContent] = map.flat ? [ONE_COLOUR, ""] : [map.said(low), map.said(high)];
    this.ramp.style.backgroundImage = gradient(map.ramp, colours.dark);
    Object.assign(this.canvas.dataset, {
      focus: entry.name,
      model: entry.name,
      map: map.name,
      rows: map.height,
      columns: map.width,
    });
    this.canvas.setAttribute("aria-label", labels.smallMapLabel(title, what, map.unit, map.height, map.width));
    this.layout();
  }

  layout() {
    const { shape, colours } = this.owner.state;
    this.canvas.style.setProperty("--lv-shape", String(shape));
    const width = this.canvas.clientWidth;
    if (!this.entry || !width) return;
    const density = window.devicePixelRatio || 1;
    const size = [Math.round(width * density), Math.round(width * shape * density)];
    const drawn = [this.entry.map, colours, ...size];
    if (this.drawn && drawn.every((value, i) => value === this.drawn[i])) return;
    this.drawn = drawn;
    for (const canvas of [this.canvas, this.base]) [canvas.width, canvas.height] = size;
    this.canvas.style.aspectRatio = `${size[0]} / ${size[1]}`;
    const { map } = this.entry;
    const paint = context2d(this.base);
    paint.fillStyle = hatch(paint, colours.dark);
    paint.fillRect(0, 0, this.base.width, this.base.height);
    paint.imageSmoothingEnabled = false;
    const [columns, rows] = [Math.min(size[0], map.width), Math.min(size[1], map.height)];
    paint.drawImage(
      averagePixels(map, map.rows.all(), map.columns.all(), columns, rows, ramp(map.ramp, colours.dark), map.range()),
      0,
      0,
      this.base.width,
      this.base.height,
    );
    this.paint();
  }

  /** The cells of a place; only its own cell in the matrix the cursor is in. */
  block(place) {
    if (place.source === this.entry.name) {
      return { r0: place.row, r1: place.row + 1, c0: place.column, c1: place.column + 1 };
    }
    return this.entry.map.block(place.a, place.b);
  }

  /** “0.83”; “up to 0.83” where the place holds several cells; “–” where it holds none, or none with a value. */
  read(place) {
    const { map, pending } = this.entry;
    const block = this.block(place);
    const found = block && map.strongest(steps(block.r0, block.r1), steps(block.c0, block.c1));
    if (!found) return pending ? "not yet" : "–";
    return (block.r1 - block.r0) * (block.c1 - block.c0) > 1 ? `up to ${map.said(found.value)}` : map.said(found.value);
  }

  /** Cells from the base, then the selected place and the cursor. */
  paint() {
    const { cursor, state } = this.owner;
    const { width, height } = this.canvas;
    const paint = context2d(this.canvas);
    const density = window.devicePixelRatio || 1;
    paint.clearRect(0, 0, width, height);
    paint.drawImage(this.base, 0, 0);
    const { ink, ground, accent } = state.colours;
    const frame = (place, stroke, thickness, guides) => {
      const block = this.block(place);
      if (!block) return;
      const [x, w] = this.edges(block.c0, block.c1, this.entry.map.width, width, density);
      const [y, h] = this.edges(block.r0, block.r1, this.entry.map.height, height, density);
      if (guides) {
        paint.globalAlpha = 0.55;
        paint.fillStyle = ink;
        for (const at of [x, x + w]) paint.fillRect(Math.round(at), 0, 1, height);
        for (const at of [y, y + h]) paint.fillRect(0, Math.round(at), width, 1);
        paint.globalAlpha = 1;
      }
      for (const [style, line] of [
        [ground, thickness + 2 * density],
        [stroke, thickness],
      ]) {
        paint.strokeStyle = style;
        paint.lineWidth = line;
        paint.strokeRect(x, y, w, h);
      }
    };
    if (state.selected) frame(state.selected, accent, 2.5 * density, false);
    if (cursor) frame(cursor, ink, 1.5 * density, true);
    const place = cursor || state.selected;
    this.value.textContent = place ? this.read(place) : "";
    const block = cursor && this.block(cursor);
    this.canvas.dataset.at = block ? `${block.r0}-${block.r1} ${block.c0}-${block.c1}` : "";
  }

  /** Where cells begin on the canvas and how far they go, widened to what can be seen. */
  edges(first, last, count, size, density) {
    const [from, to] = [(first * size) / count, (last * size) / count];
    const wide = Math.max(to - from, LEAST * density);
    const inset = 1.5 * density;
    const at = Math.max(inset, Math.min(size - wide - inset, (from + to - wide) / 2));
    return [at, Math.min(wide, size - 2 * inset)];
  }

  put(row, column) {
    const { map, name } = this.entry;
    this.owner.move({ source: name, row, column, a: map.rows.span(row), b: map.columns.span(column) });
  }

  cellAt(event) {
    const box = this.canvas.getBoundingClientRect();
    const { map } = this.entry;
    const index = (at, size, n) => Math.max(0, Math.min(n - 1, Math.floor((at / size) * n)));
    return [
      index(event.clientY - box.top, box.height, map.height),
      index(event.clientX - box.left, box.width, map.width),
    ];
  }

  /** The cell the keyboard is on: the cursor's own, the strongest of those at its place, or the map's strongest. */
  cell() {
    const { cursor, state } = this.owner;
    const { map } = this.entry;
    const place = cursor || state.selected;
    const block = place && this.block(place);
    const found = block && map.strongest(steps(block.r0, block.r1), steps(block.c0, block.c1));
    if (found) return [found.row, found.column];
    if (block) return [block.r0, block.c0];
    const best = map.strongest(map.rows.all(), map.columns.all());
    return best ? [best.row, best.column] : [0, 0];
  }

  choose() {
    const { cursor } = this.owner;
    if (cursor) this.owner.on.choose(cursor.a, cursor.b);
  }

  listen() {
    const { canvas, owner } = this;
    canvas.addEventListener("pointermove", (event) => {
      const [row, column] = this.cellAt(event);
      const { cursor } = owner;
      if (cursor?.source !== this.entry.name || cursor.row !== row || cursor.column !== column) this.put(row, column);
    });
    canvas.addEventListener("pointerleave", () => owner.move(null));
    canvas.addEventListener("click", (event) => {
      owner.current = this.index;
      this.put(...this.cellAt(event));
      this.choose();
    });
    canvas.addEventListener("focus", () => {
      owner.current = this.index;
      if (canvas.matches(":focus-visible")) this.put(...this.cell());
    });
    canvas.addEventListener("blur", () => owner.move(null));
    canvas.addEventListener("keydown", (event) => this.key(event));
  }

  key(event) {
    if (event.altKey || event.metaKey) return;
    const { map } = this.entry;
    const [row, column] = this.cell();
    const [bottom, right] = [map.height - 1, map.width - 1];
    const moves = {
      ArrowUp: [row - 1, column],
      ArrowDown: [row + 1, column],
      ArrowLeft: [row, column - 1],
      ArrowRight: [row, column + 1],
      Home: event.ctrlKey ? [0, 0] : [row, 0],
      End: event.ctrlKey ? [bottom, right] : [row, right],
    };
    const to = moves[event.key];
    if (to) {
      this.put(Math.max(0, Math.min(bottom, to[0])), Math.max(0, Math.min(right, to[1])));
    } else if (event.key === "PageDown" || event.key === "PageUp") {
      this.pass(event.key === "PageDown" ? 1 : -1);
    } else if (event.key === "Enter" || event.key === " ") {
      if (!this.owner.cursor) this.put(row, column);
      this.choose();
    } else if (event.key === "Escape") {
      this.owner.on.back();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  /** To the matrix beside this one, keeping the place. */
  pass(by) {
    const { owner } = this;
    const place = owner.cursor;
    const next = Math.max(0, Math.min(owner.figures.length - 1, this.index + by));
    owner.enter(next);
    const figure = owner.figures[next];
    owner.cursor = place; // leaving one matrix takes the cursor away
    figure.put(...figure.cell());
  }
}

function steps(first, last) {
  return Array.from({ length: last - first }, (_, i) => first + i);
}
