// The tab of what made the score: the sentence with its links, the parts from the reference up to the score, and what is
// left of them without some sections.

import { number } from "./data.js";
import { make } from "./dom.js";
import { keptSum, leftOutSaid, parseLeftOut, waterfall } from "./parts.js";
import { SharedTable } from "./shared.js";

/** @import {LeftOut, Step} from "./parts.js" */

const MOST_PARTS = 8; // parts with a bar of their own

/** The parts of a model's score over pairs of sections, as soon as it has one; or null. */
export function contributions(model) {
  return (model && !model.pending && model.map("contribution_section")) || null;
}

/**
 * `show(model, payload)` draws. `texts` are {a: Text, b: Text}; `out` is what the reader has left out, as "a:3,b:7-9". on:
 * {pick(a, b): two passages were pressed; changed(): other sections are left out; asks(): what asks the models again, or null}
 */
export class Why {
  constructor(texts, on, out = "") {
    this.texts = texts;
    this.on = on;
    this.out = out || "";
    /** @type {string[]} */
    this.before = []; // what was left out before, for undo
    this.sentence = make("p.lv-why-sentence");
    this.bars = make("ol.lv-why-bars", { "aria-label": "Parts of the score" });
    this.note = make("p.lv-note");
    this.change = make("section.lv-why-change", { "aria-label": "Without some sections" });
    this.shared = new SharedTable({ pick: on.pick });
    this.element = make("section.lv-why", { "aria-label": "What made the score" }, this.sentence, this.bars, this.note, this.change, this.shared.element);
  }

  /** `payload`: the scores of all models, and what the server said of `out`, if it was asked. */
  show(model, payload) {
    this.last = [model, payload];
    this.shared.show(payload.shared);
    const score = payload.scores.find((s) => s.name === model?.name) || null;
    const map = score && contributions(model);
    const focused = this.element.querySelector(":focus")?.getAttribute("data-focus");
    const worth = model?.worth ?? null;
    const shown = Boolean(map) && worth?.better !== false;
    this.note.textContent = [shown ? map.meaning : "", worth?.sentence ?? ""].filter(Boolean).join(" ");
    for (const part of [this.sentence, this.bars, this.change]) part.hidden = !shown;
    if (!shown) return;
    this.sentence.replaceChildren(...this.clauses(model));
    const parts = waterfall(map, map.reference ?? 0, score.score, MOST_PARTS);
    this.bars.replaceChildren(...this.drawn(parts, map));
    this.change.replaceChildren(...this.ticks(map, score, payload.what_if || null));
    if (focused) /** @type {HTMLElement | null} */ (this.element.querySelector(`[data-focus="${focused}"]`))?.focus({ preventScroll: true });
  }

  /** The sentence of the report, each pair of sections in it a link. */
  clauses(model) {
    if (!model.made) return [document.createTextNode("No pair of sections stands out: the score comes from all of the text.")];
    const found = [document.createTextNode(`${model.made.sentence} `)];
    for (const [k, pair] of model.made.pairs.entries()) {
      const [a, b] = [this.texts.a.sections[pair.a], this.texts.b.sections[pair.b]];
      found.push(this.link(`pair-${k}`, [a.start, a.end], [b.start, b.end], `${k + 1}. ${this.texts.a.heading(a.start)} ↔ ${this.texts.b.heading(b.start)}`), document.createTextNode(" "));
    }
    return found;
  }

  link(focus, a, b, text) {
    return make("button.lv-quiet.lv-why-link", { type: "button", "data-focus": focus, title: "Show both in the texts", onclick: () => this.on.pick(a, b) }, text);
  }

