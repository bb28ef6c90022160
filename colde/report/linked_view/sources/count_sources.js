// Words of each source and of each passage under some exclusions, as colde/index/sources/counted_sources.py counts them.

const SAME_PASSAGE = 0.5; // share of the words of a passage from which another source has it, too

/**
 * @typedef {{start: number, end: number, words: number, quoted: boolean, cited: boolean, passages: number[]}} Stretch
 * @typedef {{source: number, a: [number, number], b: [number, number], kind: string, standard: boolean}} Passage
 * @typedef {{id: string, name: string, title: string, version: boolean}} Source
 * @typedef {{leave_out: string[], fewest_words: number, documents: string[]}} Exclusions
 * @typedef {{stretches: Stretch[], passages: Passage[], sources: Source[]}} Found
 */

/**
 * The ranking and the total.
 * @param {Found} found
 * @param {Exclusions} exclusions
 * @param {boolean[]} [rejected] by passage: whether the reader has rejected it
 */
export function countSources({ stretches, passages, sources }, exclusions, rejected = passages.map(() => false)) {
  const leftOut = new Set(exclusions.leave_out);
  const excluded = sources.map(
    ({ id, version }) => exclusions.documents.includes(id) || (version && leftOut.has("versions")),
  );
  const counted = stretches.filter(
    (s) => !(s.quoted && leftOut.has("quotes")) && !(s.cited && leftOut.has("references")),
  );
  const sizes = passages.map(() => 0);
  for (const stretch of counted) for (const p of stretch.passages) sizes[p] += stretch.words;
  const live = passages.map(
    ({ source, standard }, p) =>
      !rejected[p] &&
      sizes[p] >= Math.max(1, exclusions.fewest_words) &&
      !(standard && leftOut.has("standard")) &&
      !excluded[source],
  );
  const held = counted.map((s) => ({ ...s, passages: s.passages.filter((p) => live[p]) }));
  const totals = sources.map(() => 0);
  for (const stretch of held) for (const k of owners(stretch, passages)) totals[k] += stretch.words;
  const longest = sources.map((_, k) => Math.max(0, ...sizes.filter((size, p) => live[p] && passages[p].source === k)));
  const order = [...sources.keys()]
    .filter((k) => totals[k] > 0)
    .sort((x, y) => totals[y] - totals[x] || longest[y] - longest[x] || (sources[x].name < sources[y].name ? -1 : 1));
  const numbers = sources.map((_, k) => order.indexOf(k) + 1);
  const common = passages.map(() => new Map()); // words of each passage that each source has
  const firstWords = sources.map(() => 0);
  for (const stretch of held) {
    const here = owners(stretch, passages).sort((x, y) => numbers[x] - numbers[y]);
    if (here.length) firstWords[here[0]] += stretch.words;
    for (const p of stretch.passages) {
      for (const k of here) common[p].set(k, (common[p].get(k) ?? 0) + stretch.words);
    }
  }
  const words = sum(counted);
  return {
    words: Math.round(words),
    shared: Math.round(sum(held.filter((s) => s.passages.length))),
    share: words ? sum(held.filter((s) => s.passages.length)) / words : 0,
    numbers,
    live,
    rejected,
    sizes,
    also: passages.map((passage, p) =>
      order.filter((k) => k !== passage.source && (common[p].get(k) ?? 0) >= SAME_PASSAGE * sizes[p]),
    ),
    ranking: order.map((k) => ({
      source: k,
      number: numbers[k],
      words: Math.round(totals[k]),
      share: totals[k] / words,
      firstWords: Math.round(firstWords[k]),
      longest: Math.round(longest[k]),
      passages: [...passages.keys()]
        .filter((p) => live[p] && passages[p].source === k)
        .sort((x, y) => passages[x].a[0] - passages[y].a[0]),
    })),
    marks: markedSpans(held, passages, numbers),
  };
}

/** The spans to mark, each with the passage of its best source, in reading order. */
function markedSpans(held, passages, numbers) {
  /** @type {{start: number, end: number, passage: number}[]} */
  const spans = [];
  let joins = false; // whether the stretch before belongs to the last span
  for (const [i, { start, passages: inside }] of held.entries()) {
    const [best] = [...inside].sort((x, y) => numbers[passages[x].source] - numbers[passages[y].source]);
    const last = spans.at(-1);
    // a stretch ends with its last word, a passage with the sign behind it
    const end = Math.min(passages[best]?.a[1] ?? 0, held[i + 1]?.start ?? Infinity);
    if (last && joins && last.passage === best) last.end = end;
    else if (best !== undefined) spans.push({ start, end, passage: best });
    joins = best !== undefined;
  }
  return spans;
}

const owners = (stretch, passages) => [...new Set(stretch.passages.map((p) => passages[p].source))];
const sum = (stretches) => stretches.reduce((total, { words }) => total + words, 0);
