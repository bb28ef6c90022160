// Which part of every page of a document has text: its margins are cut off, and a column can fill the pane.

const MARGIN = 12; // points left around the text
const OUTLIERS = 0.005; // of all boxes, those that may stick out: page numbers taken for text, a stamp at the edge
const MOST_CUT = 0.2; // of a side: a page with few lines is no strip
const COLUMN = 0.62; // of the width of the text; where most lines are narrower, the page has columns

/** @typedef {{left: number, top: number, width: number, height: number}} Crop in points */

/**
 * The same part of every page, so that columns stay where they are from page to page.
 * @param {number[][]} boxes of all sentences, each [page, x0, y0, x1, y1, …]
 * @param {number[]} size width and height of a page, in points
 * @returns {Crop}
 */
export function cropOf(boxes, [width, height]) {
  const edges = /** @type {number[][]} */ ([[], [], [], []]);
  for (const flat of boxes) {
    for (let k = 0; k < flat.length; k += 5) for (let e = 0; e < 4; e += 1) edges[e].push(flat[k + 1 + e]);
  }
  if (!edges[0].length) return { left: 0, top: 0, width, height };
  for (const values of edges) values.sort((x, y) => x - y);
  const first = (/** @type {number} */ e, /** @type {number} */ side) =>
    Math.min(MOST_CUT * side, Math.max(0, edges[e][Math.floor(OUTLIERS * edges[e].length)] - MARGIN));
  const last = (/** @type {number} */ e, /** @type {number} */ side) =>
    Math.max((1 - MOST_CUT) * side, Math.min(side, edges[e][Math.ceil((1 - OUTLIERS) * edges[e].length) - 1] + MARGIN));
  const [left, top] = [first(0, width), first(1, height)];
  return { left, top, width: last(2, width) - left, height: last(3, height) - top };
}

/**
 * How many times wider than the pane the text is to be so that one column fills it; 1 where there is one.
 * @param {number[][]} boxes
 * @param {Crop} crop
 */
export function columnZoom(boxes, crop) {
  const widths = boxes.filter((flat) => flat.length).map((flat) => flat[3] - flat[1]);
  if (!widths.length) return 1;
  const widest = widths.sort((x, y) => x - y)[Math.floor(0.8 * widths.length)];
  return widest < COLUMN * (crop.width - 2 * MARGIN) ? crop.width / (widest + 2 * MARGIN) : 1;
}

/** A length on a page as CSS takes it.
 * @param {number} value
 * @param {number} whole
 */
export function percent(value, whole) {
  return `${(100 * value) / whole}%`;
}

/** Put an element over a box of a page: left, top, right and bottom edge, on a page of this width and height.
 * @param {HTMLElement} element
 * @param {number[]} box
 * @param {number[]} size
 */
export function placeOnPage(element, [x0, y0, x1, y1], [width, height]) {
  Object.assign(element.style, {
    left: percent(x0, width),
    top: percent(y0, height),
    width: percent(x1 - x0, width),
    height: percent(y1 - y0, height),
  });
}
