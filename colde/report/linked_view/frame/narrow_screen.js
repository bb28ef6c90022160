// Where there is room for one thing alone: text A, the middle, or text B; and both passages of a cell in one sheet.

import * as labels from "../labels.js";
import { sideLetter, createElement, redraw, segmentedButtons } from "./dom.js";
import { opening } from "../map/cell_descriptions.js";

const SIDES = [
  { value: "a", text: "A", title: labels.textA },
  { value: "middle", text: labels.map, title: labels.middleTitle },
  { value: "b", text: "B", title: labels.textB },
];
const SHOWN = 320; // characters of a passage in the sheet

/** `show(key)` puts one of them in front; on: {shown()}. `texts` are {a: Text, b: Text}. */
export class NarrowScreen {
  constructor(body, texts, on) {
    this.body = body;
    this.texts = texts;
    this.on = on;
    this.bar = createElement("div.lv-narrow");
    this.sheet = createElement("div.lv-passages", {
      hidden: true,
      role: "region",
      "aria-label": labels.selectedPassages,
    });
    this.show("middle");
  }

  show(key) {
    this.body.dataset.shown = key;
    redraw(
      this.bar,
      segmentedButtons(labels.show, SIDES, key, (value) => this.choose(value)),
    );
  }

  choose(key) {
    this.show(key);
    this.bar.querySelector('[aria-pressed="true"]')?.focus({ preventScroll: true });
    this.on.shown();
  }

  /** Both passages of what is selected, with a way to each; null for nothing. */
  passages(selected) {
    this.sheet.hidden = !selected;
    if (!selected) return;
    const one = (side, text) => {
      const span = selected[side];
      if (!span) return "";
      const name = text.side.toUpperCase();
      return createElement(
        "div",
        {},
        createElement("p", {}, sideLetter(text.side), ` ${text.place(span[0])}`),
        createElement("q.lv-item-quote", { dir: "auto" }, opening(text, span, SHOWN)),
        createElement("button.lv-decide", { type: "button", onclick: () => this.choose(side) }, labels.showIn(name)),
      );
    };
    const [left, right] =
      selected.axes === "across" ? [this.texts.a, this.texts.b] : Array(2).fill(this.texts[selected.axes.at(-1)]);
    redraw(this.sheet, one("a", left), one("b", right));
  }
}
