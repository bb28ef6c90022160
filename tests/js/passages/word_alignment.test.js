// Which words match each other, for two passages under the pointer.

import assert from "node:assert/strict";
import { test } from "node:test";

import {
  signedAmountText,
  wordAlignmentText,
  wordAlignment,
  contributionText,
  contributionTexts,
  listedPairs,
  strongestPairs,
  wordPairs,
} from "../../../colde/report/linked_view/passages/word_alignment.js";
import { aPassage } from "../payload.js";

const passages = [
  aPassage([0, 20], [50, 80], []),
  aPassage([0, 20], [50, 80], [], {
    kind: "paraphrased",
    aligned: [
      [0, 5, 52, 56, 0.9],
      [12, 19, 70, 79, 0.6],
    ],
  }),
];

test("words of the passages under the pointer, and of no other sentence", () => {
  assert.deepEqual(wordAlignment(passages, [0, 10], [50, 60]), [{ a: [0, 5], b: [52, 56], weight: 0.9 }]);
  assert.equal(wordAlignment(passages, [0, 20], [50, 80]).length, 2);
  assert.deepEqual(wordAlignment(passages, [20, 30], [50, 80]), []);
  assert.deepEqual(wordAlignment(undefined, [0, 1], [0, 1]), []);
});

test("they are said the nearest first", () => {
  const words = wordAlignment(passages, [0, 20], [50, 80]);
  assert.equal(
    wordAlignmentText(words, (side, [start]) => `${side}${start}`),
    "a0 – b52, a12 – b70",
  );
});

test("with what they add where that is known, and marked are those that say something", () => {
  const pairs = wordPairs({
    asked: "",
    total: 0.002,
    residual: 0,
    pairs: [
      [0, 5, 52, 56, 0.0015],
      [6, 9, 52, 56, -0.0012],
      [12, 19, 70, 79, 0.0001],
      [20, 22, 80, 83, 0.0009],
    ],
  });
  assert.deepEqual(
    strongestPairs(pairs).map((p) => p.adds),
    [0.0015, 0.0009],
  );
  assert.deepEqual(strongestPairs([]), []);
  assert.deepEqual(
    listedPairs(pairs, (side, [start]) => `${side}${start}`).map((p) => p.adds),
    [0.0015, -0.0012, 0.0009],
  );
  assert.deepEqual(
    listedPairs([], () => ""),
    [],
  );
  const same = listedPairs(pairs, (side, [start]) => (start ? "Bends" : "bends") + side);
  assert.equal(same.length, 1, "two words are listed once, however often they stand");
  assert.equal(same[0].pairs.length, pairs.length);
  assert.equal(
    wordAlignmentText(pairs.slice(0, 2), (side, [start]) => `${side}${start}`),
    "a0 – b52 +0.00150, a6 – b52 −0.00120",
  );
  assert.equal(signedAmountText(0.02, 0.02), "+0.0200");
});

test("parts of two sentences are shares of what both add", () => {
  assert.deepEqual([0.00003, -0.0004, 0.0312, -0.002].map(contributionText), [
    "less than 0.001",
    "less than 0.001",
    "+0.031",
    "−0.002",
  ]);
  assert.deepEqual([0.01, -0.01, 0.04].map(contributionTexts([0.01, -0.01, 0.04], 0.04)), ["25 %", "−25 %", "100 %"]);
});

test("parts that cancel each other are amounts: no share of next to nothing is said", () => {
  assert.deepEqual([0.0004, -0.0006].map(contributionTexts([0.0004, -0.0006], 0.0001)), ["+0.000400", "−0.000600"]);
  assert.deepEqual([0.05].map(contributionTexts([0.05, -0.01], 0.04)), ["+0.0500"]);
  assert.deepEqual([1].map(contributionTexts([1], 0)), ["+1.000"]);
});
