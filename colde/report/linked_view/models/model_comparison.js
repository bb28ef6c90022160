// The tab of the models: what each says of the pair, and the maps of all of them with one cursor.

import * as labels from "../labels.js";
import { createElement, segmentedButtons } from "../frame/dom.js";
import { SmallMultiples } from "./small_multiples.js";
import { ScoreRows } from "./score_rows.js";
import { LEVEL_NAMES, LEVEL_TITLES, passageText } from "../map/cell_descriptions.js";

/**
 * `show(state)` draws. `texts` are {a: Text, b: Text}. on: {model(name), level(level), cursor(place | null),
 * pick(a, b), back()}
 */
export class ModelComparison {
  constructor(texts, on) {
    this.texts = texts;
    this.on = on;
    this.scores = new ScoreRows({ model: on.model });
    this.legend = createElement("p.lv-small", {}, labels.thresholdNote);
    this.levels = createElement("div.lv-toolbar");
    this.note = createElement("p.lv-note", { hidden: true }, labels.mapsOnTheWay);
    this.multiples = new SmallMultiples({
      hover: on.cursor,
      choose: on.pick,
      back: on.back,
      place: (a, b) => [passageText(texts.a, a), passageText(texts.b, b)],
    });
    const controls = createElement("div.lv-controls", {}, this.levels);
    this.element = createElement(
      "div.lv-rivals",
      {},
      this.scores.element,
      this.legend,
      controls,
      this.note,
      this.multiples.element,
    );
  }

  /** state: {scores, name of the model shown, level, levels, models that have a map here, waiting: whether more follow, selected, colours} */
  show({ scores, name, level, levels, models, waiting, selected, colours }) {
    this.scores.show(scores, name);
    this.legend.hidden = !scores.some((score) => score.at !== null);
    this.drawLevels(level, levels);
    this.note.hidden = !waiting;
    this.multiples.element.hidden = !models.length;
    if (!models.length) return;
    const [a, b] = [this.texts.a, this.texts.b].map((text) => text.ends.at(-1) || 1);
    this.multiples.show({
      entries: models.map((m) => ({
        name: m.name,
        title: m.title,
        pending: m.pending,
        stopped: m.stopped,
        active: models.length > 1 && m.name === name,
        map: m.beside(level),
      })),
      shape: Math.max(0.6, Math.min(1.1, a / b)),
      colours,
      selected: selected && { a: selected.a, b: selected.b },
    });
  }

  /** Which level the maps are of; the focus stays on the button that was pressed. */
  drawLevels(level, levels) {
    const said = JSON.stringify([level, levels]);
    if (said === this.drawn) return;
    this.drawn = said;
    const focused = this.levels.querySelector(":focus")?.textContent;
    const options = levels.map((value) => ({ value, text: LEVEL_NAMES[value], title: LEVEL_TITLES[value] }));
    this.levels.replaceChildren(
      ...(options.length > 1
        ? [segmentedButtons(labels.levelOfMaps, options, level, (value) => this.on.level(value))]
        : []),
    );
    if (focused) {
      [...this.levels.querySelectorAll("button")]
        .find((b) => b.textContent === focused)
        ?.focus({ preventScroll: true });
    }
  }
}

/**
 * The models that have a map of the two texts, in the order of their results, as far as they are `here`; their level is
 * the first one of `wanted` on which one of them has a map.
 */
export function mapsToCompare({ comparable, levels: all }, here, wanted) {
  const levels = all.filter((level) => here.some((m) => m.typical[level]));
  const level = wanted.find((l) => levels.includes(l)) || levels[0] || "section";
  const models = comparable.map((name) => here.find((m) => m.name === name)).filter((m) => m?.beside(level));
  return { level, levels, models, waiting: models.length < comparable.length };
}
