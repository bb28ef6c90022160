// Parts of a score over pairs of passages.

import assert from "node:assert/strict";
import { test } from "node:test";

import { shareText, waterfall } from "../../../colde/report/linked_view/contribution/waterfall.js";

const near = (/** @type {number} */ x, /** @type {number} */ y) =>
  assert.ok(Math.abs(x - y) < 1e-9, `${x} is not ${y}`);

const pair = (/** @type {number} */ part) => ({
  a: { start: 0, end: 5 },
  b: { start: 2, end: 9 },
  part,
  share: part / 0.5,
  inside: [],
});

const MADE = {
  model: "colde",
  passages: "sections",
  finer: "sentences",
  of: "the score",
  pairs: [pair(0.3), pair(0.1), pair(0.05)],
  share: 0.9,
  raising: { count: 2, part: 0.05 },
  lowering: { count: 1, part: -0.03 },
  reference: 0,
  half: 1,
  cells: 6,
  sentence: "Parts.",
};

test("a waterfall goes from the reference to the score without a gap", () => {
  const steps = waterfall({ ...MADE, reference: 0.1 }, 0.57, 2);
  assert.deepEqual(
    steps.map((s) => s.name),
    ["start", "pair", "pair", "for", "against", "end"],
  );
  for (let k = 2; k < steps.length - 1; k += 1) near(steps[k].from, steps[k - 1].to);
  near(/** @type {any} */ (steps.at(-2)).to, 0.57);
  assert.equal(steps[3].count, 3);
  near(steps[1].share, 0.6);
  near(steps[3].share, 0.2);
});

test("what has no part has no bar", () => {
  const none = { count: 0, part: 0 };
  const steps = waterfall({ ...MADE, raising: none, lowering: none }, 0.45, 8);
  assert.deepEqual(
    steps.map((s) => s.name),
    ["pair", "pair", "pair", "end"],
  );
});

test("shares below 10 % have a decimal", () => {
  assert.deepEqual([0.0004, -0.0004, 0].map(shareText), ["under 0.1 %", "under 0.1 %", "0.0 %"]);
  assert.deepEqual([0.394, 0.0996, 0.076, -0.003].map(shareText), ["39 %", "10 %", "7.6 %", "−0.3 %"]);
});
