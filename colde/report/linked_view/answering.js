// Which words of two passages answer each other: found by the page, shown under the pointer.

/** @import {Match, Span} from "./types" */

/** @typedef {{a: Span, b: Span, weight: number}} Words a word of each text */

const MOST_WORD_PAIRS = 6;

/**
 * The words that answer each other in two passages, of the first match that holds a part of both.
 * @param {Match[] | null | undefined} matches
 * @param {Span} a
 * @param {Span} b
 * @returns {Words[]}
 */
export function answeringWords(matches, a, b) {
  const meets = (/** @type {{start: number, end: number}} */ { start, end }, /** @type {Span} */ span) => start < span[1] && span[0] < end;
  for (const match of matches || []) {
    if (!match.words?.length || !meets(match.a, a) || !meets(match.b, b)) continue;
    /** @type {Words[]} */
    const all = match.words.map(([a0, a1, b0, b1, weight]) => ({ a: [a0, a1], b: [b0, b1], weight }));
    const found = all.filter((w) => a[0] <= w.a[0] && w.a[1] <= a[1] && b[0] <= w.b[0] && w.b[1] <= b[1]);
    if (found.length) return found;
  }
  return [];
}

/**
 * “prism – prism, bends – refracts”: the nearest first.
 * @param {Words[]} words
 * @param {(side: "a" | "b", span: Span) => string} text
 */
export function answeringSaid(words, text) {
  const named = words.slice(0, MOST_WORD_PAIRS).map((w) => `${text("a", w.a)} – ${text("b", w.b)}`);
  return named.join(", ") + (words.length > MOST_WORD_PAIRS ? " …" : "");
}
