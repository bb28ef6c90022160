// Cells as pixels: averaged where there are more cells than pixels, hatched where there is no value.

import { context2d, shadeLevel } from "./colour_ramp.js";

/**
 * The matrix as an image of at most width × height pixels; a pixel is the mean of the cells that fall on it.
 * @param {import("../payload/similarity_map.js").SimilarityMap} map
 * @param {number[]} rows
 * @param {number[]} columns
 * @param {number} width
 * @param {number} height
 * @param {Uint8ClampedArray} colours 256 triples
 * @param {import("../types").Limits} limits
 */
export function averagePixels(map, rows, columns, width, height, colours, limits) {
  const sums = new Float64Array(width * height);
  const counts = new Uint32Array(width * height);
  const drawn = map.drawnFrom(rows, columns);
  const x = columns.map((_, c) => Math.floor((c * width) / columns.length));
  rows.forEach((row, r) => {
    const line = Math.floor((r * height) / rows.length) * width;
    for (let c = 0; c < columns.length; c += 1) {
      const value = drawn(row, columns[c]);
      if (value === value) {
        sums[line + x[c]] += value;
        counts[line + x[c]] += 1;
      }
    }
  });
  const image = new ImageData(width, height);
  for (let i = 0; i < counts.length; i += 1) {
    if (!counts[i]) continue;
    const k = 3 * shadeLevel(sums[i] / counts[i], limits);
    image.data.set([colours[k], colours[k + 1], colours[k + 2], 255], 4 * i);
  }
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  context2d(canvas).putImageData(image, 0, 0);
  return canvas;
}

/**
 * Diagonal lines: there is no value here (yet).
 * @param {CanvasRenderingContext2D} context
 * @param {boolean} dark
 * @returns {CanvasPattern}
 */
export function hatch(context, dark) {
  const tile = document.createElement("canvas");
  tile.width = tile.height = 8;
  const paint = context2d(tile);
  paint.fillStyle = dark ? "#161b22" : "#fafafa";
  paint.fillRect(0, 0, 8, 8);
  paint.strokeStyle = dark ? "#343c47" : "#d5d9de";
  paint.lineWidth = 1.2;
  for (const shift of [-8, 0, 8]) {
    paint.beginPath();
    paint.moveTo(shift, 8);
    paint.lineTo(shift + 8, 0);
    paint.stroke();
  }
  return /** @type {CanvasPattern} */ (context.createPattern(tile, "repeat"));
}
