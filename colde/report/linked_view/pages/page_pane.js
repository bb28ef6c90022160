// A text as its pages look: images come one by one as they are looked at; boxes of passages lie over them.

import { debounce, oncePerFrame, createElement } from "../frame/dom.js";
import { PageSections } from "./page_sections.js";
import { columnZoom, cropOf, percent, placeOnPage } from "./page_crop.js";
import { PageThumbnails } from "./page_thumbnails.js";

const LAYERS = ["numbered", "out", "current", "counterpart", "pinned", "find", "sections"]; // of the marks of a text, those that its pages show
const CLOSEST = 4; // times the width of the pane

/** @typedef {"page" | "text" | "column"} Fit what fills the width of the pane */

/** on: {page(number) asks for an image, choose(unit), section(index) was clicked, hover(unit | null, event), scroll()} */
export class PagePane {
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.images = {};
    this.boxes = new Map(); // layer → boxes drawn
    this.scroller = createElement("div.lv-text.lv-pages", {
      "data-testid": `pages-${text.side}`,
      tabindex: "0",
      role: "region",
      "aria-label": `Pages of text ${text.side.toUpperCase()}`,
    });
    const flat = text.sections.flatMap((section) => section.boxes || []);
    this.flat = flat;
    this.papers = text.pageSizes.map(() => createElement("div.lv-paper"));
    this.sheets = this.papers.map((paper, i) => createElement("div.lv-sheet", { "data-page": i + 1 }, paper));
    for (const { first, last, text: said } of text.notes) {
      for (const sheet of this.sheets.slice(first - 1, last)) {
        sheet.append(createElement("p.lv-page-note", { role: "note" }, said));
      }
    }
    this.scroller.append(...this.sheets);
    this.stretch = consecutivePages(text);
    /** @type {HTMLElement | null} what makes pages larger and smaller, where it stands */
    this.tools = null;
    this.strip = new PageThumbnails(text, (unit) => this.boxesOf(unit), {
      go: (page, share) => this.goTo(page, share),
    });
    this.blocks = new PageSections(text, this.papers, { choose: (section) => this.on.section(section) });
    this.followSoon = oncePerFrame(() => this.strip.at(this.seen()));
    this.ask = debounce(120, () => this.askNext());
    this.scroller.addEventListener("scroll", () => {
      this.ask();
      this.followSoon();
      this.on.scroll();
    });
    this.scroller.addEventListener("click", (event) => {
      const unit = this.unitAt(event);
      if (unit !== null) this.on.choose(unit);
    });
    this.setFit("text", 1);
  }

  // ---- size ----

  /**
   * Lay the pages out anew, keeping what is in the middle where it is.
   * @param {Fit} fit
   * @param {number} zoom times that
   */
  setFit(fit, zoom) {
    const { scroller } = this;
    const middle = scroller.scrollHeight ? (scroller.scrollTop + scroller.clientHeight / 2) / scroller.scrollHeight : 0;
    this.fit = fit;
    this.crops = this.text.pageSizes.map((size) =>
      fit === "page" ? { left: 0, top: 0, width: size[0], height: size[1] } : cropOf(this.flat, size),
    );
    const wide = fit === "column" && this.crops.length ? columnZoom(this.flat, this.crops[0]) : 1;
    this.zoom = Math.min(CLOSEST, wide * zoom);
    for (const [i, { left, top, width, height }] of this.crops.entries()) {
      const [sheet, paper, size] = [this.sheets[i], this.papers[i], this.text.pageSizes[i]];
      sheet.style.aspectRatio = `${width} / ${height}`;
      sheet.style.width = `${100 * this.zoom}%`;
      Object.assign(paper.style, {
        left: percent(-left, width),
        top: percent(-top, height),
        width: percent(size[0], width),
        height: percent(size[1], height),
      });
    }
    scroller.scrollTop = middle * scroller.scrollHeight - scroller.clientHeight / 2;
    this.ask();
  }

  // ---- images ----

  /** Ask for a page on screen whose image is missing, that at the reader's eye first; the answer comes through `show`. */
  askNext() {
    const frame = this.scroller.getBoundingClientRect();
    if (!frame.height) return;
    const eye = frame.top + frame.height / 3;
    const missing = this.sheets.flatMap((sheet, i) => {
      const box = sheet.getBoundingClientRect();
      const seen = box.bottom > frame.top && box.top < frame.bottom && !this.images[i + 1];
      return seen ? [{ page: i + 1, away: Math.max(0, box.top - eye, eye - box.bottom) }] : [];
    });
    if (missing.length) this.on.page(missing.sort((x, y) => x.away - y.away)[0].page);
  }

  /** pages: {number: {url, width, height}}, or {number: {error}} for a page that cannot be shown */
  show(pages) {
    for (const [page, { url, error }] of Object.entries(pages || {})) {
      const [sheet, paper] = [this.sheets[Number(page) - 1], this.papers[Number(page) - 1]];
      if (!sheet || this.images[page]) continue;
      const image = error
        ? createElement("p.lv-page-error", { role: "note" }, error)
        : createElement("img", { src: url, alt: `Page ${page}`, draggable: "false" });
      (error ? sheet : paper).prepend(image);
      if (!error) image.addEventListener("load", () => this.strip.picture(Number(page), image), { once: true });
      this.images[page] = image;
    }
    this.ask();
  }

  // ---- marks ----

  /** Replace the boxes of a layer by those of the sentences of these passages: [{start, end, class, number?, current?}]. */
  mark(layer, marks) {
    if (!LAYERS.includes(layer)) return;
    for (const box of this.boxes.get(layer) || []) box.remove();
    this.boxes.set(layer, []);
    const drawn = [];
    const done = new Set(); // of two marks in one sentence the one that is gone to is drawn
    for (const mark of [...marks].sort((x, y) => y.class.length - x.class.length)) {
      const [from, to] = this.text.unitsIn(mark.start, mark.end);
      for (let i = from; i < to; i += 1) {
        if (done.has(i)) continue;
        this.markUnit(layer, i, i === from ? mark : { ...mark, number: null });
        drawn.push({ unit: i, class: mark.class });
        done.add(i);
      }
    }
    this.strip.mark(layer, drawn);
  }

  /** Boxes of a unit on its pages, [page, x0, y0, x1, y1, …]; empty for headings, which have none. */
  boxesOf(unit) {
    return unit.sentence < 0 ? [] : this.text.sections[unit.section].boxes?.[unit.sentence] || [];
  }

  markUnit(layer, i, mark) {
    const flat = this.boxesOf(this.text.units[i]);
    for (let k = 0; k < flat.length; k += 5) {
      const [page, ...edges] = flat.slice(k, k + 5);
      const size = this.text.pageSizes[page - 1];
      if (!size) continue;
      const attributes = {
        "aria-current": mark.current ? "true" : null,
        "data-number": k ? null : mark.number || null,
      };
      const box = createElement(`div.lv-box.${mark.class.replaceAll(" ", ".")}`, attributes);
      placeOnPage(box, edges, size);
      this.papers[page - 1].append(box);
      this.boxes.get(layer).push(box);
    }
  }

  // ---- places ----

  /** The sentence under the pointer, or null. */
  unitAt({ clientX, clientY }) {
    const { units, pageSizes } = this.text;
    const at = this.papers.findIndex((paper) => {
      const box = paper.parentElement.getBoundingClientRect();
      return clientY >= box.top && clientY < box.bottom;
    });
    if (at < 0) return null;
    const box = this.papers[at].getBoundingClientRect();
    const [x, y] = [
      ((clientX - box.left) / box.width) * pageSizes[at][0],
      ((clientY - box.top) / box.height) * pageSizes[at][1],
    ];
    const found = units.findIndex((unit) => {
      const flat = this.boxesOf(unit);
      for (let k = 0; k < flat.length; k += 5) {
        if (flat[k] === at + 1 && flat[k + 1] <= x && x <= flat[k + 3] && flat[k + 2] <= y && y <= flat[k + 4]) {
          return true;
        }
      }
      return false;
    });
    return found < 0 ? null : found;
  }

  /** Where a passage stands on the screen, as its first box; a heading has that of the first sentence after it. */
  box(start, end) {
    const { units, pageSizes } = this.text;
    const [from] = this.text.unitsIn(start, end);
    const unit = units.slice(from).find((u) => this.boxesOf(u).length);
    if (!unit || !this.scroller.clientHeight) return null;
    const [page, x0, y0, x1, y1] = this.boxesOf(unit);
    const [paper, size] = [this.papers[page - 1], pageSizes[page - 1]];
    if (!paper || !size) return null;
    const { left, top, width, height } = paper.getBoundingClientRect();
    const [x, y] = [width / size[0], height / size[1]];
    return { left: left + x0 * x, right: left + x1 * x, top: top + y0 * y, bottom: top + y1 * y };
  }

  /** Scroll to where a passage begins; a heading stands just above the first sentence after it. */
  reveal(start, end) {
    const box = this.box(start, end);
    if (!box) return;
    const frame = this.scroller.getBoundingClientRect();
    this.scroller.scrollTop += box.top - frame.top - frame.height * 0.25;
    if (box.left < frame.left || box.right > frame.right) this.scroller.scrollLeft += box.left - frame.left - 8;
    this.ask();
  }

  /** Bring a place of a page into sight, `share` of its height from its top. */
  goTo(page, share) {
    const sheet = this.sheets[page - 1];
    this.scroller.scrollTop =
      sheet.offsetTop + share * sheet.offsetHeight - (share ? 0.25 * this.scroller.clientHeight : 0);
    this.ask();
  }

  /** Numbers of the pages on screen; the first page where none is. */
  seen() {
    const { scrollTop, clientHeight } = this.scroller;
    const found = this.sheets.flatMap(({ offsetTop, offsetHeight }, i) =>
      offsetTop + offsetHeight > scrollTop + 8 && offsetTop < scrollTop + clientHeight - 8 ? [i + 1] : [],
    );
    return found.length ? found : [1];
  }

  /** First and last character on screen, as near as pages tell. */
  visible() {
    const frame = this.scroller.getBoundingClientRect();
    const found = [];
    for (const [i, sheet] of this.sheets.entries()) {
      const [box, stretch] = [sheet.getBoundingClientRect(), this.stretch[i]];
      if (!stretch || !box.height || box.bottom <= frame.top || box.top >= frame.bottom) continue;
      for (const line of [Math.max(frame.top, box.top), Math.min(frame.bottom, box.bottom)]) {
        found.push(stretch[0] + ((line - box.top) / box.height) * (stretch[1] - stretch[0]));
      }
    }
    return found.length ? [found[0], found.at(-1)] : null;
  }
}

/** First and last character of each page; null for a page without text. */
function consecutivePages(text) {
  const found = text.pageSizes.map(() => null);
  for (const { page, start, end } of text.units) {
    if (!page || page > found.length) continue;
    const [from, to] = found[page - 1] ?? [start, end];
    found[page - 1] = [Math.min(from, start), Math.max(to, end)];
  }
  return found;
}
