// How much of a text is identical, edited, paraphrased, on the same topic, or none of these: a bar and its figures.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";
import { sharePercent } from "../payload/text_split.js";

/** @import {Side, SplitPart} from "../types" */

const LEAST = 0.004; // share of a text from which a part has a place on the bar

/** `show(parts, note, remarks)` draws; on: {part(side, part)}: a part with passages was pressed */
export class SplitBar {
  /**
   * @param {Side} side
   * @param {{part(side: Side, part: SplitPart): void}} on
   */
  constructor(side, on) {
    this.side = side;
    this.on = on;
    this.drawn = "";
    this.bar = createElement("div.lv-split-bar", { "aria-hidden": "true" });
    this.figures = createElement("div.lv-split-figures");
    this.element = createElement(
      "div.lv-split",
      { role: "group", "aria-label": labels.splitOf(side.toUpperCase()), hidden: true },
      this.bar,
      this.figures,
    );
  }

  /**
   * @param {SplitPart[] | null} parts null while they are not counted
   * @param {string} note how they were counted
   * @param {string[]} remarks on what was not looked for, and on what is left out
   */
  show(parts, note, remarks) {
    const said = JSON.stringify([parts?.map((part) => [part.label, part.share, part.passages.length]), note, remarks]);
    if (said === this.drawn) return; // new buttons would take the focus from the one that was pressed
    this.drawn = said;
    this.element.hidden = !parts;
    if (!parts) return;
    this.element.title = note;
    this.bar.replaceChildren(...parts.filter((part) => part.share >= LEAST).map((part) => this.segment(part)));
    const shown = parts.filter((part) => part.share > 0 || part === parts[0]);
    redraw(
      this.figures,
      ...shown.map((part) => this.figure(part)),
      ...remarks.map((remark) => createElement("span.lv-split-remark", {}, remark)),
    );
  }

  /** @param {SplitPart} part */
  segment(part) {
    const press = part.passages.length ? () => this.on.part(this.side, part) : null;
    const segment = createElement("span", { "data-kind": part.label, title: this.describe(part), onclick: press });
    segment.style.flexGrow = String(part.share);
    return segment;
  }

  /** @param {SplitPart} part */
  figure(part) {
    const text = labels.splitPart(sharePercent(part.share), part.label);
    if (!part.passages.length) return createElement("span", { "data-kind": part.label, title: part.means }, text);
    const press = () => this.on.part(this.side, part);
    const { label } = part;
    const attributes = {
      type: "button",
      "data-kind": label,
      "data-focus": label,
      title: this.describe(part),
      onclick: press,
    };
    return createElement("button.lv-quiet", attributes, text);
  }

  /** @param {SplitPart} part */
  describe({ means, passages }) {
    return passages.length ? labels.splitTitle(means, passages.length.toLocaleString("en")) : means;
  }
}
