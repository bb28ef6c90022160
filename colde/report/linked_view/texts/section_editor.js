// Sections put right where they stand: a heading or a sentence is clicked, and what can be done with it is offered.

import * as labels from "../labels.js";
import { createElement, focusedIn, redraw } from "../frame/dom.js";

/**
 * @import {DocumentText} from "../payload/document_text.js"
 * @import {Section, SectionEdit, SectionsState, Span} from "../types"
 */

const LONGEST_NAME = 32; // characters of a heading or sentence in the bar

/**
 * The section that one is merged with, as `merges_with` of colde/text/sections/section_edits.py has it; −1 for none.
 * @param {Section[]} sections
 * @param {number} index
 */
export function mergesWith(sections, index) {
  return sections.slice(0, index).findLastIndex((section) => !section.role || section.heading !== null);
}

/**
 * Whether a section can begin at one of its sentences: something stands before it.
 * @param {Section} section
 * @param {number} sentence its index, or −1
 */
export function canStartSection(section, sentence) {
  return sentence > 0 || (sentence === 0 && section.sentences[0] > section.start);
}

/**
 * The bar above a text in which sections are put right. on: {show(active), mark(section, span | null), reveal(start, end)};
 * `offer(send)` once there is somebody to make the changes.
 */
export class SectionEditor {
  /**
   * @param {DocumentText} text
   * @param {{show(active: boolean): void, mark(section: number, span: Span | null): void, reveal(start: number, end: number): void}} on
   */
  constructor(text, on) {
    this.text = text;
    this.on = on;
    this.active = false;
    this.section = -1;
    this.sentence = -1;
    this.changes = [0, 0]; // made, and taken back
    const title = labels.editSectionsTitle;
    this.button = createElement(
      "button.lv-quiet",
      { type: "button", title, hidden: true, "aria-pressed": "false", onclick: () => this.turn(!this.active) },
      labels.editSections,
    );
    this.element = createElement("div.lv-sectioning", {
      role: "group",
      "aria-label": labels.sectionsOfText(text.side.toUpperCase()),
      hidden: true,
    });
  }

  /** @param {(edit: Omit<SectionEdit, "pages">) => void} send */
  offer(send) {
    this.send = send;
    this.button.hidden = false;
  }

  /**
   * What was changed so far, and where the last change was made: there the reader goes on.
   * @param {SectionsState | null | undefined} state
   */
  take(state) {
    if (!this.send || !state) return;
    const { side } = this.text;
    this.changes = state.changes[side];
    if (state.side === side && state.id !== this.taken) {
      this.taken = state.id;
      this.turn(true, false);
      this.open(this.text.section(state.at));
    } else if (this.active) {
      this.draw();
    }
  }

  /** Begin, or end; where something was changed, the page compares again. */
  turn(active, tell = true) {
    if (active === this.active) return;
    this.active = active;
    [this.section, this.sentence] = [-1, -1];
    this.button.setAttribute("aria-pressed", String(active));
    if (focusedIn(this.element)) this.button.focus({ preventScroll: true });
    this.element.hidden = !active;
    this.on.show(active);
    this.on.mark(-1, null);
    if (active) this.draw();
    else if (tell && this.taken !== undefined) this.tell("done");
  }

  /** @param {number} unit of the text */
  choose(unit) {
    const { section, sentence } = this.text.units[unit];
    [this.section, this.sentence] = [section, sentence];
    this.draw();
  }

  /** Choose a section and bring it into sight. */
  open(section) {
    [this.section, this.sentence] = [section, -1];
    const { start } = this.text.sections[section];
    this.on.reveal(start, start + 1);
    this.draw();
  }

  // ---- the bar ----

  draw() {
    const chosen = this.text.sections[this.section];
    const span = chosen && this.span(chosen);
    this.on.mark(this.section, span ?? null);
    redraw(
      this.element,
      createElement("div.lv-sectioning-row", {}, ...this.steps(), this.named(chosen)),
      createElement("div.lv-sectioning-row", {}, ...(chosen ? this.actions(chosen) : [])),
      createElement("div.lv-sectioning-row", {}, ...this.ending()),
    );
  }

