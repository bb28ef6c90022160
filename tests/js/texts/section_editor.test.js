// Sections put right where they stand: what is offered for a place, and where sections stand on pages.

import assert from "node:assert/strict";
import { test } from "node:test";

import { boxesOnPages } from "../../../colde/report/linked_view/pages/page_sections.js";
import { canStartSection, mergesWith } from "../../../colde/report/linked_view/texts/section_editor.js";

/** @type {(heading: string | null, role?: string | null) => import("../../../colde/report/linked_view/types").Section} */
const section = (heading, role = null) => ({
  heading,
  role,
  level: 1,
  start: 0,
  body: 5,
  end: 40,
  paragraphs: [5, 40],
  sentences: [5, 20, 21, 40],
});

test("a section merges with the nearest before it that is no loose caption", () => {
  const sections = [
    section(null, "caption"),
    section("One"),
    section(null, "table"),
    section("References", "references"),
    section(null),
    section(null, "caption"),
    section("Two"),
  ];
  assert.deepEqual(
    sections.map((_, i) => mergesWith(sections, i)),
    [-1, -1, 1, 1, 3, 4, 4],
  );
});

test("a section begins at a sentence only where something stands before it", () => {
  assert.equal(canStartSection(section("One"), 0), true);
  assert.equal(canStartSection({ ...section(null), body: 0, sentences: [0, 20, 21, 40] }, 0), false);
  assert.equal(canStartSection({ ...section(null), body: 0, sentences: [0, 20, 21, 40] }, 1), true);
  assert.equal(canStartSection(section("One"), -1), false);
});

test("a piece of a section ends with its page and with its column", () => {
  const down = boxesOnPages([
    [1, 50, 700, 120, 712],
    [1, 130, 701, 290, 713, 1, 50, 714, 200, 726],
    [1, 310, 80, 550, 92],
    [2, 50, 80, 290, 92],
  ]);
  assert.deepEqual(down, [
    { page: 1, x0: 50, y0: 700, x1: 290, y1: 726 },
    { page: 1, x0: 310, y0: 80, x1: 550, y1: 92 },
    { page: 2, x0: 50, y0: 80, x1: 290, y1: 92 },
  ]);
  assert.deepEqual(boxesOnPages([[], []]), []);
});
