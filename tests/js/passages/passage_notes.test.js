import assert from "node:assert/strict";
import { test } from "node:test";

import { changeCount } from "../../../colde/report/linked_view/passages/passage_notes.js";

test("changes are counted as in the headline: without differences of form", () => {
  const listedChanges = ["negation", "form", "wording", "form"].map((kind) => ({ kind }));
  assert.equal(changeCount({ listedChanges }), 2);
  assert.equal(changeCount({ listedChanges: [] }), 0);
  assert.equal(changeCount({ listedChanges: undefined }), null);
});
