// The linked view: one selection, shown by the matrix and by both texts. All state of the reader lives here.

import { LEVELS, Text, decodeModels, number } from "./data.js";
import { debounce, framed, make, segmented } from "./dom.js";
import { Heatmap } from "./heatmap.js";
import { Links } from "./links.js";
import { Multiples } from "./multiples.js";
import { PagePane } from "./pagepane.js";
import { gradient, palette, tint } from "./ramp.js";
import { TextPane } from "./textpane.js";

const SEND_AFTER = 150; // milliseconds; a click is one message
const MOST_LINKS = 6;
const LEVEL_NAMES = { section: "Sections", chunk: "Chunks", sentence: "Sentences", word: "Words" };
const LEVEL_TITLES = {
  section: "Sections by their headings",
  chunk: "Stretches of at most 512 tokens; a chunk never crosses a section",
  sentence: "Single sentences",
  word: "Single words",
};
const AXES = { ab: ["a", "b"], aa: ["a", "a"], bb: ["b", "b"] };
const AXES_NAMES = { ab: "A × B", aa: "A × A", bb: "B × B" };
const PREFERRED = ["passages"]; // of the maps of one level, the one that shows what the two texts share

export class View {
  constructor(root, payload, callbacks) {
    this.root = root;
    this.callbacks = callbacks;
    this.send = debounce(SEND_AFTER, (selected) => this.callbacks.onSelect?.(selected));
    this.sendSettings = debounce(SEND_AFTER, () => this.callbacks.onSettings?.({ beside: this.beside, shading: this.shading }));
    this.linkSoon = framed(() => this.links && this.links.draw(this.slots.left, this.slots.right));
    this.build(payload);
    if (window.matchMedia) {
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    }
  }

  // ---- payload ----

  build(payload) {
    this.texts = { a: new Text(payload.documents.a, "a"), b: new Text(payload.documents.b, "b") };
    this.payload = payload;
    this.models = decodeModels(payload.models);
    this.model = this.models[0] || null;
    Object.assign(this, { axes: "ab", level: null, path: [], chosen: {}, selected: null, match: -1, wanted: null, restored: undefined });
    this.beside = LEVELS.includes(payload.settings?.beside) ? payload.settings.beside : null; // level of the maps side by side, or null
    this.shading = payload.settings?.shading || null; // key of the weights that shade the texts; null: best counterparts
    this.neighbours = decodeModels(payload.beside || []);
    this.panes = new Map();
    this.pagePanes = new Map();
    this.paper = { left: false, right: false }; // which slots show pages
    this.frame();
    this.show();
    this.obey(payload);
  }

  /** New data: other texts rebuild everything; other maps keep the reader's place. */
  update(payload) {
    if (payload.texts !== this.payload.texts) {
      this.build(payload);
      return;
    }
    const changed = payload.generation !== this.payload.generation;
    this.payload = payload;
    if (changed) {
      const name = this.model?.name;
      this.models = decodeModels(payload.models, [...this.models, ...this.neighbours]);
      this.neighbours = decodeModels(payload.beside || [], [...this.neighbours, ...this.models]);
      this.model = this.models.find((m) => m.name === name) || this.models[0] || null;
      if (this.model?.name !== name) this.path = [];
      this.show();
    }
    this.obey(payload);
  }

  /** What the page asks for: a selection (each once, as soon as there is a map to show it on), page images. */
  obey(payload) {
    const wanted = payload.wanted ? JSON.stringify(payload.wanted) : null;
    if (wanted && wanted !== this.obeyed) [this.obeyed, this.wanted, this.restored] = [wanted, payload.wanted, undefined];
    if (!wanted) this.obeyed = null;
    if (this.wanted && this.current()) this.restoreWanted();
    for (const [key, pane] of this.pagePanes) pane.show(payload.pages?.[key]);
  }

  /** At once on the maps there are, and again on all of them, unless the reader has moved on meanwhile. */
  restoreWanted() {
    const first = this.restored === undefined;
    const untouched = this.selected === this.restored;
    if (first || (untouched && !this.model.pending)) {
      this.restore(this.wanted);
      this.restored = this.selected;
    }
    if (!this.model.pending || !(first || untouched)) this.wanted = null;
  }

  restore({ map: name, row, column, path, a, b }) {
    const map = this.model.map(name);
    if (map && !this.besideNow() && row < map.height && column < map.width) {
      const parents = (path || []).filter((p) => this.entryMap(p));
      Object.assign(this, { axes: map.axes, level: map.level, path: parents });
      this.chosen[map.axes + map.level] = name;
      const same = (x, y) => !x || (x[0] === y[0] && x[1] === y[1]);
      if (same(a, map.rows.span(row)) && same(b, map.columns.span(column))) {
        this.choose({ row, column }, false);
        return;
      }
    }
    if (a && b) this.pick(a, b, false);
  }

  entryMap(entry) {
    const map = this.model?.map(entry.map);
    return map && entry.row < map.height && entry.column < map.width ? map : null;
  }

  // ---- frame ----

