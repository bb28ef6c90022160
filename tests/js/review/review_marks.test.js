import assert from "node:assert/strict";
import { test } from "node:test";

import { DocumentText } from "../../../colde/report/linked_view/payload/document_text.js";
import {
  NO_FILTER,
  ReviewMarks,
  filterItems,
  foldedChanges,
  passageMark,
  sameMarks,
  sectionsOf,
} from "../../../colde/report/linked_view/review/review_marks.js";
import { aDocument, aPassage } from "../payload.js";

const LEFT = new DocumentText(
  aDocument([
    ["Tides", [["The tide turns twice a day.", "“It waits for no one,” he said."]]],
    ["Winds", [["The wind turns, too."]]],
  ]),
  "a",
);
const RIGHT = new DocumentText(
  aDocument([["Harbours", [["The tide turns twice a day.", "Ships lie at anchor."]]]]),
  "b",
);
const texts = { a: LEFT, b: RIGHT };

function passage(a, b, kind = "identical") {
  const span = (text, words) => {
    const start = text.text.indexOf(words);
    assert.ok(start >= 0);
    return [start, start + words.length];
  };
  return aPassage(span(LEFT, a), span(RIGHT, b), [], { kind });
}

const SAME = passage("The tide turns twice a day.", "The tide turns twice a day.");
const OTHER = passage("The wind turns, too.", "Ships lie at anchor.", "paraphrased");
const QUOTED = passage("It waits for no one", "Ships lie at anchor.", "paraphrased");
const ALL = [SAME, OTHER, QUOTED];
const on = { keeps: () => true, label: ({ kind }) => kind };
const listed = (change, review = new ReviewMarks(), counted = {}) =>
  filterItems(ALL, { ...NO_FILTER, ...change }, texts, review, { ...on, ...counted });

test("decisions are taken back by the same key, and what is saved brings them back", () => {
  const review = new ReviewMarks();
  review.decide(SAME, "accepted");
  review.decide(OTHER, "rejected");
  review.write(OTHER, "Only a figure of speech.");
  review.decide(SAME, "accepted");
  assert.equal(review.of(SAME).decision, "");
  assert.deepEqual(review.list(), [
    {
      a: [OTHER.a.start, OTHER.a.end],
      b: [OTHER.b.start, OTHER.b.end],
      decision: "rejected",
      note: "Only a figure of speech.",
    },
  ]);
  const again = new ReviewMarks();
  again.load(JSON.parse(JSON.stringify(review.list())));
  assert.equal(again.of(OTHER).decision, "rejected");
  assert.equal(again.of(OTHER).note, "Only a figure of speech.");
  assert.equal(again.of(SAME).decision, "");
});

test("a change has a mark of its own, also where a passage has the same places or one text has none", () => {
  const change = {
    a: SAME.a,
    b: SAME.b,
    kind: "wording",
    near: null,
    description: "",
    also: "",
    marks: { a: [], b: [] },
  };
  const added = { a: null, b: OTHER.b, kind: "only in B", near: 9, description: "", also: "", marks: { a: [], b: [] } };
  const review = new ReviewMarks();
  review.decide(change, "accepted");
  review.write(added, "New.");
  assert.equal(review.of(SAME).decision, "");
  const again = new ReviewMarks();
  again.load(JSON.parse(JSON.stringify(review.list())));
  assert.equal(again.of(change).decision, "accepted");
  assert.equal(again.of(added).note, "New.");
  assert.deepEqual(again.list()[1], {
    a: null,
    b: [OTHER.b.start, OTHER.b.end],
    change: true,
    decision: "",
    note: "New.",
  });
  const filtered = (more) => filterItems([change, added], { ...NO_FILTER, ...more }, texts, review, on);
  assert.deepEqual(filtered({ kinds: ["only in B", "moved"] }), [1]);
  assert.deepEqual(filtered({ kinds: ["only in B", "wording"] }), [0, 1]);
  assert.deepEqual(filtered({ section: "B: Harbours", text: "anchor" }), [1]);
});

test("differences of form are folded after other changes, and listed when they are asked for", () => {
  const change = (words, kind) => {
    const { a, b } = passage(words, "Ships lie at anchor.");
    return { a, b, kind, near: null, description: "", also: "", marks: { a: [], b: [] } };
  };
  const items = [
    change("The tide turns twice a day.", "wording"),
    change("The wind turns, too.", "form"),
    change("It waits for no one", "form"),
  ];
  const filtered = (list, more) => filterItems(list, { ...NO_FILTER, ...more }, texts, new ReviewMarks(), on);
  assert.equal(foldedChanges(items, NO_FILTER), 2);
  assert.deepEqual(filtered(items, {}), [0]);
  assert.deepEqual(filtered(items, { form: true }), [0, 1, 2]);
  assert.deepEqual(filtered(items, { form: true, text: "wind" }), [1]);
  assert.deepEqual(filtered(items, { kinds: ["form"] }), [1, 2], "the button of the kind unfolds them, too");
  assert.deepEqual(filtered(items.slice(1), {}), [0, 1], "where all changes are of form, nothing is folded");
  assert.equal(foldedChanges(items.slice(1), NO_FILTER), 0);
  assert.equal(foldedChanges([SAME], NO_FILTER), 0);
});

test("decisions and notes are undone one by one, a note as a whole", () => {
  const review = new ReviewMarks();
  assert.equal(review.canUndo, false);
  review.decide(SAME, "accepted");
  review.write(SAME, "Co");
  review.write(SAME, "Taken over");
  review.noted();
  review.write(SAME, "Taken over?");
  review.decide(SAME, "rejected");
  const steps = [];
  while (review.canUndo) {
    review.undo();
    steps.push(review.of(SAME));
  }
  assert.deepEqual(
    steps.map(({ decision, note }) => [decision, note]),
    [
      ["accepted", "Taken over?"],
      ["accepted", "Taken over"],
      ["accepted", ""],
      ["", ""],
    ],
  );
  review.undo();
  assert.deepEqual(review.list(), []);
});

