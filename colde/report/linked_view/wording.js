// How levels, cells and passages are called on the page.

/**
 * @import {SimilarityMap, Text} from "./data.js"
 * @import {Axes, Cell, Passages, Span} from "./types"
 */

/** @type {Record<string, string>} */
export const LEVEL_NAMES = { section: "Sections", chunk: "Chunks", sentence: "Sentences", word: "Words" };
/** @type {Record<string, string>} */
export const LEVEL_TITLES = {
  section: "Sections by their headings",
  chunk: "Stretches of at most 512 tokens; a chunk never crosses a section",
  sentence: "Single sentences",
  word: "Single words",
};
/** @type {Record<Axes, string>} */
export const AXES_NAMES = { across: "A × B", within_a: "A × A", within_b: "B × B" };

/**
 * The first words of a passage, after the heading with which the span of a section begins.
 * @param {Text} text
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
 * @param {Text} text
 * @param {Span} span
 */
export function passageSaid(text, span) {
  return `${text.side.toUpperCase()}: ${text.place(span[0])}, “${opening(text, span, 40)}”`;
}

/**
 * “Methods × Results”
 * @param {SimilarityMap} map
 * @param {Cell} cell
 * @param {[Text, Text]} texts those of the rows and of the columns
 */
export function cellName(map, { row, column }, [left, right]) {
  const name = (/** @type {Text} */ text, /** @type {Span} */ [start, end]) => 
    map.level === "section" ? text.heading(start) : text.snippet(start, end, 24);
  return `${name(left, map.rows.span(row))} × ${name(right, map.columns.span(column))}`;
}

/**
 * “Methods, p. 2 by Results, p. 4: .83”
 * @param {SimilarityMap} map
 * @param {Cell} cell
 * @param {[Text, Text]} texts those of the rows and of the columns
 */
export function cellSaid(map, { row, column }, [left, right]) {
  const value = map.at(row, column);
  return `${left.place(map.rows.starts[row])} by ${right.place(map.columns.starts[column])}: ${Number.isNaN(value) ? "no value" : map.said(value)}`;
}

/**
 * Labels of the rows or columns that are shown; in a whole matrix, equal labels of one section make a run.
 * @param {Text} text
 * @param {Passages} passages
 * @param {number[]} shown
 * @param {string} level
 * @param {boolean} whole
 * @returns {(index: number) => {text: string, run?: number}}
 */
export function labeller(text, passages, shown, level, whole) {
  return (i) => {
    const [start, end] = passages.span(i);
    if (level === "section") return { text: text.heading(start) };
    if (whole) return { text: text.heading(start), run: text.section(start) };
    if (level === "sentence") return { text: text.snippet(start, end, 40) };
    return { text: shown.length === 1 ? text.heading(start) : `${i - shown[0] + 1} · ${text.snippet(start, end, 32)}` };
  };
}

/**
 * What stands under the title of a text: its size, and how much of it the model read and matched.
 * @param {Text} text
 * @param {{title: string, read?: Record<string, {tokens_read: number, tokens: number}>, matched?: Record<string, number | null>} | null} [model]
 */
export function sizeOf(text, model) {
  const parts = [];
  if (text.pages) parts.push(`${text.pages} p`);
  parts.push(`${text.words.toLocaleString("en")} words`, `${text.compared} sections`);
  const read = model?.read?.[text.side];
  if (read && read.tokens_read < read.tokens) {
    parts.push(`${model.title} read ${read.tokens_read.toLocaleString("en")} of ${read.tokens.toLocaleString("en")} tokens`);
  } else if (read) {
    parts.push("all read");
  }
  const share = model?.matched?.[text.side];
  if (share !== null && share !== undefined) parts.push(`${Math.round(100 * share)} % matched`);
  return parts.join(" · ");
}

/** In place of the scale of a map that shows nothing. */
export const ONE_COLOUR = "one colour: varies no more than chance makes it";
