// The scores of all models, a row each: thresholds of all of them stand on one line, since their scales do not compare.

import { number } from "./data.js";
import { make } from "./dom.js";

/** @import {ScoreData} from "./types" */

const SAYS = { related: "related", unrelated: "unrelated", undecided: "undecided" };

/** `show(scores, chosen)` draws; on: {model(name)}: a row was pressed */
export class Scores {
  /** @param {{model(name: string): void}} on */
  constructor(on) {
    this.on = on;
    this.element = make("ul.lv-scores", { "aria-label": "Scores against thresholds" });
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
    this.element.replaceChildren(...scores.map((score) => make("li", {}, this.row(score, score.name === chosen))));
    const again = name && [...this.element.querySelectorAll("button")].find((b) => b.dataset.model === name);
    if (again) again.focus({ preventScroll: true });
  }

  /**
   * @param {ScoreData} score
   * @param {boolean} chosen
   */
  row(score, chosen) {
    const { name, title, score: value, threshold, says, at } = score;
    const about = threshold === null ? `${title}: score ${number(value)}, no threshold` : `${title}: score ${number(value)}, threshold ${number(threshold)}: ${SAYS[says] ?? says}`;
    return make(
      "button.lv-score",
      { type: "button", "data-model": name, "aria-pressed": String(chosen), title: `${about}. Click to see its maps.`, "aria-label": about, onclick: () => this.on.model(name) },
      make("span.lv-score-title", {}, title),
      track(at),
      make("span.lv-score-value", {}, number(value)),
      make("span.lv-score-says", {}, says || "no threshold"),
    );
  }
}

/**
 * A line from 0 to 1 whose middle is the threshold, and the score on it; empty without a threshold.
 * @param {number | null} at
 */
function track(at) {
  if (at === null) return make("span.lv-track.lv-track-none", { "aria-hidden": "true" });
  const bar = make("span.lv-track-bar", {});
  bar.style.left = `${100 * Math.min(at, 0.5)}%`;
  bar.style.width = `${100 * Math.abs(at - 0.5)}%`;
  const dot = make("span.lv-track-dot", {});
  dot.style.left = `${100 * at}%`;
  return make(at < 0.5 ? "span.lv-track.lv-track-under" : "span.lv-track", { "aria-hidden": "true" }, bar, make("span.lv-track-tick"), dot);
}
