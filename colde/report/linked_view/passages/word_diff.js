// Two passages word by word: which words stand in both, in the same order.

/** @typedef {{text: string, same: boolean}} Piece words that follow each other, with what stands between them */

const MOST_WORDS = 400; // of a passage; longer ones are not compared
// A number with its separators, a character of a script without spaces, or a word with apostrophes.
const WORD =
  /\p{N}+(?:[.,:/]\p{N}+)*|[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}]|[\p{L}\p{M}\p{N}_]+(?:['’]\p{L}+)*/gu;
const KEPT = 60; // characters of the same words that stay on each side of a difference

/**
 * Both passages in pieces; the longest common run of words in order is what is the same. Null for very long ones.
 * @param {string} a
 * @param {string} b
 * @returns {[Piece[], Piece[]] | null}
 */
export function wordDifference(a, b) {
  const [left, right] = [a, b].map((text) =>
    [...text.matchAll(WORD)].map((m) => ({ at: m.index, end: m.index + m[0].length, word: m[0].toLowerCase() })),
  );
  if (left.length > MOST_WORDS || right.length > MOST_WORDS) return null;
  const same = longestCommon(
    left.map((w) => w.word),
    right.map((w) => w.word),
  );
  return [diffParts(a, left, same[0]), diffParts(b, right, same[1])];
}

/**
 * @param {string[]} a
 * @param {string[]} b
 * @returns {[Set<number>, Set<number>]} positions of the longest common subsequence
 */
function longestCommon(a, b) {
  const width = b.length + 1;
  const length = new Uint16Array((a.length + 1) * width);
  for (let i = a.length - 1; i >= 0; i -= 1) {
    for (let j = b.length - 1; j >= 0; j -= 1) {
      const k = i * width + j;
      length[k] = a[i] === b[j] ? length[k + width + 1] + 1 : Math.max(length[k + width], length[k + 1]);
    }
  }
  /** @type {[Set<number>, Set<number>]} */
  const found = [new Set(), new Set()];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const k = i * width + j;
    if (a[i] === b[j]) {
      found[0].add(i);
      found[1].add(j);
      i += 1;
      j += 1;
    } else if (length[k + width] >= length[k + 1]) i += 1;
    else j += 1;
  }
  return found;
}

/**
 * @param {string} text
 * @param {{at: number, end: number}[]} words
 * @param {Set<number>} same
 * @returns {Piece[]}
 */
function diffParts(text, words, same) {
  /** @type {Piece[]} */
  const found = [];
  let from = 0;
  for (let i = 0; i < words.length; i += 1) {
    const joined = i + 1 < words.length && (same.has(i) || !same.has(i + 1)); // signs and spaces go with the same words
    const to = joined ? words[i + 1].at : words[i].end;
    const piece = { text: text.slice(from, to), same: same.has(i) };
    const last = found.at(-1);
    if (last && last.same === piece.same) last.text += piece.text;
    else found.push(piece);
    from = to;
  }
  const rest = text.slice(from);
  if (rest && found.length) /** @type {Piece} */ (found.at(-1)).text += rest;
  else if (rest) found.push({ text: rest, same: true });
  return found;
}

/**
 * The pieces with long runs of the same words cut, so that every difference can be seen; all of them where none differs.
 * @param {Piece[]} all
 * @returns {Piece[]}
 */
export function elideSame(all) {
  if (all.every((piece) => piece.same)) return all;
  return all.map((piece, i) => {
    const [head, tail] = [i > 0 ? KEPT : 0, i < all.length - 1 ? KEPT : 0]; // characters kept of the piece
    if (!piece.same || piece.text.length <= head + tail + 3) return piece;
    const first = piece.text.slice(0, head).replace(/\S*$/, "");
    const last = tail ? piece.text.slice(-tail).replace(/^\S*/, "") : "";
    return { ...piece, text: `${first}…${last}` };
  });
}

/**
 * The first pieces, as long as they are together shorter than `length`; the last one ends with an ellipsis if cut.
 * @param {Piece[]} all
 * @param {number} length
 * @returns {Piece[]}
 */
export function shortenDiff(all, length) {
  const found = [];
  let left = length;
  for (const piece of all) {
    if (piece.text.length > left) {
      found.push({ ...piece, text: `${piece.text.slice(0, left).trimEnd()}…` });
      break;
    }
    found.push(piece);
    left -= piece.text.length;
  }
  return found;
}
