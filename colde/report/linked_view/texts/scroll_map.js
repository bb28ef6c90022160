// The whole text as a strip at its edge: shades, marks, and the part that is on screen.

import { createElement, context2d } from "../frame/dom.js";

const STRIPES = { unread: "faint", find: "find", cursor: "ink", counterpart: "ink", current: "accent" }; // layer → colour

/** on: {seek(unit)}: a point of the strip was pressed */
export class ScrollMap {
  constructor(text, on) {
    this.text = text;
    this.length = text.text.length - text.astral.length; // code points
    this.element = createElement("canvas.lv-scrollmap", { "aria-hidden": "true" });
    this.element.addEventListener("pointerdown", (event) => {
      const at = Math.floor((event.offsetY / this.element.clientHeight) * this.length);
      on.seek(Math.max(0, Math.min(text.units.length - 1, text.unitsIn(at, at + 1)[0])));
    });
  }

  /**
   * state: {colours, weights: a share for each unit, or null, weighed: {shading, colour} or null, layers: layer → units,
   * visible() → [first, last] character on screen, or null}
   */
  draw({ colours, weights, weighed, layers, visible }) {
    const canvas = this.element;
    const { clientWidth: width, clientHeight: height } = canvas;
    if (!width || !height) return;
    const density = window.devicePixelRatio || 1;
    canvas.width = width * density;
    canvas.height = height * density;
    const paint = context2d(canvas);
    paint.scale(density, density);
    const y = (offset) => (offset / (this.length || 1)) * height;
    const { units } = this.text;
    paint.fillStyle = colours.shade;
    if (weights) {
      units.forEach((u, i) => {
        if (!(weights[i] > 0.25)) return;
        paint.globalAlpha = 0.25 + 0.75 * weights[i];
        paint.fillRect(2, y(u.start), width - 4, Math.max(1, y(u.end) - y(u.start)));
      });
    }
    if (weighed) {
      const { shading, colour } = weighed;
      paint.fillStyle = colour;
      shading.values.forEach((_, i) => {
        if (!(shading.weight(i) > 0.25)) return;
        const [start, end] = shading.spans.span(i);
        paint.globalAlpha = shading.weight(i);
        paint.fillRect(2, y(start), width - 4, Math.max(1, y(end) - y(start)));
      });
    }
    paint.globalAlpha = 1;
    for (const [layer, name] of Object.entries(STRIPES)) {
      paint.fillStyle = colours[name];
      for (const unit of layers.get(layer) || []) {
        const { start, end } = units[unit];
        const [x, wide] =
          layer === "current" ? [0, 4] : layer === "counterpart" || layer === "cursor" ? [0, width] : [2, width - 4];
        paint.fillRect(x, y(start), wide, Math.max(2, y(end) - y(start)));
      }
    }
    const view = visible();
    if (view) {
      paint.strokeStyle = colours.muted;
      paint.strokeRect(0.5, y(view[0]) + 0.5, width - 1, Math.max(4, y(view[1]) - y(view[0]) - 1));
    }
  }
}
