// Which rows of the ledger are listed, and what a row shows in both texts.

import assert from "node:assert/strict";
import { test } from "node:test";

import { nearOf, placesOf, rowsOfKinds } from "../../../colde/report/linked_view/passages/ledger_table.js";

const ROWS = [
  { number: 1, kind: "same", a: [0, 9], b: [0, 9], also: null },
  { number: 2, kind: "repeated", a: null, b: [20, 29], also: [0, 9] },
  { number: 3, kind: "dropped", a: [30, 39], b: null, also: null },
];

test("rows of the pressed kinds are listed, and all where none is pressed", () => {
  const numbers = (kinds) => rowsOfKinds(ROWS, kinds).map((row) => row.number);
  assert.deepEqual(numbers([]), [1, 2, 3]);
  assert.deepEqual(numbers(["dropped", "same"]), [1, 3]);
  assert.deepEqual(numbers(["new"]), []);
});

test("a repeated sentence shows where the other text has it, a dropped one shows nothing there", () => {
  assert.deepEqual(ROWS.map(placesOf), [
    { a: [0, 9], b: [0, 9] },
    { a: [0, 9], b: [20, 29] },
    { a: [30, 39], b: null },
  ]);
});

test("a sentence that a text lacks would stand there after the row before it", () => {
  assert.equal(nearOf(ROWS, ROWS[2]), 29);
  assert.equal(nearOf(ROWS.slice(1), { ...ROWS[1], number: 1 }), 0);
});