  /**
   * The sentence that is chosen, or the heading, or what a section without one begins with.
   * @param {Section} section
   * @returns {Span}
   */
  span(section) {
    if (this.sentence >= 0) return [section.sentences[2 * this.sentence], section.sentences[2 * this.sentence + 1]];
    if (section.body > section.start) return [section.start, section.body];
    return [section.start, section.sentences[1] ?? section.end];
  }

  /** What is chosen; a section is renamed there. */
  named(section) {
    if (section && this.sentence < 0) return this.naming(section);
    const said = section
      ? labels.sentenceInSection(this.text.snippet(...this.span(section), LONGEST_NAME), this.name(this.section))
      : labels.chooseHeading;
    return createElement("span", { role: "status" }, said);
  }

  name(index) {
    const { heading, start, end } = this.text.sections[index];
    const name = heading || this.text.snippet(start, end, LONGEST_NAME);
    return name.length > LONGEST_NAME ? `${name.slice(0, LONGEST_NAME - 1).trimEnd()}…` : name;
  }

  steps() {
    const last = this.text.sections.length - 1;
    const step = (by, text, title) => {
      const to = this.section < 0 ? 0 : this.section + by;
      return this.make(title, text, () => this.open(to), to < 0 || to > last || (this.section < 0 && by < 0));
    };
    return [step(-1, "‹", labels.previousSection), step(1, "›", labels.nextSection)];
  }

  actions(section) {
    const inside = this.sentence >= 0;
    const parts = [];
    if (inside && canStartSection(section, this.sentence)) {
      parts.push(
        this.make(labels.beginSection, null, () => this.tell("split")),
        this.make(labels.isHeading, null, () => this.tell("heading")),
      );
    }
    const before = mergesWith(this.text.sections, this.section);
    if (before >= 0 && !(inside && section.heading)) {
      parts.push(this.make(labels.mergeWith(this.name(before)), null, () => this.tell("merge")));
    }
    parts.push(
      section.role
        ? this.make(labels.compareSection, null, () => this.tell("take_in"))
        : this.make(inside ? labels.leaveOutSection : labels.leaveOut, null, () => this.tell("leave_out")),
    );
    return parts;
  }

  /** The field that renames a section; an empty one brings back the document's own heading. */
  naming(section) {
    const field = createElement("input", {
      type: "text",
      "data-focus": `heading ${this.section}`,
      "aria-label": labels.heading,
      value: section.heading || "",
      placeholder: labels.noHeading,
      maxlength: "300",
      title: labels.renameHelp,
    });
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && field.value.trim() !== (section.heading || "")) this.tell("rename", field.value);
    });
    return field;
  }

  ending() {
    const [made, undone] = this.changes;
    return [
      createElement("span.lv-note", {}, made ? `${made} ${made === 1 ? "change" : "changes"}` : ""),
      this.make(labels.undo, null, () => this.tell("undo"), !made),
      this.make(labels.redo, null, () => this.tell("redo"), !undone),
      this.make(labels.done, null, () => this.turn(false)),
    ];
  }

  make(name, text, onclick, disabled = false) {
    return createElement(
      "button.lv-quiet",
      {
        type: "button",
        "data-focus": name,
        "aria-label": text ? name : null,
        title: text ? name : null,
        disabled,
        onclick,
      },
      text ?? name,
    );
  }

  /** Say what is to be done; places are told by their characters, which no change moves. */
  tell(what, heading = "") {
    const section = this.text.sections[this.section];
    const inside = section && this.sentence >= 0;
    const edit = {
      side: this.text.side,
      do: what,
      at: section?.start ?? 0,
      sentence: inside ? section.sentences[2 * this.sentence] : null,
      heading,
    };
    this.send?.(/** @type {Omit<SectionEdit, "pages">} */ (edit));
  }
}
