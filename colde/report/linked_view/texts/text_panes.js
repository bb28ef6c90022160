// Both texts, and what joins them: lines, shades, and the marks of what is selected and of what answers what.

import * as labels from "../labels.js";
import {
  matchingPairs,
  counterparts,
  finestMap,
  strengthLimits,
  strongestPerSection,
  strength,
  strengths,
} from "./counterparts.js";
import { wordAlignmentText, wordAlignment, strongestPairs } from "../passages/word_alignment.js";
import { AXIS_SIDES } from "../payload/similarity_map.js";
import { createElement } from "../frame/dom.js";
import { ConnectingLines } from "./connecting_lines.js";
import { PagePane } from "../pages/page_pane.js";
import { PageTools } from "../pages/page_tools.js";
import { sideTint } from "../map/colour_ramp.js";
import { LayoutWatch } from "../frame/layout_watch.js";
import { numberMarks, partMarks } from "../passages/number_marks.js";
import { weightText } from "./weight_shading.js";
import { dividers } from "../frame/dividers.js";
import { ScrollTogether } from "./scroll_together.js";
import { SplitBars } from "./split_bars.js";
import { TextPane } from "./text_pane.js";
import { counterpartTooltip, weightTooltip } from "../frame/tooltip.js";
import { textSizeLine } from "../map/cell_descriptions.js";

const WIDE = 520; // pixels of a pane from which on small pages stand beside the large ones without being asked for

/**
 * `show(shading, selected)` and `mark(selected)` draw. `texts` are {a: Text, b: Text}, `position` is read and never
 * changed, `centre` stands between the panes. on: {tip(parts, event), say(text), page(side, number) asks for an image,
 * hasPages() whether there is anybody to ask, cell() the box of the selected cell on the screen, or null, matrix() that
 * of all cells, part(part): one of the split was pressed, edit(edit) puts a section right, or null, whatIf: a WhatIf, for what is to be left out, wordCells: a WordCells, for two sentences word by word}
 */
export class TextPanes {
  /** @type {{left: TextPane, right: TextPane}} */
  slots;

  constructor(texts, position, centre, on) {
    this.texts = texts;
    this.position = position;
    this.on = on;
    this.panes = new Map(); // slot and side → TextPane
    this.pagePanes = new Map(); // TextPane → PagePane
    this.paper = false; // whether texts that have pages are shown as such
    this.pageButtons = new Map(); // TextPane → the button that shows its pages
    this.pageTools = new PageTools({
      fit: (fit, zoom) => this.resizePages(fit, zoom),
      strip: (shown) => this.showStrips(shown),
    });
    this.hosts = { left: createElement("div.lv-slot.lv-slot-a"), right: createElement("div.lv-slot.lv-slot-b") };
    this.element = createElement("div.lv-body", {}, this.hosts.left, centre, this.hosts.right);
    const [before, after] = dividers(this.element);
    this.hosts.left.after(before);
    centre.after(after);
    this.links = new ConnectingLines(this.element);
    this.element.prepend(this.links.svg);
    this.redraw = new LayoutWatch(() =>
      this.links.draw(this.slots.left, this.slots.right, this.on.cell?.() ?? null, this.on.matrix?.() ?? null),
    );
    this.redraw.watch(this.element, this.links.svg);
    /** @type {import("../types").Limits} */
    this.limits = [0, 1]; // values of counterparts that are shaded least and most
    this.split = new SplitBars(() => this.panes.values());
    this.together = new ScrollTogether();
    /** @type {import("../passages/word_alignment.js").WordPair[]} */
    this.words = []; // pairs of words of the two sentences that are chosen, where they are known
    this.kept = this.words; // those of them that are marked
    /** @type {import("../types").SharedPassage[] | null} */
    this.shared = null;
    /** @type {import("../types").SharedPassage | null} */
    this.passage = null; // the one that was chosen in the list
    this.shading = null; // weights of the model's own choice; null: best counterparts
    this.selected = null;
  }

  /** The texts of the axes, as the model read them. */
  show(shading, selected) {
    const { model, axes } = this.position;
    const [left, right] = AXIS_SIDES[axes];
    this.slots = { left: this.pane("a", left, "left"), right: this.pane("b", right, "right") };
    Object.assign(this, { shading, selected });
    if (!model) return;
    for (const pane of this.panes.values()) {
      const unread = (model.unread?.[pane.text.side] || []).map(([start, end]) => ({ start, end, class: "lv-unread" }));
      pane.mark("unread", unread);
    }
    this.sayFacts();
    this.shade();
    if (selected) this.mark(selected, false);
  }

