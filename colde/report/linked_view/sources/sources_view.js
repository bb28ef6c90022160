// The sources of a document: its text on the left, the ranking or the text of one source on the right.

import { createElement, debounce, redraw } from "../frame/dom.js";
import * as labels from "./labels.js";
import { palette } from "../map/colour_ramp.js";
import { DocumentText } from "../payload/document_text.js";
import { KeptReview, TOLD_AFTER } from "../review/kept_review.js";
import { itemKey } from "../review/review_marks.js";
import { countSources } from "./count_sources.js";
import { exclusionControls, toggled } from "./exclusion_controls.js";
import { decisionBar } from "./decision_bar.js";

const COLOURS = 8;
const SNIPPET = 140;

/** A view of the payload of colde/report/sources/sources_payload.py. */
export class SourcesView {
  /** callbacks: onExclusions(exclusions), onReview(marks by id of the source), onCompare(id); each may be missing. */
  constructor(root, payload, callbacks = {}) {
    this.root = root;
    this.callbacks = callbacks;
    /** @type {KeptReview[]} */
    this.reviews = []; // of the document with each source
    this.tell = debounce(TOLD_AFTER, () => this.callbacks.onReview?.(this.marks()));
    /** @type {any} */
    this.text = null; // the document
    /** @type {any} */
    this.count = null; // what countSources gives
    /** @type {number | null} */
    this.chosen = null; // number of the passage whose two texts are open
    this.open = new Set(); // places of the sources whose passages are listed
    this.head = createElement("div.sv-head");
    this.page = this.region("sources-text", labels.sources.document);
    this.side = this.region("sources-side", labels.sources.ranking);
    this.element = createElement("div.lv.sv", {}, this.head, createElement("div.sv-panes", {}, this.page, this.side));
    this.moveTo(root);
    this.receive(payload);
    this.repaint();
    window.matchMedia?.("(prefers-color-scheme: dark)").addEventListener("change", () => this.repaint());
    window.addEventListener("storage", (event) => {
      if (this.root.isConnected) for (const review of this.reviews) review.heard(event);
    });
  }

  /** Show a payload; of the same sources once more, it takes on a review file that was opened since. */
  receive(payload) {
    if (this.payload?.id !== payload.id) {
      this.payload = null;
      this.chosen = null;
      this.open.clear();
      this.exclusions = structuredClone(payload.exclusions);
      this.text = new DocumentText(payload.document, "a");
      this.items = payload.passages.map(({ a, b, ...rest }) => ({ ...rest, a: span(a), b: span(b) }));
      this.reviews = payload.sources.map(() => new KeptReview(this.tell, () => this.refresh()));
    }
    payload.sources.forEach((source, k) => this.reviews[k].open(source.review));
    if (this.payload) return;
    this.payload = payload;
    this.refresh();
  }

  /**
   * Go on in another place of the page.
   * @param {HTMLElement} root
   */
  moveTo(root) {
    this.root = root;
    root.replaceChildren(this.element);
    this.scrollToChosen();
  }

  repaint() {
    this.element.dataset.theme = palette(this.element).dark ? "dark" : "light";
  }

  marks() {
    return Object.fromEntries(this.payload.sources.map(({ id }, k) => [id, this.reviews[k].review.list()]));
  }

  /** The decision and the note on a passage. */
  mark(passage) {
    return this.reviews[this.source(passage)].review.of(this.items[passage]);
  }

  region(id, label) {
    return createElement("section.sv-pane", { "data-testid": id, role: "region", "aria-label": label, tabindex: "0" });
  }

  /** Count again, and draw everything that follows from it. */
  refresh() {
    if (!this.payload) return;
    const isRejected = this.items.map((_, p) => this.mark(p).decision === "rejected");
    this.count = countSources(this.payload, this.exclusions, isRejected);
    if (this.chosen !== null && !this.count.live[this.chosen] && !isRejected[this.chosen]) this.chosen = null;
    redraw(
      this.head,
      this.total(),
      exclusionControls(this.exclusions, (change) => this.exclude(change)),
    );
    redraw(this.page, ...this.paragraphs(this.text, this.count.marks));
    this.drawSide();
  }

  exclude(change) {
    Object.assign(this.exclusions, change);
    this.refresh();
    this.callbacks.onExclusions?.(this.exclusions);
  }

  total() {
    const { share, words, ranking } = this.count;
    const text = ranking.length ? labels.sources.total(share, words, ranking.length) : labels.sources.none;
    return createElement("p.sv-total", { "aria-live": "polite", "data-testid": "sources-total" }, text);
  }

