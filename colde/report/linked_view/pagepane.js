// A text as its pages look: images come one by one as they are looked at; boxes of passages lie over them.

import { debounce, make } from "./dom.js";

/** on: {page(number) asks for an image, scroll()} */
export class PagePane {
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.images = {};
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

  /** pages: {number: {url, width, height}} */
  show(pages) {
    for (const [page, { url }] of Object.entries(pages || {})) {
      const sheet = this.sheets[page - 1];
      if (!sheet || this.images[page]) continue;
      const image = make("img", { src: url, alt: `Page ${page}`, draggable: "false" });
      sheet.prepend(image);
      this.images[page] = image;
    }
    this.ask();
  }

  /** Draw the boxes of the sentences of these passages: [{start, end, class, current?}]. */
  mark(marks) {
    for (const sheet of this.sheets) sheet.querySelectorAll(".lv-box").forEach((box) => box.remove());
    this.first = null;
    for (const mark of marks) {
      const [from, to] = this.text.unitsIn(mark.start, mark.end);
      for (let i = from; i < to; i += 1) this.markUnit(this.text.units[i], mark);
    }
  }

  markUnit(unit, mark) {
    const flat = unit.sentence < 0 ? [] : this.text.sections[unit.section].boxes?.[unit.sentence] || [];
    for (let k = 0; k < flat.length; k += 5) {
      const [page, x0, y0, x1, y1] = flat.slice(k, k + 5);
      const size = this.text.pageSizes[page - 1];
      if (!size) continue;
      const box = make(`div.lv-box.${mark.class}`, { "aria-current": mark.current ? "true" : null });
      const percent = (value, whole) => `${(100 * value) / whole}%`;
      Object.assign(box.style, {
        left: percent(x0, size[0]),
        top: percent(y0, size[1]),
        width: percent(x1 - x0, size[0]),
        height: percent(y1 - y0, size[1]),
      });
      this.sheets[page - 1].append(box);
      this.first ||= box;
    }
  }

  reveal() {
    if (!this.first || !this.scroller.clientHeight) return;
    const frame = this.scroller.getBoundingClientRect();
    this.scroller.scrollTop += this.first.getBoundingClientRect().top - frame.top - frame.height * 0.25;
    this.ask();
  }
}
