// Lines from sentences of the left text to their answers in the right one, in the room between the panes.

const SVG = "http://www.w3.org/2000/svg";
const BEND = 26; // pixels between a text and the middle, in which a line bends
const EDGE = 5; // a line whose end is out of sight stops this far inside the pane

/**
 * As much of a text pane as a line needs.
 * @typedef {{element: Element, scroller: Element, pages?: {scroller: Element} | null, box(start: number, end: number): DOMRect | null}} Pane
 */

export class Links {
  /** @param {Element} body */
  constructor(body) {
    this.body = body;
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("class", "lv-links");
    this.svg.setAttribute("aria-hidden", "true");
    /** @type {import("./types").Answer[]} */
    this.pairs = [];
  }

  /** @param {import("./types").Answer[]} pairs */
  show(pairs) {
    this.pairs = pairs;
    this.svg.replaceChildren();
  }

  /**
   * @param {Pane} left
   * @param {Pane} right
   * @param {DOMRect | null} [cell] the selected cell on the screen, through which the lines go
   * @param {DOMRect | null} [matrix] all cells: a line bends before the names of the rows and is not drawn over them
   */
  draw(left, right, cell = null, matrix = null) {
    this.svg.replaceChildren();
    this.svg.setAttribute("class", cell ? "lv-links lv-links-over" : "lv-links");
    const frame = this.body.getBoundingClientRect();
    const [from, to] = [left, right].map((pane) => (pane.pages ?? pane).scroller.getBoundingClientRect());
    const [x1, x2] = [left.element.getBoundingClientRect().right - frame.left, to.left - frame.left];
    if (x2 - x1 < 8 || !from.height || !to.height) return; // the panes stand below each other
    for (const { a, b, strength } of this.pairs) {
      const [start, end] = [place(left.box(...a), from), place(right.box(...b), to)];
      if (!start || !end) continue;
      const [y1, y2] = [start.y - frame.top, end.y - frame.top];
      const path = document.createElementNS(SVG, "path");
      path.setAttribute("d", cell ? through(cell, matrix ?? cell, frame, { x1, y1, x2, y2 }, start.seen, end.seen) : curve(x1, y1, x2, y2));
      path.setAttribute("class", start.seen && end.seen ? "lv-link" : "lv-link lv-link-away");
      path.setAttribute("stroke-width", (1 + 2 * strength).toFixed(1));
      this.svg.append(path);
    }
  }
}

/**
 * A line by way of a cell. It bends between the text and the middle, and goes along the row and over no name of one; nothing leads out of sight.
 * @param {DOMRect} cell
 * @param {DOMRect} matrix
 * @param {DOMRect} frame
 * @param {{x1: number, y1: number, x2: number, y2: number}} ends
 * @param {boolean} startSeen
 * @param {boolean} endSeen
 */
function through(cell, matrix, frame, { x1, y1, x2, y2 }, startSeen, endSeen) {
  const y = (cell.top + cell.bottom) / 2 - frame.top;
  const [from, to] = [Math.min(x1 + BEND, cell.left - frame.left), Math.max(x2 - BEND, cell.right - frame.left)];
  const before = `${curve(x1, y1, from, y)}M${Math.max(from, matrix.left - frame.left)} ${y}H${cell.left - frame.left}`;
  const after = `M${cell.right - frame.left} ${y}H${to}${curve(to, y, x2, y2)}`;
  return (startSeen ? before : "") + (endSeen ? after : "");
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
