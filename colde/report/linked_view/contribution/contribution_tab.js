// The tab of what made the score: a sentence, the passages that contribute most, each with its share of it, and what if.

import * as labels from "../labels.js";
import { formatNumber } from "../payload/similarity_map.js";
import { createElement, redraw } from "../frame/dom.js";
import { shareText, waterfall } from "./waterfall.js";
import { contributionMap } from "../whatif/what_if_panel.js";

/** @import {Step} from "./waterfall.js" */

const FIRST_PAIRS = 8; // pairs of passages with a bar of their own before the reader asks for more
const QUOTED = 90; // characters of a finer passage

/** `show(model, payload)` draws. `texts` are {a: Text, b: Text}; `whatIf` is a WhatIf. on: {pick(a, b): two passages were pressed} */
export class ContributionTab {
  constructor(texts, whatIf, on) {
    this.texts = texts;
    this.on = on;
    this.all = false; // whether all listed pairs have a bar
    this.again = () => {};
    this.opened = new Set(); // numbers of the pairs whose finer passages are shown
    this.sentence = createElement("p.lv-why-sentence");
    this.bars = createElement("ol.lv-why-bars", { "aria-label": labels.scoreParts });
    this.held = createElement("p.lv-small");
    this.note = createElement("p.lv-small");
    this.method = createElement(
      "details.lv-why-method",
      {},
      createElement("summary", { "data-focus": "method" }, labels.howMeasured),
      this.note,
    );
    this.change = whatIf.ticks;
    this.element = createElement(
      "section.lv-why",
      { "aria-label": labels.contributionHeading },
      this.sentence,
      this.bars,
      this.held,
      this.method,
      this.change,
    );
  }

  show(model, payload) {
    this.again = () => this.show(model, payload);
    if (model?.name !== this.modelShown) {
      this.modelShown = model?.name;
      this.all = false;
      this.opened.clear();
    }
    const score = payload.scores.find((s) => s.name === model?.name) || null;
    const map = score && contributionMap(model);
    const quality = model?.measured_quality ?? null;
    const told = Boolean(map) && quality?.better !== false;
    const made = told ? model.made : null;
    this.note.textContent = [told ? map.meaning : "", quality?.sentence ?? ""].filter(Boolean).join(" ");
    this.method.hidden = !this.note.textContent;
    if (!told) this.method.open = true; // it is then the reason why nothing else is shown
    this.sentence.hidden = !told;
    this.bars.hidden = this.held.hidden = !made;
    redraw(this.sentence, ...(made ? [made.sentence, ...this.more(made)] : [labels.mostlyBaseline]));
    if (made) {
      const most = this.all ? made.pairs.length : FIRST_PAIRS;
      redraw(this.bars, ...this.drawn(waterfall(made, score.score, most), made));
      redraw(this.held, ...this.listed(made, Math.min(most, made.pairs.length)));
    }
  }

  /** How much of the score the listed pairs hold, and the way to the others that make half of it. */
  listed({ pairs, cells, passages, of }, count) {
    const share = pairs.slice(0, count).reduce((sum, pair) => sum + pair.share, 0);
    const said = labels.listedHold(count, cells.toLocaleString("en"), passages, shareText(share), of);
    if (pairs.length <= FIRST_PAIRS) return [said];
    const toggle = () => {
      this.all = !this.all;
      this.again();
    };
    const text = this.all ? labels.listFewer : labels.listMore(pairs.length);
    const attributes = { type: "button", "data-focus": "all", "aria-expanded": String(this.all), onclick: toggle };
    return [said, " ", createElement("button.lv-quiet.lv-why-link", attributes, text)];
  }

