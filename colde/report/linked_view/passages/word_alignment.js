// Which words of two passages match each other: found by the page, shown under the pointer.

import { formatNumber } from "../payload/similarity_map.js";

/** @import {SharedPassage, Span, WordCellsData} from "../types" */

/** @typedef {{a: Span, b: Span, weight?: number, adds?: number}} Words a word of each text; how near they are, or what they add */

/** @typedef {{a: Span, b: Span, adds: number}} WordPair a word of each text, and what the two add to the score */

const MOST_LISTED = 8;
const MOST_WORD_PAIRS = 6;
const STRONG_PAIR_SHARE = 0.1; // share of the strongest pair of words from which another one is marked in the texts

/**
 * The words that match each other in two passages, of the first shared passage that holds a part of both.
 * @param {SharedPassage[] | null | undefined} passages
 * @param {Span} a
 * @param {Span} b
 * @returns {Words[]}
 */
export function wordAlignment(passages, a, b) {
  const meets = (/** @type {{start: number, end: number}} */ { start, end }, /** @type {Span} */ span) =>
    start < span[1] && span[0] < end;
  for (const passage of passages || []) {
    if (!passage.aligned.length || !meets(passage.a, a) || !meets(passage.b, b)) continue;
    /** @type {Words[]} */
    const all = passage.aligned.map(([a0, a1, b0, b1, weight]) => ({ a: [a0, a1], b: [b0, b1], weight }));
    const found = all.filter((w) => a[0] <= w.a[0] && w.a[1] <= a[1] && b[0] <= w.b[0] && w.b[1] <= b[1]);
    if (found.length) return found;
  }
  return [];
}

/** @typedef {{name: string, adds: number | undefined, pairs: Words[]}} WordGroup two words, and all places where they stand */

/**
 * Each two words once, wherever and however often they stand: in the order of the first, with what all of them add.
 * @param {Words[]} words
 * @param {(side: "a" | "b", span: Span) => string} text
 * @returns {WordGroup[]}
 */
export function groupedWords(words, text) {
  /** @type {Map<string, WordGroup>} */
  const groups = new Map();
  for (const pair of words) {
    const name = `${text("a", pair.a)} – ${text("b", pair.b)}`;
    const group = groups.get(name.toLowerCase()) ?? { name, adds: undefined, pairs: [] };
    group.pairs.push(pair);
    if (pair.adds !== undefined) group.adds = (group.adds ?? 0) + pair.adds;
    groups.set(name.toLowerCase(), group);
  }
  return [...groups.values()];
}

/**
 * “prism – prism, bends – refracts”: the nearest first; with what they add to the score where that is known.
 * @param {Words[]} words
 * @param {(side: "a" | "b", span: Span) => string} text
 */
export function wordAlignmentText(words, text) {
  const groups = groupedWords(words, text);
  const most = Math.max(0, ...groups.map((w) => Math.abs(w.adds ?? 0)));
  const named = groups
    .slice(0, MOST_WORD_PAIRS)
    .map(({ name, adds }) => (adds === undefined ? name : `${name} ${signedAmountText(adds, most)}`));
  return named.join(", ") + (groups.length > MOST_WORD_PAIRS ? " …" : "");
}

/**
 * What stands in a payload, as pairs of words: the strongest first.
 * @param {WordCellsData} found
 * @returns {WordPair[]}
 */
export function wordPairs(found) {
  return found.pairs.map(([a0, a1, b0, b1, adds]) => ({ a: [a0, a1], b: [b0, b1], adds }));
}

/**
 * Those that are marked in the texts: they add, and not next to nothing beside the strongest.
 * @param {WordPair[]} pairs
 */
export function strongestPairs(pairs) {
  const most = Math.max(0, ...pairs.map((p) => p.adds));
  return pairs.filter((p) => p.adds > 0 && p.adds >= STRONG_PAIR_SHARE * most).slice(0, MOST_LISTED);
}

/**
 * Those that are listed, each two words once: what they add or take is not next to nothing beside the strongest.
 * @param {WordPair[]} pairs
 * @param {(side: "a" | "b", span: Span) => string} text
 */
export function listedPairs(pairs, text) {
  const groups = groupedWords(pairs, text).map((group) => ({ ...group, adds: group.adds ?? 0 }));
  groups.sort((one, other) => Math.abs(other.adds) - Math.abs(one.adds));
  const most = Math.abs(groups[0]?.adds ?? 0);
  return groups.filter(({ adds }) => Math.abs(adds) >= STRONG_PAIR_SHARE * most).slice(0, MOST_LISTED);
}

/**
 * +0.0015, in digits that tell the words of one sentence apart.
 * @param {number} value
 * @param {number} most the greatest of them
 */
export function signedAmountText(value, most) {
  return formatNumber(value, Math.min(7, Math.max(3, 2 + Math.ceil(-Math.log10(Math.abs(most) || 1)))), true);
}

const SMALL = 0.0005; // of a score: parts below it are not told apart

/** What a part adds to a score, or takes from it.
 * @param {number} part
 */
export function contributionText(part) {
  return Math.abs(part) < SMALL ? "less than 0.001" : formatNumber(part, 3, true);
}

/** How the parts of a sum are said: as shares of it, or as amounts where parts greater than the sum cancel each other.
 * @param {number[]} parts
 * @param {number} sum
 * @returns {(part: number) => string}
 */
export function contributionTexts(parts, sum) {
  const most = Math.max(0, ...parts.map(Math.abs));
  if (Math.abs(sum) < SMALL || most > Math.abs(sum)) return (part) => signedAmountText(part, most);
  return (part) => {
    const share = Math.round((100 * part) / sum);
    return `${share < 0 ? "−" : ""}${Math.abs(share)} %`;
  };
}
