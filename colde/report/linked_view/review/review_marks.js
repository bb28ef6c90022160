// What a reviewer makes of the matches and changes: accepted or rejected, with notes; and which are listed.

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {Change, Match, Marked, MatchFilter, Side, Span} from "../types"
 */

const UNSPACED = /[\u0e00-\u0eff\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff]/g; // Thai, Lao, Khmer, Japanese, Chinese
export const DECISION_SIGNS = { accepted: "✓", rejected: "✕" };
export const WORD_FOR_WORD_KINDS = ["verbatim", "edited"]; // kinds of match that stand in both texts word for word, or nearly so

const MOST_UNDONE = 50; // steps that can be undone, a reload between them or not
const SIDES = /** @type {const} */ (["a", "b"]);

/** @type {MatchFilter} */
export const NO_FILTER = { kinds: [], section: "", words: 0, text: "", decision: "", quotations: true };

/** Decisions and notes by match and change; `list()` is what is saved. */
export class ReviewMarks {
  constructor() {
    /** @type {Map<string, Marked>} */
    this.marks = new Map();
    /** @type {{before: Marked[], typing: boolean}[]} */
    this.history = []; // what can be undone, the last one at the end
    this.isKept = true; // false if this browser could not keep the last decision or note
  }

  /**
   * @param {Marked[]} marks as `list` gave them; they take the place of what is here
   * @param {Marked[][]} [steps] as `undoable` gave them, or none to go on with those that are here
   */
  load(marks, steps) {
    this.marks = new Map(marks.map((mark) => [keyOf(mark), mark]));
    if (steps) this.history = steps.map((before) => ({ before, typing: false }));
  }

  /** @param {Marked[]} marks those of a file, which join what is here; one step to undo */
  merge(marks) {
    const before = marks.map((mark) => this.set(mark));
    if (before.length) this.history.push({ before, typing: false });
  }

  /**
   * @param {Match | Change} match
   * @returns {{decision: Marked["decision"], note: string}}
   */
  of(match) {
    return this.marks.get(itemKey(match)) || { decision: "", note: "" };
  }

  /**
   * Accept or reject; the same once more takes it back.
   * @param {Match | Change} match
   * @param {"accepted" | "rejected"} decision
   */
  decide(match, decision) {
    const now = this.of(match);
    this.put(match, now.decision === decision ? "" : decision, now.note);
  }

  /**
   * @param {Match | Change} match
   * @param {string} note
   */
  write(match, note) {
    this.put(match, this.of(match).decision, note, true);
  }

  /** The note is written: another one is undone by itself. */
  noted() {
    for (const step of this.history.slice(-1)) step.typing = false;
  }

  /**
   * @param {Match | Change} match
   * @param {Marked["decision"]} decision
   * @param {string} note
   * @param {boolean} typing whether a note is being written, which is one step to undo
   */
  put(match, decision, note, typing = false) {
    const before = this.set({ ...markOf(match), decision, note });
    const last = this.history.at(-1);
    const goesOn = typing && last?.typing && keyOf(last.before[0]) === keyOf(before);
    if (!goesOn) this.history.push({ before: [before], typing });
  }

  /**
   * @param {Marked} mark one without a decision and a note takes back what was there
   * @returns {Marked} what was there before
   */
  set(mark) {
    const key = keyOf(mark);
    const before = this.marks.get(key) ?? { ...mark, decision: "", note: "" };
    if (mark.decision || mark.note.trim()) this.marks.set(key, mark);
    else this.marks.delete(key);
    return before;
  }

  get canUndo() {
    return this.history.length > 0;
  }

  /** Take the last decision or note back, or the file that was opened last. */
  undo() {
    for (const mark of this.history.pop()?.before ?? []) this.set(mark);
  }

  /** @returns {Marked[][]} what was there before each of the last steps */
  undoable() {
    return this.history.slice(-MOST_UNDONE).map((step) => step.before);
  }

  /** @returns {Marked[]} */
  list() {
    return [...this.marks.values()];
  }
}

/**
 * Whether two lists hold the same marks, in any order.
 * @param {Marked[]} marks
 * @param {Marked[]} others
 */
export function sameMarks(marks, others) {
  const values = (/** @type {Marked[]} */ list) =>
    list.map((m) => JSON.stringify([keyOf(m), m.decision, m.note])).sort();
  return JSON.stringify(values(marks)) === JSON.stringify(values(others));
}

/**
 * Whether this is a change, which has no weight.
 * @param {Match | Change} item
 */
export function isChange(item) {
  return !("weight" in item);
}

/**
 * The passages of a match or a change as a mark has them.
 * @param {Match | Change} item
 */
function markOf(item) {
  const [a, b] = [item.a, item.b].map(
    (passage) => /** @type {Span | null} */ (passage && [passage.start, passage.end]),
  );
  return isChange(item) ? { a, b, change: true } : { a, b };
}

/**
 * Equal for the same passages, wherever a list has them.
 * @param {Match | Change} item
 */
export function itemKey(item) {
  return keyOf(markOf(item));
}

/** @param {{a: Span | null, b: Span | null, change?: boolean}} mark */
function keyOf({ a, b, change }) {
  return JSON.stringify([a, b, Boolean(change)]);
}

/**
 * Indices of the matches that a filter lets through.
 * @param {(Match | Change)[]} matches
 * @param {MatchFilter} filter
 * @param {Record<Side, DocumentText>} texts
 * @param {ReviewMarks} review
 * @param {(side: Side, start: number, end: number) => boolean} isQuoted
 */
export function filterMatches(matches, filter, texts, review, isQuoted) {
  const wanted = filter.text.trim().toLowerCase();
  const found = [];
  for (const [i, match] of matches.entries()) {
    const there = SIDES.flatMap((side) => (match[side] ? [{ text: texts[side], passage: match[side] }] : []));
    const passages = there.map(({ text, passage }) => text.slice(passage.start, passage.end));
    if (filter.kinds.length && !filter.kinds.includes(match.kind)) continue;
    if (filter.section && !sectionsOf(match, texts).includes(filter.section)) continue;
    if (filter.words && Math.min(...passages.map(wordCount)) < filter.words) continue;
    if (wanted && !passages.some((passage) => passage.toLowerCase().includes(wanted))) continue;
    if (filter.decision && (review.of(match).decision || "open") !== filter.decision) continue;
    const inQuotation = ({ text, passage }) => isQuoted(text.side, passage.start, passage.end);
    if (!filter.quotations && there.some(inQuotation)) continue;
    found.push(i);
  }
  return found;
}

/**
 * “A: Results” and “B: Methods” of a match.
 * @param {Match | Change} match
 * @param {Record<Side, DocumentText>} texts
 */
export function sectionsOf(match, texts) {
  return SIDES.flatMap((side) => {
    const passage = match[side];
    return passage ? [`${side.toUpperCase()}: ${texts[side].heading(passage.start)}`] : [];
  });
}

/**
 * Words as `count_words` counts them: what stands between blanks, and half a word for a character of a script without spaces.
 * @param {string} passage
 */
export function wordCount(passage) {
  const betweenBlanks = passage.split(/\s+/).filter(Boolean);
  const alone = betweenBlanks.filter(
    (word) => word.match(UNSPACED) && !/[\p{L}\p{M}\p{N}_]/u.test(word.replace(UNSPACED, "")),
  );
  return Math.floor(betweenBlanks.length - alone.length + (passage.match(UNSPACED)?.length ?? 0) / 2);
}
