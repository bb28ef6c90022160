// Builds the elements of one text in reading order: the first ones at once, the rest in idle moments.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { foldedSection } from "./folded_lines.js";

const SLICE = 12; // milliseconds of building at a time

/** built(unit, node): is called for each heading and sentence. */
export class TextBuilder {
  /**
   * @param {import("../payload/document_text.js").DocumentText} text
   * @param {HTMLElement} host
   * @param {(unit: number, node: HTMLElement) => void} built
   */
  constructor(text, host, built) {
    this.text = text;
    this.host = host;
    this.built = built;
    this.last = -1; // the last unit that has an element
    this.page = 0; // the last page that has a mark
    this.done = false;
    this.notes = [...text.notes];
    this.steps = this.build();
  }

  /** Build up to this unit now. */
  ensure(unit) {
    while (!this.done && this.last < unit) this.done = Boolean(this.steps.next().done);
  }

  /**
   * Build the rest in idle moments.
   * @param {() => void} whenDone
   */
  buildOn(whenDone) {
    if (this.done) return;
    setTimeout(() => {
      const stop = performance.now() + SLICE;
      while (!this.done && performance.now() < stop) this.done = Boolean(this.steps.next().done);
      if (this.done) whenDone();
      this.buildOn(whenDone);
    });
  }

  *build() {
    const { text } = this;
    let unit = 0;
    for (const [index, section] of text.sections.entries()) {
      this.addNotes(section.pages?.find(Boolean) || 0);
      const block = this.sectionBlock(section, index);
      const heading = text.ownHeading(section);
      const renamed = Boolean(section.heading && section.heading !== heading.replace(/\s+/g, " "));
      if (renamed) block.append(this.headingElement(section, index, section.heading ?? ""));
      let paragraph = -1;
      let element = null;
      let at = 0;
      for (; unit < text.units.length && text.units[unit].section === index; unit += 1) {
        const { kind, start, end } = text.units[unit];
        if (kind === "heading") {
          element = renamed ? this.headingAsRead(index) : this.headingElement(section, index);
          block.append(element);
          element.append(this.node(unit, "span.lv-unit"));
          continue;
        }
        if (text.units[unit].paragraph !== paragraph) {
          paragraph = text.units[unit].paragraph;
          if (!section.role) this.addNotes(text.units[unit].page || 0);
          element = createElement("p.lv-paragraph", { dir: "auto" });
          block.append(element);
          at = section.paragraphs[2 * paragraph];
          this.markPage(element, unit);
          yield unit;
        }
        if (start > at) element.append(text.slice(at, start));
        element.append(this.node(unit, kind === "sentence" ? "span.lv-unit.lv-sentence" : "span.lv-unit"));
        at = end;
      }
    }
    this.addNotes(Infinity);
  }

  /** Warnings of the pages before this one, which have no text that could stand here. */
  addNotes(page) {
    while (this.notes.length && this.notes[0].first < page) {
      this.host.append(createElement("p.lv-page-note", { role: "note" }, this.notes.shift()?.text));
    }
  }

  /** Where the blocks of a section go: a folded element where the section is not compared. */
  sectionBlock(section, index) {
    if (!section.role) return this.host;
    const block = foldedSection(this.host, section, index);
    this.host.append(block);
    return block;
  }

  headingElement(section, index, heading = "") {
    const level = Math.min(section.level, 4);
    return createElement("h4.lv-heading", { dir: "auto", "data-level": level, "data-section": index }, heading);
  }

  /** The heading of the file, under one that the reader has given the section. */
  headingAsRead(index) {
    return createElement("p.lv-as-read", { dir: "auto", "data-section": index }, labels.asRead);
  }

  markPage(block, unit) {
    const { page } = this.text.units[unit];
    if (page && page !== this.page) {
      block.dataset.page = `p. ${page}`;
      this.page = page;
    }
  }

  node(unit, kind) {
    const { start, end } = this.text.units[unit];
    const node = createElement(kind, { "data-unit": unit }, this.text.slice(start, end));
    this.last = unit;
    this.built(unit, node);
    return node;
  }
}
