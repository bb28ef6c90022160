// One document of the payload: its text, its sections, and its headings and sentences in reading order.
// Offsets are Unicode code points everywhere; only `slice` turns them into JavaScript's UTF-16 positions.

import { firstGreater, overlapRange } from "./sorted_spans.js";

/** @import {DocumentData, Section, Side, Unit} from "../types" */

/** One document: its text, its sections, and `units`: headings and sentences in reading order. */
export class DocumentText {
  /**
   * @param {DocumentData} doc
   * @param {Side} side
   */
  constructor(doc, side) {
    this.side = side;
    this.title = doc.title;
    this.words = doc.words;
    this.pages = doc.pages;
    this.pageSizes = doc.page_sizes;
    this.notes = doc.notes;
    this.aside = doc.aside;
    this.text = doc.text;
    this.sections = doc.sections;
    this.sectionStarts = doc.sections.map((s) => s.start);
    this.astral = astralPositions(doc.text);
    this.astralUnits = this.astral.map((position, i) => position + i);
    this.units = unitsOf(doc.sections, (s, e) => this.slice(s, e));
    this.starts = Int32Array.from(this.units, (u) => u.start);
    this.ends = Int32Array.from(this.units, (u) => u.end);
    const kept = doc.sections.filter((s) => !s.role);
    const full = kept.filter((s) => this.slice(s.body, s.end).trim()); // a heading alone is not compared
    this.compared = full.length || kept.length;
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  slice(start, end) {
    return this.text.slice(this.utf16(start), this.utf16(end));
  }

  /** @param {number} codePoint */
  utf16(codePoint) {
    return codePoint + firstGreater(this.astral, codePoint - 1);
  }

  /** @param {number} utf16 */
  codePoint(utf16) {
    return utf16 - firstGreater(this.astralUnits, utf16 - 1);
  }

  /**
   * @param {number} start
   * @param {number} end
   */
  unitsIn(start, end) {
    return overlapRange(this.starts, this.ends, start, end);
  }

  /** @param {number} offset */
  section(offset) {
    return Math.max(0, firstGreater(this.sectionStarts, offset) - 1);
  }

  /**
   * The heading as it stands in the text; a reader may have given the section another name.
   * @param {Section} section
   */
  ownHeading(section) {
    return this.slice(section.start, section.body).trimEnd();
  }

  /**
   * The heading over this offset, or the pages or paragraphs of its section where there is none.
   * @param {number} offset
   */
  heading(offset) {
    return this.sections[this.section(offset)]?.place || "";
  }

  /** @param {number} offset */
  page(offset) {
    const [first, last] = this.unitsIn(offset, offset + 1);
    for (let i = first; i < Math.max(last, first + 1) && i < this.units.length; i += 1) {
      const page = this.units[i].page;
      if (page) return page;
    }
    return null;
  }

  /**
   * @param {number} start
   * @param {number} end
   * @param {number} length
   */
  snippet(start, end, length) {
    const text = this.slice(start, Math.min(end, start + length * 2))
      .replace(/\s+/g, " ")
      .trim();
    const cut = text.length > length ? `${text.slice(0, length).replace(/\s+\S*$/, "")}…` : text;
    return end - start > length * 2 && !cut.endsWith("…") ? `${cut}…` : cut;
  }

  /**
   * “Results, p. 4”, or “We found …” where no heading stands above a passage.
   * @param {number} start
   * @param {number} end
   */
  passagePlace(start, end) {
    const above = this.sections.slice(0, this.section(start) + 1);
    if (above.some((section) => section.heading)) return this.place(start);
    const page = this.page(start);
    return `“${this.snippet(start, end, 36)}”${page ? `, p. ${page}` : ""}`;
  }

  /**
   * “Results, p. 4”
   * @param {number} offset
   */
  place(offset) {
    const page = this.page(offset);
    return this.heading(offset) + (page ? `, p. ${page}` : "");
  }
}

/** @param {string} text */
function astralPositions(text) {
  const found = [];
  for (let i = 0, codePoint = 0; i < text.length; i += 1, codePoint += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      found.push(codePoint);
      i += 1;
    }
  }
  return found;
}

/**
 * Headings, sentences, and whatever text stands between sentences, in reading order.
 * @param {Section[]} sections
 * @param {(start: number, end: number) => string} slice
 */
function unitsOf(sections, slice) {
  const hasText = (/** @type {number} */ start, /** @type {number} */ end) => slice(start, end).trim() !== "";
  /** @type {Unit[]} */
  const units = [];
  sections.forEach((section, index) => {
    /** @type {(kind: Unit["kind"], start: number, end: number, sentence?: number) => void} */
    const add = (kind, start, end, sentence = -1) => {
      const page = sentence < 0 ? null : section.pages?.[sentence] || null;
      units.push({ kind, start, end, section: index, sentence, page, paragraph: -1 });
    };
    const own = slice(section.start, section.body).trimEnd();
    if (own) {
      add("heading", section.start, section.start + [...own].length);
      units[units.length - 1].page = section.pages?.[0] || null;
    }
    let next = 0;
    const sentences = section.sentences;
    for (let p = 0; p < section.paragraphs.length; p += 2) {
      const from = units.length;
      let at = section.paragraphs[p];
      const end = section.paragraphs[p + 1];
      while (next < sentences.length && sentences[next] < end) {
        const [start, stop] = [sentences[next], sentences[next + 1]];
        if (start > at && hasText(at, start)) add("gap", at, start);
        add("sentence", start, stop, next / 2);
        at = stop;
        next += 2;
      }
      if (end > at && hasText(at, end)) add("gap", at, end);
      for (let i = from; i < units.length; i += 1) units[i].paragraph = p / 2;
    }
  });
  return units;
}
