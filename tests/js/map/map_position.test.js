import assert from "node:assert/strict";
import { test } from "node:test";

import { MapPosition } from "../../../colde/report/linked_view/map/map_position.js";
import { aModel, mapData } from "../payload.js";

/** Two sections a side, of two sentences each. */
function maps() {
  const sections = [
    [0, 20],
    [20, 40],
  ];
  return {
    section: mapData(
      [
        [0.1, 0.9],
        [0.3, 0.2],
      ],
      { rows: sections, columns: sections },
    ),
    sentence: mapData(
      [0, 1, 2, 3].map((i) => [0, 1, 2, 3].map((j) => (i + j) / 10)),
      { level: "sentence" },
    ),
    words: mapData(
      [
        [0.5, 0.5],
        [0.5, 0.5],
      ],
      { rows: sections, columns: sections, label: "words", preference: 2 },
    ),
    within_a_section: mapData(
      [
        [1, 0.2],
        [0.2, 1],
      ],
      { side: "within_a", rows: sections, columns: sections },
    ),
  };
}

function position(given = maps()) {
  const found = new MapPosition(aModel(given));
  found.settle();
  return found;
}

test("the reader begins with all cells of the coarsest level", () => {
  const now = position().current();
  assert.equal(now.map.name, "section");
  assert.deepEqual(
    [now.rows, now.columns],
    [
      [0, 1],
      [0, 1],
    ],
  );
  assert.deepEqual(now.strongest, { row: 0, column: 1, value: 0.9 });
});

test("the same part is the same object, so that it need not be drawn again", () => {
  const found = position();
  assert.equal(found.current(), found.current());
});

test("a cell opens into the next finer matrix, and the way back leads out again", () => {
  const found = position();
  found.open(found.current().map, 0, 1);
  const inner = found.current();
  assert.equal(inner.map.name, "sentence");
  assert.deepEqual(
    [inner.rows, inner.columns],
    [
      [0, 1],
      [2, 3],
    ],
  );
  found.open(inner.map, 0, 2);
  assert.equal(found.path.length, 1, "one sentence by one sentence has nothing finer inside");
  found.up(0);
  assert.equal(found.current().map.name, "section");
  assert.deepEqual(found.path, []);
});

test("the measure is kept while the reader moves, as far as there are maps of it", () => {
  const found = position();
  found.suggest("topic");
  found.setMap(found.model.map("words"));
  found.suggest("topic"); // the reader has chosen
  assert.equal(found.current().map.name, "words");
  found.setAxes("within_a");
  assert.equal(found.current().map.name, "within_a_section");
  found.setAxes("across");
  assert.equal(found.current().map.name, "words");
  assert.deepEqual(found.allAxes(), ["across", "within_a"]);
});

test("what a model lacks is put right: level, path and axes", () => {
  const found = position();
  found.open(found.current().map, 0, 1);
  const { section } = maps();
  found.model = aModel({ section });
  found.settle();
  assert.deepEqual([found.level, found.path, found.axes], ["section", [], "across"]);
  found.setAxes("within_b");
  found.settle();
  assert.equal(found.axes, "across");
  found.setModel(null);
  found.settle();
  assert.equal(found.current(), null);
});

test("a selection is shown by the cell that holds it, or the strongest it touches if it was picked elsewhere", () => {
  const found = position();
  const selected = { axes: "across", a: [2, 8], b: [25, 30] };
  assert.deepEqual(found.cellOf(selected), { row: 0, column: 1 });
  const across = { axes: "across", a: [2, 38], b: [25, 30] };
  assert.equal(found.cellOf(across), null);
  assert.deepEqual(found.cellOf({ ...across, picked: true }), { row: 0, column: 1, value: 0.9 });
  assert.equal(found.cellOf({ ...selected, axes: "within_a" }), null);
  assert.equal(found.cellOf(null), null);
});

test("a link leads straight to a map, by the steps that the model has", () => {
  const found = position();
  found.go(found.model.map("sentence"), [
    { map: "section", row: 0, column: 1 },
    { map: "gone", row: 0, column: 0 },
  ]);
  assert.deepEqual(found.path, [{ map: "section", row: 0, column: 1 }]);
  assert.deepEqual(found.current().rows, [0, 1]);
  found.restart("section");
  assert.deepEqual(found.current().rows, [0, 1]);
  assert.deepEqual(found.path, []);
});

test("a coarser level drops the steps that are finer", () => {
  const found = position();
  found.open(found.current().map, 0, 1);
  found.setLevel("section");
  assert.deepEqual(found.path, []);
  found.setLevel("sentence");
  assert.equal(found.current().rows.length, 4);
});