  /** The text with marks, each with the number of its source before it. */
  paragraphs(text, marks, current = this.chosen) {
    const blocks = [];
    const numbered = new Set();
    for (const section of text.sections) {
      const heading = text.ownHeading(section);
      if (heading) blocks.push(createElement(text === this.text ? "h2" : "h3", { dir: "auto" }, heading));
      for (let i = 0; i < section.paragraphs.length; i += 2) {
        const [from, to] = [section.paragraphs[i], section.paragraphs[i + 1]];
        const block = createElement("p", { dir: "auto" });
        let at = from;
        for (const { start, end, passage } of marks) {
          if (end <= from || start >= to) continue;
          const [first, last] = [Math.max(start, at), Math.min(end, to)];
          if (first > at) block.append(text.slice(at, first));
          if (!numbered.has(passage) && text === this.text) block.append(this.numberButton(passage));
          numbered.add(passage);
          block.append(this.marked(text.slice(first, last), passage, current));
          at = last;
        }
        if (to > at) block.append(text.slice(at, to));
        blocks.push(block);
      }
    }
    return blocks;
  }

  marked(words, passage, current) {
    return createElement(
      "mark",
      {
        "data-colour": this.colour(passage),
        "data-passage": String(passage),
        "aria-current": passage === current ? "true" : null,
        onclick: () => this.choose(passage),
      },
      words,
    );
  }

  numberButton(passage) {
    const others = this.count.also[passage].length;
    const shown = `${this.number(passage)}${others ? `+${others}` : ""}`;
    return createElement(
      "button.sv-number",
      {
        type: "button",
        "data-colour": this.colour(passage),
        "data-focus": `passage ${passage}`,
        "aria-label": `${shown}, ${this.name(this.source(passage))}: ${this.described(passage)}`,
        onclick: () => this.choose(passage),
      },
      shown,
    );
  }

  source(passage) {
    return this.payload.passages[passage].source;
  }

  number(passage) {
    return this.count.numbers[this.source(passage)];
  }

  /** The colour of its source; none where that does not count. */
  colour(passage) {
    const number = this.number(passage);
    return number ? String((number - 1) % COLOURS) : null;
  }

  described(passage) {
    const { kind, standard } = this.payload.passages[passage];
    const words = Math.round(this.count.sizes[passage]);
    return labels.sources.passage(words, kind, standard, this.count.also[passage].length);
  }

  name(source) {
    const { title, name } = this.payload.sources[source];
    return title || name;
  }

  /** Open both texts at a passage; null shows the ranking again. */
  choose(passage) {
    this.chosen = passage;
    for (const mark of this.page.querySelectorAll("mark")) {
      mark.toggleAttribute("aria-current", false);
      if (Number(mark.dataset.passage) === passage) mark.setAttribute("aria-current", "true");
    }
    this.drawSide();
    this.scrollToChosen();
  }

  scrollToChosen() {
    for (const pane of [this.page, this.side]) scrollInto(pane, pane.querySelector("mark[aria-current=true]"));
  }

  drawSide() {
    redraw(this.side, ...(this.chosen === null ? [this.ranking()] : this.opened(this.chosen)));
  }

  ranking() {
    const list = createElement("ol.sv-list");
    for (const entry of this.count.ranking) list.append(this.entry(entry));
    const excluded = this.payload.sources.flatMap((source, k) =>
      this.exclusions.documents.includes(source.id) ||
      (!this.count.numbers[k] && (source.version || this.listed(k).length))
        ? [k]
        : [],
    );
    const rest = createElement("ul.sv-list");
    for (const k of excluded) rest.append(this.excludedEntry(k));
    return createElement(
      "div",
      {},
      createElement("h2", {}, labels.sources.ranking),
      list,
      excluded.length ? createElement("h2", {}, labels.sources.notCounted) : null,
      excluded.length ? rest : null,
    );
  }

  counts(source, checked) {
    const { id } = this.payload.sources[source];
    return createElement("input", {
      type: "checkbox",
      checked,
      "data-focus": `source ${source}`,
      "aria-label": labels.sources.counts(this.name(source)),
      onchange: (event) => this.exclude({ documents: toggled(this.exclusions.documents, id, !event.target.checked) }),
    });
  }

  excludedEntry(source) {
    const { id, name: file, version } = this.payload.sources[source];
    const name = createElement("span.sv-name", {}, this.name(source));
    if (this.exclusions.documents.includes(id)) return createElement("li", {}, this.counts(source, false), name);
    const passages = this.listed(source);
    const why = version ? labels.sources.version(file) : labels.sources.rejected(passages.length);
    const quotes = version ? null : this.quotes(passages);
    return createElement("li", {}, name, createElement("p.sv-facts", {}, why), quotes);
  }

