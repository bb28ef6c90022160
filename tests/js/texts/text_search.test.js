import assert from "node:assert/strict";
import { test } from "node:test";

import { DocumentText } from "../../../colde/report/linked_view/payload/document_text.js";
import { TextSearch } from "../../../colde/report/linked_view/texts/text_search.js";
import { aDocument } from "../payload.js";

const SENTENCES = ["A wave 🌊 breaks.", "The  WAVE (of 1.5 m) came back.", "Nothing else."];
const TEXT = new DocumentText(aDocument([["Sea", [SENTENCES]]]), "a");

/** What a search finds, as the text says it; the field itself needs a page. */
const found = (words, text = TEXT) =>
  TextSearch.prototype.search.call({ text }, words).map(({ start, end }) => text.slice(start, end));

test("every hit is found, whatever the case, exact to the character behind an emoji", () => {
  assert.deepEqual(found("wave"), ["wave", "WAVE"]);
  assert.deepEqual(found("breaks"), ["breaks"]);
  assert.deepEqual(found("🌊"), ["🌊"]);
});

test("signs are looked for as they stand, and any space is like any other", () => {
  assert.deepEqual(found("(of 1.5 m)"), ["(of 1.5 m)"]);
  assert.deepEqual(found("1x5"), []);
  assert.deepEqual(found("the wave"), ["The  WAVE"]);
  assert.deepEqual(found(" came "), ["came"]);
  for (const sign of [".*", "[", "\\", "a/b", "^", "$", "{2}"]) assert.deepEqual(found(sign), [], sign);
});

test("nothing typed finds nothing", () => {
  assert.deepEqual(found(""), []);
  assert.deepEqual(found("   "), []);
});

test("of very many hits the first are marked", () => {
  const text = new DocumentText(aDocument([["H", [["a ".repeat(3000).trim()]]]]), "a");
  assert.equal(found("a", text).length, 2000);
});
