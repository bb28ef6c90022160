import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { averagePixels } from "../../../colde/report/linked_view/map/cell_pixels.js";
import { aMap } from "../payload.js";

/** 256 greys: the place on the scale is the colour. */
const GREYS = Uint8ClampedArray.from({ length: 256 * 3 }, (_, i) => Math.floor(i / 3));

let image;

beforeEach(() => {
  globalThis.ImageData = class {
    constructor(width, height) {
      Object.assign(this, { width, height, data: new Uint8ClampedArray(4 * width * height) });
    }
  };
  const context = { putImageData: (given) => (image = given) };
  globalThis.document = { createElement: () => ({ getContext: () => context }) };
});

/** [red, opacity] of each pixel. */
function pixels(values, width, height) {
  const map = aMap(values);
  const canvas = averagePixels(map, map.rows.all(), map.columns.all(), width, height, GREYS, [0, 1]);
  assert.deepEqual([canvas.width, canvas.height], [width, height]);
  return Array.from({ length: width * height }, (_, i) => [image.data[4 * i], image.data[4 * i + 3]]);
}

test("as many pixels as cells: each cell has its own colour", () => {
  assert.deepEqual(
    pixels(
      [
        [0, 1],
        [0.2, 0.6],
      ],
      2,
      2,
    ),
    [
      [0, 255],
      [255, 255],
      [51, 255],
      [153, 255],
    ],
  );
});

test("more cells than pixels: a pixel is the mean of those that fall on it", () => {
  assert.deepEqual(pixels([[0, 1, 0.2, 0.6]], 2, 1), [
    [128, 255],
    [102, 255],
  ]);
  assert.deepEqual(pixels([[0], [1], [1], [1]], 1, 2), [
    [128, 255],
    [255, 255],
  ]);
});

test("cells without a value count for nothing; where there is none at all, the pixel is clear", () => {
  assert.deepEqual(pixels([[NaN, 1, NaN, NaN]], 2, 1), [
    [255, 255],
    [0, 0],
  ]);
});
