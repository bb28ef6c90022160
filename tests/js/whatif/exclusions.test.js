// Passages left out: how they are written, and what is left of a sum without them.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  finestMatchingMap,
  keepOnly,
  remainingSum,
  excludeSpan,
  noExclusions,
  includeSpan,
  parseExclusions,
  formatExclusions,
} from "../../../colde/report/linked_view/whatif/exclusions.js";
import { aMap } from "../payload.js";

const near = (/** @type {number} */ x, /** @type {number} */ y) =>
  assert.ok(Math.abs(x - y) < 1e-3, `${x} is not ${y}`);
const tens = (/** @type {number} */ count, /** @type {string | null} */ role = null) =>
  Array.from({ length: count }, (_, i) => ({ start: 10 * i, end: 10 * i + 9, role: i === 1 ? role : null }));
const sections = { a: tens(4), b: tens(10) };

test("sections are written by number, everything else by its characters", () => {
  assert.equal(formatExclusions(parseExclusions("a:3,b:9,b:7-8,x,b:", sections), sections), "a:3,b:7-9");
  assert.equal(formatExclusions(parseExclusions("b@2-5,a@10-19,b@70-99", sections), sections), "a:1,b:7-9,b@2-5");
  assert.equal(formatExclusions(noExclusions(), sections), "");
  assert.equal(formatExclusions(parseExclusions("a:99,a@7-3", sections), sections), "");
});

test("what is put back is no longer out, and what was set aside is never named", () => {
  const left = includeSpan(excludeSpan(noExclusions(), "a", [0, 9]), "a", [3, 5]);
  assert.equal(formatExclusions(left, sections), "a@0-3,a@5-9");
  assert.equal(formatExclusions(excludeSpan(left, "a", [3, 5]), sections), "a:0");
  assert.equal(
    formatExclusions(keepOnly(noExclusions(), "a", [20, 29], 39), { ...sections, a: tens(4, "references") }),
    "a:0,a:3",
  );
});

test("what is left is the sum of the other cells, in part where a passage is cut", () => {
  const map = aMap(
    [
      [0.3, 0.1],
      [-0.05, 0.02],
    ],
    { scale: "diverging" },
  );
  near(remainingSum(map, noExclusions()), 0.37);
  near(remainingSum(map, parseExclusions("a@0-10", sections)), -0.03);
  near(remainingSum(map, parseExclusions("a@0-5,b@0-10", sections)), 0.07);
  near(remainingSum(map, parseExclusions("a@0-20", sections)), 0);
});

test("the coarsest map that cuts nothing is taken", () => {
  const coarse = aMap([[1]], { rows: [[0, 20]], columns: [[0, 20]] });
  const fine = aMap([
    [0.5, 0.2],
    [0.1, 0.2],
  ]);
  assert.equal(finestMatchingMap([coarse, fine], parseExclusions("a@0-20", sections)), coarse);
  assert.equal(finestMatchingMap([coarse, fine], parseExclusions("a@0-10", sections)), fine);
  assert.equal(finestMatchingMap([coarse, fine], parseExclusions("a@0-3", sections)), fine);
  assert.equal(finestMatchingMap([], noExclusions()), null);
});
