// The sources of a document: its text on the left, the ranking or the text of one source on the right.

import { createElement, redraw } from "../frame/dom.js";
import * as labels from "./labels.js";
import { DocumentText } from "../payload/document_text.js";
import { countSources } from "./count_sources.js";

const COLOURS = 8;
const SNIPPET = 140;

/** A view of the payload of colde/report/sources_payload.py. */
export class SourcesView {
  /** callbacks: onExclusions(exclusions), onReview(marks), onCompare(id); each may be missing. */
  constructor(root, payload, callbacks = {}) {
    this.root = root;
    this.callbacks = callbacks;
    /** @type {any} */
    this.text = null; // the document
    /** @type {any} */
    this.count = null; // what countSources gives
    /** @type {number | null} */
    this.chosen = null; // number of the passage whose two texts are open
    this.open = new Set(); // places of the sources whose passages are listed
    this.show(payload);
  }

  /** Show a payload; the same one again changes nothing. */
  show(payload) {
    if (this.payload?.id === payload.id) return;
    this.payload = payload;
    this.chosen = null;
    this.open.clear();
    this.exclusions = structuredClone(payload.exclusions);
    this.marks = { ...payload.marks };
    this.text = new DocumentText(payload.document, "a");
    this.draw();
  }

  draw() {
    this.count = countSources(this.payload, this.exclusions);
    this.head = createElement("div.sv-head");
    this.page = this.region("sources-text", labels.sources.document);
    this.side = this.region("sources-side", labels.sources.ranking);
    this.root.replaceChildren(
      createElement("div.lv.sv", {}, this.head, createElement("div.sv-panes", {}, this.page, this.side)),
    );
    this.refresh();
  }

  region(id, label) {
    return createElement("section.sv-pane", { "data-testid": id, role: "region", "aria-label": label, tabindex: "0" });
  }

