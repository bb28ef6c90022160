import assert from "node:assert/strict";
import { test } from "node:test";

import { DocumentText } from "../../../colde/report/linked_view/payload/document_text.js";
import { formatApart, formatNumber, preferredMap } from "../../../colde/report/linked_view/payload/similarity_map.js";
import { firstGreater } from "../../../colde/report/linked_view/payload/sorted_spans.js";
import { PALE, onScale } from "../../../colde/report/linked_view/map/colour_ramp.js";
import { aDocument, aMap, aModel, mapData, weights } from "../payload.js";

const WAVE = "🌊";

function text(
  sections = [
    ["Tides", [["The tide turns twice.", `A wave ${WAVE} comes.`], ["It goes."]]],
    [null, [["No heading stands here at all."]]],
  ],
  options = {},
) {
  return new DocumentText(aDocument(sections, options), "a");
}

test("the first greater value is found by halving", () => {
  const values = [1, 3, 3, 7];
  assert.deepEqual(
    [0, 1, 2, 3, 6, 7, 8].map((x) => firstGreater(values, x)),
    [0, 1, 1, 3, 3, 4, 4],
  );
  assert.equal(firstGreater([], 5), 0);
});

test("offsets are code points: a character beyond the first plane counts once", () => {
  const found = text();
  const points = [...found.text];
  const at = points.indexOf(WAVE);
  assert.equal(found.slice(at, at + 1), WAVE);
  assert.equal(found.slice(at + 2, at + 7), "comes");
  for (let i = 0; i <= points.length; i += 1) assert.equal(found.codePoint(found.utf16(i)), i);
  for (let i = 0; i < points.length; i += 1) assert.equal(found.slice(i, i + 1), points[i]);
});

test("units are headings and sentences in reading order, with the paragraph they stand in", () => {
  const { units } = text();
  assert.deepEqual(
    units.map((u) => [u.kind, u.section, u.sentence, u.paragraph]),
    [
      ["heading", 0, -1, -1],
      ["sentence", 0, 0, 0],
      ["sentence", 0, 1, 0],
      ["sentence", 0, 2, 1],
      ["sentence", 1, 0, 0],
    ],
  );
});

test("text between sentences is a unit too, so that nothing of a document is lost", () => {
  const doc = aDocument([["H", [["One.", "Two."]]]]);
  const [section] = doc.sections;
  section.sentences = section.sentences.slice(2); // the first sentence was not found to be one
  const { units } = new DocumentText(doc, "a");
  assert.deepEqual(
    units.map((u) => u.kind),
    ["heading", "gap", "sentence"],
  );
});

test("an offset knows its section, its heading and its page", () => {
  const found = text([
    ["Tides", [["One.", "Two."]], { pages: [4, 5] }],
    [null, [["No heading stands here at all, and the line is long."]], { place: "p. 6", pages: [6] }],
  ]);
  const second = found.sections[0].sentences[2];
  assert.equal(found.section(second), 0);
  assert.equal(found.place(second), "Tides, p. 5");
  assert.equal(found.place(0), "Tides, p. 4");
  const [, last] = found.sections;
  assert.equal(found.section(last.start), 1);
  assert.equal(found.heading(last.start), "p. 6");
  assert.equal(text().page(0), null);
  assert.equal(text().place(0), "Tides");
});

test("a snippet ends with a whole word, and says that there is more", () => {
  const found = text([["H", [["One two three four five six seven."]]]]);
  const [start, end] = found.sections[0].sentences;
  assert.equal(found.snippet(start, end, 100), "One two three four five six seven.");
  assert.equal(found.snippet(start, end, 12), "One two…");
  assert.equal(found.snippet(start, start + 7, 7), "One two");
});

test("a map gives its values back, and NaN where there is none", () => {
  const map = aMap([
    [0.25, -0.5],
    [NaN, 1],
  ]);
  assert.deepEqual([map.at(0, 0), map.at(0, 1), map.at(1, 0), map.at(1, 1)], [0.25, -0.5, NaN, 1]);
  assert.deepEqual([map.height, map.width, map.level, map.side], [2, 2, "section", "across"]);
  assert.deepEqual(
    [...map.best("rows")].map((v) => v.toFixed(2)),
    ["0.25", "1.00"],
  );
  assert.deepEqual(
    [...map.best("columns")].map((v) => v.toFixed(2)),
    ["0.25", "1.00"],
  );
  assert.deepEqual(map.strongest([0, 1], [0, 1]), { row: 1, column: 1, value: 1 });
  assert.deepEqual(map.strongest([0], [0, 1]), { row: 0, column: 0, value: 0.25 });
  assert.equal(map.strongest([1], [0]), null);
});

