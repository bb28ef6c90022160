// What if: passages left out, what is left of the score by its parts, and what the models say when they are asked again.

import * as labels from "../labels.js";
import { hasNoResult } from "../payload/decode_models.js";
import { formatApart, formatNumber } from "../payload/similarity_map.js";
import { debounce, createElement, redraw } from "../frame/dom.js";
import {
  excludedShare,
  finestMatchingMap,
  keepOnly,
  remainingSum,
  excludeSpan,
  noExclusions,
  includeSpan,
  parseExclusions,
  formatExclusions,
} from "./exclusions.js";

/** @import {LeftOut} from "./exclusions.js" */

const LEVELS = ["section", "chunk", "sentence"];
const ASK_AFTER = 500; // milliseconds after the last change
const MOST_UNDONE = 50;

/** The parts of a model's score at this level, as soon as it has one; or null. */
export function contributionMap(model, level = "section") {
  return (model && !hasNoResult(model) && model.map(`contribution_${level}`)) || null;
}

/**
 * `show(model, payload)` draws: `bar`, what is left out and what that does, wherever the reader is, and `ticks`, the list of
 * sections. `out` is what the reader has left out, as "a:3,b:7-9,a@120-245"; the view of which it is a part knows the rest.
 */
export class WhatIf {
  constructor(view) {
    this.texts = view.texts;
    this.sections = { a: view.texts.a.sections, b: view.texts.b.sections };
    this.on = {
      changed: () => {
        view.reviewing.keep();
        view.sendSettings.now();
      },
      strike: (/** @type {LeftOut} */ left) => view.panes.showLeftOut(left),
      selected: () => (view.selected?.axes === "across" ? view.selected : null),
      asks: () => view.callbacks.onWhatIf ?? null, // asks the models again, where there is anybody to ask
    };
    this.out = view.payload.settings?.out || "";
    /** @type {string[]} */
    this.before = []; // what was left out before, for undo
    this.searching = ""; // a question that is answered with what to leave out
    this.askSoon = debounce(ASK_AFTER, () => this.out && this.on.asks()?.(this.out));
    this.bar = createElement("section.lv-what-if", { "aria-label": labels.leftOut, hidden: true });
    this.ticks = createElement("section.lv-why-change", { "aria-label": labels.withoutPassages });
  }

  /** @returns {LeftOut} */
  get left() {
    return parseExclusions(this.out, this.sections);
  }

  show(model, payload) {
    this.last = [model, payload];
    const answer = payload.what_if || null;
    if (this.searching && answer?.asked === this.searching) {
      this.searching = "";
      if (answer.out && answer.out !== this.out) return void this.set(answer.out, false);
    }
    const { left } = this;
    if (this.out !== this.struck) this.on.strike(left);
    this.struck = this.out;
    this.drawBar(model, payload, left, answer);
    this.drawTicks(model, left);
  }

  // ---- the bar ----

  drawBar(model, payload, left, answer) {
    const said = answer && (answer.out === this.out || (answer.note && !this.out)) ? answer : null;
    this.bar.hidden = !this.out && !said?.note;
    if (this.bar.hidden) return void redraw(this.bar);
    const asks = this.on.asks();
    const button = (focus, text, onclick, disabled = false) =>
      createElement("button.lv-quiet", { type: "button", "data-focus": focus, disabled, onclick }, text);
    redraw(
      this.bar,
      createElement(
        "p",
        { role: "status" },
        this.out
          ? `Left out: ${this.shares(left)}. ${said && !said.error ? "" : this.estimate(model, payload, left)}`
          : said.note,
      ),
      ...(said && this.out ? [answerTable(said)] : []),
      createElement(
        "div.lv-why-buttons",
        {},
        ...(asks && !said && !payload.asks_itself ? [button("apply", labels.askModels, () => asks(this.out))] : []),
        button("undo", labels.undo, () => this.undo(), !this.before.length),
        button("clear", labels.allBack, () => this.set("")),
      ),
    );
  }

  /** “14 % of A, 3 % of B”: of what is compared. */
  shares(left) {
    const parts = [];
    for (const side of /** @type {const} */ (["a", "b"])) {
      const own = this.sections[side].filter((s) => !s.role);
      const whole = own.reduce((sum, s) => sum + s.end - s.start, 0);
      const gone = own.reduce((sum, s) => sum + excludedShare(left[side], [s.start, s.end]) * (s.end - s.start), 0);
      if (gone) {
        parts.push(
          `${(100 * gone) / whole < 1 ? "under 1" : Math.round((100 * gone) / whole)} % of ${side.toUpperCase()}`,
        );
      }
    }
    return parts.join(", ");
  }

