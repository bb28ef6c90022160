// A sheet with the keys, and a walk of five steps through the view for those who see it for the first time.

import * as labels from "../labels.js";
import { createElement, focusedIn } from "./dom.js";

const KEYS = [
  ["n, p", labels.keyMatches],
  ["a, r", labels.keyDecide],
  ["u", labels.keyUndo],
  ["← ↑ ↓ →", labels.keyMove],
  ["Enter", labels.keyOpen],
  [labels.keyBack, "one step back"],
  ["?", labels.keyHelp],
];

const TOUR_STEPS = [
  {
    tab: "map",
    mark: ".lv-matrix",
    title: labels.tourMap,
    text: labels.tourMapText,
  },
  {
    tab: "map",
    mark: ".lv-text",
    title: labels.tourTexts,
    text: labels.tourTextsText,
    strongest: true,
  },
  {
    tab: "passages",
    mark: ".lv-item",
    title: labels.tourPassages,
    text: labels.tourPassagesText,
  },
  {
    tab: "models",
    mark: ".lv-scores",
    title: labels.tourModels,
    text: labels.tourModelsText,
  },
  {
    tab: "map",
    mark: ".lv-head",
    title: labels.tourNext,
    text: labels.tourNextText,
  },
];

/** `open()` and `walk()` show; on: {tab(key), strongest(), back()} of the view whose `element` it stands in. */
export class HelpSheet {
  static lastWalk = 0;

  constructor(on) {
    this.on = on;
    this.button = createElement(
      "button.lv-quiet.lv-info",
      { type: "button", "aria-label": labels.helpButton, title: labels.helpTitle, onclick: () => this.open() },
      "?",
    );
    this.element = createElement("div.lv-help", { hidden: true, role: "dialog", "aria-label": labels.help });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      event.stopPropagation();
    });
    this.marked = null;
  }

  open() {
    const rows = KEYS.flatMap(([key, what]) => [createElement("dt", {}, key), createElement("dd", {}, what)]);
    const walk = createElement("button.lv-decide", { type: "button", onclick: () => this.walk() }, labels.startTour);
    this.fill([createElement("h3", {}, labels.keys), createElement("dl", {}, ...rows)], [walk, this.closer("Close")]);
  }

  /**
   * Walk, unless this number or a larger one was here before in any view of the page.
   * @param {number | undefined} number
   */
  walkOnce(number) {
    if (!number || number <= HelpSheet.lastWalk) return;
    HelpSheet.lastWalk = number;
    this.walk();
  }

  /** From the first step on; each can be left. */
  walk(step = 0) {
    const { tab, mark, title, text, strongest } = TOUR_STEPS[step];
    this.on.tab(tab);
    if (strongest) this.on.strongest();
    const last = step === TOUR_STEPS.length - 1;
    const next = last
      ? this.closer(labels.done)
      : createElement("button.lv-decide", { type: "button", onclick: () => this.walk(step + 1) }, labels.next);
    this.fill(
      [createElement("h3", {}, labels.tourStep(step + 1, TOUR_STEPS.length, title)), createElement("p", {}, text)],
      last ? [next] : [next, this.closer(labels.skip)],
    );
    this.element.classList.add("lv-walk");
    this.marked = this.element.parentElement?.querySelector(mark);
    this.marked?.classList.add("lv-pointed");
  }

  closer(text) {
    return createElement("button.lv-decide", { type: "button", onclick: () => this.close() }, text);
  }

  fill(parts, buttons) {
    this.unmark();
    if (this.element.hidden) {
      this.before = /** @type {Document | ShadowRoot} */ (this.element.getRootNode()).activeElement;
    }
    this.element.classList.remove("lv-walk");
    this.element.replaceChildren(...parts, createElement("div.lv-help-buttons", {}, ...buttons));
    this.element.hidden = false;
    buttons[0].focus({ preventScroll: true });
  }

  unmark() {
    this.marked?.classList.remove("lv-pointed");
    this.marked = null;
  }

  close() {
    this.unmark();
    this.element.hidden = true;
    /** @type {HTMLElement | null} */ (this.before)?.focus?.({ preventScroll: true });
    const stays = !focusedIn(this.element.parentElement) || focusedIn(this.element);
    if (stays) this.button.focus({ preventScroll: true }); // the tour has hidden what had the focus
  }
}