test("a row without any value has no best", () => {
  const map = aMap([
    [NaN, NaN],
    [0.1, 0.2],
  ]);
  assert.ok(Number.isNaN(map.best("rows")[0]));
  assert.ok(map.best("rows")[1] > 0.19);
});

test("colours run from nearly the least value to the greatest: one cell far below does not pale the others", () => {
  const many = Array.from({ length: 20 }, (_row, i) => Array.from({ length: 20 }, (_cell, j) => 0.4 + (i + j) / 100));
  many[3][4] = -1;
  const [low, high] = aMap(many).range();
  assert.ok(low >= 0.4 && low < 0.45, String(low));
  assert.equal(high, 0.78);
  const [from, to] = aMap([[0.5, 0.5]]).range();
  assert.ok(from === 0.5 && to > from, "a map of one value has a scale all the same");
  const nothing = aMap([[NaN]]).range();
  assert.ok(nothing[1] > nothing[0]);
});

test("passages that overlap a stretch, hold an offset, or lie beside each other", () => {
  const map = aMap(
    [
      [1, 0, 0],
      [0, 1, 0],
    ],
    {
      level: "chunk",
      columns: [
        [0, 10],
        [12, 20],
        [25, 30],
      ],
    },
  );
  const { columns } = map;
  assert.deepEqual(columns.within(0, 30), [0, 1, 2]);
  assert.deepEqual(columns.within(10, 12), []);
  assert.deepEqual(columns.within(19, 26), [1, 2]);
  assert.deepEqual(
    [0, 9, 10, 12, 29, 30].map((at) => columns.holding(at)),
    [0, 0, -1, 1, 2, -1],
  );
  assert.deepEqual(columns.span(1), [12, 20]);
  assert.deepEqual(columns.all(), [0, 1, 2]);
  assert.deepEqual(map.block([0, 10], [15, 30]), { r0: 0, r1: 1, c0: 1, c1: 3 });
  assert.equal(map.block([0, 10], [20, 25]), null);
});

test("a scale with a middle reaches as far below zero as above it, and values carry their sign", () => {
  const map = aMap(
    [
      [0.3, -0.1],
      [0, NaN],
    ],
    { scale: "diverging", kind: "attribution" },
  );
  assert.deepEqual(map.range(), [-0.3, 0.3]);
  assert.equal(map.ramp, "diverging");
  assert.deepEqual(
    [0.3, -0.1, 0].map((value) => map.said(value)),
    ["+0.30", "−0.10", "0.00"],
  );
});

test("small values are said in as many digits as tell them apart", () => {
  assert.equal(aMap([[0.83, 0.2]]).said(0.826), "0.83");
  assert.equal(aMap([[0.004, 0.001]]).said(0.004), "0.0040");
});

test("models find their maps by side and level, and by name", () => {
  const model = aModel(
    {
      section: mapData([[1]]),
      passages: mapData(
        [
          [1, 0],
          [0, 1],
        ],
        { level: "chunk" },
      ),
      blocks: mapData([[1]], { level: "block", offered: "chunk" }),
      within: mapData([[1]], { side: "within_a" }),
    },
    { typical: { section: "section", chunk: "passages" } },
  );
  assert.deepEqual(
    model.find("across", "chunk").map((m) => m.name),
    ["passages", "blocks"],
  );
  assert.deepEqual(model.levels("across"), ["section", "chunk"]);
  assert.deepEqual(model.levels("within_a"), ["section"]);
  assert.deepEqual(model.levels("within_b"), []);
  assert.ok(model.depth("section") < model.depth("sentence"));
  assert.equal(model.map("section").level, "section");
  assert.equal(model.beside("section").name, "section");
  assert.equal(model.beside("sentence").name, "passages", "without a map of this level, the finest stands in");
});

test("of the maps of a level the reader begins with the preferred one, else the first", () => {
  const [topic, other, passages] = [1, 1, 0].map((preference) => aMap([[1]], { preference }));
  assert.equal(preferredMap([topic, passages]), passages);
  assert.equal(preferredMap([topic, other]), topic);
  assert.equal(preferredMap([]), null);
});

test("maps and weights that did not change are taken over, so that nothing is drawn twice", () => {
  const shadings = [{ key: "attention", a: weights([0.5], [[0, 4]]), b: null }];
  const maps = (value) => ({ section: mapData([[0.5]]), chunk: mapData([[value]], { level: "chunk" }) });
  const before = aModel(maps(0.1), { shadings });
  const after = aModel(maps(0.2), { shadings }, [before]);
  assert.equal(after.map("section"), before.map("section"));
  assert.notEqual(after.map("chunk"), before.map("chunk"));
  assert.equal(after.map("chunk").at(0, 0), 0.2);
  assert.equal(after.shadings[0], before.shadings[0]);
});

