// What a reviewer makes of passages, changes and rows of the claim chart: accepted or rejected, with notes; and which are listed.

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {ChartRow, Change, ItemFilter, Marked, SharedPassage, Side, Span} from "../types"
 * @typedef {SharedPassage | Change | Pick<ChartRow, "a" | "counterparts" | "added">} Reviewed
 */

export const DECISION_SIGNS = { accepted: "✓", rejected: "✕" };

export const LONGEST_NOTE = 4000; // characters, as in colde/report/content/review_export.py
/** What a mark on a row of the claim chart says of it: it is in the chart, or the reviewer has added it. */
const LISTED = "listed";
const ADDED = "added";
const MOST_UNDONE = 50; // steps that can be undone, a reload between them or not
const SIDES = /** @type {const} */ (["a", "b"]);

/** @type {ItemFilter} */
export const NO_FILTER = {
  kinds: [],
  section: "",
  words: 0,
  text: "",
  decision: "",
  quotations: true,
  standard: "apart",
  form: false,
};
/** Kind of the changes that are folded at the end of the list: punctuation, capitals, layout of numbers. */
export const FORM = "form";

/** Decisions and notes by passage and change; `list()` is what is saved. */
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
   * @param {Reviewed} item
   * @returns {{decision: Marked["decision"], note: string}}
   */
  of(item) {
    return this.marks.get(itemKey(item)) || { decision: "", note: "" };
  }

  /**
   * Accept or reject; the same once more takes it back.
   * @param {Reviewed} item
   * @param {"accepted" | "rejected"} decision
   */
  decide(item, decision) {
    const now = this.of(item);
    this.put(item, now.decision === decision ? "" : decision, now.note);
  }

  /**
   * @param {Reviewed} item
   * @param {string} note
   */
  write(item, note) {
    this.put(item, this.of(item).decision, note, true);
  }

  /**
   * Make a passage of A a row of the claim chart.
   * @param {Span} span
   */
  addRow([start, end]) {
    this.put({ a: { start, end }, counterparts: [], added: true }, "", "");
  }

  /**
   * Take back a row that was added, with its decision and note.
   * @param {ChartRow} row
   */
  removeRow(row) {
    this.put({ ...row, added: false }, "", "");
  }

  /** The note is written: another one is undone by itself. */
  noted() {
    for (const step of this.history.slice(-1)) step.typing = false;
  }

  /**
   * @param {Reviewed} item
   * @param {Marked["decision"]} decision
   * @param {string} note
   * @param {boolean} typing whether a note is being written, which is one step to undo
   */
  put(item, decision, note, typing = false) {
    const before = this.set({ ...markOf(item), decision, note });
    const last = this.history.at(-1);
    const goesOn = typing && last?.typing && keyOf(last.before[0]) === keyOf(before);
    if (!goesOn) this.history.push({ before: [before], typing });
  }

  /**
   * @param {Marked} mark one without a decision and a note takes back what was there, if it adds no row to the chart
   * @returns {Marked} what was there before
   */
  set(mark) {
    const key = keyOf(mark);
    const none = { ...mark, decision: /** @type {const} */ (""), note: "" };
    const before = this.marks.get(key) ?? (mark.row ? { ...none, row: LISTED } : none);
    if (mark.decision || mark.note.trim() || mark.row === ADDED) this.marks.set(key, mark);
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

  /** Keys of what `undo` would take back. */
  lastStep() {
    return (this.history.at(-1)?.before ?? []).map(keyOf);
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
    list.map((m) => JSON.stringify([keyOf(m), m.decision, m.note, m.row ?? ""])).sort();
  return JSON.stringify(values(marks)) === JSON.stringify(values(others));
}

/**
 * Whether this is a change, which has no certainty.
 * @param {Reviewed} item
 */
export function isChange(item) {
  return !("certainty" in item);
}

/**
 * Where a passage, a change or a row of the claim chart stands, as a mark has it; of a row, its passage of A.
 * @param {Reviewed} item
 * @returns {Omit<Marked, "decision" | "note">}
 */
function markOf(item) {
  if ("counterparts" in item) return { a: [item.a.start, item.a.end], b: null, row: item.added ? ADDED : LISTED };
  const [a, b] = [item.a, item.b].map(
    (passage) => /** @type {Span | null} */ (passage && [passage.start, passage.end]),
  );
  return isChange(item) ? { a, b, change: true } : { a, b };
}

/**
 * Equal for the same places in both texts, wherever a list has them.
 * @param {Reviewed} item
 */
export function itemKey(item) {
  return keyOf(markOf(item));
}

/** @param {Omit<Marked, "decision" | "note">} mark */
export function keyOf({ a, b, change, row }) {
  return JSON.stringify([a, b, Boolean(change), Boolean(row)]);
}

/**
 * Whether a mark is on a shared passage.
 * @param {Marked} mark
 */
export function isOnPassage({ change, row }) {
  return !change && !row;
}

/**
 * The first mark on a shared passage that overlaps a row of the claim chart and one of its counterparts, as
 * colde/comparison/claim_chart.py takes it.
 * @param {Marked[]} marks
 * @param {ChartRow} row
 * @returns {Pick<Marked, "decision" | "note">}
 */
export function passageMark(marks, { a, counterparts }) {
  const overlaps = (/** @type {Span | null} */ span, /** @type {number} */ start, /** @type {number} */ end) =>
    Boolean(span && span[0] < end && start < span[1]);
  const held = marks.filter((mark) => isOnPassage(mark) && overlaps(mark.a, a.start, a.end));
  const found = counterparts.flatMap(({ b }) => held.filter((mark) => overlaps(mark.b, ...b)));
  return found[0] ?? { decision: "", note: "" };
}

/**
 * Indices of the passages or changes that a filter lets through.
 * @param {(SharedPassage | Change)[]} items
 * @param {ItemFilter} filter
 * @param {Record<Side, DocumentText>} texts
 * @param {ReviewMarks} review
 * @param {{keeps(i: number): boolean, label(item: SharedPassage | Change): string}} on whether a passage counts, and as what
 */
export function filterItems(items, filter, texts, review, on) {
  const wanted = filter.text.trim().toLowerCase();
  const folded = !filter.form && foldedChanges(items, filter) > 0;
  return [...items.keys()].filter((i) => {
    const item = items[i];
    if (!on.keeps(i)) return false;
    if (filter.kinds.length ? !filter.kinds.includes(on.label(item)) : folded && item.kind === FORM) return false;
    if (filter.section && !sectionsOf(item, texts).includes(filter.section)) return false;
    if (filter.decision && (review.of(item).decision || "open") !== filter.decision) return false;
    const holds = (/** @type {Side} */ side) => {
      const place = item[side];
      return place && texts[side].slice(place.start, place.end).toLowerCase().includes(wanted);
    };
    return !wanted || SIDES.some(holds);
  });
}

/**
 * Differences of form that are folded behind a button; 0 where no others are listed, or a kind is chosen.
 * @param {(SharedPassage | Change)[]} items
 * @param {ItemFilter} filter
 */
export function foldedChanges(items, filter) {
  const count = items.filter((item) => isChange(item) && item.kind === FORM).length;
  return filter.kinds.length || count === items.length ? 0 : count;
}

/**
 * “A: Results” and “B: Methods” of a passage or a change.
 * @param {SharedPassage | Change} item
 * @param {Record<Side, DocumentText>} texts
 */
export function sectionsOf(item, texts) {
  return SIDES.flatMap((side) => {
    const place = item[side];
    return place ? [`${side.toUpperCase()}: ${texts[side].heading(place.start)}`] : [];
  });
}