  pane(slot, side, place) {
    const key = slot + side;
    if (!this.panes.has(key)) {
      const pane = new TextPane(this.texts[side], slot, {
        hover: (unit, event) => this.hoverSentence(place, unit, event),
        choose: (unit) => this.chooseSentence(place, unit),
        part: (_, part) => this.on.part(part),
        scroll: () => this.together.follow(this.slots[place], this.slots[place === "left" ? "right" : "left"]),
      });
      pane.colours = this.colours;
      pane.leaving.offer(
        (span) => this.on.whatIf.toggle(side, span),
        (span) => this.on.whatIf.keepOnly(side === "a" ? { a: span } : { b: span }),
        side === "a" ? this.on.chartRows : null,
      );
      if (this.on.edit) pane.sectioning.offer((edit) => this.on.edit({ ...edit, pages: this.paper }));
      pane.sectioning.take(this.sections);
      pane.say(textSizeLine(this.texts[side], this.position.model));
      this.split.draw(pane);
      this.offerPages(pane);
      if (this.left) pane.leaveOut(this.left[side]);
      this.panes.set(key, pane);
    }
    const pane = this.panes.get(key);
    if (this.hosts[place].firstChild !== pane.element) this.hosts[place].replaceChildren(pane.element);
    return pane;
  }

  adopt(colours) {
    this.colours = colours;
    for (const pane of this.panes.values()) pane.colours = colours;
  }

  repaint() {
    if (this.shading) this.shade();
    for (const pane of this.panes.values()) pane.drawSoon();
  }

  // ---- pages ----

  offerPages(pane) {
    const { text } = pane;
    if (!this.on.hasPages() || !text.pageSizes.length || !text.sections.some((s) => s.boxes?.length)) return;
    const button = createElement(
      "button.lv-quiet",
      { type: "button", onclick: () => this.togglePages() },
      this.paper ? labels.showText : labels.showPages,
    );
    this.pageButtons.set(pane, button);
    pane.tools.prepend(button);
    if (this.paper) this.turn(pane);
  }

  /** Both texts as pages, or both as text again; what was selected is brought into sight. */
  togglePages() {
    this.paper = !this.paper;
    for (const pane of this.pageButtons.keys()) this.turn(pane);
    if (this.selected) this.mark(this.selected);
  }

  turn(pane) {
    const pages = this.pagesOf(pane);
    pane.showPages(this.paper ? pages : null);
    for (const part of [pages.scroller, pages.tools]) part.hidden = !this.paper;
    pages.strip.element.hidden = !(this.paper && this.pageTools.strip);
    this.pageButtons.get(pane).textContent = this.paper ? labels.showText : labels.showPages;
    if (!this.paper) return;
    if (this.pageTools.strip === null) this.pageTools.showStrip(pane.element.clientWidth >= WIDE);
    pages.setFit(this.pageTools.fit, this.pageTools.zoom);
    pages.show(this.images?.[pane.text.side]);
    if (!this.selected) pane.revealAgain();
  }

  pagesOf(pane) {
    if (!this.pagePanes.has(pane)) {
      const { side } = pane.text;
      const pages = new PagePane(pane.text, {
        page: (page) => this.on.page(side, page),
        choose: (unit) => pane.choosing(unit),
        section: (section) => pane.sectioning.open(section),
        scroll: () => pane.drawSoon(),
      });
      pages.tools = this.pageTools.make();
      pane.scroller.after(pages.strip.element, pages.scroller);
      pane.leaving.element.before(pages.tools);
      this.pagePanes.set(pane, pages);
    }
    return this.pagePanes.get(pane);
  }

  showStrips(shown) {
    for (const pages of this.pagePanes.values()) {
      pages.strip.element.hidden = !(shown && this.paper);
      pages.strip.at(pages.seen());
    }
    this.resizePages(this.pageTools.fit, this.pageTools.zoom);
  }

  resizePages(fit, zoom) {
    for (const pages of this.pagePanes.values()) pages.setFit(fit, zoom);
    if (this.selected) this.mark(this.selected);
    for (const pane of this.panes.values()) pane.drawSoon();
  }

  /** What the page adds to a text: where its sections were put right, images of its pages. */
  take({ sections, pages, split, changes }, shared) {
    this.shared = shared;
    this.split.take(split ?? null, shared);
    const lengths = { a: this.texts.a.ends.at(-1) ?? 0, b: this.texts.b.ends.at(-1) ?? 0 };
    this.together.take(this.split.matching(), lengths, Boolean(changes?.versions));
    this.sayFacts();
    this.goOn(sections);
    this.showPages(pages);
  }

