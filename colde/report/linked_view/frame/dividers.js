// The dividers between the texts and what stands between them: dragged by the pointer, moved by the keyboard.

import * as labels from "../labels.js";
import { createElement } from "./dom.js";

/** @import {Side} from "../types" */

const LEAST = 15; // per cent of the width that a text has at least
const LEAST_CENTRE = 24; // per cent that stay between the texts
const USUAL = 31; // per cent of each text as long as nobody has moved a divider
const STEP = 2; // per cent for a key

/** Widths of the texts in per cent; they hold for every view of this page. @type {Record<Side, number> | null} */
let widths = null;

/**
 * The dividers of a body, that of text A first.
 * @param {HTMLElement} body a grid of text A, the centre, and text B
 */
export function dividers(body) {
  const all = [divider(body, "a"), divider(body, "b")];
  draw(body, all);
  for (const element of all) element.addEventListener("lv-moved", () => draw(body, all));
  return all;
}

/**
 * @param {HTMLElement} body
 * @param {Side} side
 * @returns {HTMLElement}
 */
function divider(body, side) {
  const element = createElement(`div.lv-divider.lv-divider-${side}`, {
    role: "separator",
    tabindex: "0",
    "aria-orientation": "vertical",
    "aria-label": labels.widthOfText(side.toUpperCase()),
    "aria-valuemin": LEAST,
    title: labels.dividerTitle,
  });
  const now = () => widths?.[side] ?? USUAL;
  const put = (/** @type {number | null} */ width) => {
    const other = widths?.[side === "a" ? "b" : "a"] ?? USUAL;
    const most = 100 - LEAST_CENTRE - other;
    const own = Math.max(LEAST, Math.min(most, width ?? 0));
    widths = width === null ? null : side === "a" ? { a: own, b: other } : { a: other, b: own };
    element.dispatchEvent(new Event("lv-moved"));
  };
  const toward = side === "a" ? 1 : -1; // what an arrow to the right adds to the width of the text
  element.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
    const keys = {
      ArrowRight: now() + toward * STEP,
      ArrowLeft: now() - toward * STEP,
      Home: LEAST,
      End: 100,
      Enter: null,
    };
    if (!(event.key in keys)) return;
    put(keys[event.key]);
    event.preventDefault();
    event.stopPropagation();
  });
  element.addEventListener("dblclick", () => put(null));
  element.addEventListener("pointerdown", (/** @type {PointerEvent} */ event) => {
    element.setPointerCapture(event.pointerId);
    element.classList.add("lv-dragged");
    event.preventDefault();
  });
  element.addEventListener("pointermove", (/** @type {PointerEvent} */ event) => {
    if (!element.classList.contains("lv-dragged")) return;
    const { left, right, width } = body.getBoundingClientRect();
    put((100 * (side === "a" ? event.clientX - left : right - event.clientX)) / width);
  });
  for (const end of ["pointerup", "pointercancel"]) {
    element.addEventListener(end, () => element.classList.remove("lv-dragged"));
  }
  return element;
}

/**
 * @param {HTMLElement} body
 * @param {HTMLElement[]} all
 */
function draw(body, all) {
  const { style } = body;
  for (const [k, side] of /** @type {const} */ (["a", "b"]).entries()) {
    const width = widths?.[side];
    if (width === undefined) style.removeProperty(`--lv-width-${side}`);
    else style.setProperty(`--lv-width-${side}`, `${width}%`);
    const other = widths?.[side === "a" ? "b" : "a"] ?? USUAL;
    all[k].setAttribute("aria-valuenow", String(Math.round(width ?? USUAL)));
    all[k].setAttribute("aria-valuemax", String(100 - LEAST_CENTRE - other));
  }
  if (widths) style.setProperty("--lv-width-centre", "1fr");
  else style.removeProperty("--lv-width-centre");
}
