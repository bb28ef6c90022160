// One text: headings, paragraphs, sentences; marks on exact characters, shades, and moving to a passage.

import * as labels from "../labels.js";
import { debounce, oncePerFrame, sideLetter, createElement } from "../frame/dom.js";
import { applyMarks } from "./text_marks.js";
import { TextSearch } from "./text_search.js";
import { ExcludeButtons } from "../whatif/exclude_buttons.js";
import { TextBuilder } from "./text_builder.js";
import { stepThroughFolded } from "./folded_lines.js";
import { TextOutline } from "./text_outline.js";
import { ScrollMap } from "./scroll_map.js";
import { SplitBar } from "./split_bar.js";
import { SectionEditor } from "./section_editor.js";

const AT_ONCE = 4000; // units built before the first paint

/** on: {hover(unit | null, event), choose(unit), part(side, part): a part of the split was pressed, scroll(): the reader has scrolled} */
export class TextPane {
  constructor(text, slot, on) {
    this.text = text;
    this.on = on;
    this.nodes = new Array(text.units.length);
    this.marks = new Map(); // unit → layer → marks
    this.layers = new Map(); // layer → units it touches
    this.weights = null;
    this.sectionWeights = null; // value of the best counterpart of each section, or null
    this.colours = null;
    this.weighed = null; // weights of words, sentences … that shade the text in place of `weights`
    this.target = null;
    this.ownScroll = 0; // where this pane has scrolled to by itself
    this.pages = null; // the PagePane that stands in place of the text
    this.given = new Map(); // layer → its marks
    const name = labels.textName(text.side.toUpperCase());
    this.scroller = createElement("div.lv-text", {
      "data-testid": slot === text.side ? `text-${text.side}` : `text-${text.side}-again`,
      tabindex: "0",
      role: "region",
      "aria-label": `${name}: ${text.title || "untitled"}`,
    });
    this.scrollmap = new ScrollMap(text, {
      seek: (unit) => this.reveal(text.units[unit].start, text.units[unit].end, false),
    });
    this.facts = createElement("p.lv-facts");
    this.split = new SplitBar(text.side, { part: (side, part) => on.part(side, part) });
    this.outline = new TextOutline(text, {
      weight: (section) => this.sectionWeights?.[section],
      go: (offset) => this.reveal(offset, offset + 1),
    });
    this.finder = new TextSearch(text, { found: (...hits) => this.markHits(...hits) });
    this.leaving = new ExcludeButtons();
    this.sectioning = new SectionEditor(text, {
      show: (active) => this.showSections(active),
      mark: (section, span) => this.markSection(section, span),
      reveal: (start, end) => this.reveal(start, end),
    });
    this.tools = createElement("div.lv-tools", {}, this.outline.button, this.sectioning.button, this.finder.element);
    this.element = createElement(
      "section.lv-pane",
      { "data-slot": slot, "data-of": text.side },
      createElement(
        "header.lv-pane-header",
        {},
        createElement(
          "h3.lv-title",
          { title: text.title, dir: "auto" },
          sideLetter(text.side),
          text.title || labels.untitled,
        ),
        createElement("div.lv-facts-line", {}, this.facts, this.makeAsideButton()),
        this.split.element,
        this.tools,
      ),
      this.sectioning.element,
      createElement(
        "div.lv-pane-body",
        {},
        this.scroller,
        this.scrollmap.element,
        this.outline.element,
        this.leaving.element,
      ),
    );
    this.listen();
    this.drawSoon = oncePerFrame(() => this.drawMap());
    this.builder = new TextBuilder(text, this.scroller, (unit, node) => this.receive(unit, node));
    this.builder.ensure(Math.min(AT_ONCE, text.units.length) - 1);
    this.builder.buildOn(this.drawSoon);
  }

  // ---- building ----

  /** Keep the element of a unit, with the shade and the marks it has by now. */
  receive(unit, node) {
    this.nodes[unit] = node;
    if (this.weights) this.shadeUnit(unit);
    if (this.marks.has(unit)) this.draw(unit);
  }

