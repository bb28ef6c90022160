// Weights of the model's own choice that shade the texts: how they are chosen, what they mean, a way to the darkest.

import * as labels from "../labels.js";
import { formatNumber } from "../payload/similarity_map.js";
import { createElement, redraw } from "../frame/dom.js";
import { sideTint } from "../map/colour_ramp.js";

/** Attention is a share of the whole text, “3.1 %”, “0.042 %”: two digits that mean something. Other weights are numbers of their own. */
export function weightText({ kind }, value) {
  return kind === "attention"
    ? `${(100 * value).toLocaleString("en", { maximumSignificantDigits: 2 })} %`
    : formatNumber(value);
}

/** `shadings` to choose from, `chosen` one of them or null: best counterparts; choose(key | null). */
export function shadingSelectBox(shadings, chosen, choose) {
  const chooser = createElement("select", {
    "aria-label": labels.shadeTextsBy,
    onchange: (event) => choose(event.target.value || null),
  });
  chooser.append(createElement("option", { value: "" }, labels.bestCounterparts));
  for (const { key, label, meaning } of shadings) {
    chooser.append(createElement("option", { value: key, selected: key === chosen?.key, title: meaning }, label));
  }
  return createElement("label.lv-choice", {}, createElement("span", {}, labels.shadeBy), chooser);
}

/** What the shades mean, how dark they get in each text, and a way to the darkest for those who do not see them. */
export class ShadingLegend {
  /** on: {go(shading, side, i)} to the unit i of a text */
  constructor(on) {
    this.on = on;
    this.shown = null; // the shading that was drawn
    this.dark = false;
    this.element = createElement("div.lv-shading", { hidden: true });
  }

  show(shading, dark) {
    this.element.hidden = !shading;
    if (!shading || (shading === this.shown && dark === this.dark)) return; // the buttons know which unit comes next
    [this.shown, this.dark] = [shading, dark];
    const bar = createElement("span.lv-ramp", { "aria-hidden": "true" });
    bar.style.backgroundImage = `linear-gradient(to right, transparent, ${sideTint(shading.kind, dark)})`;
    const parts = [createElement("p", {}, labels.textsLevel(shading.level), bar, ` darker: ${shading.more}.`)];
    for (const side of ["a", "b"]) if (shading[side]?.ranked().length) parts.push(this.button(shading, side));
    parts.push(createElement("p.lv-meaning", {}, shading.meaning));
    redraw(this.element, ...parts);
  }

  button(shading, side) {
    let next = 0;
    const go = () => {
      const order = shading[side].ranked();
      this.on.go(shading, side, order[next]);
      next = (next + 1) % order.length;
    };
    const most = weightText(shading, shading[side].high);
    return createElement(
      "button.lv-quiet",
      { type: "button", title: labels.nextDarkest(shading.level), onclick: go },
      labels.darkestIn(side.toUpperCase(), most),
    );
  }
}
