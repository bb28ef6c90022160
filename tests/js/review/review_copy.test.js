import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { PREFIX, ReviewCopy } from "../../../colde/report/linked_view/review/review_copy.js";

const [ONE, OTHER] = ["0a".repeat(32), "f1".repeat(32)];
const MARK = { a: [0, 9], b: [20, 31], decision: "accepted", note: "“Seen”, <b>too</b>." };
const ADDED = { a: null, b: [40, 52], change: true, decision: "rejected", note: "" };
const COPY = { marks: [MARK, ADDED], out: "a:3,b:7-9,a@120-245", file: "c0ffee", undo: [[MARK], [ADDED]] };
let items = new Map();

beforeEach(() => {
  items = new Map();
  const localStorage = {
    getItem: (key) => items.get(key) ?? null,
    setItem: (key, value) => void items.set(key, value),
  };
  globalThis.window = { localStorage };
});

test("a copy is read for the same two texts, in either order, and for no other pair", () => {
  new ReviewCopy([ONE, OTHER]).write(COPY);
  assert.deepEqual(new ReviewCopy([ONE, OTHER]).read(), COPY);
  assert.deepEqual(new ReviewCopy([OTHER, ONE]).read(), {
    marks: [
      { ...MARK, a: MARK.b, b: MARK.a },
      { ...ADDED, a: ADDED.b, b: null },
    ],
    out: "b:3,a:7-9,b@120-245",
    file: "c0ffee",
    undo: [[{ ...MARK, a: MARK.b, b: MARK.a }], [{ ...ADDED, a: ADDED.b, b: null }]],
  });
  assert.equal(new ReviewCopy([ONE, ONE]).read(), null);
  assert.equal(items.size, 1);
});

test("what was written in one order is read in it after it was changed in the other", () => {
  new ReviewCopy([ONE, OTHER]).write(COPY);
  const swapped = new ReviewCopy([OTHER, ONE]);
  const copy = swapped.read();
  swapped.write({ ...copy, marks: copy.marks.slice(0, 1) });
  assert.deepEqual(new ReviewCopy([ONE, OTHER]).read(), { ...COPY, marks: [MARK] });
});

test("a copy of an earlier version has nothing to undo", () => {
  items.set(PREFIX + [ONE, OTHER].join(" "), JSON.stringify({ marks: [MARK], out: "", file: "" }));
  assert.deepEqual(new ReviewCopy([ONE, OTHER]).read(), { marks: [MARK], out: "", file: "", undo: [] });
});

test("a view without hashes keeps nothing", () => {
  new ReviewCopy(undefined).write(COPY);
  assert.equal(items.size, 0);
  assert.equal(new ReviewCopy(undefined).read(), null);
});

test("values that are no copy are passed over", () => {
  const values = [
    "",
    "{",
    "null",
    "[]",
    "7",
    '{"marks": 3, "out": "", "file": ""}',
    '{"marks": [null], "out": "", "file": ""}',
    '{"marks": [], "out": 3, "file": ""}',
    '{"marks": [], "out": "", "file": "", "undo": 3}',
    '{"marks": [], "out": "", "file": "", "undo": [[null]]}',
    '{"marks": [{"a": "x", "b": [1, 2], "decision": "", "note": ""}], "out": "", "file": ""}',
    '{"marks": [{"a": [1, 2], "b": [1, 2], "decision": "perhaps", "note": ""}], "out": "", "file": ""}',
  ];
  const copy = new ReviewCopy([ONE, OTHER]);
  for (const value of values) {
    items.set(PREFIX + [ONE, OTHER].join(" "), value);
    assert.equal(copy.read(), null, value);
  }
});

test("a browser that has no storage, or none left, loses nothing but the copy, and says so", () => {
  assert.equal(new ReviewCopy([ONE, OTHER]).write(COPY), true);
  assert.equal(new ReviewCopy(undefined).write(COPY), true, "a report keeps nothing");
  const copy = new ReviewCopy([ONE, OTHER]);
  globalThis.window = {
    localStorage: {
      getItem: () => null,
      setItem: () => {
        throw new Error("QuotaExceededError");
      },
    },
  };
  assert.equal(copy.write(COPY), false);
  assert.equal(copy.read(), null);
  globalThis.window = {
    get localStorage() {
      throw new Error("SecurityError");
    },
  };
  assert.equal(copy.write(COPY), false);
  assert.equal(copy.read(), null);
});
