import assert from "node:assert/strict";
import { test } from "node:test";

import { weightSaid } from "../../colde/report/linked_view/shading.js";

test("attention is a share of the text, with two digits that mean something", () => {
  const said = (value) => weightSaid({ kind: "attention" }, value);
  assert.deepEqual([0.031, 0.00042, 0.5, 0.1234].map(said), ["3.1 %", "0.042 %", "50 %", "12 %"]);
});

test("other weights are numbers of their own", () => {
  assert.equal(weightSaid({ kind: "attribution" }, 0.314), ".31");
  assert.equal(weightSaid({ kind: "term weight" }, -0.5), "−.50");
});
