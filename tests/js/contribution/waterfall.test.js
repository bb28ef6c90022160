// Parts of a score over pairs of sections.

import assert from "node:assert/strict";
import { test } from "node:test";

import { waterfall } from "../../../colde/report/linked_view/contribution/waterfall.js";
import { aMap } from "../payload.js";

const near = (/** @type {number} */ x, /** @type {number} */ y) =>
  assert.ok(Math.abs(x - y) < 1e-3, `${x} is not ${y}`);

test("a waterfall goes from the reference to the score without a gap", () => {
  const map = aMap(
    [
      [0.3, 0.1],
      [-0.05, 0.02],
    ],
    { scale: "diverging" },
  );
  const found = waterfall(map, 0.1, 0.47, 2);
  assert.deepEqual(
    found.map((s) => s.name),
    ["start", "pair", "pair", "for", "against", "end"],
  );
  for (let k = 2; k < found.length - 1; k += 1) near(found[k].from, found[k - 1].to);
  near(/** @type {any} */ (found.at(-2)).to, 0.47);
  assert.deepEqual(found[1].cell, { row: 0, column: 0 });
  assert.equal(found[3].count, 1);
});
