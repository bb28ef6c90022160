import assert from "node:assert/strict";
import { test } from "node:test";

import {
  matchingPairs,
  counterparts,
  finestMap,
  strengthLimits,
  strongestPerSection,
  strength,
  strengths,
} from "../../../colde/report/linked_view/texts/counterparts.js";
import { DocumentText } from "../../../colde/report/linked_view/payload/document_text.js";
import { aDocument, aMap, aModel, mapData } from "../payload.js";

const sentences = (values, more = {}) => aMap(values, { level: "sentence", ...more });

test("the finest map that is not attention says what answers what", () => {
  const maps = {
    section: mapData([[1]]),
    chunk: mapData([[1]], { level: "chunk" }),
    look: mapData([[1]], { level: "sentence", role: "attention" }),
  };
  assert.equal(finestMap(aModel(maps), "across").name, "chunk");
  assert.equal(finestMap(aModel({ look: maps.look }), "across"), null);
  assert.equal(finestMap(null, "across"), null);
});

test("a sentence like half of all is not shaded, the strongest is shaded fully", () => {
  const map = sentences([
    [0.1, 0.2, 0.3],
    [0.9, 0.2, 0.1],
    [0.2, 0.2, 0.2],
  ]);
  const [low, high] = strengthLimits(map);
  assert.equal(strength(low, [low, high]), 0);
  assert.equal(strength(0.9, [low, high]).toFixed(3), "1.000");
  assert.equal(strength(-1, [low, high]), 0);
  const flat = strengthLimits(sentences([[0.5]]));
  assert.ok(flat[1] > flat[0]);
});

test("every sentence gets the strength of its best counterpart, a heading none", () => {
  const text = new DocumentText(aDocument([["H", [["One.", "Two."]]]]), "a");
  const rows = text.units.filter((u) => u.kind === "sentence").map((u) => [u.start, u.end]);
  const found = strengths(
    sentences(
      [
        [0.2, 0.6],
        [0.4, 0.1],
      ],
      { rows },
    ),
    "rows",
    text,
    [0, 1],
  );
  assert.ok(Number.isNaN(found[0]));
  assert.deepEqual(
    [...found.slice(1)].map((v) => v.toFixed(1)),
    ["0.6", "0.4"],
  );
});

test("the best counterparts of a passage come greatest first; a passage is no counterpart of its own", () => {
  const map = sentences([
    [0.9, 0.1, NaN, 0.5],
    [0.2, 0.8, 0.4, 0.3],
  ]);
  const values = (found) => found.map(({ value, span }) => [value, span[0]]);
  assert.deepEqual(values(counterparts(map, "rows", 0, 2, false)), [
    [0.9, 0],
    [0.5, 30],
  ]);
  assert.deepEqual(values(counterparts(map, "columns", 2, 3, false)), [[0.4, 10]]);
  assert.deepEqual(values(counterparts(map, "rows", 0, 2, true)), [
    [0.5, 30],
    [0.1, 10],
  ]);
});

test("sections have the value of their best counterpart, by a map that is not attention", () => {
  const text = new DocumentText(
    aDocument([
      ["One", [["Here."]]],
      ["Two", [["There."]]],
    ]),
    "a",
  );
  const rows = text.sections.map((s) => [s.start, s.end]);
  const maps = {
    look: mapData(
      [
        [1, 1],
        [1, 1],
      ],
      { role: "attention", rows },
    ),
    section: mapData(
      [
        [0.25, 0.5],
        [NaN, 0.75],
      ],
      { rows },
    ),
  };
  assert.deepEqual(strongestPerSection(aModel(maps), "rows", text), [0.5, 0.75]);
  assert.equal(strongestPerSection(aModel({ look: maps.look }), "rows", text), null);
});

test("lines join the strongest pairs of sentences, each sentence once", () => {
  const map = sentences([
    [0.9, 0.8],
    [0.85, 0.7],
  ]);
  const found = matchingPairs(map, [0, 20], [0, 20], [0, 1]);
  assert.deepEqual(
    found.map(({ a, b }) => [a[0], b[0]]),
    [
      [0, 0],
      [10, 10],
    ],
  );
  assert.ok(found[0].strength > found[1].strength);
});

test("at most six lines; where no pair is strong, one weak line joins the passages; without sentences, too", () => {
  const many = Array.from({ length: 9 }, (_row, i) => Array.from({ length: 9 }, (_cell, j) => (i === j ? 0.9 : 0)));
  assert.equal(matchingPairs(sentences(many), [0, 90], [0, 90], [0, 1]).length, 6);
  const [weak] = matchingPairs(sentences([[0.1]]), [0, 10], [0, 10], [0, 1]);
  assert.deepEqual(
    [weak.a, weak.b],
    [
      [0, 10],
      [0, 10],
    ],
  );
  assert.equal(matchingPairs(null, [1, 2], [3, 4], [0, 1]).length, 1);
  assert.ok(weak.strength < matchingPairs(null, [1, 2], [3, 4], [0, 1])[0].strength);
});