  /** Passages of a source that count or were rejected, in reading order. */
  listed(source) {
    const of = (/** @type {number} */ p) => this.source(p) === source && this.isListed(p);
    return [...this.items.keys()].filter(of).sort((x, y) => this.items[x].a.start - this.items[y].a.start);
  }

  isListed(passage) {
    return this.count.live[passage] || (this.count.rejected[passage] && this.count.sizes[passage] > 0);
  }

  entry({ source, number, share, words, firstWords, longest, passages }) {
    const open = this.open.has(source);
    const toggle = () => {
      if (open) this.open.delete(source);
      else this.open.add(source);
      this.drawSide();
    };
    const title = createElement(
      "button.sv-source",
      { type: "button", "aria-expanded": String(open), "data-focus": `open ${source}`, onclick: toggle },
      createElement("span.sv-number", { "data-colour": String((number - 1) % COLOURS) }, String(number)),
      this.name(source),
    );
    const facts = createElement(
      "p.sv-facts",
      {},
      labels.sources.facts(share, words, firstWords, longest, passages.length),
    );
    const quotes = open ? this.quotes(this.listed(source)) : null;
    return createElement("li", { "data-testid": "source" }, this.counts(source, true), title, facts, quotes);
  }

  quotes(passages) {
    return createElement("ul.sv-quotes", {}, ...passages.map((p) => this.quote(p)));
  }

  quote(passage) {
    const { start, end } = this.items[passage].a;
    const { decision, note } = this.mark(passage);
    return createElement(
      "li",
      {},
      createElement(
        "button.sv-quote",
        { type: "button", "data-focus": `quote ${passage}`, onclick: () => this.choose(passage) },
        createElement("b", {}, this.described(passage)),
        decision ? createElement("i", {}, labels.sources.decisions[decision]) : null,
        note ? createElement("i", { dir: "auto" }, note) : null,
        createElement("span", { dir: "auto" }, this.text.snippet(start, end, SNIPPET)),
      ),
    );
  }

  /** The source of a passage: what it is, the decision, and its text. */
  opened(passage) {
    const k = this.source(passage);
    const source = this.payload.sources[k];
    const text = new DocumentText(source.document, "b");
    const marks = this.listed(k)
      .map((p) => ({ ...this.items[p].b, passage: p }))
      .sort((x, y) => x.start - y.start);
    const back = createElement(
      "button.sv-back",
      {
        type: "button",
        onclick: () => {
          this.choose(null);
          this.side.focus({ preventScroll: true });
        },
      },
      labels.sources.back,
    );
    const compare = this.callbacks.onCompare
      ? createElement(
          "button",
          { type: "button", onclick: () => this.callbacks.onCompare(source.id) },
          labels.sources.compare,
        )
      : null;
    return [
      createElement("div.sv-bar", {}, back, compare),
      createElement("h2", { dir: "auto" }, this.heading(passage)),
      createElement("p.sv-facts", {}, this.described(passage)),
      this.others(passage),
      decisionBar(
        this.mark(passage),
        this.reviews[k],
        this.items[passage],
        () => this.undone(k),
        (p) => this.choose(p),
      ),
      createElement("div.sv-text", { "data-testid": "source-text" }, ...this.paragraphs(text, marks, passage)),
    ];
  }

  /** Buttons for the same passage in other sources. */
  others(passage) {
    const { start, end } = this.items[passage].a;
    const same = this.count.also[passage].map((k) =>
      this.count.ranking
        .find((entry) => entry.source === k)
        .passages.find((p) => this.items[p].a.start < end && start < this.items[p].a.end),
    );
    if (!same.length) return null;
    const buttons = same.map((p) =>
      createElement("button", { type: "button", onclick: () => this.choose(p) }, this.heading(p)),
    );
    return createElement("p.sv-others", {}, labels.sources.alsoIn, ...buttons);
  }

  /** “2. Rules of the quay” */
  heading(passage) {
    const number = this.number(passage);
    return `${number ? `${number}. ` : ""}${this.name(this.source(passage))}`;
  }

  /** The passages that the last decision on a source was about; none where it was about something else. */
  undone(source) {
    const keys = this.reviews[source].review.lastStep();
    const passages = [...this.items.keys()].filter((p) => this.source(p) === source);
    const places = new Map(passages.map((p) => [itemKey(this.items[p]), p]));
    return keys.every((key) => places.has(key)) ? keys.map((key) => places.get(key)) : [];
  }
}

const span = ([start, end]) => ({ start, end });

function scrollInto(pane, mark) {
  if (!mark) return;
  const [outer, inner] = [pane.getBoundingClientRect(), mark.getBoundingClientRect()];
  pane.scrollTop += inner.top - outer.top - outer.height / 4;
}
