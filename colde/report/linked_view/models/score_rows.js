// The scores of all models, a row each: thresholds of all of them stand on one line, since their scales do not compare.

import * as labels from "../labels.js";
import { formatNumber } from "../payload/similarity_map.js";
import { createElement } from "../frame/dom.js";

/** @import {ScoreData} from "../types" */

const VERDICT_TEXTS = { related: "related", unrelated: "unrelated", undecided: "undecided" };

/** `show(scores, chosen)` draws; on: {model(name)}: a row was pressed */
export class ScoreRows {
  /** @param {{model(name: string): void}} on */
  constructor(on) {
    this.on = on;
    this.element = createElement("ul.lv-scores", { "aria-label": labels.scoresAgainstThresholds });
    this.said = "";
  }

  /**
   * @param {ScoreData[]} scores
   * @param {string | undefined} chosen the model whose maps are shown
   */
  show(scores, chosen) {
    const said = JSON.stringify([scores, chosen]);
    if (said === this.said) return; // a new row would take the focus from the one that was pressed
    const name = this.element.querySelector(":focus")?.getAttribute("data-model");
    this.said = said;
    this.element.hidden = !scores.length;
    this.element.replaceChildren(
      ...scores.map((score) => createElement("li", {}, this.row(score, score.name === chosen))),
    );
    const again = name && [...this.element.querySelectorAll("button")].find((b) => b.dataset.model === name);
    if (again) again.focus({ preventScroll: true });
  }

  /**
   * @param {ScoreData} score
   * @param {boolean} chosen
   */
  row(score, chosen) {
    const { name, title, score: value, threshold, says, at } = score;
    const about =
      threshold === null
        ? labels.scoreWithoutThreshold(title, formatNumber(value))
        : labels.scoreAndThreshold(title, formatNumber(value), formatNumber(threshold), VERDICT_TEXTS[says] ?? says);
    return createElement(
      "button.lv-score",
      {
        type: "button",
        "data-model": name,
        "aria-pressed": String(chosen),
        title: labels.clickForMaps(about),
        "aria-label": about,
        onclick: () => this.on.model(name),
      },
      createElement("span.lv-score-title", {}, title),
      thresholdTrack(at),
      createElement("span.lv-score-value", {}, formatNumber(value)),
      createElement("span.lv-score-says", {}, says || labels.noThreshold),
    );
  }
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
