import assert from "node:assert/strict";
import { test } from "node:test";

import { piecesOf } from "../../../colde/report/linked_view/passages/passage_quotes.js";
import { markChange } from "../../../colde/report/linked_view/texts/change_marks.js";

const LEFT = "It rains. The fee is 5.0 euros,\n  paid at once.";
const RIGHT = "The fee is 50 euros, paid soon.";
const span = (text, words) => ({ start: text.indexOf(words), end: text.indexOf(words) + words.length });
const CHANGE = {
  a: span(LEFT, "The fee is 5.0 euros,\n  paid at once."),
  b: span(RIGHT, RIGHT),
  near: null,
  marks: {
    a: ["5.0", "at once"].map((words) => Object.values(span(LEFT, words))),
    b: ["50", "soon"].map((words) => Object.values(span(RIGHT, words))),
  },
};

test("a changed sentence is cut at its marks, and the pieces between them are the same", () => {
  const pieces = piecesOf(CHANGE.a, LEFT, CHANGE.marks.a, false);
  assert.deepEqual(pieces, [
    { text: "The fee is ", same: true },
    { text: "5.0", same: false },
    { text: " euros, paid ", same: true },
    { text: "at once", same: false },
    { text: ".", same: true },
  ]);
  const words = LEFT.slice(CHANGE.a.start).replaceAll(/\s+/g, " ");
  assert.equal(pieces.map(({ text }) => text).join(""), words);
  assert.deepEqual(piecesOf(CHANGE.a, LEFT, [], false), [{ text: words, same: true }]);
});

test("both texts mark the words that differ, and no others", () => {
  const marked = {};
  const pane = (side) => ({ mark: (name, spans) => Object.assign(marked, { [side]: { name, spans } }) });
  markChange({ left: pane("a"), right: pane("b") }, CHANGE);
  for (const [side, text, words] of [
    ["a", LEFT, ["5.0", "at once"]],
    ["b", RIGHT, ["50", "soon"]],
  ]) {
    assert.equal(marked[side].name, "inside");
    assert.deepEqual(
      marked[side].spans.map(({ start, end }) => text.slice(start, end)),
      words,
    );
  }
});
