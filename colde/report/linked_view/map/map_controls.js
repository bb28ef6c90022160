// What stands around the matrix: the way into it, the choice of what it shows, and the legend of its colours.

import * as labels from "../labels.js";
import { selectBox, createElement, redraw, segmentedButtons } from "../frame/dom.js";
import { gradient, onScale } from "./colour_ramp.js";
import { shadingSelectBox } from "../texts/weight_shading.js";
import { AXES_NAMES, LEVEL_NAMES, LEVEL_TITLES, ONE_COLOUR } from "./cell_descriptions.js";

/** The cells that were opened on the way to the matrix; on: {up(depth)} */
export class MapPath {
  constructor(on) {
    this.on = on;
    this.element = createElement("nav.lv-crumbs", { "aria-label": labels.whereInMatrix });
  }

  show(names) {
    const steps = [labels.all, ...names];
    const parts = steps.map((text, depth) =>
      depth === steps.length - 1
        ? createElement("span.lv-here", { "aria-current": "location", title: text }, text)
        : createElement("button.lv-crumb", { type: "button", title: text, onclick: () => this.on.up(depth) }, text),
    );
    const between = () => createElement("span.lv-step", { "aria-hidden": "true" }, "›");
    redraw(this.element, ...parts.flatMap((part, i) => (i ? [between(), part] : [part])));
  }
}

/** on: {axes(axes), level(level), map(name), shading(key | null)} */
export class MapControls {
  constructor(on) {
    this.on = on;
    this.element = createElement("div.lv-toolbar");
  }

  /**
   * Controls for what there is to choose.
   * state: {allAxes, axes, levels, level, maps, map, shadings, shading}
   */
  show(state) {
    const { on } = this;
    const groups = [];
    if (state.allAxes.length > 1) {
      const options = state.allAxes.map((value) => ({
        value,
        text: AXES_NAMES[value],
        title: value === "across" ? labels.whichTexts : labels.oneText,
      }));
      groups.push(selectBox(labels.texts, options, state.axes, (value) => on.axes(value)));
    }
    if (state.levels.length > 1) {
      const options = state.levels.map((value) => ({ value, text: LEVEL_NAMES[value], title: LEVEL_TITLES[value] }));
      groups.push(segmentedButtons(labels.level, options, state.level, (value) => on.level(value)));
    }
    if (state.maps.length > 1) {
      const options = state.maps.map((map) => ({ value: map.name, text: map.label, title: map.meaning }));
      groups.push(selectBox(labels.whatIsShown, options, state.map.name, (value) => on.map(value)));
    } else if (state.map) {
      groups.push(createElement("span.lv-measure", { title: state.map.meaning }, state.map.label));
    }
    if (state.shadings.length) groups.push(shadingSelectBox(state.shadings, state.shading, (key) => on.shading(key)));
    redraw(this.element, ...groups);
  }
}

/** Where on the scale the colours of what is usual between unrelated texts end. */
function usualTick(map, usual) {
  const tick = createElement("span.lv-usual-tick", {});
  tick.style.left = `${100 * onScale(usual, map.range())}%`;
  return tick;
}

/** The scale of a map, and a way to its strongest cell; on: {choose(cell)} */
export class Legend {
  constructor(on) {
    this.on = on;
    this.element = createElement("div.lv-legend");
  }

  show({ map, rows, columns, strongest }, dark) {
    const [low, high, usual] = map.range();
    const bar = (what) => {
      const element = createElement(what, { "aria-hidden": "true" });
      element.style.backgroundImage = gradient(map.ramp, dark);
      return element;
    };
    const bars =
      map.scale === "diverging"
        ? [bar("span.lv-ramp.lv-below"), createElement("span", {}, "0"), bar("span.lv-ramp.lv-above")]
        : [bar("span.lv-ramp")];
    const ticked = !map.flat && usual !== null && usual !== undefined;
    if (ticked) bars[0].append(usualTick(map, usual));
    const least = `${map.fromUsual ? "≤ " : ""}${map.said(low)}`;
    const scale = map.flat
      ? [createElement("span", {}, ONE_COLOUR)]
      : [createElement("span", {}, least), ...bars, createElement("span", {}, map.said(high))];
    const parts = [createElement("span.lv-scale", {}, ...scale, createElement("span.lv-kind", {}, map.unit))];
    if (ticked || map.fromUsual) {
      const title = map.fromUsual ? labels.fromUsualTitle : labels.usualTitle;
      parts.push(createElement("span.lv-usual", { title }, labels.usualLimit(map.said(usual ?? map.usual))));
    }
    if (strongest && rows.length * columns.length > 1) {
      const { row, column, value } = strongest;
      const go = () => this.on.choose({ row, column });
      parts.push(
        createElement(
          "button.lv-quiet",
          { type: "button", "data-testid": "strongest", onclick: go },
          labels.goToStrongest(map.said(value)),
        ),
      );
    }
    redraw(this.element, ...parts);
  }
}
