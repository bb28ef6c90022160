// How levels, cells and passages are called on the page.

import * as labels from "../labels.js";

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {SimilarityMap} from "../payload/similarity_map.js"
 * @import {Axes, Cell, Passages, Span} from "../types"
 */

/** @type {Record<string, string>} */
export const LEVEL_NAMES = { section: "Sections", chunk: "Chunks", sentence: "Sentences", word: "Words" };
/** @type {Record<string, string>} */
export const LEVEL_TITLES = {
  section: labels.sectionsTitle,
  chunk: labels.chunksTitle,
  sentence: labels.sentencesTitle,
  word: labels.wordsTitle,
};
/** @type {Record<Axes, string>} */
export const AXES_NAMES = { across: "A × B", within_a: "A × A", within_b: "B × B" };

/**
 * The first words of a passage, after the heading with which the span of a section begins.
 * @param {DocumentText} text
 * @param {Span} span
 * @param {number} length
 */
export function opening(text, [start, end], length) {
  const section = text.sections[text.section(start)];
  const headed = section && section.heading && start === section.start && section.body < end;
  return text.snippet(headed ? section.body : start, end, length);
}

/**
 * “A: Results, p. 4, “We found …””
 * @param {DocumentText} text
 * @param {Span} span
 */
export function passageText(text, span) {
  return `${text.side.toUpperCase()}: ${text.place(span[0])}, “${opening(text, span, 40)}”`;
}

/**
 * “Methods × Results”
 * @param {SimilarityMap} map
 * @param {Cell} cell
 * @param {[DocumentText, DocumentText]} texts those of the rows and of the columns
 */
export function cellName(map, { row, column }, [left, right]) {
  const name = (/** @type {DocumentText} */ text, /** @type {Span} */ [start, end]) =>
    map.level === "section" ? text.heading(start) : text.snippet(start, end, 24);
  return `${name(left, map.rows.span(row))} × ${name(right, map.columns.span(column))}`;
}

/**
 * “Methods, p. 2 by Results, p. 4: 0.83”
 * @param {SimilarityMap} map
 * @param {Cell} cell
 * @param {[DocumentText, DocumentText]} texts those of the rows and of the columns
 */
export function cellText(map, { row, column }, [left, right]) {
  const value = map.at(row, column);
  return `${left.place(map.rows.starts[row])} by ${right.place(map.columns.starts[column])}: ${Number.isNaN(value) ? "no value" : map.said(value)}`;
}

const SUMMED_UP = 5; // cells named in the summary of a matrix

/**
 * A matrix for those who do not see it: how many rows and columns, and its strongest cells.
 * @param {SimilarityMap} map
 * @param {number[]} rows
 * @param {number[]} columns
 * @param {[DocumentText, DocumentText]} texts those of the rows and of the columns
 */
export function matrixSummary(map, rows, columns, texts) {
  const cells = map.greatestCells(rows, columns, SUMMED_UP).map((cell) => cellText(map, cell, texts));
  const usual = map.usual === null ? "" : labels.usualUpTo(map.said(map.usual));
  return `${counted(rows.length, "row")}, ${counted(columns.length, "column")}.${usual} ${cells.length ? `Strongest: ${cells.join("; ")}.` : "No values yet."}`;
}

/**
 * Labels of the rows or columns that are shown; in a whole matrix, equal labels of one section make a run.
 * @param {DocumentText} text
 * @param {Passages} passages
 * @param {number[]} shown
 * @param {string} level
 * @param {boolean} whole
 * @returns {(index: number) => {text: string, run?: number}}
 */
export function rowLabels(text, passages, shown, level, whole) {
  return (i) => {
    const [start, end] = passages.span(i);
    if (level === "section") return { text: text.heading(start) };
    if (whole) return { text: text.heading(start), run: text.section(start) };
    if (level === "sentence") return { text: text.snippet(start, end, 40) };
    return { text: shown.length === 1 ? text.heading(start) : `${i - shown[0] + 1} · ${text.snippet(start, end, 32)}` };
  };
}

/**
 * Short labels of columns: the numbers their headings begin with, where each heading has one of its own; else the place in
 * the row of columns.
 * @param {DocumentText} text
 * @param {Passages} passages
 * @param {number[]} shown
 * @param {string} level
 * @param {boolean} whole
 * @returns {(index: number) => {text: string, short: string, run?: number}}
 */
export function columnLabels(text, passages, shown, level, whole) {
  const named = rowLabels(text, passages, shown, level, whole);
  const ofSections = whole || level === "section";
  const sections = [...new Set(shown.map((i) => text.section(passages.starts[i])))];
  const numbers = sections.map((s) => ownNumber(text.sections[s]?.heading));
  const headed = numbers.filter((_, i) => text.sections[sections[i]]?.heading);
  const numbered = headed.length > 0 && headed.every(Boolean) && new Set(headed).size === headed.length;
  const places = new Map(sections.map((s, i) => [s, numbered ? numbers[i] || "–" : String(i + 1)]));
  return (i) => {
    const label = named(i);
    const short = ofSections ? places.get(text.section(passages.starts[i])) : String(i - shown[0] + 1);
    return { ...label, short: short || "" };
  };
}

/**
 * “2.1” of “2.1 Data”; empty where a heading has no number of its own. A capital counts with a mark behind it: “A. Proofs”.
 * @param {string | null | undefined} heading
 */
function ownNumber(heading) {
  return (
    /^\s*(\d{1,2}(?:\.\d{1,2})*(?=[.)]?\s)|[A-Z](?:\.\d{1,2})+(?=[.)]?\s)|[A-Z](?=[.)]\s))/.exec(heading || "")?.[1] ||
    ""
  );
}

/**
 * The line under the title of a text: its size, and how much of it the model read.
 * @param {DocumentText} text
 * @param {{title: string, pending?: boolean, stopped?: string | null, read?: Record<string, {tokens_read: number, tokens: number}>} | null} [model]
 */
export function textSizeLine(text, model) {
  const parts = [];
  if (text.pages) parts.push(`${text.pages} p`);
  parts.push(counted(text.words, "word"), counted(text.compared, "section"));
  const read = model?.read?.[text.side];
  if (read && read.tokens_read < read.tokens) {
    parts.push(labels.tokensRead(model.title, read.tokens_read.toLocaleString("en"), read.tokens.toLocaleString("en")));
  }
  return parts.join(" · ");
}

/**
 * “1 section”, “2,000 sections”
 * @param {number} number
 * @param {string} noun
 */
function counted(number, noun) {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** In place of the scale of a map that shows nothing. */
export const ONE_COLOUR = labels.oneColour;