  // ---- marks ----

  /** Replace the marks of a layer: [{start, end, class, current?, note?}], exact to the character, layers may overlap. */
  mark(layer, marks) {
    this.given.set(layer, marks);
    this.pages?.mark(layer, marks);
    const touched = new Set(this.layers.get(layer) || []);
    for (const unit of touched) this.marks.get(unit)?.delete(layer);
    const now = new Set();
    for (const mark of marks) {
      const [first, last] = this.text.unitsIn(mark.start, mark.end);
      for (let unit = first; unit < last; unit += 1) {
        if (!this.marks.has(unit)) this.marks.set(unit, new Map());
        const layers = this.marks.get(unit);
        if (!now.has(unit)) layers.set(layer, []);
        layers.get(layer).push(mark);
        now.add(unit);
        touched.add(unit);
      }
    }
    this.layers.set(layer, now);
    for (const unit of touched) if (this.nodes[unit]) this.draw(unit);
    if (layer !== "unread") this.drawSoon();
  }

  /** Cut a unit where marks begin and end; each piece carries the classes of all marks over it. */
  draw(unit) {
    const node = this.nodes[unit];
    const { start, end, kind } = this.text.units[unit];
    const marks = [...(this.marks.get(unit)?.values() || [])].flat();
    const whole = marks.filter((m) => m.start <= start && m.end >= end);
    const parts = marks.filter((m) => m.start > start || m.end < end);
    applyMarks(node, kind === "sentence" ? "lv-unit lv-sentence" : "lv-unit", whole, start);
    if (node.dataset.shaded) node.classList.add("lv-shaded");
    if (!parts.length) {
      if (node.childElementCount) node.textContent = this.text.slice(start, end);
      return;
    }
    const cuts = new Set([start, end]);
    for (const m of parts) for (const at of [m.start, m.end]) if (at > start && at < end) cuts.add(at);
    const edges = [...cuts].sort((x, y) => x - y);
    node.replaceChildren(
      ...edges.slice(1).map((stop, i) => {
        const piece = createElement("span", {}, this.text.slice(edges[i], stop));
        applyMarks(
          piece,
          "",
          parts.filter((m) => m.start < stop && m.end > edges[i]),
          edges[i],
        );
        return piece;
      }),
    );
  }

  /** Shade sentences: `weights` has a share between 0 and 1 for each unit, NaN for none. */
  shade(weights) {
    this.weights = weights;
    for (let unit = 0; unit <= this.builder.last; unit += 1) this.shadeUnit(unit);
    this.drawSoon();
  }

  /** Shade the units of a `Shading` instead, which may be smaller or larger than sentences; null ends it. */
  weigh(shading, say, colour) {
    if (!shading && !this.weighed) return;
    this.weighed = shading && { shading, colour };
    if (!shading) {
      this.mark("weight", []);
      return;
    }
    this.shade(new Float32Array(this.text.units.length).fill(NaN));
    this.scroller.style.setProperty("--lv-weight", colour);
    const marks = [];
    shading.values.forEach((value, i) => {
      if (Number.isNaN(value)) return;
      const [start, end] = shading.spans.span(i);
      marks.push({ start, end, class: "lv-weighed", weight: shading.weight(i), share: say(value) });
    });
    this.mark("weight", marks);
  }

  shadeUnit(unit) {
    const node = this.nodes[unit];
    if (!node) return;
    const weight = this.weights[unit];
    if (weight > 0.02) {
      node.style.setProperty("--w", weight.toFixed(2));
      node.dataset.shaded = "1";
      node.classList.add("lv-shaded");
    } else if (node.dataset.shaded) {
      node.style.removeProperty("--w");
      delete node.dataset.shaded;
      node.classList.remove("lv-shaded");
    }
  }

  // ---- moving ----