  /** The words that add most, each a link to the first sentences that hold it, and the section that speaks against the score. */
  more(made) {
    const found = [];
    const words = made.words ?? [];
    for (const [k, word] of words.entries()) {
      const before = k === 0 ? ` The ${words.length > 1 ? "words" : "word"} ` : k === words.length - 1 ? " and " : ", ";
      found.push(
        before,
        this.link(`word-${k}`, [word.a.start, word.a.end], [word.b.start, word.b.end], `“${word.word}”`),
      );
    }
    if (words.length) {
      found.push(` ${words.length > 1 ? "add" : "adds"} ${amount(words.reduce((sum, word) => sum + word.part, 0))}.`);
    }
    if (made.opposed) {
      const { document: side, section, part: taken } = made.opposed;
      found.push(
        labels.speaksAgainst(
          this.texts[side].heading(this.texts[side].sections[section].start),
          side.toUpperCase(),
          amount(-taken),
        ),
      );
    }
    return found;
  }

  link(focus, a, b, text) {
    return createElement(
      "button.lv-quiet.lv-why-link",
      { type: "button", "data-focus": focus, title: labels.showInTexts, onclick: () => this.on.pick(a, b) },
      text,
    );
  }

  /** A waterfall: each bar begins where the one before has ended. */
  drawn(parts, made) {
    const ends = parts.flatMap((step) => [step.from, step.to]);
    const [low, high] = [Math.min(0, ...ends), Math.max(0, ...ends)];
    const at = (value) => (100 * (value - low)) / (high - low || 1);
    return parts.map((step, k) => {
      const bar = createElement(
        `span.lv-why-bar${step.kind === "part" ? (step.to < step.from ? ".lv-why-minus" : ".lv-why-plus") : ".lv-why-whole"}`,
        { "aria-hidden": "true" },
      );
      bar.style.left = `${at(Math.min(step.from, step.to))}%`;
      bar.style.width = `${Math.max(0.4, Math.abs(at(step.to) - at(step.from)))}%`;
      const label = step.pair
        ? this.pairLink(`step-${k}`, step.pair, made.passages === "sections")
        : createElement("span.lv-why-name", {}, this.name(step, made.passages.replace(/s$/, "")));
      const value = step.kind === "part" ? shareText(step.share) : formatNumber(step.to, 3);
      return createElement(
        "li",
        {},
        label,
        createElement("span.lv-why-track", {}, bar),
        createElement("span.lv-why-value", {}, value),
        step.pair?.inside.length ? this.inside(step.pair, k, made.finer) : null,
      );
    });
  }

  /** The finer passages of a pair that add most, folded. */
  inside(pair, k, finer) {
    const details = createElement(
      "details.lv-why-inside",
      { open: this.opened.has(k) },
      createElement("summary", { "data-focus": `inside-${k}` }, labels.strongestInside(finer)),
      createElement(
        "ul",
        {},
        ...pair.inside.map((part, n) =>
          createElement(
            "li",
            {},
            this.pairLink(`inside-${k}-${n}`, part, false),
            createElement("span.lv-why-value", {}, shareText(part.share)),
          ),
        ),
      ),
    );
    details.addEventListener("toggle", () => this.opened[details.open ? "add" : "delete"](k));
    return details;
  }

  /** A pair of passages by its headings, or by its words; pressed, it is shown in both texts. */
  pairLink(focus, { a, b }, sections) {
    const named = (/** @type {"a" | "b"} */ side, { start, end }) =>
      sections ? this.texts[side].heading(start) : `“${this.texts[side].snippet(start, end, QUOTED)}”`;
    return this.link(focus, [a.start, a.end], [b.start, b.end], `${named("a", a)} ↔ ${named("b", b)}`);
  }

  /**
   * @param {Step} step
   * @param {string} kind of passages: “section”
   */
  name({ name, count }, kind) {
    return (
      {
        start: labels.scoreBaseline,
        for: labels.otherPairs(count.toLocaleString("en"), kind),
        against: labels.loweringPairs(count.toLocaleString("en"), kind),
        end: labels.score,
      }[name] ?? ""
    );
  }
}

/** A part of the score: 0.06, or 0.004 where two places would say nothing. */
function amount(value) {
  return formatNumber(value, value >= 0.01 ? 2 : 3);
}