  /** Go on where a section was put right. */
  goOn(state) {
    const changed = state && state.id !== this.sections?.id;
    this.sections = state;
    if (changed && state.pages && !this.paper) this.togglePages();
    for (const pane of this.panes.values()) pane.sectioning.take(state);
  }

  /** images: {side: {number: {url, width, height}}} */
  showPages(images) {
    this.images = images;
    for (const [pane, pages] of this.pagePanes) pages.show(images?.[pane.text.side]);
  }

  // ---- marks ----

  /** Mark the selected passages, bring them into sight, and join their sentences by lines; null marks nothing. */
  mark(selected, scroll = true) {
    if (scroll) this.on.wordCells.choose(selected);
    this.selected = selected;
    const own = { left: selected?.a, right: selected?.b };
    for (const [place, pane] of Object.entries(this.slots)) {
      const span = own[place];
      const marks = span ? [{ start: span[0], end: span[1], class: "lv-current", current: true }] : [];
      pane.mark("pinned", []);
      pane.mark("current", marks);
      pane.mark("inside", this.partsOf(pane, selected));
      pane.choose(this.position.axes === "across" ? span : null);
      if (span && scroll) pane.reveal(...span);
    }
    const joined = selected?.a && selected.b;
    this.links.show(joined ? matchingPairs(this.map(), selected.a, selected.b, this.limits) : []);
    this.redraw.soon();
  }

  /** Write the size of each text, and how much of it was read. */
  sayFacts() {
    for (const pane of this.panes.values()) pane.say(textSizeLine(pane.text, this.position.model));
  }

  /** Number and colour passages or changes in both texts: each with its `number` and `label`. */
  number(items) {
    const shown = this.position.axes === "across" ? items : [];
    for (const pane of this.panes.values()) {
      pane.mark("numbered", numberMarks(shown, pane.text.side));
    }
  }

  /** Marks on the parts of the chosen passage in the text of this pane, while it is what is selected. */
  partsOf(pane, selected) {
    const { passage } = this;
    const isOf = (place, span) => place.start === span?.[0] && place.end === span[1];
    const isSelected = passage && isOf(passage.a, selected?.a) && isOf(passage.b, selected?.b);
    return isSelected ? partMarks(passage, pane.text.side) : [];
  }

  /** Mark where the cursor of the matrices is, {a, b} or null; the texts stay where they are. */
  markPlace(at) {
    for (const [pane, span] of [
      [this.slots.left, at?.a],
      [this.slots.right, at?.b],
    ]) {
      pane.mark("cursor", span ? [{ start: span[0], end: span[1], class: "lv-cursor" }] : []);
    }
  }

  /** Strike out what takes part no more: {a: spans, b: spans}. */
  showLeftOut(left) {
    this.left = left;
    for (const pane of this.panes.values()) pane.leaveOut(left[pane.text.side]);
  }

  clear() {
    this.selected = null;
    this.on.wordCells.choose(null);
    for (const pane of this.panes.values()) pane.choose(null);
    for (const pane of this.panes.values()) {
      for (const layer of ["current", "inside", "counterpart", "pinned"]) pane.mark(layer, []);
    }
    this.links.show([]);
  }

  // ---- shades ----

  shade() {
    const { shading } = this;
    if (shading) {
      const colour = sideTint(shading.kind, this.colours.dark);
      for (const pane of Object.values(this.slots)) {
        pane.weigh(shading[pane.text.side], (value) => weightText(shading, value), colour);
      }
      return;
    }
    for (const pane of this.panes.values()) pane.weigh(null);
    this.shadeByCounterparts();
  }

  shadeByCounterparts() {
    const { model, axes } = this.position;
    const map = axes === "across" ? this.map() : null;
    if (!map) {
      for (const pane of Object.values(this.slots)) pane.shade(new Float32Array(pane.text.units.length).fill(NaN));
      return;
    }
    this.limits = strengthLimits(map);
    /** @type {[TextPane, "rows" | "columns"][]} */
    const paneAxes = [
      [this.slots.left, "rows"],
      [this.slots.right, "columns"],
    ];
    for (const [pane, axis] of paneAxes) {
      pane.shade(strengths(map, axis, pane.text, this.limits));
      pane.sectionWeights = strongestPerSection(model, axis, pane.text);
    }
  }

