import assert from "node:assert/strict";
import { test } from "node:test";

import { TextSplit, WHOLE_SPLIT, sharePercent } from "../../../colde/report/linked_view/payload/text_split.js";
import { itemKey } from "../../../colde/report/linked_view/review/review_marks.js";
import { aPassage } from "../payload.js";

// A: 20 identical words, 10 edited (one passage), 10 quoted identical, 10 standard, 50 of its own. B: the same.
const LONG = aPassage([0, 30], [0, 30], [["identical", [0, 20], [0, 20]], ["edited", [20, 30], [20, 30]]]); // prettier-ignore
const SHORT = aPassage([30, 40], [30, 40], [["identical", [30, 40], [30, 40]]]);
const TOPIC = aPassage([0, 40], [0, 40], [["same topic", [0, 40], [0, 40]]]);
const TERMS = aPassage([40, 50], [40, 50], [["edited", [40, 50], [40, 50]]], { standard: true });
const stretches = [0, 20, 0, 20, 0, 20, 30, 1, 10, 0, 30, 40, 0, 10, 1, 40, 50, 3, 10, 0, 50, 100, -1, 50, 0];
const DATA = {
  kinds: ["identical", "edited", "same topic", "standard"].map((label) => ({ label, means: "" })),
  rest: { label: "rest", means: "none of these" },
  note: "",
  missing: "",
  a: stretches,
  b: stretches,
};
const split = new TextSplit(DATA, [LONG, SHORT, TOPIC, TERMS]);
const parts = (filter) => split.parts("a", { ...WHOLE_SPLIT, ...filter });
const shares = (filter) => parts(filter).map((part) => sharePercent(part.share));
const rejected = (...passages) => ({ rejected: new Set(passages.map(itemKey)) });

test("without a filter the shares are those of the stretches", () => {
  assert.deepEqual(shares({}), ["30 %", "10 %", "0 %", "10 %", "50 %"]);
});

test("words of short, quoted or rejected passages have the next kind that covers them", () => {
  assert.deepEqual(shares({ words: 15 }), ["20 %", "10 %", "10 %", "0 %", "60 %"]);
  assert.deepEqual(shares({ words: 50 }), ["0 %", "0 %", "0 %", "0 %", "100 %"]);
  assert.deepEqual(shares({ quotations: false }), ["22 %", "11 %", "0 %", "11 %", "56 %"]);
  assert.deepEqual(shares(rejected(LONG)), ["10 %", "0 %", "30 %", "10 %", "50 %"]);
  assert.deepEqual(shares(rejected(LONG, TOPIC)), ["10 %", "0 %", "0 %", "10 %", "80 %"]);
  assert.deepEqual(shares(rejected(aPassage([0, 30], [60, 70], []))), ["30 %", "10 %", "0 %", "10 %", "50 %"]);
});

test("standard text counts apart, with the rest, or not at all", () => {
  assert.deepEqual(shares({ standard: "with" }), ["30 %", "20 %", "0 %", "0 %", "50 %"]);
  assert.deepEqual(shares({ standard: "out" }), ["33 %", "11 %", "0 %", "0 %", "56 %"]);
  assert.deepEqual(shares({ standard: "with", ...rejected(TERMS) }), ["30 %", "10 %", "0 %", "0 %", "60 %"]);
  assert.deepEqual(
    ["apart", "with", "out"].map((standard) => split.keeps(3, { ...WHOLE_SPLIT, standard })),
    [true, true, false],
  );
});

test("a part leads to the passages of its kind, else to those with parts of it", () => {
  assert.deepEqual(
    parts({}).map((part) => part.passages),
    [[0, 1], [0], [2], [3], []],
  );
  assert.deepEqual(
    parts({ standard: "with", words: 15 }).map((part) => part.passages),
    [[0], [0], [2], [], []],
  );
  assert.deepEqual(parts({ standard: "with" })[1].passages, [3]);
});

test("a share is 0 or 100 % only where it is exactly that", () => {
  assert.deepEqual([0, 0.001, 0.125, 0.999, 1].map(sharePercent), ["0 %", "under 1 %", "12 %", "over 99 %", "100 %"]);
});
