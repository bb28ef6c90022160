import assert from "node:assert/strict";
import { test } from "node:test";

import { gradient, ramp, shadeLevel, sideTint } from "../../../colde/report/linked_view/map/colour_ramp.js";

const KINDS = ["cosine", "attention", "attribution", "term weight"];

/** Relative luminance of the i-th of 256 colours. */
function luminance(table, i) {
  const [r, g, b] = table.slice(3 * i, 3 * i + 3);
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

for (const kind of KINDS) {
  for (const dark of [false, true]) {
    test(`${kind}, ${dark ? "dark" : "light"}: lightness moves steadily one way, so that it reads in grey`, () => {
      const table = ramp(kind, dark);
      assert.equal(table.length, 256 * 3);
      for (let i = 1; i < 256; i += 1) {
        const step = luminance(table, i) - luminance(table, i - 1);
        assert.ok(dark ? step >= -0.5 : step <= 0.5, `${i}: ${step}`);
      }
      assert.ok(Math.abs(luminance(table, 255) - luminance(table, 0)) > 100);
    });
  }
}

test("kinds never share a colour scale", () => {
  for (const dark of [false, true]) {
    assert.equal(new Set(KINDS.map((kind) => gradient(kind, dark))).size, KINDS.length);
    assert.equal(new Set(KINDS.map((kind) => sideTint(kind, dark))).size, KINDS.length);
  }
});

test("a kind nobody knows yet is drawn all the same", () => {
  assert.deepEqual(ramp("something new", false), ramp("cosine", false));
  assert.equal(gradient("something new", true), gradient("cosine", true));
});

test("a value is placed on its scale, and stays on it", () => {
  assert.deepEqual(
    [-1, 0.25, 0.5, 0.75, 2].map((v) => shadeLevel(v, [0.25, 0.75])),
    [0, 0, 128, 255, 255],
  );
});

for (const dark of [false, true]) {
  test(`for or against, ${dark ? "dark" : "light"}: both ends stand out from the middle alike, blue below and orange above`, () => {
    const table = ramp("diverging", dark);
    const [least, middle, most] = [0, 128, 255].map((i) => luminance(table, i));
    for (const end of [least, most]) assert.ok(dark ? end - middle > 100 : middle - end > 100);
    assert.ok(Math.abs(least - most) < 40);
    const [blue, orange] = [table.slice(3 * 64, 3 * 64 + 3), table.slice(3 * 192, 3 * 192 + 3)];
    assert.ok(blue[2] > blue[0] && orange[0] > orange[2]);
  });
}
