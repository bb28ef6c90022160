import assert from "node:assert/strict";
import { test } from "node:test";

import { DocumentText } from "../../../colde/report/linked_view/payload/document_text.js";
import {
  cellName,
  cellText,
  rowLabels,
  matrixSummary,
  columnLabels,
  opening,
  passageText,
  textSizeLine,
} from "../../../colde/report/linked_view/map/cell_descriptions.js";
import { aDocument, aMap } from "../payload.js";

const LEFT = new DocumentText(
  aDocument(
    [
      ["Methods", [["We measured the tide.", "Then we left."]], { pages: [2, 3] }],
      ["Results", [["It rose."]], { pages: [4] }],
    ],
    { pages: 5 },
  ),
  "a",
);
const RIGHT = new DocumentText(aDocument([["Findings", [["The sea went up."]]]]), "b");
const TEXTS = [LEFT, RIGHT];
const spans = (text) => text.sections.map((s) => [s.start, s.end]);
const MAP = aMap([[0.826], [NaN]], { rows: spans(LEFT), columns: spans(RIGHT) });

test("a passage is called by its side, heading, page and first words, without the heading twice", () => {
  const [first] = spans(LEFT);
  assert.equal(opening(LEFT, first, 40), "We measured the tide. Then we left.");
  assert.equal(passageText(LEFT, first), "A: Methods, p. 2, “We measured the tide. Then we left.”");
});

test("a passage without a heading above it is called by its first words", () => {
  const text = new DocumentText(
    aDocument([
      [null, [["The first ferry leaves the long pier at noon."]]],
      ["Piers", [["The next one does not."]]],
    ]),
    "a",
  );
  const [above, below] = spans(text);
  assert.equal(text.passagePlace(...above), "“The first ferry leaves the long…”");
  assert.equal(text.passagePlace(...below), "Piers");
});

test("a cell is called by its two passages and its value", () => {
  assert.equal(cellName(MAP, { row: 0, column: 0 }, TEXTS), "Methods × Findings");
  assert.equal(cellText(MAP, { row: 0, column: 0 }, TEXTS), "Methods, p. 2 by Findings: 0.83");
  assert.equal(cellText(MAP, { row: 1, column: 0 }, TEXTS), "Results, p. 4 by Findings: no value");
});

test("labels are headings for sections, first words for sentences, numbers within a section for chunks", () => {
  const sentences = aMap([[1], [1], [1]], {
    level: "sentence",
    rows: LEFT.units.filter((u) => u.kind === "sentence").map((u) => [u.start, u.end]),
  });
  assert.deepEqual(rowLabels(LEFT, MAP.rows, [0, 1], "section", true)(1), { text: "Results" });
  assert.deepEqual(rowLabels(LEFT, sentences.rows, [0, 1, 2], "sentence", false)(1), { text: "Then we left." });
  assert.deepEqual(rowLabels(LEFT, sentences.rows, [0, 1, 2], "sentence", true)(1), { text: "Methods", run: 0 });
  assert.deepEqual(rowLabels(LEFT, sentences.rows, [1, 2], "chunk", false)(2), { text: "2 · It rose." });
  assert.deepEqual(rowLabels(LEFT, sentences.rows, [2], "chunk", false)(2), { text: "Results" });
});

test("the size of a text comes with what was read of it", () => {
  assert.equal(textSizeLine(RIGHT, null), "5 words · 1 section");
  const part = { title: "SMITH", read: { a: { tokens_read: 2048, tokens: 6120 } } };
  assert.equal(textSizeLine(LEFT, part), "5 p · 11 words · 2 sections · SMITH read 2,048 of 6,120 tokens");
  assert.equal(
    textSizeLine(LEFT, { title: "CoLDE", read: { a: { tokens_read: 9, tokens: 9 } } }),
    "5 p · 11 words · 2 sections",
  );
});

test("a matrix is summed up for those who do not see it", () => {
  assert.equal(matrixSummary(MAP, [0, 1], [0], TEXTS), "2 rows, 1 column. Strongest: Methods, p. 2 by Findings: 0.83.");
  const many = aMap(
    [
      [0.1, 0.9, 0.3],
      [0.8, 0.2, 0.7],
    ],
    { usual: 0.25, limits: [0, 1] },
  );
  assert.deepEqual(
    many.greatestCells([0, 1], [0, 1, 2], 3).map(({ value }) => value),
    [0.9, 0.8, 0.7],
  );
  assert.equal(matrixSummary(aMap([[NaN]]), [0], [0], TEXTS), "1 row, 1 column. No values yet.");
});

test("columns have the numbers of their headings where each has its own, else their place", () => {
  const short = (...headings) => {
    const text = new DocumentText(aDocument(headings.map((heading) => [heading, [["One."]]])), "b");
    const shown = headings.map((_, i) => i);
    const map = aMap([shown.map(() => 0)], { columns: spans(text) });
    return shown.map((i) => columnLabels(text, map.columns, shown, "section", true)(i).short);
  };
  assert.deepEqual(short("1 Data", "2.1 Method", "2.2. Results"), ["1", "2.1", "2.2"]);
  assert.deepEqual(short(null, "1 Data", "2 Method"), ["–", "1", "2"]);
  assert.deepEqual(short("1 Data", "A. Proofs", "B.1 Tables"), ["1", "A", "B.1"]);
  // a heading without a number, two of one number, and a first word of one letter
  assert.deepEqual(short("1 Data", "2.1 Method", "Outlook"), ["1", "2", "3"]);
  assert.deepEqual(short("1 Data", "2 Method", "1 Data"), ["1", "2", "3"]);
  assert.deepEqual(short("A day at sea", "I was there", "3 ships"), ["1", "2", "3"]);
  assert.deepEqual(short("Data", "Method"), ["1", "2"]);
});
