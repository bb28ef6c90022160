// The words of a passage, of a part of one, or of a change, with marks on what differs or matches.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { isWordForWord, partsToRead } from "../payload/shared_passages.js";
import { isChange } from "../review/review_marks.js";
import { elideSame, shortenDiff, wordDifference } from "./word_diff.js";

const QUOTED = 260; // characters of a passage in the list
const IDENTICAL = 600; // characters of an identical one that is read alone: the texts beside the list have all of it
const MOST_PARTS = 30; // of a passage, at first

/**
 * Both sides as elements; the words that differ are marked, or those that match each other in a paraphrase.
 * `full`: uncut, but for identical ones.
 */
export function quotes(item, texts, full) {
  const sides = ["a", "b"].filter((side) => item[side]);
  const words = sides.map((side) => texts[side].slice(item[side].start, item[side].end).replaceAll(/\s+/g, " "));
  const aligned = item.kind === "paraphrased";
  const compared = isWordForWord(item) && sides.length === 2;
  const difference = compared ? wordDifference(words[0], words[1]) : null;
  const once = item.kind === "identical" && words[0] === words[1]; // the same words need not be read twice
  return (once ? ["a"] : sides).map((side, k) => {
    const mark = aligned ? "span.lv-shared" : side === "a" ? "del.lv-removed" : "ins.lv-inserted";
    const pieces = aligned
      ? matchingWords(item, side, texts[side])
      : isChange(item) && sides.length === 2
        ? piecesOf(item[side], texts[side], item.marks[side], false)
        : (difference?.[k] ?? [{ text: words[k], same: true }]);
    const shown = full
      ? shortenDiff(pieces, item.kind === "identical" ? IDENTICAL : Infinity)
      : shortenDiff(aligned ? pieces : elideSame(pieces), QUOTED);
    return createElement(
      full ? "q.lv-item-quote.lv-full" : "q.lv-item-quote",
      { "data-of": side, dir: "auto" },
      ...shown.map((p) => (p.same === aligned ? createElement(mark, {}, p.text) : document.createTextNode(p.text))),
    );
  });
}

/** A side of a paraphrase in pieces; `same` are its words that match one of the other side. */
function matchingWords({ a, b, aligned }, side, text) {
  const words = aligned.map((word) => (side === "a" ? word.slice(0, 2) : word.slice(2, 4)));
  words.sort((x, y) => x[0] - y[0]);
  return piecesOf(side === "a" ? a : b, text, words, true);
}

/** A passage in pieces, cut at the ends of marks in it; `same` is `inside` for the marks, and the opposite between them. */
export function piecesOf({ start, end }, text, marks, inside) {
  const cuts = [start, ...marks.flat(), end];
  return cuts
    .slice(1)
    .map((cut, k) => ({ text: text.slice(cuts[k], cut).replaceAll(/\s+/g, " "), same: (k % 2 === 1) === inside }))
    .filter((piece) => piece.text);
}

/** An item of a list: the words of both sides, below `head`; press(pair) shows the pair in the texts. */
export function pairItem(pair, texts, head, press) {
  const attributes = { type: "button", "data-kind": pair.kind || null, onclick: () => press(pair) };
  return createElement("li", {}, createElement("button.lv-part", attributes, head, ...quotes(pair, texts, true)));
}

/** The parts of a passage, each with its kind and its words; press(part) shows one in the texts. */
export function partList(passage, texts, press) {
  const parts = partsToRead(passage);
  const list = createElement("ol.lv-parts", { "aria-label": labels.parts });
  const item = (part) => {
    const aligned = passage.aligned.filter(
      ([a0, a1, b0, b1]) => part.a.start <= a0 && a1 <= part.a.end && part.b.start <= b0 && b1 <= part.b.end,
    );
    const kind = createElement("span.lv-item-kind", {}, part.kind);
    return pairItem({ ...part, aligned, certainty: passage.certainty }, texts, kind, press);
  };
  const draw = (count) => {
    list.replaceChildren(...parts.slice(0, count).map(item));
    if (count >= parts.length) return;
    const more = { type: "button", onclick: () => draw(parts.length) };
    list.append(createElement("li", {}, createElement("button.lv-more", more, labels.allParts(parts.length))));
  };
  draw(MOST_PARTS);
  return list;
}