  /** Scroll this pane, and nothing else, so that the passage begins in the upper part of what the window shows of it. */
  reveal(start, end, remember = true) {
    if (this.pages) {
      this.pages.reveal(start, end);
      return;
    }
    const [first, last] = this.text.unitsIn(start, end);
    if (first >= last) return;
    this.builder.ensure(Math.min(this.text.units.length, last + 40) - 1);
    const node = this.nodes[first];
    const aside = node.closest("details");
    if (aside) aside.open = true;
    if (remember) this.target = [start, end];
    if (!this.scroller.clientHeight) return;
    const box = node.getClientRects()[0];
    const tail = [...this.nodes[last - 1].getClientRects()].at(-1);
    const [top, height] = onScreen(this.scroller.getBoundingClientRect());
    const room = height - (tail.bottom - box.top);
    const above = Math.max(24, Math.min(room / 2, height * 0.3));
    this.setTop(this.scroller.scrollTop + box.top - top - above);
  }

  setTop(top) {
    this.ownScroll = Math.max(0, Math.min(top, this.scroller.scrollHeight - this.scroller.clientHeight));
    this.scroller.scrollTop = this.ownScroll;
  }

  /** The character on the line at which one reads, in the upper part of the pane; null while there is none. */
  offsetAtLine() {
    const line = this.lineAt();
    const unit = this.unitAt(line);
    if (unit === null) return null;
    const { start, end } = this.text.units[unit];
    const { top, bottom } = this.nodes[unit].getBoundingClientRect();
    const share = (line - top) / (bottom - top || 1);
    return Math.round(start + Math.max(0, Math.min(1, share)) * (end - start));
  }

  /** Bring a character to that line. */
  putAtLine(offset) {
    const unit = Math.min(this.text.units.length, this.text.unitsIn(offset, offset + 1)[0] + 1) - 1;
    this.builder.ensure(Math.min(this.text.units.length, unit + 40) - 1);
    const { start, end } = this.text.units[unit];
    const node = this.nodes[unit];
    const { top, bottom } = (node.closest("details:not([open])") ?? node).getBoundingClientRect();
    const share = Math.max(0, Math.min(1, (offset - start) / (end - start || 1)));
    this.target = null;
    this.setTop(this.scroller.scrollTop + top + share * (bottom - top) - this.lineAt());
    this.drawSoon();
  }

  lineAt() {
    const { top, height } = this.scroller.getBoundingClientRect();
    return top + 0.3 * height;
  }

  /** Where a passage stands on the screen: {left, right, top, bottom} of its first line, null while not laid out. */
  box(start, end) {
    if (this.pages) return this.pages.box(start, end);
    const [first, last] = this.text.unitsIn(start, end);
    const node = first < last && this.nodes[first];
    if (!node || !this.scroller.clientHeight || node.closest("details:not([open])")) return null;
    return node.getClientRects()[0] || null;
  }

  drawMap() {
    const { colours, weights, weighed, layers } = this;
    if (colours) {
      this.scrollmap.draw({ colours, weights, weighed, layers, visible: () => (this.pages ?? this).visible() });
    }
  }

  /** First and last character on screen. */
  visible() {
    const frame = this.scroller.getBoundingClientRect();
    const [first, last] = [this.unitAt(frame.top), this.unitAt(frame.bottom - 1)];
    if (first === null || last === null || !frame.height) return null;
    return [this.text.units[first].start, this.text.units[last].end];
  }

  /** The first unit that ends below a line of the window, found by halving: units stand in reading order. */
  unitAt(line) {
    const built = this.builder.last + 1;
    let [low, high] = [0, built];
    while (low < high) {
      const middle = (low + high) >> 1;
      const node = this.nodes[middle];
      const box = (node.closest("details:not([open])") ?? node).getBoundingClientRect();
      if (box.bottom <= line) low = middle + 1;
      else high = middle;
    }
    return built ? Math.min(low, built - 1) : null;
  }

  /** The reader clicked this unit, in the text or on a page. */
  choosing(unit) {
    if (this.sectioning.active) this.sectioning.choose(unit);
    else this.on.choose(unit);
  }

  // ---- header ----

  say(facts) {
    this.facts.textContent = facts;
  }

