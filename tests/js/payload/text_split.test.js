import assert from "node:assert/strict";
import { test } from "node:test";

import { TextSplit, WHOLE_SPLIT, sharePercent } from "../../../colde/report/linked_view/payload/text_split.js";

// A: 20 identical words, 10 edited, 10 quoted identical, 60 of its own. B: the same, in one order.
const LONG = [0, 20, 0, 20];
const EDITED = [20, 30, 20, 30];
const SHORT = [30, 40, 30, 40];
const stretches = [0, 20, 0, 20, 0, 20, 30, 1, 10, 0, 30, 40, 0, 10, 1, 40, 100, -1, 60, 0];
const DATA = {
  kinds: [
    { label: "identical", means: "the same words", passages: [LONG, SHORT] },
    { label: "edited", means: "nearly the same words", passages: [EDITED] },
    { label: "same topic", means: "about the same", passages: [[0, 40, 0, 40]] },
  ],
  rest: { label: "rest", means: "none of these" },
  note: "",
  missing: "",
  a: stretches,
  b: stretches,
};
const split = new TextSplit(DATA);
const shares = (filter) => split.parts("a", { ...WHOLE_SPLIT, ...filter }).map((part) => sharePercent(part.share));

test("without a filter the shares are those of the stretches", () => {
  assert.deepEqual(shares({}), ["30 %", "10 %", "0 %", "60 %"]);
});

test("without short passages, quotations or rejected ones their words have the next kind that covers them", () => {
  assert.deepEqual(shares({ words: 15 }), ["20 %", "0 %", "20 %", "60 %"]);
  assert.deepEqual(shares({ words: 50 }), ["0 %", "0 %", "0 %", "100 %"]);
  assert.deepEqual(shares({ quotations: false }), ["22 %", "11 %", "0 %", "67 %"]);
  assert.deepEqual(shares({ rejected: [{ a: [20, 30], b: [20, 31] }] }), ["30 %", "0 %", "10 %", "60 %"]);
  assert.deepEqual(shares({ rejected: [{ a: [20, 30], b: [60, 70] }] }), ["30 %", "10 %", "0 %", "60 %"]);
  assert.deepEqual(
    shares({ rejected: [{ a: [0, 10], b: [0, 10] }] }),
    ["20 %", "10 %", "10 %", "60 %"],
    "a part of one",
  );
  assert.deepEqual(
    split.parts("b", { ...WHOLE_SPLIT, words: 15 }).map((part) => part.passages.length),
    [1, 0, 1, 0],
  );
  assert.ok(split.isQuoted("a", 32, 38) && !split.isQuoted("a", 25, 38));
});

test("words that no listed passage covers stand for themselves", () => {
  const repeated = new TextSplit({ ...DATA, kinds: DATA.kinds.map((kind) => ({ ...kind, passages: [] })) });
  const parts = (filter) => repeated.parts("a", { ...WHOLE_SPLIT, ...filter }).map((part) => part.share);
  assert.deepEqual(parts({}), [0.3, 0.1, 0, 0.6]);
  assert.deepEqual(parts({ words: 15 }), [0.2, 0, 0, 0.8]);
});

test("a share is 0 or 100 % only where it is exactly that", () => {
  assert.deepEqual([0, 0.001, 0.125, 0.999, 1].map(sharePercent), ["0 %", "under 1 %", "12 %", "over 99 %", "100 %"]);
});
