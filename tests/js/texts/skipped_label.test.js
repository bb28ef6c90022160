// Names of parts that were set aside.

import assert from "node:assert/strict";
import { test } from "node:test";

import { skippedLabel } from "../../../colde/report/linked_view/texts/skipped_label.js";

test("text of a template and of the reference has a name, not the identifier of its role", () => {
  for (const [role, name] of [
    ["template", "Text of a template"],
    ["standard", "Standard text of the reference"],
  ]) {
    assert.equal(
      skippedLabel({ role, heading: null }),
      `${name} · not ${role === "boilerplate" ? "scored" : "compared"}`,
    );
  }
});
