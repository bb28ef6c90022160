// The passages of a payload, and how they are read part by part.

import assert from "node:assert/strict";
import { test } from "node:test";

import { decodePassages, labelOf, partsToRead } from "../../../colde/report/linked_view/payload/shared_passages.js";
import { aPassage } from "../payload.js";

test("parts come with their kinds; passages that are not known are no empty list", () => {
  const kinds = ["identical", "edited"];
  const sent = { ...aPassage([0, 9], [5, 14], []), parts: [1, 0, 9, 5, 14, 0, 2, 6, 7, 11] };
  const [passage] = decodePassages({ passages: [sent], kinds }) ?? [];
  assert.deepEqual(passage.parts, [
    { kind: "edited", a: { start: 0, end: 9 }, b: { start: 5, end: 14 } },
    { kind: "identical", a: { start: 2, end: 6 }, b: { start: 7, end: 11 } },
  ]);
  assert.equal(decodePassages({ passages: null, kinds }), null);
  assert.deepEqual(decodePassages({ passages: [], kinds }), []);
});

test("standard text is labelled as such, unless it counts with the rest", () => {
  const terms = { kind: "edited", standard: true };
  assert.deepEqual([labelOf(terms, "apart"), labelOf(terms, "out"), labelOf(terms, "with")], ["standard", "standard", "edited"]); // prettier-ignore
  assert.equal(labelOf({ kind: "moved" }, "apart"), "moved");
});

test("a part within another one that is word for word is not read twice", () => {
  const kept = (...parts) => partsToRead(aPassage([0, 99], [0, 99], parts)).map(({ kind, a }) => `${kind} ${a.start}`);
  const pair = ["edited", [0, 30], [10, 40]];
  assert.deepEqual(kept(pair, ["identical", [5, 20], [15, 30]]), ["edited 0"], "a run in an edited sentence");
  assert.deepEqual(kept(pair, ["identical", [5, 20], [50, 65]]), ["edited 0", "identical 5"], "a run elsewhere in b");
  assert.deepEqual(kept(["identical", [0, 10], [0, 10]], ["identical", [0, 40], [0, 40]]), ["identical 0"]);
  assert.deepEqual(
    kept(["identical", [0, 40], [0, 40]], ["identical", [20, 41], [20, 41]]),
    ["identical 0"],
    "a full stop",
  );
  assert.deepEqual(
    kept(["paraphrased", [0, 30], [0, 30]], ["identical", [5, 20], [5, 20]]),
    ["paraphrased 0", "identical 5"],
    "a run in a paraphrase says more than its sentence",
  );
  assert.deepEqual(kept(pair, ["edited", [30, 60], [40, 70]]), ["edited 0", "edited 30"]);
});
