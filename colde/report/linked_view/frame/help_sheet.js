// A sheet with the keys, and a walk of five steps through the view for those who see it for the first time.

import { createElement } from "./dom.js";

const KEYS = [
  ["n, p", "next and previous match"],
  ["a, r", "accept or reject the match"],
  ["← ↑ ↓ →", "move in the map; Page Up, Page Down, Home, End further"],
  ["Enter", "open the cell: both texts show its passages"],
  ["Esc", "one step back"],
  ["?", "this sheet"],
];

const TOUR_STEPS = [
  {
    tab: "map",
    mark: ".lv-matrix",
    title: "The map",
    text: "Rows are sections of A, columns are sections of B. The stronger a cell, the more alike; what is usual between unrelated texts stays faint.",
  },
  {
    tab: "map",
    mark: ".lv-text",
    title: "Both texts",
    text: "A click on a cell brings its passages up in both texts and opens the next finer map. Here it is the strongest cell.",
    strongest: true,
  },
  {
    tab: "matches",
    mark: ".lv-match",
    title: "The matches",
    text: "Passages that both texts share, numbered as in the texts. Accept or reject them, and write notes.",
  },
  {
    tab: "models",
    mark: ".lv-scores",
    title: "The models",
    text: "Each model has its own score and threshold; all thresholds stand on one line. Right of it a model says related.",
  },
  {
    tab: "map",
    mark: ".lv-head",
    title: "What next",
    text: "Export gives the report, the PDFs with highlights, and all numbers. Press ? for the keys. A person decides: a score is no proof.",
  },
];

/** `open()` and `walk()` show; on: {tab(key), strongest(), back()} of the view whose `element` it stands in. */
export class HelpSheet {
  constructor(on) {
    this.on = on;
    this.button = createElement(
      "button.lv-quiet.lv-info",
      { type: "button", "aria-label": "Keys and help", title: "Keys and help (?)", onclick: () => this.open() },
      "?",
    );
    this.element = createElement("div.lv-help", { hidden: true, role: "dialog", "aria-label": "Help" });
    this.element.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
      event.stopPropagation();
    });
    this.marked = null;
  }

  open() {
    const rows = KEYS.flatMap(([key, what]) => [createElement("dt", {}, key), createElement("dd", {}, what)]);
    const walk = createElement("button.lv-decide", { type: "button", onclick: () => this.walk() }, "Show me around");
    this.fill([createElement("h3", {}, "Keys"), createElement("dl", {}, ...rows)], [walk, this.closer("Close")]);
  }

  /** From the first step on; each can be left. */
  walk(step = 0) {
    const { tab, mark, title, text, strongest } = TOUR_STEPS[step];
    this.on.tab(tab);
    if (strongest) this.on.strongest();
    const last = step === TOUR_STEPS.length - 1;
    const next = last
      ? this.closer("Done")
      : createElement("button.lv-decide", { type: "button", onclick: () => this.walk(step + 1) }, "Next");
    this.fill(
      [createElement("h3", {}, `${step + 1} of ${TOUR_STEPS.length} · ${title}`), createElement("p", {}, text)],
      last ? [next] : [next, this.closer("Skip")],
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
  }
}
