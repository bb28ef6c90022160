import assert from "node:assert/strict";
import { test } from "node:test";

import { columnZoom, cropOf } from "../../../colde/report/linked_view/pages/page_crop.js";

/** A page of 600 × 800 points with two columns of lines, 70–290 and 310–530, from 90 to 700. */
const LINES = Array.from({ length: 60 }, (_, i) => {
  const [x, y] = [i % 2 ? 310 : 70, 90 + 10 * i];
  return [1, x, y, x + 220, y + 10];
});

test("margins are cut off, the same on every page", () => {
  const crop = cropOf(LINES, [600, 800]);
  assert.deepEqual(crop, { left: 58, top: 78, width: 484, height: 624 });
  assert.deepEqual(cropOf([], [600, 800]), { left: 0, top: 0, width: 600, height: 800 });
});

test("one line that sticks out among thousands does not keep the margin", () => {
  const many = Array.from({ length: 20 }, () => LINES).flat();
  assert.equal(cropOf([...many, [1, 5, 5, 20, 12]], [600, 800]).left, 58);
});

test("a column fills the pane where there are columns, else nothing changes", () => {
  const crop = cropOf(LINES, [600, 800]);
  assert.equal(columnZoom(LINES, crop), 484 / 244);
  const wide = LINES.map(([page, , y]) => [page, 70, y, 530, y + 10]);
  assert.equal(columnZoom(wide, cropOf(wide, [600, 800])), 1);
});

test("a page with one line keeps most of itself", () => {
  assert.deepEqual(cropOf([[1, 200, 400, 300, 410]], [600, 800]), { left: 120, top: 160, width: 360, height: 480 });
});
