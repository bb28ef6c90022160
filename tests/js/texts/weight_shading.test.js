import assert from "node:assert/strict";
import { test } from "node:test";

import { weightText } from "../../../colde/report/linked_view/texts/weight_shading.js";

test("attention is a share of the text, with two digits that mean something", () => {
  const said = (value) => weightText({ kind: "attention" }, value);
  assert.deepEqual([0.031, 0.00042, 0.5, 0.1234].map(said), ["3.1 %", "0.042 %", "50 %", "12 %"]);
});

test("other weights are numbers of their own", () => {
  assert.equal(weightText({ kind: "attribution" }, 0.314), "0.31");
  assert.equal(weightText({ kind: "term weight" }, -0.5), "−0.50");
});