  /** Show unit i of the weights of one text. */
  showWeight(shading, side, i) {
    const pane = Object.values(this.slots).find((p) => p.text.side === side);
    if (!pane) return;
    const [start, end] = shading[side].spans.span(i);
    const said = weightText(shading, shading[side].values[i]);
    pane.mark("pinned", [{ start, end, class: "lv-pinned", note: said }]);
    pane.reveal(start, end);
    this.on.say(`${side.toUpperCase()}, ${pane.text.place(start)}: “${pane.text.snippet(start, end, 60)}”, ${said}`);
  }

  // ---- sentences ----

  map() {
    return finestMap(this.position.model, this.position.axes);
  }

  /** The best counterparts of a unit of the text in this slot: [{value, span}]. */
  counterparts(place, unit, count) {
    const map = this.map();
    const axis = place === "left" ? "rows" : "columns";
    const { start, sentence } = this.slots[place].text.units[unit];
    if (sentence < 0 || !map) return [];
    const i = map[axis].holding(start);
    return i < 0 ? [] : counterparts(map, axis, i, count, this.position.axes !== "across");
  }

  hoverSentence(place, unit, event) {
    if (this.slots[place].sectioning.active) return;
    const other = this.slots[place === "left" ? "right" : "left"];
    const found = unit === null || unit === undefined || !this.position.model ? [] : this.counterparts(place, unit, 3);
    other.mark(
      "counterpart",
      found.map(({ value, span }, i) => ({
        start: span[0],
        end: span[1],
        class: i ? "lv-counterpart" : "lv-counterpart lv-best",
        note: this.map()?.said(value),
      })),
    );
    const said = event?.target.closest?.("[data-share]")?.dataset.share;
    const parts = said && this.shading ? [weightTooltip(this.shading, said)] : [];
    const words = found.length ? this.wordsOf(place, unit, found[0].span) : [];
    if (found.length) {
      parts.push(
        ...counterpartTooltip(
          other.text,
          this.map(),
          found[0],
          wordAlignmentText(words, (side, span) => this.texts[side].slice(...span)),
        ),
      );
    }
    this.markWords(words);
    this.on.tip(parts, event);
  }

  /** Words of a unit of the text in this slot that answer words of a passage of the other text. */
  wordsOf(place, unit, span) {
    if (this.position.axes !== "across") return [];
    const { start, end } = this.slots[place].text.units[unit];
    const [a, b] = place === "left" ? [[start, end], span] : [span, [start, end]];
    const within = (w, side, [from, to]) => from <= w[side][0] && w[side][1] <= to;
    const asked = strongestPairs(this.words).filter((w) => within(w, "a", a) && within(w, "b", b));
    return asked.length ? asked : wordAlignment(this.shared, a, b);
  }

  /** Mark these words in both texts; without any, those of the two sentences that are chosen. */
  markWords(found) {
    const words = found.length ? found : this.kept;
    if (!words.length && !this.marked) return;
    this.marked = words.length > 0;
    /** @type {[TextPane, "a" | "b"][]} */
    const sides = [
      [this.slots.left, "a"],
      [this.slots.right, "b"],
    ];
    for (const [pane, side] of sides) {
      pane.mark(
        "words",
        words.map((w) => ({ start: w[side][0], end: w[side][1], class: "lv-answers" })),
      );
    }
  }

  /** Show the best counterpart in the other pane; the pane that was clicked stays where it is. */
  chooseSentence(place, unit) {
    if (!this.position.model) return;
    const [best] = this.counterparts(place, unit, 1);
    if (!best) return;
    const [own, other] = place === "left" ? [this.slots.left, this.slots.right] : [this.slots.right, this.slots.left];
    const { start, end } = own.text.units[unit];
    own.mark("pinned", [{ start, end, class: "lv-pinned" }]);
    own.choose(this.position.axes === "across" ? [start, end] : null);
    other.choose(this.position.axes === "across" ? best.span : null);
    other.mark("pinned", [
      { start: best.span[0], end: best.span[1], class: "lv-pinned", note: this.map()?.said(best.value) },
    ]);
    other.reveal(...best.span);
    this.on.tip([]);
    /** @type {import("../types").Span} */
    const span = [start, end];
    const [a, b] = place === "left" ? [span, best.span] : [best.span, span];
    if (this.position.axes === "across") this.on.wordCells.ask(a, b);
    this.links.show([{ a, b, strength: strength(best.value, this.limits) }]);
    this.redraw.soon();
    this.on.say(labels.bestCounterpart(this.map()?.said(best.value) ?? "", other.text.place(best.span[0])));
  }
}
