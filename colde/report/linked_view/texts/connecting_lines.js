// Lines from sentences of the left text to their answers in the right one, in the room between the panes.

const SVG = "http://www.w3.org/2000/svg";
const BEND = 26; // pixels between a text and the middle, in which a line bends
const EDGE = 5; // a line whose end is out of sight stops this far inside the pane

/**
 * As much of a text pane as a line needs.
 * @typedef {{element: Element, scroller: Element, pages?: {scroller: Element} | null, box(start: number, end: number): DOMRect | null}} Pane
 */

export class ConnectingLines {
  /** @param {Element} body */
  constructor(body) {
    this.body = body;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "lv-links");
    this.svg.setAttribute("aria-hidden", "true");
    /** @type {import("../types").Answer[]} */
    this.pairs = [];
    this.drawn = ""; // the lines on the page
  }

  /** @param {import("../types").Answer[]} pairs */
  show(pairs) {
    this.pairs = pairs;
    this.put("lv-links", []);
  }

  /**
   * Put these lines on the page; returns whether they are others than those that were there.
   * @param {string} look class of all of them together
   * @param {{d: string, class: string, "stroke-width": string}[]} lines
   */
  put(look, lines) {
    const said = JSON.stringify([look, lines]);
    if (said === this.drawn) return false;
    this.drawn = said;
    this.svg.setAttribute("class", look);
    this.svg.replaceChildren();
    for (const line of lines) {
      const path = document.createElementNS(SVG, "path");
      for (const [name, value] of Object.entries(line)) path.setAttribute(name, value);
      this.svg.append(path);
    }
    return true;
  }

  /**
   * Draw the lines where their passages stand now; returns whether any of them has moved.
   * @param {Pane} left
   * @param {Pane} right
   * @param {DOMRect | null} [cell] the selected cell on the screen, through which the lines go
   * @param {DOMRect | null} [matrix] all cells: a line bends before the names of the rows and is not drawn over them
   */
  draw(left, right, cell = null, matrix = null) {
    const look = cell ? "lv-links lv-links-over" : "lv-links";
    const frame = this.body.getBoundingClientRect();
    const [from, to] = [left, right].map((pane) => (pane.pages ?? pane).scroller.getBoundingClientRect());
    const [x1, x2] = [left.element.getBoundingClientRect().right - frame.left, to.left - frame.left];
    if (x2 - x1 < 8 || !from.height || !to.height) return this.put(look, []); // the panes stand below each other
    const over = cell && { cell, matrix: matrix ?? cell, frame, x1, x2 };
    const seen = { a: false, b: false };
    const lines = [];
    for (const { a, b, strength } of this.pairs) {
      const [start, end] = [place(left.box(...a), from), place(right.box(...b), to)];
      if (!start || !end) continue;
      const [y1, y2] = [start.y - frame.top, end.y - frame.top];
      seen.a ||= start.seen;
      seen.b ||= end.seen;
      lines.push({
        d: over ? halves(over, start.seen ? y1 : null, end.seen ? y2 : null) : curve(x1, y1, x2, y2),
        class: start.seen && end.seen ? "lv-link" : "lv-link lv-link-away",
        "stroke-width": (1 + 2 * strength).toFixed(1),
      });
    }
    if (over && (seen.a || seen.b)) lines.push({ d: along(over, seen), class: "lv-link", "stroke-width": "1.5" }); // one for all
    return this.put(look, lines);
  }
}

/** @typedef {{cell: DOMRect, matrix: DOMRect, frame: DOMRect, x1: number, x2: number}} Over the way over the middle, from x1 to x2 */

/** Height of the cell's row, and how far the bends on both sides reach into the middle.
 * @param {Over} over
 */
function bends({ cell, frame, x1, x2 }) {
  const y = (cell.top + cell.bottom) / 2 - frame.top;
  return { y, from: Math.min(x1 + BEND, cell.left - frame.left), to: Math.max(x2 - BEND, cell.right - frame.left) };
}

/**
 * A line from a text to the height of the cell's row and from there to the other text; null: nothing leads out of sight.
 * @param {Over} over
 * @param {number | null} y1
 * @param {number | null} y2
 */
function halves(over, y1, y2) {
  const { y, from, to } = bends(over);
  return (y1 === null ? "" : curve(over.x1, y1, from, y)) + (y2 === null ? "" : curve(to, y, over.x2, y2));
}

/**
 * The line along the row to the cell and on; not over the names of the rows.
 * @param {Over} over
 * @param {{a: boolean, b: boolean}} seen
 */
function along(over, seen) {
  const { y, from, to } = bends(over);
  const [left, right] = [over.cell.left - over.frame.left, over.cell.right - over.frame.left];
  return (
    (seen.a ? `M${Math.max(from, over.matrix.left - over.frame.left)} ${y}H${left}` : "") +
    (seen.b ? `M${right} ${y}H${to}` : "")
  );
}

/**
 * @param {number} x1
 * @param {number} y1
 * @param {number} x2
 * @param {number} y2
 */
function curve(x1, y1, x2, y2) {
  const bend = (x2 - x1) / 2;
  return `M${x1} ${y1}C${x1 + bend} ${y1} ${x2 - bend} ${y2} ${x2} ${y2}`;
}

/**
 * @param {{top: number, bottom: number} | null} box
 * @param {DOMRect} frame
 */
function place(box, frame) {
  if (!box) return null;
  const y = (box.top + box.bottom) / 2;
  const clamped = Math.max(frame.top + EDGE, Math.min(frame.bottom - EDGE, y));
  return { y: clamped, seen: clamped === y };
}
