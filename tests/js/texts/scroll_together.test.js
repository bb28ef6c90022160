import assert from "node:assert/strict";
import { test } from "node:test";

import { anchorsOf, counterpartOffset } from "../../../colde/report/linked_view/texts/scroll_together.js";

const MATCHES = [
  [100, 200, 300, 400],
  [220, 260, 0, 40], // moved: it would lead back
  [400, 500, 600, 700],
];

test("anchors rise in both texts, and begin and end with them", () => {
  assert.deepEqual(anchorsOf(MATCHES, { a: 1000, b: 900 }), [
    [0, 0],
    [100, 300],
    [200, 400],
    [400, 600],
    [500, 700],
    [1000, 900],
  ]);
  assert.deepEqual(anchorsOf([], { a: 10, b: 20 }), [
    [0, 0],
    [10, 20],
  ]);
});

test("inside a match the counterpart is exact, between matches it is in proportion, in both directions", () => {
  const anchors = anchorsOf(MATCHES, { a: 1000, b: 900 });
  assert.equal(counterpartOffset(anchors, 150, 0), 350);
  assert.equal(counterpartOffset(anchors, 350, 1), 150);
  assert.equal(counterpartOffset(anchors, 300, 0), 500);
  assert.equal(counterpartOffset(anchors, 1000, 0), 900);
  assert.equal(counterpartOffset(anchors, 5000, 0), 900);
});
