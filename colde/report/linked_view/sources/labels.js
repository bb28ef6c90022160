// Texts of the view of sources.

const number = (/** @type {number} */ value) => value.toLocaleString("en");
const counted = (/** @type {number} */ count, /** @type {string} */ noun) =>
  `${number(count)} ${noun}${count === 1 ? "" : "s"}`;
/** One decimal below 10 %, as the other reports have it. */
const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(share >= 0.0995 ? 0 : 1)} %`;
const alsoIn = (/** @type {number} */ others) => (others ? `, also in ${counted(others, "other")}` : "");

export const sources = {
  document: "Document with its shared passages",
  ranking: "Ranked sources",
  none: "No document that counts shares a passage with it.",
  leaveOut: "Leave out",
  exclusions: {
    versions: "Versions of the document",
    standard: "Standard sentences",
    quotes: "Quotations",
    references: "References",
  },
  fewest: "Passages below (words)",
  notCounted: "Not counted",
  /** @type {(count: number) => string} */
  rejected: (count) => `${counted(count, "passage")}, rejected`,
  /** @type {(file: string) => string} */
  version: (file) => `${file}: the same document, or a version of it`,
  back: "Back to all sources",
  compare: "Compare both documents",
  alsoIn: "Also in",
  accept: "Accept",
  reject: "Reject",
  note: "Note",
  decision: "Decision",
  decisions: { accepted: "accepted", rejected: "rejected" },
  /** @type {(share: number, words: number, count: number) => string} */
  total: (share, words, count) =>
    `${percent(share)} of ${counted(words, "word")} are shared with ${counted(count, "source")}; every word counts once.`,
  /** @type {(share: number, words: number, firstWords: number, longest: number, passages: number) => string} */
  facts: (share, words, firstWords, longest, passages) => {
    const found = `${percent(share)}, ${counted(words, "word")} (${number(firstWords)} of no source above) in ${counted(passages, "passage")}`;
    return passages > 1 ? `${found}, the longest of ${counted(longest, "word")}` : found;
  },
  /** @type {(name: string) => string} */
  counts: (name) => `Count ${name}`,
  /** @type {(words: number, kind: string, standard: boolean, others: number) => string} */
  passage: (words, kind, standard, others) =>
    `${counted(words, "word")}, ${kind}${standard ? ", standard text" : ""}${alsoIn(others)}`,
};
