// Small pages beside the large ones: where text stands, where shared passages lie, and which pages are on screen.

import * as labels from "../labels.js";
import { oncePerFrame, createElement, context2d } from "../frame/dom.js";
import { placeOnPage } from "./page_crop.js";

const THUMB = 46; // pixels of a small page
const ON_THUMBS = ["numbered", "current", "find"]; // layers that the small pages show
const TEXT_GREY = "#c9d0d6"; // pages are white in every theme

/**
 * `boxesOf(unit)` are a unit's boxes, [page, x0, y0, x1, y1, …] in points.
 * on: {go(page, share)}: a place of a page was pressed, `share` of its height from its top
 */
export class PageThumbnails {
  constructor(text, boxesOf, on) {
    this.text = text;
    this.boxesOf = boxesOf;
    this.on = on;
    this.marks = new Map(); // layer → [{page, element}]
    this.pictures = new Map(); // page → its image, where it has come
    this.pages = text.pageSizes.map((size, i) => this.makePage(size, i + 1));
    this.element = createElement(
      "nav.lv-strip",
      { "aria-label": labels.smallPages(text.side.toUpperCase()), hidden: true },
      ...this.pages.map((page) => page.button),
    );
    this.byPage = null; // page → its boxes, made when the first page is drawn
    this.seen = [1];
    this.nameSoon = oncePerFrame(() => this.pages.forEach((_, i) => this.name(i + 1)));
    this.observer = new IntersectionObserver(
      (entries) =>
        entries.forEach(
          (entry) =>
            entry.isIntersecting && this.draw(this.pages.findIndex((page) => page.button === entry.target) + 1),
        ),
      { root: this.element, rootMargin: "200px" },
    );
    for (const { button } of this.pages) this.observer.observe(button);
    this.element.addEventListener("keydown", (event) => this.step(event));
    this.at([1]);
    this.nameSoon();
  }

  makePage([width, height], number) {
    const canvas = createElement("canvas", { "aria-hidden": "true" });
    const marks = createElement("span.lv-thumb-marks", { "aria-hidden": "true" });
    const paper = createElement("span.lv-thumb-paper", {}, canvas, marks);
    paper.style.aspectRatio = `${width} / ${height}`;
    const button = createElement(
      "button.lv-thumb",
      { type: "button", onclick: (event) => this.press(event, number, paper) },
      paper,
      createElement("small", { "aria-hidden": "true" }, String(number)),
    );
    return { button, canvas, marks, drawn: false };
  }

  /** A press of the keyboard goes to the top of the page. */
  press(event, number, paper) {
    const { top, height } = paper.getBoundingClientRect();
    this.on.go(number, event.detail ? Math.min(1, Math.max(0, (event.clientY - top) / height)) : 0);
  }

  /** The arrow keys go from page to page, of which one can be reached with Tab. */
  step(event) {
    const by = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const from = this.pages.findIndex((page) => page.button === event.target);
    if (!by || from < 0) return;
    event.preventDefault();
    event.stopPropagation();
    this.pages[Math.min(this.pages.length - 1, Math.max(0, from + by))].button.focus();
  }

  /** Say which pages are on screen, and keep them in sight. */
  at(pages) {
    this.seen = pages;
    this.pages.forEach(({ button }, i) => {
      const here = pages.includes(i + 1);
      button.setAttribute("aria-current", String(here));
      button.tabIndex = i + 1 === pages[0] ? 0 : -1;
    });
    const [first, last] = [this.pages[pages[0] - 1]?.button, this.pages[pages.at(-1) - 1]?.button];
    if (!first || !last || !this.element.clientHeight) return;
    const { scrollTop, clientHeight } = this.element;
    if (first.offsetTop < scrollTop) this.element.scrollTop = first.offsetTop - 8;
    else if (last.offsetTop + last.offsetHeight > scrollTop + clientHeight) {
      this.element.scrollTop = last.offsetTop + last.offsetHeight - clientHeight + 8;
    }
  }

  /** The image of a page has come: the small page is drawn from it. */
  picture(page, image) {
    this.pictures.set(page, image);
    if (this.pages[page - 1].drawn) this.draw(page, true);
  }

  /** Once the page is near the part that is on screen: its image, or where its sentences stand. */
  draw(page, again = false) {
    const { canvas, drawn } = this.pages[page - 1];
    if (drawn && !again) return;
    this.pages[page - 1].drawn = true;
    const [width, height] = this.text.pageSizes[page - 1];
    const density = window.devicePixelRatio || 1;
    canvas.width = Math.round(THUMB * density);
    canvas.height = Math.round((canvas.width * height) / width);
    const paint = context2d(canvas);
    const picture = this.pictures.get(page);
    if (picture) {
      paint.imageSmoothingQuality = "high";
      paint.drawImage(picture, 0, 0, canvas.width, canvas.height);
      return;
    }
    this.byPage ??= boxesByPage(this.text, this.boxesOf);
    paint.fillStyle = TEXT_GREY;
    const by = canvas.width / width;
    for (const [x0, y0, x1, y1] of this.byPage.get(page) || []) {
      paint.fillRect(x0 * by, y0 * by, (x1 - x0) * by, Math.max(1, (y1 - y0) * by - 0.5 * density));
    }
  }

  /** Replace the marks of a layer: [{unit, class}] as on the large pages. */
  mark(layer, marked) {
    if (!ON_THUMBS.includes(layer)) return;
    for (const { element } of this.marks.get(layer) || []) element.remove();
    const drawn = [];
    for (const { unit, class: name } of marked) {
      const flat = this.boxesOf(this.text.units[unit]);
      for (let k = 0; k < flat.length; k += 5) {
        const [page, ...edges] = flat.slice(k, k + 5);
        const size = this.text.pageSizes[page - 1];
        if (!size) continue;
        const element = createElement(`span.lv-thumb-mark.${name.replaceAll(" ", ".")}`);
        placeOnPage(element, edges, size);
        this.pages[page - 1].marks.append(element);
        drawn.push({ page, unit, element });
      }
    }
    this.marks.set(layer, drawn);
    this.nameSoon();
  }

  name(page) {
    const shared = new Set(
      (this.marks.get("numbered") || []).filter((mark) => mark.page === page).map((mark) => mark.unit),
    ).size;
    this.pages[page - 1].button.setAttribute(
      "aria-label",
      `Page ${page}${shared ? `, ${shared} shared ${shared === 1 ? "sentence" : "sentences"}` : ""}`,
    );
  }
}

/** Page → boxes of the sentences on it, [x0, y0, x1, y1] in points. */
function boxesByPage(text, boxesOf) {
  const found = new Map();
  for (const unit of text.units) {
    const flat = boxesOf(unit);
    for (let k = 0; k < flat.length; k += 5) {
      if (!found.has(flat[k])) found.set(flat[k], []);
      found.get(flat[k]).push(flat.slice(k + 1, k + 5));
    }
  }
  return found;
}