  frame() {
    this.live = make("div.lv-live", { "aria-live": "polite", role: "status" });
    this.tip = make("div.lv-tip", { hidden: true, role: "presentation" });
    this.crumbs = make("nav.lv-crumbs", { "aria-label": "Where in the matrix" });
    this.controls = make("div.lv-controls");
    this.meaning = make("p.lv-meaning");
    this.note = make("p.lv-note", { hidden: true });
    this.legend = make("div.lv-legend");
    this.matches = make("div.lv-matches");
    this.heatmap = new Heatmap({
      hover: (cell, event) => this.showTip(cell, event),
      focus: (cell, event) => {
        this.live.textContent = this.announce(cell);
        this.showTip(cell, event);
      },
      choose: (cell) => this.choose(cell),
      back: () => this.back(),
      label: (axis, index) => this.revealLabel(axis, index),
    });
    this.multiples = new Multiples({
      hover: (place) => this.markPlace(place),
      choose: (a, b) => this.pick(a, b),
      back: () => this.back(),
      place: (a, b) => this.placeOf(a, b),
    });
    this.shadingLegend = make("div.lv-shading", { hidden: true });
    this.figure = make("section.lv-figure", { "aria-label": "Similarity map" }, this.crumbs, this.controls, this.meaning, this.note, this.heatmap.element, this.multiples.element, this.legend, this.shadingLegend);
    this.fold = make("button.lv-quiet.lv-fold", { type: "button", onclick: () => this.foldMap() }, "Texts only");
    this.centre = make("div.lv-centre", {}, this.fold, this.figure, this.matches);
    this.leftHost = make("div.lv-slot");
    this.rightHost = make("div.lv-slot");
    this.body = make("div.lv-body", {}, this.leftHost, this.centre, this.rightHost);
    this.links = new Links(this.body);
    this.body.prepend(this.links.svg);
    this.element = make("div.lv", { "data-testid": "linked-view" }, this.body, this.tip, this.live);
    this.element.addEventListener("keydown", (event) => this.key(event));
    this.root.replaceChildren(this.element);
    this.adopt();
  }

  /** Take on the colours of the page's theme. */
  adopt() {
    this.element.dataset.theme = palette(this.element).dark ? "dark" : "light";
    this.colours = palette(this.element);
    for (const pane of this.panes.values()) pane.colours = this.colours;
  }