  estimate(model, payload, left) {
    const score = payload.scores.find((s) => s.name === model?.name);
    const map = finestMatchingMap(LEVELS.map((level) => contributionMap(model, level)).filter(Boolean), left);
    if (!score || !map) return "";
    const rest = (map.reference ?? 0) + remainingSum(map, left) + (map.residual ?? 0);
    return labels.estimate(formatNumber(rest, 2), formatNumber(score.score, 2));
  }

  // ---- the sections ----

  drawTicks(model, left) {
    const map = contributionMap(model);
    this.ticks.hidden = !map;
    if (!map) return;
    const asks = this.on.asks();
    const selected = this.on.selected();
    const search = (name, text, title) =>
      createElement(
        "button.lv-quiet",
        { type: "button", "data-focus": name, title, onclick: () => this.search(name) },
        text,
      );
    const only = () => this.keepOnly(/** @type {NonNullable<ReturnType<typeof this.on.selected>>} */ (selected));
    redraw(
      this.ticks,
      createElement("h3", {}, labels.whatIf),
      createElement("p.lv-small", {}, labels.whatIfHelp),
      createElement(
        "div.lv-why-buttons",
        {},
        createElement(
          "button.lv-quiet",
          {
            type: "button",
            "data-focus": "only",
            disabled: !selected,
            title: labels.leaveOutOthers,
            onclick: only,
          },
          labels.keepSelected,
        ),
        ...(asks
          ? [
              search("smallest", labels.smallestChange, labels.smallestChangeTitle),
              search("enough", labels.whatIsEnough, labels.whatIsEnoughTitle),
            ]
          : []),
      ),
      createElement("div.lv-why-sections", {}, this.list("a", map.rows, left), this.list("b", map.columns, left)),
    );
  }

  list(side, passages, left) {
    const text = this.texts[side];
    const items = passages.all().map((i) => {
      const section = text.section(passages.starts[i]);
      const { start, end } = text.sections[section];
      const gone = excludedShare(left[side], [start, end]);
      const box = createElement("input", {
        type: "checkbox",
        "data-focus": `${side}${section}`,
        checked: gone < 1,
        onchange: () => this.toggle(side, [start, end]),
      });
      box.indeterminate = gone > 0 && gone < 1;
      return createElement("li", {}, createElement("label", {}, box, ` ${text.heading(passages.starts[i])}`));
    });
    return createElement("ul", { "aria-label": labels.sectionsOfSide(side.toUpperCase()) }, ...items);
  }

  // ---- what the reader does ----

  /** Whether all of a passage is left out. */
  isOut(side, span) {
    return excludedShare(this.left[side], span) === 1;
  }

  toggle(side, span) {
    this.set(
      formatExclusions(
        this.isOut(side, span) ? includeSpan(this.left, side, span) : excludeSpan(this.left, side, span),
        this.sections,
      ),
    );
  }

  /**
   * Leave out all but these passages; of a text without one, nothing.
   * @param {{a?: import("../types").Span, b?: import("../types").Span}} kept
   */
  keepOnly({ a, b }) {
    let left = noExclusions();
    for (const [side, span] of /** @type {const} */ ([
      ["a", a],
      ["b", b],
    ])) {
      if (span) left = keepOnly(left, side, span, this.sections[side].at(-1)?.end ?? 0);
    }
    this.set(formatExclusions(left, this.sections));
  }

  undo() {
    const out = this.before.pop();
    if (out !== undefined) this.set(out, true, false);
  }

  search(name) {
    this.searching = name;
    if (this.last && this.last[1].what_if?.asked === name) this.show(...this.last);
    else this.on.asks()(name);
  }

  /** Leave this out and draw again. */
  set(out, ask = true, remember = true) {
    if (remember) this.before = [...this.before, this.out].slice(-MOST_UNDONE);
    this.out = out;
    if (this.last) this.show(...this.last);
    this.on.changed();
    if (ask && this.last?.[1].asks_itself) this.askSoon();
  }
}

/** Scores, verdicts and probabilities before and after. */
function answerTable({ scores, error }) {
  if (error) return createElement("p.lv-note", { role: "alert" }, error);
  const cells = (tag, ...texts) =>
    createElement(
      "tr",
      {},
      ...texts.map((text, k) =>
        createElement(k || tag === "th" ? tag : "th", k || tag === "th" ? {} : { scope: "row" }, text),
      ),
    );
  const rows = scores.map((s) => {
    const likely = s.probability ? s.probability.map(labels.percent).join(" → ") : "";
    const [before, after, threshold] = formatApart([s.before, s.after, s.threshold]);
    return cells("td", s.title, `${before} → ${after}`, threshold ?? "–", likely, s.says || "");
  });
  return createElement(
    "table.lv-why-answer",
    { "aria-label": labels.scoresWithout },
    createElement(
      "thead",
      {},
      cells("th", labels.model, labels.score, labels.threshold, labels.probability, labels.says),
    ),
    createElement("tbody", {}, ...rows),
  );
}
