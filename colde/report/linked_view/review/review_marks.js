// What a reviewer makes of the matches: accepted or rejected, with notes; which are listed, and what they cover.

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {Match, Marked, MatchFilter, Side, Span} from "../types"
 */

export const WORD_FOR_WORD_KINDS = ["verbatim", "edited"]; // kinds of match that stand in both texts word for word, or nearly so

/** @type {MatchFilter} */
export const NO_FILTER = { kind: "", section: "", words: 0, text: "", decision: "", quotations: true };

/** Decisions and notes by match; `list()` is what is saved. */
export class ReviewMarks {
  constructor() {
    /** @type {Map<string, Marked>} */
    this.marks = new Map();
  }

  /** @param {Marked[]} marks as `list` gave them; they take the place of what is here */
  load(marks) {
    this.marks = new Map(
      marks.map((mark) => [
        keyOf({ a: { start: mark.a[0], end: mark.a[1] }, b: { start: mark.b[0], end: mark.b[1] } }),
        mark,
      ]),
    );
  }

  /**
   * @param {Match} match
   * @returns {{decision: Marked["decision"], note: string}}
   */
  of(match) {
    return this.marks.get(keyOf(match)) || { decision: "", note: "" };
  }

  /**
   * Accept or reject; the same once more takes it back.
   * @param {Match} match
   * @param {"accepted" | "rejected"} decision
   */
  decide(match, decision) {
    const now = this.of(match);
    this.put(match, now.decision === decision ? "" : decision, now.note);
  }

  /**
   * @param {Match} match
   * @param {string} note
   */
  write(match, note) {
    this.put(match, this.of(match).decision, note);
  }

  /**
   * @param {Match} match
   * @param {Marked["decision"]} decision
   * @param {string} note
   */
  put(match, decision, note) {
    const key = keyOf(match);
    if (!decision && !note.trim()) this.marks.delete(key);
    else this.marks.set(key, { a: [match.a.start, match.a.end], b: [match.b.start, match.b.end], decision, note });
  }

  /** @returns {Marked[]} */
  list() {
    return [...this.marks.values()];
  }
}

/** @param {{a: {start: number, end: number}, b: {start: number, end: number}}} match */
function keyOf({ a, b }) {
  return `${a.start} ${a.end} ${b.start} ${b.end}`;
}

/**
 * Indices of the matches that a filter lets through.
 * @param {Match[]} matches
 * @param {MatchFilter} filter
 * @param {Record<Side, DocumentText>} texts
 * @param {ReviewMarks} review
 */
export function filterMatches(matches, filter, texts, review) {
  const wanted = filter.text.trim().toLowerCase();
  const found = [];
  for (const [i, match] of matches.entries()) {
    const passages = /** @type {const} */ (["a", "b"]).map((side) =>
      texts[side].slice(match[side].start, match[side].end),
    );
    if (filter.kind && match.kind !== filter.kind) continue;
    if (filter.section && !sectionsOf(match, texts).includes(filter.section)) continue;
    if (filter.words && Math.min(...passages.map(wordCount)) < filter.words) continue;
    if (wanted && !passages.some((passage) => passage.toLowerCase().includes(wanted))) continue;
    if (filter.decision && (review.of(match).decision || "open") !== filter.decision) continue;
    if (!filter.quotations && (quoted(texts.a, match.a) || quoted(texts.b, match.b))) continue;
    found.push(i);
  }
  return found;
}

/**
 * “A: Results” and “B: Methods” of a match.
 * @param {Match} match
 * @param {Record<Side, DocumentText>} texts
 */
export function sectionsOf(match, texts) {
  return /** @type {const} */ (["a", "b"]).map(
    (side) => `${side.toUpperCase()}: ${match[side].section || texts[side].heading(match[side].start)}`,
  );
}

/** @param {string} passage */
function wordCount(passage) {
  return passage.split(/\s+/).filter(Boolean).length;
}

/**
 * Whether a passage stands in quotation marks.
 * @param {DocumentText} text
 * @param {{start: number, end: number}} passage
 */
export function quoted(text, { start, end }) {
  const around = text.slice(Math.max(0, start - 1), start + 1);
  const after = text.slice(Math.max(start, end - 2), end + 2);
  return /["“„«»]/.test(around) && /["”“»«]/.test(after);
}