test("the same packed numbers in other steps are other values", () => {
  const before = aModel({ section: mapData([[0.5]]) });
  const after = aModel({ section: { ...mapData([[0.5]]), steps: 20_000 } }, {}, [before]);
  assert.equal(after.map("section").at(0, 0), 0.25);
});

test("weights of a text: the darkest is 1, a few far above all others leave the rest a shade", () => {
  const values = [...Array.from({ length: 199 }, (_, i) => i / 1000), 1];
  const shading = {
    key: "k",
    a: weights(
      [...values],
      values.map((_, i) => [i, i + 1]),
    ),
    b: null,
  };
  const { shadings } = aModel({}, { shadings: [shading] });
  const { a, b } = shadings[0];
  assert.equal(b, null);
  assert.equal(a.weight(199), 1);
  assert.ok(a.weight(150) > 0.7);
  assert.deepEqual(a.ranked().slice(0, 3), [199, 198, 197]);
  assert.ok(!a.ranked().includes(0), "nothing leads to a weight of nought");
  assert.equal(a.high, 1);
});

test("numbers have no leading zero, as in tables, and nought has no sign", () => {
  assert.deepEqual(
    [0.826, -0.12, 1, 0, -0.001, -1.5, NaN].map((value) => formatNumber(value)),
    ["0.83", "−0.12", "1.00", "0.00", "0.00", "−1.50", "–"],
  );
  assert.deepEqual(
    [0.1234, -0.1234, 0].map((value) => formatNumber(value, 3, true)),
    ["+0.123", "−0.123", "0.000"],
  );
});

test("attention is said as a multiple of an even spread, and an even one does not fill the ramp", () => {
  const map = aMap(
    [
      [0.07, 0.08],
      [0.08, 0.07],
    ],
    { kind: "attention", role: "attention", unit: "share" },
  );
  assert.deepEqual(
    [0.07, 0.075, 0.15, NaN].map((value) => map.said(value)),
    ["0.9×", "1.0×", "2.0×", "–"],
  );
  assert.equal(map.unit, "average attention");
  const [low, high] = map.range();
  assert.equal(low, 0);
  assert.ok(Math.abs(high - 0.15) < 1e-9);
});

test("sections of a heading alone are not counted as compared", () => {
  assert.equal(
    text([
      ["Ideas", []],
      ["One", [["It was slow."]]],
    ]).compared,
    1,
  );
});

test("a scale of its own is the same for every pair, and what is usual between unrelated texts takes its pale part", () => {
  const known = { limits: [0, 1], usual: 0.25, role: "passages" };
  const [faint, strong] = [aMap([[0.02, 0.1, 0.2]], known), aMap([[0.3, 0.9, 0.95]], known)];
  assert.deepEqual(faint.range(), strong.range());
  assert.ok(onScale(0.2, faint.range()) < PALE);
  assert.equal(onScale(0.25, faint.range()), PALE);
  assert.ok(onScale(0.3, strong.range()) > PALE);
  assert.ok(Math.abs(onScale(1, strong.range()) - 1) < 1e-9);
  assert.equal(onScale(0.5, [0, 1, null]), 0.5);
});

test("the colours of topic similarity begin at what is usual between unrelated texts", () => {
  const known = { limits: [0, 1], usual: 0.4, role: "topic" };
  const [faint, strong] = [aMap([[0.1, 0.3, 0.42]], known), aMap([[0.3, 0.5, 0.9]], known)];
  assert.deepEqual(faint.range(), [0.4, 0.7], "a little above it is no structure");
  assert.deepEqual(strong.range(), [0.4, 0.9]);
  assert.equal(onScale(0.3, strong.range()), 0);
  assert.ok(Math.abs(onScale(0.65, strong.range()) - 0.5) < 1e-9);
});

test("a map that says nothing is drawn in one colour", () => {
  const [low, high] = aMap(
    [
      [0.3, 0.31],
      [0.32, 0.3],
    ],
    { flat: true },
  ).range();
  assert.ok((0.32 - low) / (high - low) < 0.001);
  const [, greatest] = aMap([
    [0.3, 0.31],
    [0.32, 0.3],
  ]).range();
  assert.ok(Math.abs(greatest - 0.32) < 1e-9);
});

test("numbers have as many digits as tell them apart", () => {
  assert.deepEqual(formatApart([0.29, 0.2497, 0.25]), ["0.2900", "0.2497", "0.2500"]);
  assert.deepEqual(formatApart([0.5, 0.25]), ["0.50", "0.25"]);
  assert.deepEqual(formatApart([0.4, 0.4]), ["0.40", "0.40"]);
  assert.deepEqual(formatApart([0.25, 0.2500001]), ["0.2500", "0.2500"]);
  assert.deepEqual(formatApart([0.311, null]), ["0.31", null]);
});
