// The tab of what made the score: a sentence, the parts from the reference up to the score, and what if.

import * as labels from "../labels.js";
import { formatNumber } from "../payload/similarity_map.js";
import { createElement } from "../frame/dom.js";
import { waterfall } from "./waterfall.js";
import { SharedTable } from "./shared_passages.js";
import { contributionMap } from "../whatif/what_if_panel.js";

/** @import {Step} from "./waterfall.js" */

const MOST_PARTS = 8; // parts with a bar of their own
const TELLING = 0.22; // share of the score from which a pair is named in the sentence, too

/** `show(model, payload)` draws. `texts` are {a: Text, b: Text}; `whatIf` is a WhatIf. on: {pick(a, b): two passages were pressed} */
export class ContributionTab {
  constructor(texts, whatIf, on) {
    this.texts = texts;
    this.on = on;
    this.sentence = createElement("p.lv-why-sentence");
    this.bars = createElement("ol.lv-why-bars", { "aria-label": labels.scoreParts });
    this.note = createElement("p.lv-note");
    this.change = whatIf.ticks;
    this.shared = new SharedTable({ pick: on.pick });
    this.element = createElement(
      "section.lv-why",
      { "aria-label": labels.contributionHeading },
      this.sentence,
      this.bars,
      this.note,
      this.change,
      this.shared.element,
    );
  }

  show(model, payload) {
    this.shared.show(payload.shared, payload.split?.note ?? "");
    const score = payload.scores.find((s) => s.name === model?.name) || null;
    const map = score && contributionMap(model);
    const focused = this.element.querySelector(":focus")?.getAttribute("data-focus");
    const worth = model?.worth ?? null;
    const shown = Boolean(map) && worth?.better !== false;
    this.note.textContent = [shown ? map.meaning : "", worth?.sentence ?? ""].filter(Boolean).join(" ");
    for (const part of [this.sentence, this.bars]) part.hidden = !shown;
    if (!shown) return;
    this.sentence.replaceChildren(this.lead(model), ...this.more(model));
    const parts = waterfall(map, map.reference ?? 0, score.score, MOST_PARTS);
    this.bars.replaceChildren(...this.drawn(parts, map));
    if (focused)
    /** @type {HTMLElement | null} */ {
      this.element.querySelector(`[data-focus="${focused}"]`)?.focus({
        preventScroll: true,
      });
    }
  }

  /** One sentence above the bars, which name the pairs of sections. */
  lead({ made }) {
    if (!made) return labels.noStrongSection;
    if ((made.pairs[0]?.share ?? 0) >= TELLING) return made.sentence;
    return labels.halfOfScore(made.half.toLocaleString("en"), made.cells.toLocaleString("en"));
  }

  /** The words that add most, each a link to the first sentences that hold it, and the section that speaks against the score. */
  more({ made }) {
    const found = [];
    const words = made?.words ?? [];
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
    if (made?.opposed) {
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
  drawn(parts, map) {
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
      const name = this.name(step, map);
      const label = step.cell
        ? this.link(`step-${k}`, map.rows.span(step.cell.row), map.columns.span(step.cell.column), name)
        : createElement("span.lv-why-name", {}, name);
      const value = step.kind === "part" ? formatNumber(step.to - step.from, 3, true) : formatNumber(step.to, 3);
      return createElement(
        "li",
        {},
        label,
        createElement("span.lv-why-track", {}, bar),
        createElement("span.lv-why-value", {}, value),
      );
    });
  }

  /** @param {Step} step */
  name(step, map) {
    if (step.cell) {
      return `${this.texts.a.heading(map.rows.starts[step.cell.row])} ↔ ${this.texts.b.heading(map.columns.starts[step.cell.column])}`;
    }
    return (
      {
        start: labels.scoreBaseline,
        for: step.count === 1 ? "1 other pair that adds" : `${step.count} other pairs that add`,
        against: step.count === 1 ? "1 pair that takes away" : `${step.count} pairs that take away`,
        end: labels.score,
      }[step.name] ?? ""
    );
  }
}

/** A part of the score: 0.06, or 0.004 where two places would say nothing. */
function amount(value) {
  return formatNumber(value, value >= 0.01 ? 2 : 3);
}