  /** Put the text away and show its pages in its place, with what is marked; null brings the text back. */
  showPages(pages) {
    if (pages && !this.pages) this.seen = this.visible();
    this.pages = pages;
    this.scroller.hidden = Boolean(pages);
    if (pages) for (const [layer, marks] of this.given) pages.mark(layer, marks);
    pages?.blocks.show(this.sectioning.active);
    this.drawSoon();
  }

  /** Show how the text is divided, or no longer. */
  showSections(active) {
    this.scroller.classList.toggle("lv-divided", active);
    this.pages?.blocks.show(active);
  }

  /** The section that is chosen to be put right, and its heading or one of its sentences. */
  markSection(section, span) {
    this.mark("sections", span ? [{ start: span[0], end: span[1], class: "lv-to-edit" }] : []);
    this.pages?.blocks.mark(section);
  }

  /** Bring what stands at the top of the text into sight on its pages. */
  revealAgain() {
    const [first] = this.seen ?? [];
    if (first > 0) this.reveal(first, first + 1, false);
  }

  /** The passage that is to be left out or put back when the reader says so; null for none. */
  choose(span) {
    this.leaving.choose(span, this.out ?? []);
  }

  /** Strike these passages out. */
  leaveOut(spans) {
    this.out = spans;
    this.mark(
      "out",
      spans.map(([start, end]) => ({ start, end, class: "lv-out" })),
    );
    this.choose(this.leaving.chosen);
  }

  /** Goes from one part that was set aside to the next, and opens it. */
  makeAsideButton() {
    const parts = this.text.sections.filter((section) => section.role);
    if (!parts.length) return null;
    let next = 0;
    const go = () => {
      this.reveal(parts[next].start, parts[next].start + 1);
      next = (next + 1) % parts.length;
    };
    const title = labels.skippedTitle(this.text.aside);
    return createElement("button.lv-quiet", { type: "button", title, onclick: go }, labels.skippedButton(parts.length));
  }

  /** Mark what was found, and go to the hit the reader is at if that is wanted. */
  markHits(hits, now, go) {
    this.mark(
      "find",
      hits.map((h, i) => ({ ...h, class: i === now ? "lv-found lv-found-now" : "lv-found" })),
    );
    if (!hits.length || !go) return;
    const { start, end } = hits[now];
    this.reveal(start, end);
    if (!this.pages) this.nodes[this.text.unitsIn(start, end)[0]]?.scrollIntoView({ block: "nearest" }); // below the fold
  }

  listen() {
    const unitOf = (event) => {
      const node = event.target.closest?.("[data-unit]");
      return node ? Number(node.dataset.unit) : null;
    };
    this.scroller.addEventListener("pointerover", (event) => this.on.hover(unitOf(event), event));
    this.scroller.addEventListener("pointerleave", () => this.on.hover(null));
    this.scroller.addEventListener("click", (event) => {
      const unit = unitOf(event);
      const heading = this.sectioning.active && event.target.closest?.("[data-section]");
      if (heading) this.sectioning.open(Number(heading.dataset.section));
      else if (unit !== null && !String(document.getSelection()).trim()) this.choosing(unit);
    });
    this.scroller.addEventListener("keydown", (event) => stepThroughFolded(this.scroller, event));
    this.scroller.addEventListener("scroll", () => {
      if (Math.abs(this.scroller.scrollTop - this.ownScroll) > 4) {
        this.target = null; // the reader has moved on
        this.ownScroll = this.scroller.scrollTop;
        this.on.scroll();
      }
      this.drawSoon();
    });
    new ResizeObserver(
      debounce(40, () => {
        if (this.target) this.reveal(...this.target);
        this.drawSoon();
      }),
    ).observe(this.scroller);
  }
}

/** Top and height of the part of a box that the window shows; the whole box where that is too little to read. */
function onScreen({ top, bottom, height }) {
  const [from, to] = [Math.max(top, 0), Math.min(bottom, window.innerHeight)];
  return to - from > 120 ? [from, to - from] : [top, height];
}