  /** Count again, and draw everything that follows from it. */
  refresh() {
    this.count = countSources(this.payload, this.exclusions);
    if (this.chosen !== null && !this.count.live[this.chosen]) this.chosen = null;
    redraw(this.head, this.total(), this.controls());
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

  controls() {
    const box = (name, text) =>
      createElement(
        "label",
        {},
        createElement("input", {
          type: "checkbox",
          "data-focus": name,
          checked: this.exclusions.leave_out.includes(name),
          onchange: (event) =>
            this.exclude({ leave_out: toggled(this.exclusions.leave_out, name, event.target.checked) }),
        }),
        text,
      );
    const fewest = createElement("input", {
      type: "number",
      min: "0",
      "data-focus": "fewest",
      value: String(this.exclusions.fewest_words),
      onchange: (event) => this.exclude({ fewest_words: Math.max(0, Math.floor(Number(event.target.value) || 0)) }),
    });
    return createElement(
      "div.sv-controls",
      { role: "group", "aria-label": labels.sources.leaveOut },
      createElement("span", {}, labels.sources.leaveOut),
      ...Object.entries(labels.sources.exclusions).map(([name, text]) => box(name, text)),
      createElement("label", {}, labels.sources.fewest, fewest),
    );
  }

  /** The text with marks, each with the number of its source before it. */
  paragraphs(text, marks, current = this.chosen) {
    const blocks = [];
    const numbered = new Set();
    for (const section of text.sections) {
      const heading = text.ownHeading(section);
      if (heading) blocks.push(createElement("h3", { dir: "auto" }, heading));
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
          block.append(this.mark(text.slice(first, last), passage, current));
          at = last;
        }
        if (to > at) block.append(text.slice(at, to));
        blocks.push(block);
      }
    }
    return blocks;
  }

  mark(words, passage, current) {
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
        "aria-label": `${shown}, ${this.described(passage)}`,
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

  colour(passage) {
    return String((this.number(passage) - 1) % COLOURS);
  }

  described(passage) {
    const { kind, standard } = this.payload.passages[passage];
    const words = Math.round(this.count.sizes[passage]);
    return labels.sources.passage(
      this.name(this.source(passage)),
      words,
      kind,
      standard,
      this.count.also[passage].length,
    );
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
    for (const pane of [this.page, this.side]) scrollInto(pane, pane.querySelector("mark[aria-current=true]"));
  }

  drawSide() {
    if (this.chosen === null) redraw(this.side, this.ranking());
    else this.side.replaceChildren(...this.opened(this.chosen));
  }

  ranking() {
    const list = createElement("ol.sv-list");
    for (const entry of this.count.ranking) list.append(this.entry(entry));
    const excluded = this.payload.sources.flatMap((source, k) =>
      this.exclusions.documents.includes(source.id) || (source.version && !this.count.numbers[k]) ? [k] : [],
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
    const { id, version } = this.payload.sources[source];
    const name = createElement("span", {}, this.name(source));
    if (version && !this.exclusions.documents.includes(id)) {
      return createElement("li", {}, name, createElement("p.sv-facts", {}, labels.sources.version));
    }
    return createElement("li", {}, this.counts(source, false), name);
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
    const quotes = open ? createElement("ul.sv-quotes", {}, ...passages.map((p) => this.quote(p))) : null;
    return createElement("li", { "data-testid": "source" }, this.counts(source, true), title, facts, quotes);
  }

  quote(passage) {
    const [start, end] = this.payload.passages[passage].a;
    const decision = this.marks[passage]?.decision;
    return createElement(
      "li",
      {},
      createElement(
        "button.sv-quote",
        { type: "button", "data-focus": `quote ${passage}`, onclick: () => this.choose(passage) },
        createElement("b", {}, this.described(passage)),
        decision ? createElement("i", {}, labels.sources.decisions[decision]) : null,
        createElement("span", { dir: "auto" }, this.text.snippet(start, end, SNIPPET)),
      ),
    );
  }

  /** The source of a passage: what it is, the decision, and its text. */
  opened(passage) {
    const k = this.source(passage);
    const source = this.payload.sources[k];
    const text = new DocumentText(source.document, "b");
    const marks = this.count.ranking
      .find((entry) => entry.source === k)
      .passages.map((p) => ({ start: this.payload.passages[p].b[0], end: this.payload.passages[p].b[1], passage: p }))
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
      createElement("h2", { dir: "auto" }, `${this.number(passage)}. ${this.name(k)}`),
      createElement("p.sv-facts", {}, this.described(passage)),
      this.others(passage),
      this.decisionBar(passage),
      createElement("div.sv-text", { "data-testid": "source-text" }, ...this.paragraphs(text, marks, passage)),
    ];
  }

  /** Buttons for the same passage in other sources. */
  others(passage) {
    const [start, end] = this.payload.passages[passage].a;
    const same = this.count.also[passage].map((k) =>
      this.count.ranking
        .find((entry) => entry.source === k)
        .passages.find((p) => this.payload.passages[p].a[0] < end && start < this.payload.passages[p].a[1]),
    );
    if (!same.length) return null;
    const buttons = same.map((p) =>
      createElement(
        "button",
        { type: "button", onclick: () => this.choose(p) },
        `${this.number(p)}. ${this.name(this.source(p))}`,
      ),
    );
    return createElement("p.sv-others", {}, labels.sources.alsoIn, ...buttons);
  }

  decisionBar(passage) {
    const now = this.marks[passage] ?? { decision: "", note: "" };
    const keep = (change) => {
      this.marks[passage] = { ...(this.marks[passage] ?? now), ...change };
      this.callbacks.onReview?.(this.marks);
    };
    const button = (decision, text) =>
      createElement(
        "button",
        {
          type: "button",
          "aria-pressed": String(now.decision === decision),
          onclick: () => {
            keep({ decision: this.marks[passage]?.decision === decision ? "" : decision });
            this.drawSide();
          },
        },
        text,
      );
    const note = createElement("textarea", {
      "aria-label": labels.sources.note,
      placeholder: labels.sources.note,
      rows: "2",
      onchange: (event) => keep({ note: event.target.value }),
    });
    note.value = now.note;
    return createElement(
      "div.sv-decision",
      { role: "group", "aria-label": labels.sources.decision },
      button("accepted", labels.sources.accept),
      button("rejected", labels.sources.reject),
      note,
    );
  }
}

const toggled = (names, name, added) => [...names.filter((other) => other !== name), ...(added ? [name] : [])];

function scrollInto(pane, mark) {
  if (!mark) return;
  const [outer, inner] = [pane.getBoundingClientRect(), mark.getBoundingClientRect()];
  pane.scrollTop += inner.top - outer.top - outer.height / 4;
}
