// Names of rows and columns whose labels are short.

import assert from "node:assert/strict";
import { test } from "node:test";

import { entryText, labelName } from "../../../colde/report/linked_view/map/axis_names.js";

test("a number stands before the name it stands for, once", () => {
  assert.equal(entryText("3", "Results"), "3 · Results");
  assert.equal(entryText("2.1", "2.1 Data"), "2.1 Data");
  assert.equal(entryText("2", "20 questions"), "2 · 20 questions");
  assert.equal(entryText("Results", "Results"), "Results");
});

test("the name of a label begins with what is drawn, as speech input needs it", () => {
  assert.equal(labelName("1", "Chapter 1"), "1: Chapter 1");
  assert.equal(labelName("A", "An engineer"), "A: An engineer");
  assert.equal(labelName("A", "A. Proofs"), "A. Proofs");
  assert.equal(labelName("Results", "Results"), "Results");
});
