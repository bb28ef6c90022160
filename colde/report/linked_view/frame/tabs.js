// Tabs: one panel at a time in one place; arrow keys move between the tabs.

import { createElement } from "./dom.js";

let made = 0; // tab lists on this page, for ids of their own

/**
 * `list` holds the tabs, `panels` what they show. `add(key, title, panel)` in the order they shall stand; `choose(key)` shows a panel; `offer(key, wanted)` hides a tab
 * that has nothing to show. on: {choose(key)}: the reader has chosen.
 */
export class Tabs {
  /**
   * @param {string} label
   * @param {{choose(key: string): void}} on
   */
  constructor(label, on) {
    this.on = on;
    made += 1;
    this.id = `lv-tabs-${made}`;
    /** @type {Map<string, {tab: HTMLElement, count: HTMLElement, panel: HTMLElement}>} */
    this.all = new Map();
    /** @type {string | null} */
    this.chosen = null;
    this.list = createElement("div.lv-tablist", { role: "tablist", "aria-label": label });
    this.panels = createElement("div.lv-panels");
    this.list.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => this.key(event));
  }

  /**
   * @param {string} key
   * @param {string} title
   * @param {HTMLElement} panel
   * @param {string} [label] the name of the panel, where it is not that of its tab
   */
  add(key, title, panel, label) {
    const ids = { tab: `${this.id}-${key}`, panel: `${this.id}-${key}-panel` };
    const count = createElement("span.lv-tab-count", {});
    const choose = () => this.on.choose(key);
    const tab = createElement(
      "button.lv-tab",
      { type: "button", role: "tab", id: ids.tab, "aria-controls": ids.panel, "data-tab": key, onclick: choose },
      title,
      count,
    );
    const named = label ? ["aria-label", label] : ["aria-labelledby", ids.tab];
    for (const [name, value] of [["id", ids.panel], ["role", "tabpanel"], named]) panel.setAttribute(name, value);
    panel.classList.add("lv-panel");
    this.all.set(key, { tab, count, panel });
    this.list.append(tab);
    this.panels.append(panel);
    if (this.chosen === null) this.choose(key);
    else this.draw();
  }

  /**
   * Show this panel, or the first one where there is no such tab; returns the key of the panel shown.
   * @param {string | null | undefined} key
   */
  choose(key) {
    const there = key && this.offered().includes(key);
    this.chosen = (there && key) || (this.offered()[0] ?? null);
    this.draw();
    return this.chosen;
  }

  /**
   * Whether there is anything behind a tab; one without is not shown.
   * @param {string} key
   * @param {boolean} wanted
   */
  offer(key, wanted) {
    const entry = this.all.get(key);
    if (!entry) return;
    entry.tab.hidden = !wanted;
    if (!wanted && this.chosen === key) this.choose(null);
  }

  /**
   * A number beside the title of a tab; null for none.
   * @param {string} key
   * @param {number | null} number
   */
  number(key, number) {
    const entry = this.all.get(key);
    if (entry) entry.count.textContent = number === null ? "" : ` ${number.toLocaleString("en")}`;
  }

  /** Keys of the tabs that are shown, in their order. */
  offered() {
    return [...this.all].filter(([, { tab }]) => !tab.hidden).map(([key]) => key);
  }

  draw() {
    for (const [key, { tab, panel }] of this.all) {
      const chosen = key === this.chosen;
      tab.setAttribute("aria-selected", String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    const keys = this.offered();
    const at = keys.indexOf(this.chosen ?? "");
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: keys.length - 1 }[event.key];
    if (to === undefined || event.altKey || event.ctrlKey || event.metaKey) return;
    const key = keys[(to + keys.length) % keys.length];
    this.on.choose(key);
    this.all.get(key)?.tab.focus({ preventScroll: true });
    event.preventDefault();
    event.stopPropagation();
  }
}
