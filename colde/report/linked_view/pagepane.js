// A text as its pages look: images come one by one as they are looked at; boxes of passages lie over them.

import { debounce, make } from "./dom.js";

const LAYERS = ["current", "pinned", "find"]; // of the marks of a text, those that its pages show

/** on: {page(number) asks for an image, scroll()} */
export class PagePane {
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.images = {};
    this.boxes = new Map(); // layer → boxes drawn
    this.scroller = make("div.lv-text.lv-pages", {
      "data-testid": `pages-${text.side}`,
      tabindex: "0",
      role: "region",
      "aria-label": `Pages of text ${text.side.toUpperCase()}`,
    });
    this.sheets = text.pageSizes.map(([width, height], i) => {
      const sheet = make("div.lv-sheet", { "data-page": i + 1 });
      sheet.style.aspectRatio = `${width} / ${height}`;
      return sheet;
    });
    for (const { first, last, text: said } of text.notes) {
      for (const sheet of this.sheets.slice(first - 1, last)) sheet.append(make("p.lv-page-note", { role: "note" }, said));
    }
    this.scroller.append(...this.sheets);
    this.ask = debounce(120, () => this.askNext());
    this.scroller.addEventListener("scroll", () => {
      this.ask();
      this.on.scroll();
    });
  }

  /** Ask for the first page on screen whose image is missing; the answer comes through `show`. */
  askNext() {
    const frame = this.scroller.getBoundingClientRect();
    if (!frame.height) return;
    const missing = this.sheets.findIndex((sheet, i) => {
      const box = sheet.getBoundingClientRect();
      return box.bottom > frame.top && box.top < frame.bottom && !this.images[i + 1];
    });
    if (missing >= 0) this.on.page(missing + 1);
  }

  /** pages: {number: {url, width, height}}, or {number: {error}} for a page that cannot be shown */
  show(pages) {
    for (const [page, { url, error }] of Object.entries(pages || {})) {
      const sheet = this.sheets[Number(page) - 1];
      if (!sheet || this.images[page]) continue;
      const image = error
        ? make("p.lv-page-error", { role: "note" }, error)
        : make("img", { src: url, alt: `Page ${page}`, draggable: "false" });
      sheet.prepend(image);
      this.images[page] = image;
    }
    this.ask();
  }

  /** Replace the boxes of a layer by those of the sentences of these passages: [{start, end, class, current?}]. */
  mark(layer, marks) {
    if (!LAYERS.includes(layer)) return;
    for (const box of this.boxes.get(layer) || []) box.remove();
    this.boxes.set(layer, []);
    const done = new Set(); // of two marks in one sentence the one that is gone to is drawn
    for (const mark of [...marks].sort((x, y) => y.class.length - x.class.length)) {
      const [from, to] = this.text.unitsIn(mark.start, mark.end);
      for (let i = from; i < to; i += 1) {
        if (!done.has(i)) this.markUnit(layer, i, mark);
        done.add(i);
      }
    }
  }

  /** Boxes of a unit on its pages, [page, x0, y0, x1, y1, …]; empty for headings, which have none. */
  boxesOf(unit) {
    return unit.sentence < 0 ? [] : this.text.sections[unit.section].boxes?.[unit.sentence] || [];
  }

  markUnit(layer, i, mark) {
    const flat = this.boxesOf(this.text.units[i]);
    for (let k = 0; k < flat.length; k += 5) {
      const [page, x0, y0, x1, y1] = flat.slice(k, k + 5);
      const size = this.text.pageSizes[page - 1];
      if (!size) continue;
      const box = make(`div.lv-box.${mark.class.replaceAll(" ", ".")}`, { "aria-current": mark.current ? "true" : null });
      const percent = (value, whole) => `${(100 * value) / whole}%`;
      Object.assign(box.style, {
        left: percent(x0, size[0]),
        top: percent(y0, size[1]),
        width: percent(x1 - x0, size[0]),
        height: percent(y1 - y0, size[1]),
      });
      this.sheets[page - 1].append(box);
      this.boxes.get(layer).push(box);
    }
  }

  /** Scroll to where a passage begins; a heading stands just above the first sentence after it. */
  reveal(start, end) {
    const { units, pageSizes } = this.text;
    const [from] = this.text.unitsIn(start, end);
    const unit = units.slice(from).find((u) => this.boxesOf(u).length);
    if (!unit || !this.scroller.clientHeight) return;
    const [page, , y0] = this.boxesOf(unit);
    const [sheet, size] = [this.sheets[page - 1], pageSizes[page - 1]];
    if (!sheet || !size) return;
    const [frame, box] = [this.scroller.getBoundingClientRect(), sheet.getBoundingClientRect()];
    this.scroller.scrollTop += box.top + (y0 / size[1]) * box.height - frame.top - frame.height * 0.25;
    this.ask();
  }
}
