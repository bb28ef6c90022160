// What the reader has left out, as stretches of both texts, and what is left of the score without them by the parts.

/**
 * @import {Section, Side, Span} from "../types"
 * @import {SimilarityMap} from "../payload/similarity_map.js"
 */

/** @typedef {Record<Side, Span[]>} LeftOut stretches in order, none touching the next */
/** @typedef {Record<Side, Pick<Section, "start" | "end" | "role">[]>} Sections of both texts */

const ENTRY = /^([ab])(?::(\d{1,4})(?:-(\d{1,4}))?|@(\d{1,9})-(\d{1,9}))$/;

/** @returns {LeftOut} */
export const noExclusions = () => ({ a: [], b: [] });

/**
 * “a:3,b:7-9,a@120-245” as stretches; what does not read so is passed over.
 * @param {string | null | undefined} said
 * @param {Sections} sections
 */
export function parseExclusions(said, sections) {
  let left = noExclusions();
  for (const entry of (said || "").split(",")) {
    const read = ENTRY.exec(entry);
    if (!read) continue;
    const side = /** @type {Side} */ (read[1]);
    if (read[4]) {
      if (Number(read[4]) < Number(read[5])) left = excludeSpan(left, side, [Number(read[4]), Number(read[5])]);
      continue;
    }
    for (let k = Number(read[2]); k <= Number(read[3] ?? read[2]); k += 1) {
      const section = sections[side][k];
      if (section) left = excludeSpan(left, side, [section.start, section.end]);
    }
  }
  return left;
}

/**
 * The opposite: whole sections by their numbers, neighbours as a range, everything else by its characters.
 * @param {LeftOut} left
 * @param {Sections} sections
 */
export function formatExclusions(left, sections) {
  const parts = [];
  for (const side of /** @type {const} */ (["a", "b"])) {
    const whole = sections[side].map(
      ({ role, start, end }) => !role && start < end && excludedShare(left[side], [start, end]) === 1,
    );
    /** @type {Span[]} */
    let rest = left[side];
    for (let i = 0; i < whole.length; i += 1) {
      if (!whole[i]) continue;
      const first = i;
      while (whole[i + 1]) i += 1;
      parts.push(first === i ? `${side}:${first}` : `${side}:${first}-${i}`);
    }
    for (const [i, { start, end }] of sections[side].entries()) {
      if (whole[i] || sections[side][i].role) rest = subtractSpan(rest, [start, end]);
    }
    for (const [start, end] of rest) {
      if (sections[side].some((s) => !s.role && s.start < end && start < s.end)) parts.push(`${side}@${start}-${end}`);
    }
  }
  return parts.join(",");
}

/**
 * @param {LeftOut} left
 * @param {Side} side
 * @param {Span} span
 * @returns {LeftOut}
 */
export function excludeSpan(left, side, span) {
  const apart = left[side].filter(([start, end]) => end < span[0] || span[1] < start);
  const joined = left[side].filter((s) => !apart.includes(s));
  /** @type {Span} */
  const grown = [Math.min(span[0], ...joined.map((s) => s[0])), Math.max(span[1], ...joined.map((s) => s[1]))];
  return { ...left, [side]: [...apart, grown].sort((x, y) => x[0] - y[0]) };
}

/**
 * @param {LeftOut} left
 * @param {Side} side
 * @param {Span} span
 * @returns {LeftOut}
 */
export function includeSpan(left, side, span) {
  return { ...left, [side]: subtractSpan(left[side], span) };
}

/**
 * All of a text but one passage.
 * @param {LeftOut} left
 * @param {Side} side
 * @param {Span} span
 * @param {number} length of the text
 * @returns {LeftOut}
 */
export function keepOnly(left, side, span, length) {
  return { ...left, [side]: subtractSpan([[0, length]], span) };
}

/**
 * @param {Span[]} spans
 * @param {Span} span
 * @returns {Span[]}
 */
function subtractSpan(spans, [from, to]) {
  return spans.flatMap(([start, end]) =>
    /** @type {Span[]} */ ([
      [start, Math.min(end, from)],
      [Math.max(start, to), end],
    ]).filter(([x, y]) => x < y),
  );
}

/**
 * Which share of a passage is left out.
 * @param {Span[]} spans
 * @param {Span} passage
 */
export function excludedShare(spans, [from, to]) {
  let gone = 0;
  for (const [start, end] of spans) gone += Math.max(0, Math.min(end, to) - Math.max(start, from));
  return gone / Math.max(1, to - from);
}

/**
 * The sum of a map's cells without what is left out; of a passage that is left out in part, that much of its cells.
 * @param {SimilarityMap} map
 * @param {LeftOut} left
 */
export function remainingSum(map, left) {
  const [rows, columns] = [map.rows, map.columns].map((passages, axis) =>
    passages.all().map((i) => 1 - excludedShare(left[axis ? "b" : "a"], passages.span(i))),
  );
  let sum = 0;
  for (const [row, share] of rows.entries()) {
    if (!share) continue;
    for (const [column, other] of columns.entries()) if (other) sum += share * other * (map.at(row, column) || 0);
  }
  return sum;
}

/**
 * The first of some maps, from coarse to fine, that cuts no passage; else the finest. Maps that come in tiles are left out
 * where there is another: the sum of one needs all of them.
 * @param {SimilarityMap[]} maps
 * @param {LeftOut} left
 */
export function finestMatchingMap(maps, left) {
  const whole = (/** @type {SimilarityMap} */ map) =>
    [map.rows, map.columns].every((passages, axis) =>
      passages.all().every((i) => [0, 1].includes(excludedShare(left[axis ? "b" : "a"], passages.span(i)))),
    );
  const held = maps.filter((map) => !map.tiles);
  const some = held.length ? held : maps;
  return some.find(whole) ?? some.at(-1) ?? null;
}
