import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { ConnectingLines } from "../../../colde/report/linked_view/texts/connecting_lines.js";

/** As much of an element as a line needs: attributes and children. */
class Element {
  attributes = new Map();
  children = [];
  setAttribute(name, value) {
    this.attributes.set(name, value);
  }
  append(child) {
    this.children.push(child);
  }
  replaceChildren(...children) {
    this.children = children;
  }
}

const rectangle = (left, top, width, height) => ({
  left,
  top,
  width,
  height,
  right: left + width,
  bottom: top + height,
});
const framed = (frame) => ({ getBoundingClientRect: () => frame });

/** A pane of this frame in which the passage [start, end] stands at these heights; null: it is not drawn. */
const pane = (frame) => ({
  element: framed(frame),
  scroller: framed(frame),
  box: (start, end) => (end > start ? { top: frame.top + start, bottom: frame.top + end } : null),
});

beforeEach(() => {
  globalThis.document = { createElementNS: () => new Element() };
});

function drawn(pairs, left, right) {
  const links = new ConnectingLines(framed(rectangle(0, 0, 400, 200)));
  links.show(pairs);
  links.draw(left, right);
  return links.svg.children.map((path) => Object.fromEntries(path.attributes));
}

const LEFT = pane(rectangle(0, 0, 100, 200));
const RIGHT = pane(rectangle(300, 0, 100, 200));

test("a line goes from the middle of a passage to the middle of its answer, thicker if stronger", () => {
  const [strong, weak] = drawn(
    [
      { a: [10, 30], b: [50, 70], strength: 1 },
      { a: [40, 60], b: [90, 110], strength: 0 },
    ],
    LEFT,
    RIGHT,
  );
  assert.deepEqual(strong, { d: "M100 20C200 20 200 60 300 60", class: "lv-link", "stroke-width": "3.0" });
  assert.equal(weak["stroke-width"], "1.0");
});

test("a line to what is out of sight stops at the edge and is drawn as such", () => {
  const [line] = drawn([{ a: [10, 30], b: [500, 520], strength: 0.5 }], LEFT, RIGHT);
  assert.equal(line.class, "lv-link lv-link-away");
  assert.match(line.d, / 300 195$/);
});

test("with a selected cell the line goes through it", () => {
  const links = new ConnectingLines(framed(rectangle(0, 0, 400, 200)));
  links.show([{ a: [10, 30], b: [50, 70], strength: 1 }]);
  links.draw(LEFT, RIGHT, rectangle(190, 90, 20, 20));
  const [line, row] = links.svg.children.map((path) => path.attributes.get("d"));
  assert.equal(line, "M100 20C113 20 113 100 126 100M274 100C287 100 287 60 300 60");
  assert.equal(row, "M190 100H190M210 100H274");
  assert.equal(links.svg.attributes.get("class"), "lv-links lv-links-over");
});

test("along the row of its cell a line passes over the names of the rows without a mark", () => {
  const links = new ConnectingLines(framed(rectangle(0, 0, 400, 200)));
  links.show([
    { a: [10, 30], b: [500, 520], strength: 1 },
    { a: [40, 50], b: [500, 520], strength: 1 },
  ]);
  links.draw(LEFT, RIGHT, rectangle(190, 90, 20, 20), rectangle(160, 0, 60, 200));
  assert.equal(links.svg.children.length, 3, "one line along the row for all of them");
  assert.equal(links.svg.children[0].attributes.get("d"), "M100 20C113 20 113 100 126 100");
  assert.equal(links.svg.children[2].attributes.get("d"), "M160 100H190");
});

test("no line without a place, and none where the panes stand below each other", () => {
  assert.deepEqual(drawn([{ a: [10, 10], b: [5, 9], strength: 1 }], LEFT, RIGHT), []);
  assert.deepEqual(drawn([{ a: [10, 30], b: [5, 9], strength: 1 }], LEFT, pane(rectangle(0, 300, 100, 200))), []);
});