  /** A waterfall: each bar begins where the one before has ended. */
  drawn(parts, map) {
    const ends = parts.flatMap((step) => [step.from, step.to]);
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const at = (value) => (100 * (value - low)) / (high - low || 1);
    return parts.map((step, k) => {
      const bar = make(`span.lv-why-bar${step.kind === "part" ? (step.to < step.from ? ".lv-why-minus" : ".lv-why-plus") : ".lv-why-whole"}`, { "aria-hidden": "true" });
      bar.style.left = `${at(Math.min(step.from, step.to))}%`;
      bar.style.width = `${Math.max(0.4, Math.abs(at(step.to) - at(step.from)))}%`;
      const name = this.name(step, map);
      const label = step.cell ? this.link(`step-${k}`, map.rows.span(step.cell.row), map.columns.span(step.cell.column), name) : make("span.lv-why-name", {}, name);
      const value = step.kind === "part" ? number(step.to - step.from, 3, true) : number(step.to, 3);
      return make("li", {}, label, make("span.lv-why-track", {}, bar), make("span.lv-why-value", {}, value));
    });
  }

  /** @param {Step} step */
  name(step, map) {
    if (step.cell) return `${this.texts.a.heading(map.rows.starts[step.cell.row])} ↔ ${this.texts.b.heading(map.columns.starts[step.cell.column])}`;
    return { start: "Where it begins (reference)", for: `${step.count} other pairs that add`, against: `${step.count} pairs that take away`, end: "Score" }[step.name] ?? "";
  }

  /** Sections to tick off, what is left without them, and what the models say of it. */
  ticks(map, score, answer) {
    const { out } = this;
    const asks = this.on.asks();
    const left = parseLeftOut(out);
    const rest = (map.reference ?? 0) + keptSum(map, this.rows(map, left), this.columns(map, left)) + (map.residual ?? 0);
    const any = left.a.size + left.b.size > 0;
    const estimate = any ? `About ${number(rest, 2)} of ${number(score.score, 2)} is left: an estimate from the parts; the model asked again can say otherwise.` : "Untick sections to see what is left of the score without them.";
    const undo = () => this.leave(this.before.pop() ?? "");
    const buttons = [
      make("button.lv-quiet", { type: "button", "data-focus": "undo", disabled: !this.before.length, onclick: undo }, "Undo"),
      ...(asks ? [make("button.lv-quiet", { type: "button", "data-focus": "apply", disabled: !any, onclick: () => asks(out) }, "Apply: ask the models")] : []),
    ];
    const saidNow = answer && answer.out === out ? [this.answered(answer)] : [];
    return [
      make("h3", {}, "What if"),
      make("p", { role: "status" }, estimate),
      ...saidNow,
      make("div.lv-why-buttons", {}, ...buttons),
      make("div.lv-why-sections", {}, this.list("a", map.rows, left), this.list("b", map.columns, left)),
    ];
  }

  answered({ scores, error }) {
    if (error) return make("p.lv-note", { role: "alert" }, error);
    const rows = scores.map((s) => make("li", {}, `${s.title}: ${number(s.before, 2)} → ${number(s.after, 2)}${s.says ? `, ${s.says}` : ""}`));
    return make("ul.lv-why-answer", { "aria-label": "Scores without these sections" }, ...rows);
  }

  list(side, passages, left) {
    const text = this.texts[side];
    const items = passages.all().map((i) => {
      const section = text.section(passages.starts[i]);
      const box = make("input", { type: "checkbox", "data-focus": `${side}${section}`, checked: !left[side].has(section), onchange: () => this.toggle(side, section) });
      return make("li", {}, make("label", {}, box, ` ${text.heading(passages.starts[i])}`));
    });
    return make("ul", { "aria-label": `Sections of ${side.toUpperCase()}` }, ...items);
  }

  toggle(side, section) {
    const left = parseLeftOut(this.out);
    if (!left[side].delete(section)) left[side].add(section);
    this.before.push(this.out);
    this.leave(leftOutSaid(left));
  }

  /** Leave these sections out and draw again. */
  leave(out) {
    this.out = out;
    this.show(...this.last);
    this.on.changed();
  }

  rows(map, left) {
    return map.rows.all().filter((i) => !left.a.has(this.texts.a.section(map.rows.starts[i])));
  }

  columns(map, left) {
    return map.columns.all().filter((i) => !left.b.has(this.texts.b.section(map.columns.starts[i])));
  }
}
