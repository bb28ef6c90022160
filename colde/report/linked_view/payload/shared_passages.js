// The passages that both texts share, as the lists and the texts show them.

/** @import {Change, Part, SharedPassage, StandardText} from "../types" */

/** What standard sentences and boilerplate count as, where they are counted apart. */
export const STANDARD = "standard";
const SLACK = 2; // characters, such as a full stop, by which a run of words is shorter than its sentence
const FIELDS = 5; // of a part: number of its kind, start and end in a, start and end in b
const SAME_MEANING = ["identical", "edited", "paraphrased", "translated"];
const WORD_FOR_WORD = ["identical", "edited"];

/**
 * The passages of a payload, with their parts; null where they are not known.
 * @param {{passages: any[] | null, kinds: string[]}} payload
 * @returns {SharedPassage[] | null}
 */
export function decodePassages({ passages, kinds }) {
  const part = (/** @type {number[]} */ [kind, a0, a1, b0, b1]) => ({
    kind: kinds[kind],
    a: { start: a0, end: a1 },
    b: { start: b0, end: b1 },
  });
  return (
    passages?.map((passage) => ({
      ...passage,
      parts: Array.from({ length: passage.parts.length / FIELDS }, (_, k) =>
        part(passage.parts.slice(FIELDS * k, FIELDS * (k + 1))),
      ),
    })) ?? null
  );
}

/**
 * What the words of a passage, a part or a change count as.
 * @param {{kind: string, standard?: boolean}} item
 * @param {StandardText} standard how standard text is counted
 */
export function labelOf(item, standard) {
  return item.standard && standard !== "with" ? STANDARD : item.kind;
}

/**
 * Whether the two sides say the same.
 * @param {{kind: string}} item
 */
export function saysTheSame({ kind }) {
  return SAME_MEANING.includes(kind);
}

/**
 * Whether the two sides have the same words, or nearly so.
 * @param {{kind: string}} item
 */
export function isWordForWord({ kind }) {
  return WORD_FOR_WORD.includes(kind);
}

/**
 * The parts of a passage to be read one by one, in the order of a: without those that lie in another one word for word.
 * @param {SharedPassage} passage
 */
export function partsToRead({ parts }) {
  const holds = (/** @type {Part} */ whole, /** @type {Part} */ part) =>
    whole.a.end + SLACK >= part.a.end && whole.b.start <= part.b.start && whole.b.end + SLACK >= part.b.end;
  /** @type {Part[]} */
  let open = []; // word for word, and not yet over in a
  return parts
    .toSorted((x, y) => x.a.start - y.a.start || y.a.end - x.a.end || y.b.end - y.b.start - (x.b.end - x.b.start))
    .filter((part) => {
      open = open.filter((whole) => whole.a.end > part.a.start);
      if (open.some((whole) => holds(whole, part))) return false;
      if (isWordForWord(part)) open.push(part);
      return true;
    });
}
