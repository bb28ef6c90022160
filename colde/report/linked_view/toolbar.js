// What stands around the matrix: the way into it, the choice of what it shows, and the legend of its colours.

import { focusedIn, make, segmented } from "./dom.js";
import { gradient } from "./ramp.js";
import { shadingChooser } from "./shading.js";
import { AXES_NAMES, LEVEL_NAMES, LEVEL_TITLES, ONE_COLOUR } from "./wording.js";

/** The cells that were opened on the way to the matrix; on: {up(depth)} */
export class Crumbs {
  constructor(on) {
    this.on = on;
    this.element = make("nav.lv-crumbs", { "aria-label": "Where in the matrix" });
  }

  show(names) {
    const steps = ["All", ...names];
    const parts = steps.map((text, depth) =>
      depth === steps.length - 1
        ? make("span.lv-here", { "aria-current": "location", title: text }, text)
        : make("button.lv-crumb", { type: "button", title: text, onclick: () => this.on.up(depth) }, text),
    );
    const between = () => make("span.lv-step", { "aria-hidden": "true" }, "›");
    this.element.replaceChildren(...parts.flatMap((part, i) => (i ? [between(), part] : [part])));
  }
}

/** on: {model(name), beside(wanted), axes(axes), level(level), map(name), shading(key | null)} */
export class Toolbar {
  constructor(on) {
    this.on = on;
    this.element = make("div.lv-toolbar");
  }

  /**
   * Controls for what there is to choose; of `several` models, `beside` says whether their maps stand side by side.
   * state: {models, model, several, beside, allAxes, axes, levels, level, maps, map, shadings, shading}
   */
  show(state) {
    const { on } = this;
    const groups = [];
    if (state.models.length > 1) groups.push(this.modelChooser(state));
    if (state.several) groups.push(this.switch(state.beside));
    if (state.allAxes.length > 1) {
      const options = state.allAxes.map((value) => ({ value, text: AXES_NAMES[value], title: value === "across" ? "The two texts with each other" : "One text with itself" }));
      groups.push(segmented("Texts", options, state.axes, (value) => on.axes(value)));
    }
    if (state.levels.length > 1) {
      const options = state.levels.map((value) => ({ value, text: LEVEL_NAMES[value], title: LEVEL_TITLES[value] }));
      groups.push(segmented("Level", options, state.level, (value) => on.level(value)));
    }
    if (state.maps.length > 1) {
      const options = state.maps.map((map) => ({ value: map.name, text: map.label, title: map.meaning }));
      groups.push(segmented("What is shown", options, state.map.name, (value) => on.map(value)));
    }
    if (state.shadings.length) groups.push(shadingChooser(state.shadings, state.shading, (key) => on.shading(key)));
    this.replace(groups);
  }

  modelChooser({ models, model: chosen }) {
    const chooser = make("select", { "aria-label": "Model", onchange: (event) => this.on.model(event.target.value) });
    for (const model of models) chooser.append(make("option", { value: model.name, selected: model === chosen }, model.title));
    return make("label.lv-choice", {}, chooser);
  }

  switch(beside) {
    const title = "The matrices of all models that took part, with one cursor";
    return make("div.lv-segmented", {}, make("button", { type: "button", title, "aria-pressed": String(beside), onclick: () => this.on.beside(!beside) }, "Side by side"));
  }

  /** The focus goes to the control that has the same name as the one it was on. */
  replace(groups) {
    const name = (control) => control.getAttribute("aria-label") || `${control.closest("[role=group]")?.getAttribute("aria-label")}: ${control.textContent}`;
    const had = focusedIn(this.element);
    const focused = had && name(had);
    this.element.replaceChildren(...groups);
    if (focused) [...this.element.querySelectorAll("button, select")].find((c) => name(c) === focused)?.focus({ preventScroll: true });
  }
}

/** The scale of a map, and a way to its strongest cell; on: {choose(cell)} */
export class Legend {
  constructor(on) {
    this.on = on;
    this.element = make("div.lv-legend");
  }

  show({ map, rows, columns, strongest }, dark) {
    const [low, high] = map.range();
    const bar = (what) => {
      const element = make(what, { "aria-hidden": "true" });
      element.style.backgroundImage = gradient(map.ramp, dark);
      return element;
    };
    const bars = map.scale === "diverging" ? [bar("span.lv-ramp.lv-below"), make("span", {}, "0"), bar("span.lv-ramp.lv-above")] : [bar("span.lv-ramp")];
    const scale = map.flat ? [make("span", {}, ONE_COLOUR)] : [make("span", {}, map.said(low)), ...bars, make("span", {}, map.said(high))];
    const parts = [make("span.lv-scale", {}, ...scale, make("span.lv-kind", {}, map.unit))];
    if (strongest && rows.length * columns.length > 1) {
      const { row, column, value } = strongest;
      const go = () => this.on.choose({ row, column });
      parts.push(make("button.lv-quiet", { type: "button", "data-testid": "strongest", onclick: go }, `Go to strongest, ${map.said(value)}`));
    }
    this.element.replaceChildren(...parts);
  }
}
