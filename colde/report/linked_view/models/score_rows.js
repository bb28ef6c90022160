// The scores of all models as a table: thresholds of all of them stand on one line, since their scales differ.

import * as labels from "../labels.js";
import { formatApart } from "../payload/similarity_map.js";
import { createElement, redraw } from "../frame/dom.js";

/** @import {ScoreData} from "../types" */

/** `show(scores, chosen)` draws; on: {model(name)}: a row was pressed */
export class ScoreRows {
  /** @param {{model(name: string): void}} on */
  constructor(on) {
    this.on = on;
    this.rows = createElement("ul", { "aria-label": labels.scoresAgainstThresholds });
    this.element = createElement("div.lv-scores", {}, columnTitles(), this.rows);
    this.said = "";
  }

  /**
   * @param {ScoreData[]} scores
   * @param {string | undefined} chosen the model whose maps are shown
   */
  show(scores, chosen) {
    const said = JSON.stringify([scores, chosen]);
    if (said === this.said) return; // a new row would take the focus from the one that was pressed
    this.said = said;
    this.element.hidden = !scores.length;
    redraw(this.rows, ...scores.map((score) => createElement("li", {}, this.row(score, score.name === chosen))));
  }

  /**
   * @param {ScoreData} score
   * @param {boolean} chosen
   */
  row(score, chosen) {
    const { name, title, score: value, threshold, says, probability, at } = score;
    const [scoreText, thresholdText] = formatApart([value, threshold]);
    const cell = (/** @type {string} */ what, /** @type {string} */ column, /** @type {string} */ text) =>
      createElement(`span.${what}`, {}, createElement("span.lv-live", {}, ` ${column} `), text);
    return createElement(
      "button.lv-score",
      {
        type: "button",
        "data-model": name,
        "data-focus": name,
        "aria-pressed": String(chosen),
        title: labels.showItsMaps,
        onclick: () => this.on.model(name),
      },
      createElement("span.lv-score-title", {}, title),
      thresholdTrack(at),
      cell("lv-score-value", labels.score, scoreText ?? "–"),
      cell("lv-score-value", labels.threshold, thresholdText ?? "–"),
      cell("lv-score-value", labels.probability, probability === null ? "–" : labels.percent(probability)),
      createElement("span.lv-score-says", {}, says || labels.noThreshold),
    );
  }
}

/** The titles of the columns, which the rows repeat for screen readers. */
function columnTitles() {
  const titles = [labels.model, labels.belowAbove, labels.score, labels.threshold, labels.probability, labels.says];
  return createElement(
    "div.lv-score-head",
    { "aria-hidden": "true" },
    ...titles.map((title) =>
      createElement("span", { title: title === labels.belowAbove ? labels.thresholdNote : null }, title),
    ),
  );
}

/**
 * A line from 0 to 1 whose middle is the threshold, and the score on it; empty without a threshold.
 * @param {number | null} at
 */
function thresholdTrack(at) {
  if (at === null) return createElement("span.lv-track.lv-track-none", { "aria-hidden": "true" });
  const bar = createElement("span.lv-track-bar", {});
  bar.style.left = `${100 * Math.min(at, 0.5)}%`;
  bar.style.width = `${100 * Math.abs(at - 0.5)}%`;
  const dot = createElement("span.lv-track-dot", {});
  dot.style.left = `${100 * at}%`;
  return createElement(
    at < 0.5 ? "span.lv-track.lv-track-under" : "span.lv-track",
    { "aria-hidden": "true" },
    bar,
    createElement("span.lv-track-tick"),
    dot,
  );
}