  /** Put the map away, so that the lines between the texts are seen whole; or bring it back. */
  foldMap() {
    const folded = this.body.classList.toggle("lv-folded");
    this.fold.textContent = folded ? "Show map" : "Texts only";
    this.linkSoon();
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches?.("input")) return;
    if (event.key === "n" || event.key === "p") {
      this.step(event.key === "n" ? 1 : -1);
      event.preventDefault();
    } else if (event.key === "Escape") {
      this.back();
    }
  }

  repaint() {
    this.adopt();
    this.showMatrix();
    if (this.shadingNow()) this.shadeTexts();
    for (const pane of this.panes.values()) pane.drawSoon();
  }

  // ---- what is shown ----

  /** Of the maps for these axes and this level, the chosen one. */
  mapAt(level) {
    const maps = this.model?.find(this.axes, level) || [];
    const name = this.chosen[this.axes + level];
    return maps.find((m) => m.name === name) || maps.find((m) => PREFERRED.includes(m.name)) || maps[0] || null;
  }

  /** {map, rows, columns, strongest} on screen, or null where the model has no map. */
  current() {
    const map = this.mapAt(this.level);
    if (!map || !map.height || !map.width) return null;
    const parent = this.path.at(-1);
    const outer = parent && this.entryMap(parent);
    const kept = this.part; // the same part is the same object, so that the matrix need not be drawn again
    if (kept?.map === map && kept.outer === outer && kept.parent === parent) return kept;
    const rows = parent ? map.rows.within(...outer.rows.span(parent.row)) : map.rows.all();
    const columns = parent ? map.columns.within(...outer.columns.span(parent.column)) : map.columns.all();
    if (!rows.length || !columns.length) return null;
    this.part = { map, outer, parent, rows, columns, strongest: map.strongest(rows, columns) };
    return this.part;
  }

  /** Redraw everything from the state; puts the state right where the model lacks what it names. */
  show() {
    const levels = this.model?.levels(this.axes) || [];
    if (!levels.length && this.axes !== "ab") this.axes = "ab";
    if (this.path.some((entry) => !this.entryMap(entry))) this.path = [];
    const there = this.model?.levels(this.axes) || [];
    if (!there.includes(this.level)) [this.level, this.path] = [there[0] || null, []];
    if (this.level && !this.current()) [this.level, this.path] = [there[0], []];
    this.showTexts();
    this.showMatrix();
    this.showMatches();
  }

  showTexts() {
    const [left, right] = AXES[this.axes];
    this.slots = { left: this.pane("a", left, this.leftHost), right: this.pane("b", right, this.rightHost) };
    if (!this.model) return;
    for (const pane of this.panes.values()) {
      const { side } = pane.text;
      const unread = (this.model.unread?.[side] || []).map(([start, end]) => ({ start, end, class: "lv-unread" }));
      pane.mark("unread", unread);
      pane.say(this.facts(pane.text), "Matched: the share of the compared text that lies in the top matches. It differs between A and B because the texts differ in length.");
    }
    this.shadeTexts();
    if (this.selected) this.markSelection(false);
  }

  pane(slot, side, host) {
    const key = slot + side;
    if (!this.panes.has(key)) {
      const place = host === this.leftHost ? "left" : "right";
      const pane = new TextPane(this.texts[side], slot, {
        hover: (unit, event) => this.hoverSentence(place, unit, event),
        choose: (unit) => this.chooseSentence(place, unit),
        scroll: () => this.linkSoon(),
      });
      pane.colours = this.colours;
      pane.say(this.facts(this.texts[side]));
      this.offerPages(pane, side, place);
      this.panes.set(key, pane);
    }
    const pane = this.panes.get(key);
    if (host.firstChild !== pane.element) host.replaceChildren(pane.element);
    return pane;
  }

  facts(text) {
    const facts = [];
    if (text.pages) facts.push(`${text.pages} p`);
    facts.push(`${text.words.toLocaleString("en")} words`, `${text.compared} sections`);
    const read = this.model?.read?.[text.side];
    if (read && read.tokens_read < read.tokens) {
      facts.push(`${this.model.title} read ${read.tokens_read.toLocaleString("en")} of ${read.tokens.toLocaleString("en")} tokens`);
    } else if (read) {
      facts.push("all read");
    }
    const share = this.model?.matched?.[text.side];
    if (share !== null && share !== undefined) facts.push(`${Math.round(100 * share)} % matched`);
    return facts.join(" · ");
  }

  // ---- pages ----

  offerPages(pane, side, place) {
    const text = this.texts[side];
    if (!this.callbacks.onPageWanted || !text.pageSizes.length || !text.sections.some((s) => s.boxes?.length)) return;
    const toggle = () => {
      this.paper[place] = !this.paper[place];
      const pages = this.pagesOf(pane, side);
      pane.scroller.hidden = this.paper[place];
      pane.scrollmap.hidden = this.paper[place];
      pages.scroller.hidden = !this.paper[place];
      button.textContent = this.paper[place] ? "Show text" : "Show pages";
      if (this.paper[place]) {
        pages.show(this.payload.pages?.[side]);
        this.markSelection();
        pages.ask();
      } else if (this.selected) {
        this.markSelection();
      }
      this.linkSoon();
    };
    const button = make("button.lv-quiet", { type: "button", onclick: toggle }, "Show pages");
    pane.tools.prepend(button);
  }

  pagesOf(pane, side) {
    if (!this.pagePanes.has(side)) {
      const pages = new PagePane(this.texts[side], {
        page: (page) => this.callbacks.onPageWanted(side, page),
        scroll: () => this.linkSoon(),
      });
      pane.scroller.after(pages.scroller);
      this.pagePanes.set(side, pages);
    }
    return this.pagePanes.get(side);
  }

  // ---- matrix ----

  showMatrix() {
    const beside = this.besideNow();
    this.body.classList.toggle("lv-side-by-side", beside);
    this.multiples.element.hidden = !beside;
    if (beside) {
      this.showBeside();
      return;
    }
    const now = this.current();
    this.figure.classList.toggle("lv-empty", !now);
    this.note.hidden = !this.model || (now && !this.model.pending);
    if (this.model) {
      this.note.textContent = this.model.pending
        ? `${this.model.title} is still reading; hatched cells follow.`
        : `${this.model.title} gives no map of this pair; its matches stand in the list.`;
    } else {
      this.note.hidden = false;
      this.note.textContent = "The map of the two texts will stand here.";
    }
    this.showCrumbs(now);
    this.showControls(now);
    this.heatmap.element.hidden = !now;
    this.legend.hidden = !now;
    this.meaning.textContent = now ? now.map.meaning : "";
    if (!now) return;
    const { map, rows, columns, strongest } = now;
    const [left, right] = AXES[this.axes].map((side) => this.texts[side]);
    this.heatmap.show({
      map,
      rows,
      columns,
      colours: this.colours,
      room: 400,
      key: JSON.stringify([this.model.name, map.name, this.path]),
      strongest,
      selected: this.selectedCell(now),
      rowLabels: this.labeller(left, map.rows, rows),
      columnLabels: this.labeller(right, map.columns, columns),
      label: `${map.label}, ${LEVEL_NAMES[map.level].toLowerCase()} ${AXES_NAMES[this.axes]}, ${rows.length} by ${columns.length}. Arrow keys move, Enter selects, Escape goes back.`,
    });
    this.showLegend(now);
  }

  // ---- several models side by side ----

  /** Whether the maps of several models are drawn: the reader wants it, and there are several. */
  besideNow() {
    return Boolean(this.beside) && this.payload.comparable.length > 1;
  }

  setBeside(level) {
    if (!level && this.model?.levels("ab").includes(this.beside)) this.level = this.beside;
    Object.assign(this, { beside: level, path: [] });
    if (level && this.axes !== "ab") this.setAxes("ab");
    this.markPlace(null);
    this.show();
    this.sendSettings();
  }

  /** The models that have a map of the two texts, in the order of their results, as far as they are here. */
  comparable() {
    const here = [...this.models, ...this.neighbours];
    return this.payload.comparable.map((name) => here.find((m) => m.name === name)).filter((m) => m?.beside(this.beside));
  }

  showBeside() {
    const models = this.comparable();
    const waiting = models.length < this.payload.comparable.length;
    for (const part of [this.crumbs, this.heatmap.element, this.legend]) part.hidden = true;
    this.tip.hidden = true;
    this.figure.classList.remove("lv-empty");
    this.showControls(this.current());
    this.meaning.textContent = "A matrix for each model: rows are passages of A, columns of B. Each has its own scale; values of two models do not compare.";
    this.note.hidden = !waiting;
    this.note.textContent = "The maps of the other models are on their way.";
    const [a, b] = [this.texts.a, this.texts.b].map((text) => text.ends.at(-1) || 1);
    this.multiples.show({
      entries: models.map((m) => ({ name: m.name, title: m.title, pending: m.pending, active: models.length > 1 && m.name === this.model?.name, map: m.beside(this.beside) })),
      shape: Math.max(0.6, Math.min(1.1, a / b)),
      colours: this.colours,
      selected: this.selected && { a: this.selected.a, b: this.selected.b },
    });
  }

  /** Mark where the cursor of the matrices is in both texts; they stay where they are. */
  markPlace(place) {
    for (const [pane, span] of [[this.slots.left, place?.a], [this.slots.right, place?.b]]) {
      pane.mark("cursor", span ? [{ start: span[0], end: span[1], class: "lv-cursor" }] : []);
    }
  }

  placeOf(a, b) {
    const say = (text, [start, end]) => `${text.side.toUpperCase()}: ${text.place(start)}, “${text.snippet(start + leading(text, start, end), end, 40)}”`;
    return [say(this.texts.a, a), say(this.texts.b, b)];
  }

  // ---- one matrix ----

  labeller(text, passages, shown) {
    const whole = this.path.length === 0;
    return (i) => {
      const [start, end] = passages.span(i);
      if (this.level === "section") return { text: text.heading(start) };
      const section = text.section(start);
      if (whole) return { text: text.heading(start), run: section };
      if (this.level === "sentence") return { text: text.snippet(start, end, 40) };
      return { text: shown.length === 1 ? text.heading(start) : `${i - shown[0] + 1} · ${text.snippet(start, end, 32)}` };
    };
  }

  selectedCell({ map, rows, columns }) {
    if (!this.selected || this.selected.axes !== this.axes) return null;
    const inside = (passages, [start, end]) => {
      const i = passages.holding(start);
      return i >= 0 && passages.ends[i] >= end ? i : -1;
    };
    const [row, column] = [inside(map.rows, this.selected.a), inside(map.columns, this.selected.b)];
    if (rows.includes(row) && columns.includes(column)) return { row, column };
    if (!this.selected.picked) return null;
    const touched = (passages, span, shown) => passages.within(...span).filter((i) => shown.includes(i));
    return map.strongest(touched(map.rows, this.selected.a, rows), touched(map.columns, this.selected.b, columns));
  }

  showCrumbs(now) {
    const name = (entry) => {
      const map = this.entryMap(entry);
      const [left, right] = AXES[this.axes].map((side) => this.texts[side]);
      const label = (text, [start, end]) => (map.level === "section" ? text.heading(start) : text.snippet(start, end, 24));
      return `${label(left, map.rows.span(entry.row))} × ${label(right, map.columns.span(entry.column))}`;
    };
    const steps = [{ text: "All", depth: 0 }, ...this.path.map((entry, i) => ({ text: name(entry), depth: i + 1 }))];
    this.crumbs.replaceChildren();
    steps.forEach(({ text, depth }, i) => {
      const last = i === steps.length - 1;
      if (i) this.crumbs.append(make("span.lv-step", { "aria-hidden": "true" }, "›"));
      this.crumbs.append(
        last
          ? make("span.lv-here", { "aria-current": "location", title: text }, text)
          : make("button.lv-crumb", { type: "button", title: text, onclick: () => this.up(depth) }, text),
      );
    });
    this.crumbs.hidden = !now;
  }

  showControls(now) {
    const groups = [];
    if (this.models.length > 1) {
      const chooser = make("select", { "aria-label": "Model", onchange: (event) => this.setModel(event.target.value) });
      for (const model of this.models) {
        chooser.append(make("option", { value: model.name, selected: model === this.model }, model.title));
      }
      groups.push(make("label.lv-choice", {}, chooser));
    }
    const beside = this.besideNow();
    if (this.payload.comparable.length > 1) {
      const title = "The matrices of all models that took part, with one cursor";
      groups.push(
        make("div.lv-segmented", {}, make("button", { type: "button", title, "aria-pressed": String(beside), onclick: () => this.setBeside(beside ? null : this.sideLevel()) }, "Side by side")),
      );
    }
    const axes = Object.keys(AXES).filter((key) => this.model?.levels(key).length);
    if (axes.length > 1 && !beside) {
      const options = axes.map((value) => ({ value, text: AXES_NAMES[value], title: value === "ab" ? "The two texts with each other" : "One text with itself" }));
      groups.push(segmented("Texts", options, this.axes, (value) => this.setAxes(value)));
    }
    const levels = beside ? this.sideLevels() : this.model?.levels(this.axes) || [];
    if (levels.length > 1) {
      const options = levels.map((value) => ({ value, text: LEVEL_NAMES[value], title: LEVEL_TITLES[value] }));
      groups.push(segmented("Level", options, beside ? this.beside : this.level, (value) => (beside ? this.setBeside(value) : this.setLevel(value))));
    }
    const maps = now && !beside ? this.model.find(this.axes, this.level) : [];
    if (maps.length > 1) {
      const options = maps.map((map) => ({ value: map.name, text: map.label, title: map.meaning }));
      groups.push(segmented("What is shown", options, now.map.name, (value) => this.setMap(value)));
    }
    if (this.model?.shadings.length) groups.push(this.shadingChooser());
    const had = this.controls.contains(deepActive(this.root)) ? deepActive(this.root) : null;
    const name = (control) => control.getAttribute("aria-label") || `${control.closest("[role=group]")?.getAttribute("aria-label")}: ${control.textContent}`;
    const focused = had && name(had);
    this.controls.replaceChildren(...groups);
    if (focused) [...this.controls.querySelectorAll("button, select")].find((c) => name(c) === focused)?.focus({ preventScroll: true });
  }

  /** The levels on which at least one of the models has a map. */
  sideLevels() {
    const models = [...this.models, ...this.neighbours];
    return LEVELS.filter((level) => models.some((m) => m.typical[level]));
  }

  sideLevel() {
    return this.level && this.sideLevels().includes(this.level) ? this.level : this.sideLevels()[0] || "section";
  }

  shadingChooser() {
    const chooser = make("select", { "aria-label": "Shade the texts by", onchange: (event) => this.setShading(event.target.value || null) });
    const chosen = this.shadingNow()?.key || "";
    chooser.append(make("option", { value: "" }, "best counterparts"));
    for (const { key, label, meaning } of this.model.shadings) chooser.append(make("option", { value: key, selected: key === chosen, title: meaning }, label));
    return make("label.lv-choice", {}, make("span", {}, "Shade by "), chooser);
  }

  showLegend({ map, rows, columns, strongest }) {
    const [low, high] = map.range();
    const bar = make("span.lv-ramp", { "aria-hidden": "true" });
    bar.style.backgroundImage = gradient(map.kind, this.colours.dark);
    const parts = [make("span.lv-scale", {}, make("span", {}, number(low)), bar, make("span", {}, number(high)), make("span.lv-kind", {}, map.kind))];
    if (strongest && rows.length * columns.length > 1) {
      const { row, column, value } = strongest;
      parts.push(
        make("button.lv-quiet", { type: "button", "data-testid": "strongest", onclick: () => this.choose({ row, column }) }, `Go to strongest, ${number(value)}`),
      );
    }
    this.legend.replaceChildren(...parts);
  }

  // ---- moving in the matrix ----

  setModel(name) {
    this.model = this.models.find((m) => m.name === name);
    Object.assign(this, { path: [], match: -1 });
    this.show();
  }

  setAxes(axes) {
    Object.assign(this, { axes, path: [], selected: null, match: -1 });
    for (const pane of this.panes.values()) for (const layer of ["current", "counterpart", "pinned"]) pane.mark(layer, []);
    this.links.show([]);
    this.show();
  }

  setLevel(level) {
    this.level = level;
    this.path = this.path.filter((entry) => LEVELS.indexOf(this.entryMap(entry).level) < LEVELS.indexOf(level));
    if (!this.current()) this.path = [];
    this.showMatrix();
  }

  setMap(name) {
    this.chosen[this.axes + this.level] = name;
    this.showMatrix();
  }

  up(depth) {
    const entry = this.path[depth];
    this.path = this.path.slice(0, depth);
    const map = this.entryMap(entry);
    this.level = map.level;
    this.chosen[this.axes + map.level] = map.name;
    this.showMatrix();
  }

  back() {
    if (this.path.length) {
      this.up(this.path.length - 1);
    } else if (this.selected) {
      Object.assign(this, { selected: null, match: -1 });
      this.markSelection();
      this.showMatrix();
      this.showMatches();
      this.send(null);
    }
  }

  /** Select a cell: both texts show its passages, and the matrix opens it where there is a finer one. */
  choose({ row, column }, tell = true) {
    const { map } = this.current();
    this.selected = { axes: this.axes, map: map.name, level: map.level, row, column, path: [...this.path], a: map.rows.span(row), b: map.columns.span(column) };
    this.match = -1;
    this.live.textContent = `Selected ${this.announce({ row, column })}`;
    this.open(map, row, column);
    this.markSelection();
    this.showMatrix();
    this.showMatches();
    if (tell) this.tell();
  }

  /** Go to the next finer matrix of a cell that has more than one value. */
  open(map, row, column) {
    const entry = { map: map.name, row, column };
    for (const level of this.model.levels(this.axes)) {
      if (LEVELS.indexOf(level) <= LEVELS.indexOf(map.level)) continue;
      const finer = this.mapAt(level);
      const [rows, columns] = [finer.rows.within(...map.rows.span(row)), finer.columns.within(...map.columns.span(column))];
      if (rows.length * columns.length < 2) continue;
      this.path = [...this.path, entry];
      this.level = level;
      return;
    }
  }

  tell() {
    const { axes, picked, ...selected } = this.selected;
    this.send(selected);
  }

  announce({ row, column }) {
    const { map } = this.current();
    const [left, right] = AXES[this.axes].map((side) => this.texts[side]);
    const value = map.at(row, column);
    return `${left.place(map.rows.starts[row])} by ${right.place(map.columns.starts[column])}: ${Number.isNaN(value) ? "no value" : number(value)}`;
  }

  revealLabel(axis, index) {
    const { map } = this.current();
    const pane = axis === 0 ? this.slots.left : this.slots.right;
    pane.reveal(...(axis === 0 ? map.rows : map.columns).span(index));
  }

  showTip(cell, event) {
    this.tip.hidden = !cell;
    const now = cell && this.current();
    if (!now) return;
    const [left, right] = AXES[this.axes].map((side) => this.texts[side]);
    const value = now.map.at(cell.row, cell.column);
    const missing = this.model.pending ? "not yet" : "no value";
    const line = (text, [start, end]) =>
      make("p", {}, make("b", {}, text.side.toUpperCase()), ` ${text.place(start)}`, make("q", {}, text.snippet(start + leading(text, start, end), end, 90)));
    this.tip.replaceChildren(
      make("p.lv-tip-value", {}, Number.isNaN(value) ? missing : number(value), make("small", {}, ` ${now.map.label}, ${now.map.kind}`)),
      line(left, now.map.rows.span(cell.row)),
      line(right, now.map.columns.span(cell.column)),
      this.heatmap.lens(cell) || "",
    );
    this.placeTip(event);
  }

  placeTip({ clientX, clientY }) {
    const frame = this.element.getBoundingClientRect();
    const { offsetWidth: width, offsetHeight: height } = this.tip;
    const x = Math.max(4, Math.min(clientX - frame.left + 16, frame.width - width - 4));
    const below = clientY - frame.top + 18;
    const y = clientY + 18 + height > window.innerHeight || below + height > frame.height ? clientY - frame.top - height - 12 : below;
    this.tip.style.transform = `translate(${x}px, ${Math.max(0, y)}px)`;
  }

  // ---- selection in the texts ----

  markSelection(scroll = true) {
    const { left, right } = this.slots;
    const own = { left: this.selected?.a, right: this.selected?.b };
    for (const [place, pane] of [["left", left], ["right", right]]) {
      const span = own[place];
      const marks = span ? [{ start: span[0], end: span[1], class: "lv-current", current: true }] : [];
      pane.mark("pinned", []);
      pane.mark("current", marks);
      if (span && scroll) pane.reveal(...span);
      const pages = this.paper[place] && this.pagePanes.get(pane.text.side);
      if (pages) {
        pages.mark(marks);
        if (scroll) pages.reveal();
      }
    }
    this.links.show(this.selected ? this.answers() : []);
    this.linkSoon();
  }

  /** Which sentences of the selected passages answer which: strongest first, each sentence once. */
  answers() {
    const { a, b } = this.selected;
    const map = this.finest();
    if (!map || map.level !== "sentence") return [{ a, b, strength: 0.5 }];
    const found = [];
    for (const row of map.rows.within(...a)) {
      for (const column of map.columns.within(...b)) {
        const strength = this.strength(map.at(row, column));
        if (strength > 0.3) found.push({ row, column, strength });
      }
    }
    found.sort((x, y) => y.strength - x.strength);
    const [rows, columns, pairs] = [new Set(), new Set(), []];
    for (const { row, column, strength } of found) {
      if (rows.has(row) || columns.has(column)) continue;
      rows.add(row);
      columns.add(column);
      pairs.push({ a: map.rows.span(row), b: map.columns.span(column), strength });
      if (pairs.length === MOST_LINKS) break;
    }
    return pairs.length ? pairs : [{ a, b, strength: 0.3 }];
  }

  // ---- sentences ----

  /** The map that says most exactly what answers what. */
  finest() {
    for (const level of ["sentence", "chunk", "section"]) {
      const maps = this.model?.find(this.axes, level).filter((m) => m.kind !== "attention") || [];
      const map = maps.find((m) => PREFERRED.includes(m.name)) || maps[0];
      if (map) return map;
    }
    return null;
  }

  /** What shades the texts: weights of the model's own choice, or null for the best counterparts. */
  shadingNow() {
    return this.model?.shadings.find((s) => s.key === this.shading) || null;
  }

  setShading(key) {
    this.shading = key;
    this.showTexts();
    this.showControls(this.current());
    this.sendSettings();
  }

  shadeTexts() {
    const shading = this.shadingNow();
    this.showShading(shading);
    if (shading) {
      const colour = tint(shading.kind, this.colours.dark);
      for (const pane of [this.slots.left, this.slots.right]) {
        pane.weigh(shading[pane.text.side], (value) => this.share(shading, value), colour);
      }
      return;
    }
    for (const pane of this.panes.values()) pane.weigh(null);
    this.shadeByCounterparts();
  }

  /** Attention is a share of the whole text; other weights are numbers of their own. */
  share({ kind }, value) {
    return kind === "attention" ? percent(value) : number(value);
  }

  /** What the shades mean, how dark they get in each text, and a way to the darkest for those who do not see them. */
  showShading(shading) {
    this.shadingLegend.hidden = !shading;
    if (!shading) return;
    const bar = make("span.lv-ramp", { "aria-hidden": "true" });
    bar.style.backgroundImage = `linear-gradient(to right, transparent, ${tint(shading.kind, this.colours.dark)})`;
    const parts = [make("p", {}, `Texts, ${shading.unit}s: `, bar, ` darker: ${shading.more}.`)];
    for (const side of ["a", "b"]) {
      if (!shading[side]?.ranked().length) continue;
      let next = 0;
      const go = () => {
        const order = shading[side].ranked();
        this.showWeighed(shading, side, order[next]);
        next = (next + 1) % order.length;
      };
      const most = this.share(shading, shading[side].high);
      parts.push(make("button.lv-quiet", { type: "button", title: `Each click goes to the next darkest ${shading.unit}`, onclick: go }, `Darkest in ${side.toUpperCase()}, ${most}`));
    }
    parts.push(make("p.lv-meaning", {}, shading.meaning));
    this.shadingLegend.replaceChildren(...parts);
  }

  showWeighed(shading, side, i) {
    const pane = [this.slots.left, this.slots.right].find((p) => p.text.side === side);
    if (!pane) return;
    const [start, end] = shading[side].spans.span(i);
    pane.mark("pinned", [{ start, end, class: "lv-pinned", note: this.share(shading, shading[side].values[i]) }]);
    pane.reveal(start, end);
    this.live.textContent = `${side.toUpperCase()}, ${pane.text.place(start)}: “${pane.text.snippet(start, end, 60)}”, ${this.share(shading, shading[side].values[i])}`;
  }

  shadeByCounterparts() {
    const map = this.axes === "ab" ? this.finest() : null;
    const { left, right } = this.slots;
    if (!map) {
      for (const pane of [left, right]) pane.shade(new Float32Array(pane.text.units.length).fill(NaN));
      return;
    }
    const [rows, columns] = [map.best("rows"), map.best("columns")];
    const values = [...rows, ...columns].filter((v) => !Number.isNaN(v)).sort((x, y) => x - y);
    const at = (share) => values[Math.round(share * (values.length - 1))] ?? 0;
    this.limits = [at(0.5), Math.max(at(0.995), at(0.5) + 1e-4)];
    for (const [pane, passages, best] of [[left, map.rows, rows], [right, map.columns, columns]]) {
      pane.shade(
        Float32Array.from(pane.text.units, (u) => {
          const i = u.sentence < 0 ? -1 : passages.holding(u.start);
          return i < 0 ? NaN : this.strength(best[i]);
        }),
      );
      pane.sectionWeights = this.sectionBest(pane === left ? "rows" : "columns", pane.text);
    }
  }

  /** 0 for a sentence like half of all, 1 for the strongest; what the shading shows. */
  strength(value) {
    const [low, high] = this.limits || [0, 1];
    return Math.max(0, Math.min(1, (value - low) / (high - low)));
  }

  sectionBest(axis, text) {
    const map = this.model.find("ab", "section").find((m) => m.kind !== "attention");
    if (!map) return null;
    const passages = axis === "rows" ? map.rows : map.columns;
    return text.sections.map((s) => map.best(axis)[passages.holding(s.start)]);
  }

  counterparts(place, unit, count) {
    const map = this.finest();
    const from = place === "left" ? map?.rows : map?.columns;
    const to = place === "left" ? map?.columns : map?.rows;
    const { start, sentence } = this.slots[place].text.units[unit];
    const i = sentence < 0 || !map ? -1 : from.holding(start);
    if (i < 0) return [];
    const found = [];
    for (let k = 0; k < to.length; k += 1) {
      const value = place === "left" ? map.at(i, k) : map.at(k, i);
      const itself = this.axes !== "ab" && k === i;
      if (Number.isNaN(value) || itself || (found.length === count && value <= found.at(-1).value)) continue;
      found.push({ value, span: to.span(k) });
      found.sort((x, y) => y.value - x.value);
      found.length = Math.min(found.length, count);
    }
    return found;
  }

  hoverSentence(place, unit, event) {
    const other = place === "left" ? this.slots.right : this.slots.left;
    const found = unit === null || unit === undefined || !this.model ? [] : this.counterparts(place, unit, 3);
    other.mark("counterpart", found.map(({ value, span }, i) => ({ start: span[0], end: span[1], class: i ? "lv-counterpart" : "lv-counterpart lv-best", note: number(value) })));
    const share = event?.target.closest?.("[data-share]")?.dataset.share;
    const shading = share && this.shadingNow();
    this.tip.hidden = !found.length && !shading;
    if (this.tip.hidden) return;
    this.tip.replaceChildren();
    if (shading) {
      const whole = shading.kind === "attention" ? " of the model’s attention in this text" : ` ${shading.label}`;
      this.tip.append(make("p.lv-tip-value.lv-share", {}, share, make("small", {}, whole)));
    }
    if (found.length) this.tip.append(...this.counterpartTip(other, found[0]));
    this.placeTip(event);
  }

  counterpartTip(other, { value, span }) {
    return [
      make("p.lv-tip-value", {}, number(value), make("small", {}, " best counterpart")),
      make("p", {}, make("b", {}, other.text.side.toUpperCase()), ` ${other.text.place(span[0])}`, make("q", {}, other.text.snippet(...span, 90))),
      make("p.lv-hint", {}, "Click shows it in the other text."),
    ];
  }

  /** Show the best counterpart in the other pane; the pane that was clicked stays where it is. */
  chooseSentence(place, unit) {
    if (!this.model) return;
    const [best] = this.counterparts(place, unit, 1);
    if (!best) return;
    const [own, other] = place === "left" ? [this.slots.left, this.slots.right] : [this.slots.right, this.slots.left];
    const { start, end } = own.text.units[unit];
    own.mark("pinned", [{ start, end, class: "lv-pinned" }]);
    other.mark("pinned", [{ start: best.span[0], end: best.span[1], class: "lv-pinned", note: number(best.value) }]);
    other.reveal(...best.span);
    this.tip.hidden = true;
    const [a, b] = place === "left" ? [[start, end], best.span] : [best.span, [start, end]];
    this.links.show([{ a, b, strength: this.strength(best.value) }]);
    this.linkSoon();
    this.live.textContent = `Best counterpart ${number(best.value)}, ${other.text.place(best.span[0])}`;
  }

  // ---- matches ----

  showMatches() {
    const list = this.model?.evidence || [];
    this.matches.replaceChildren();
    if (!list.length) return;
    const button = (text, title, by) => make("button.lv-quiet", { type: "button", "aria-label": title, title: `${title} (${by > 0 ? "n" : "p"})`, onclick: () => this.step(by) }, text);
    this.matches.append(
      make(
        "header.lv-matches-header",
        {},
        make("h3", {}, "Top matches"),
        make("span.lv-count", {}, this.match < 0 ? `${list.length}` : `${this.match + 1} of ${list.length}`),
        button("‹", "Previous match", -1),
        button("›", "Next match", 1),
      ),
    );
    const items = make("ol.lv-match-list", { "aria-label": "Top matches" });
    list.forEach((entry, i) => {
      const place = (text, { start, section }) => {
        const page = text.page(start);
        return (section || text.heading(start)) + (page ? `, p. ${page}` : "");
      };
      const item = make(
        "button.lv-match",
        { type: "button", "aria-pressed": String(i === this.match), onclick: () => this.goTo(i) },
        make("span.lv-match-number", {}, String(i + 1)),
        make("span.lv-match-places", {}, place(this.texts.a, entry.a), make("i", {}, " ↔ "), place(this.texts.b, entry.b)),
        make("span.lv-match-kind", {}, entry.kind),
        make("span.lv-match-weight", {}, number(entry.weight)),
      );
      items.append(make("li", {}, item));
    });
    this.matches.append(items);
    this.matchItems = items;
  }

  step(by) {
    const count = this.model?.evidence.length || 0;
    if (count) this.goTo(this.match < 0 ? (by > 0 ? 0 : count - 1) : (this.match + by + count) % count);
  }

  goTo(i) {
    const { a, b } = this.model.evidence[i];
    const within = this.matches.contains(deepActive(this.root));
    this.match = i;
    this.pick([a.start, a.end], [b.start, b.end]);
    const item = this.matchItems.children[i];
    const [list, box] = [this.matchItems.getBoundingClientRect(), item.getBoundingClientRect()];
    if (box.top < list.top || box.bottom > list.bottom) this.matchItems.scrollTop += box.top - list.top - list.height / 3;
    if (within) item.firstChild.focus({ preventScroll: true });
    const text = `Match ${i + 1}: ${this.texts.a.place(a.start)} and ${this.texts.b.place(b.start)}`;
    this.live.textContent = text;
  }

  /** Select two passages, whatever the matrix shows; it goes to where both lie. */
  pick(a, b, tell = true) {
    if (this.axes !== "ab") [this.axes, this.path] = ["ab", []];
    this.selected = { axes: "ab", picked: true, a, b, path: [], map: null, level: null, row: null, column: null };
    const find = () => {
      const now = this.current();
      const cell = now && this.selectedCell(now);
      return cell && { row: cell.row, column: cell.column, map: now.map.name, level: now.map.level, path: [...this.path] };
    };
    let cell = find();
    if (!cell) {
      this.path = [];
      const levels = this.model.levels("ab");
      this.level = levels[0] || null;
      cell = find();
    }
    Object.assign(this.selected, cell || {});
    this.showTexts();
    this.markSelection();
    this.showMatrix();
    this.showMatches();
    if (tell) this.tell();
  }
}

/** Characters of the heading with which a section's span begins, so that a snippet shows its body. */
function leading(text, start, end) {
  const section = text.sections[text.section(start)];
  return section && section.heading && start === section.start && section.body < end ? section.body - start : 0;
}

/** “3.1 %”, “0.042 %”: two digits that mean something. */
function percent(share) {
  return `${(100 * share).toLocaleString("en", { maximumSignificantDigits: 2 })} %`;
}

function deepActive(root) {
  const owner = root.getRootNode();
  return owner.activeElement || null;
}