test("what was decided before a reload can be undone after it, up to fifty steps", () => {
  const review = new ReviewMarks();
  review.decide(SAME, "accepted");
  review.write(SAME, "Taken over");
  review.decide(OTHER, "rejected");
  const again = new ReviewMarks();
  again.load(...JSON.parse(JSON.stringify([review.list(), review.undoable()])));
  again.write(OTHER, "Later.");
  again.undo();
  assert.deepEqual([again.of(OTHER).decision, again.of(OTHER).note], ["rejected", ""]);
  again.undo();
  assert.deepEqual([again.of(OTHER).decision, again.of(SAME).note], ["", "Taken over"]);
  again.undo();
  again.undo();
  assert.deepEqual(again.list(), []);
  assert.equal(again.canUndo, false);
  for (let i = 0; i < 60; i += 1) review.decide(SAME, "accepted");
  assert.equal(review.undoable().length, 50);
});

test("filters by kind, section, words and decision, among those that count", () => {
  const review = new ReviewMarks();
  review.decide(OTHER, "rejected");
  assert.deepEqual(listed({}), [0, 1, 2]);
  assert.deepEqual(listed({ kinds: ["paraphrased"] }), [1, 2]);
  assert.deepEqual(sectionsOf(OTHER, texts), ["A: Winds", "B: Harbours"]);
  assert.deepEqual(listed({ section: "A: Winds" }), [1]);
  assert.deepEqual(listed({ text: "ANCHOR" }), [1, 2]);
  assert.deepEqual(listed({ decision: "rejected" }, review), [1]);
  assert.deepEqual(listed({ decision: "open" }, review), [0, 2]);
  assert.deepEqual(listed({}, review, { keeps: (i) => i !== 2 }), [0, 1]);
  assert.deepEqual(listed({ kinds: ["standard"] }, review, { label: () => "standard" }), [0, 1, 2]);
});

test("the marks of a file join what is there, in one step to undo", () => {
  const review = new ReviewMarks();
  review.decide(SAME, "accepted");
  review.write(OTHER, "Mine.");
  const before = review.list();
  const file = new ReviewMarks();
  file.decide(SAME, "rejected");
  file.decide(QUOTED, "accepted");
  review.merge(file.list());
  assert.deepEqual(
    [SAME, OTHER, QUOTED].map((item) => [review.of(item).decision, review.of(item).note]),
    [
      ["rejected", ""],
      ["", "Mine."],
      ["accepted", ""],
    ],
  );
  review.undo();
  assert.ok(sameMarks(review.list(), before));
  review.merge([]);
  review.undo();
  assert.equal(review.of(OTHER).note, "", "a file without marks is no step");
});

test("what another tab has decided can be taken on without losing what can be undone here", () => {
  const review = new ReviewMarks();
  review.decide(SAME, "accepted");
  const tab = new ReviewMarks();
  tab.decide(SAME, "accepted");
  tab.decide(OTHER, "rejected");
  review.load(tab.list());
  review.undo();
  assert.equal(review.of(SAME).decision, "");
  assert.equal(review.of(OTHER).decision, "rejected");
});

test("lists of marks are the same in any order, and differ by a decision or a note", () => {
  const [one, other] = [new ReviewMarks(), new ReviewMarks()];
  for (const item of [SAME, OTHER]) one.decide(item, "accepted");
  for (const item of [OTHER, SAME]) other.decide(item, "accepted");
  assert.ok(sameMarks(one.list(), other.list()));
  other.write(OTHER, "Really?");
  assert.ok(!sameMarks(one.list(), other.list()));
});

const ROW = { a: { start: 0, end: 30 }, counterparts: [{ b: [10, 40], kind: "identical", certainty: 0.9, place: "" }] };

test("a row of the chart has a mark of its own beside that of a passage at the same place", () => {
  const review = new ReviewMarks();
  const same = aPassage([0, 30], [10, 40], []);
  review.decide(same, "accepted");
  review.write(ROW, "Checked.");
  assert.equal(review.of(same).note, "");
  assert.equal(review.of(ROW).decision, "");
  assert.deepEqual(review.list()[1], { a: [0, 30], b: null, row: "listed", decision: "", note: "Checked." });
  review.write(ROW, "");
  assert.equal(review.list().length, 1);
});

test("a row that was added stays without a decision, until it is removed or undone", () => {
  const review = new ReviewMarks();
  const added = { ...ROW, added: true };
  review.addRow([0, 30]);
  review.decide(added, "rejected");
  review.decide(added, "rejected");
  assert.deepEqual(review.list(), [{ a: [0, 30], b: null, row: "added", decision: "", note: "" }]);
  review.removeRow(added);
  assert.deepEqual(review.list(), []);
  review.undo();
  assert.equal(review.list().length, 1);
  for (let k = 0; k < 3; k += 1) review.undo();
  assert.deepEqual(review.list(), []);
  assert.equal(review.canUndo, false);
});

test("the mark of a passage that overlaps a row and one of its counterparts counts for the row", () => {
  const mark = (a, b, more) => ({ a, b, decision: "accepted", note: "", ...more });
  assert.equal(passageMark([mark([20, 50], [0, 11])], ROW).decision, "accepted");
  const others = [
    mark([30, 50], [0, 11]),
    mark([20, 50], [0, 10]),
    mark([20, 50], [0, 11], { change: true }),
    mark([0, 30], null, { row: "listed" }),
  ];
  assert.equal(passageMark(others, ROW).decision, "");
});
