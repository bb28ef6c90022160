// Which rows of a table are listed, and what a row shows in both texts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decodeRows, placesOfKinds } from "../../../colde/report/linked_view/passages/row_table.js";

const ROWS = [
  { number: 1, kind: "same", a: [0, 9], b: [0, 9], also: null },
  { number: 2, kind: "repeated", a: null, b: [20, 29], also: [0, 9] },
  { number: 3, kind: "dropped", a: [30, 39], b: null, also: null },
];
const place = (start, end) => ({ start, end });

test("rows of the pressed kinds are listed, and all where none is pressed", () => {
  assert.deepEqual(placesOfKinds(ROWS, []), [0, 1, 2]);
  assert.deepEqual(placesOfKinds(ROWS, ["dropped", "same"]), [0, 2]);
  assert.deepEqual(placesOfKinds(ROWS, ["new"]), []);
});

test("a repeated sentence shows where the other text has it, a dropped one shows nothing there", () => {
  assert.deepEqual(
    decodeRows({ note: "", counts: {}, rows: ROWS }).map(({ a, b, own }) => [a, b, own.a, own.b]),
    [
      [place(0, 9), place(0, 9), true, true],
      [place(0, 9), place(20, 29), false, true],
      [place(30, 39), null, true, false],
    ],
  );
});

test("a sentence that a text lacks would stand there after the row before it", () => {
  const near = (rows) => decodeRows({ note: "", counts: {}, rows }).map((row) => row.near);
  assert.deepEqual(near(ROWS), [0, 9, 29]);
  assert.deepEqual(near(ROWS.slice(2)), [0]);
});
