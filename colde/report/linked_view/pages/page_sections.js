// Where the sections of a text stand on its pages: a frame for each piece of one, with its heading to be clicked.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { placeOnPage } from "./page_crop.js";

/** @import {Section} from "../types" */

/**
 * The boxes of a section's sentences as pieces: a new page or a new column begins another one.
 * @param {number[][]} boxes of its sentences, each [page, x0, y0, x1, y1, …], in reading order
 * @returns {{page: number, x0: number, y0: number, x1: number, y1: number}[]}
 */
export function boxesOnPages(boxes) {
  /** @type {{page: number, x0: number, y0: number, x1: number, y1: number}[]} */
  const pieces = [];
  let top = 0;
  let page = 0;
  for (const flat of boxes) {
    for (let k = 0; k < flat.length; k += 5) {
      const [on, x0, y0, x1, y1] = flat.slice(k, k + 5);
      const last = pieces.at(-1);
      const up = y1 < top; // above the line before: a new column
      if (!last || on !== page || up) {
        pieces.push({ page: on, x0, y0, x1, y1 });
      } else {
        Object.assign(last, {
          x0: Math.min(last.x0, x0),
          y0: Math.min(last.y0, y0),
          x1: Math.max(last.x1, x1),
          y1: Math.max(last.y1, y1),
        });
      }
      [page, top] = [on, y0];
    }
  }
  return pieces;
}

/** `show(shown)` and `mark(section)`; on: {choose(section)} */
export class PageSections {
  /**
   * @param {import("../payload/document_text.js").DocumentText} text
   * @param {HTMLElement[]} papers one for each page
   * @param {{choose(section: number): void}} on
   */
  constructor(text, papers, on) {
    this.text = text;
    this.papers = papers;
    this.on = on;
    /** @type {HTMLElement[][] | null} frames of each section */
    this.frames = null;
    this.shown = false;
  }

  /** @param {boolean} shown */
  show(shown) {
    this.shown = shown;
    if (shown) this.frames ??= this.text.sections.map((section, i) => this.frame(section, i));
    for (const frame of this.frames?.flat() ?? []) frame.hidden = !shown;
  }

  /** @param {number} section the one that is chosen, or −1 */
  mark(section) {
    this.frames?.forEach((frames, i) => frames.forEach((frame) => frame.toggleAttribute("data-chosen", i === section)));
  }

  /**
   * @param {Section} section
   * @param {number} index
   */
  frame(section, index) {
    return boxesOnPages(section.boxes ?? []).flatMap(({ page, x0, y0, x1, y1 }, k) => {
      const size = this.text.pageSizes[page - 1];
      if (!size) return [];
      const frame = createElement("div.lv-block", { "data-aside": Boolean(section.role) });
      placeOnPage(frame, [x0, y0, x1, y1], size);
      if (!k) frame.append(this.name(section, index));
      this.papers[page - 1].append(frame);
      return [frame];
    });
  }

  name(section, index) {
    const choose = (event) => {
      event.stopPropagation(); // a click on the page chooses the sentence under it
      this.on.choose(index);
    };
    return createElement(
      "button.lv-block-name",
      { type: "button", onclick: choose },
      section.heading || section.role || labels.noHeading,
    );
  }
}
