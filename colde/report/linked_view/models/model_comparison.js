// The tab of the models: what each says of the pair, and the maps of all of them with one cursor.

import * as labels from "../labels.js";
import { createElement, redraw, segmentedButtons } from "../frame/dom.js";
import { distinctMaps } from "./distinct_maps.js";
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
    this.choice = createElement("div.lv-kinds", { role: "group", "aria-label": labels.mapsShown });
    /** @type {Set<string>} */
    this.hidden = new Set(); // names of the first models of the groups whose map is not shown
    this.note = createElement("p.lv-note", { hidden: true }, labels.mapsOnTheWay);
    this.multiples = new SmallMultiples({
      hover: on.cursor,
      choose: on.pick,
      back: on.back,
      place: (a, b) => [passageText(texts.a, a), passageText(texts.b, b)],
    });
    const controls = createElement("div.lv-controls", {}, this.levels, this.choice);
    this.element = createElement(
      "div.lv-rivals",
      {},
      createElement("div.lv-rival-scores", {}, this.scores.element, this.legend),
      createElement("div.lv-rival-maps", {}, controls, this.note, this.multiples.element),
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
    /** @type {any[]} */
    const maps = models.map((m) => ({ ...m, map: m.beside(level) }));
    const entries = distinctMaps(maps).map((group) => ({
      name: group[0].name,
      title: group.map((m) => m.title).join(", "),
      pending: group[0].pending,
      stopped: group[0].stopped,
      active: models.length > 1 && group.some((m) => m.name === name),
      map: group[0].map,
    }));
    const draw = () => {
      const shown = entries.filter((entry) => !this.hidden.has(entry.name));
      this.drawChoice(entries, draw);
      this.multiples.show({
        entries: shown.length ? shown : entries,
        shape: Math.max(0.6, Math.min(1.1, a / b)),
        colours,
        selected: selected && { a: selected.a, b: selected.b },
      });
    };
    draw();
  }

  /** A button for each map, pressed where it is shown; the last one stays. */
  drawChoice(entries, draw) {
    const shown = entries.filter((entry) => !this.hidden.has(entry.name));
    const said = JSON.stringify(entries.map((entry) => [entry.name, entry.title, this.hidden.has(entry.name)]));
    if (said === this.choiceDrawn) return;
    this.choiceDrawn = said;
    this.choice.hidden = entries.length < 2;
    const toggle = ({ name }) => {
      if (this.hidden.has(name)) this.hidden.delete(name);
      else if (shown.length > 1) this.hidden.add(name);
      draw();
    };
    redraw(
      this.choice,
      ...entries.map((entry) =>
        createElement(
          "button.lv-decide",
          {
            type: "button",
            "data-maps": entry.name,
            "aria-pressed": String(!this.hidden.has(entry.name)),
            onclick: () => toggle(entry),
          },
          entry.title,
        ),
      ),
    );
  }

  /** Which level the maps are of; the focus stays on the button that was pressed. */
  drawLevels(level, levels) {
    const said = JSON.stringify([level, levels]);
    if (said === this.drawn) return;
    this.drawn = said;
    const options = levels.map((value) => ({ value, text: LEVEL_NAMES[value], title: LEVEL_TITLES[value] }));
    redraw(
      this.levels,
      ...(options.length > 1
        ? [segmentedButtons(labels.levelOfMaps, options, level, (value) => this.on.level(value))]
        : []),
    );
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
