// What a reviewer can do with the chosen passage, change or row: accept or reject it, and write a note.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { DECISION_SIGNS, LONGEST_NOTE, itemKey } from "./review_marks.js";

/**
 * on: {decide(i, decision), note(i, text), noted() when a note is written}
 * @param {any} on
 * @param {any} item
 * @param {number} i its place in the list
 * @param {{decision: string, note: string}} mark
 * @param {string} noun what it is
 * @param {HTMLElement[]} more further buttons
 */
export function reviewTools(on, item, i, { decision, note }, noun, ...more) {
  const decide = (
    /** @type {"accepted" | "rejected"} */ which,
    /** @type {string} */ label,
    /** @type {string} */ key,
  ) =>
    createElement(
      "button.lv-decide",
      {
        type: "button",
        "data-focus": which,
        "aria-pressed": String(decision === which),
        title: `${label} (${key})`,
        onclick: () => on.decide(i, which),
      },
      `${DECISION_SIGNS[which]} ${label}`,
    );
  const attributes = {
    rows: "2",
    maxlength: LONGEST_NOTE,
    "aria-label": labels.noteOn(noun, i + 1),
    "data-focus": `note ${itemKey(item)}`,
    placeholder: labels.note,
    dir: "auto",
  };
  const field = createElement("textarea", attributes, note);
  field.addEventListener("input", () => on.note(i, field.value));
  field.addEventListener("change", () => on.noted());
  field.addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => event.stopPropagation());
  const buttons = [decide("accepted", labels.accept, "a"), decide("rejected", labels.reject, "r"), ...more];
  return createElement("div.lv-review-tools", {}, ...buttons, field);
}

/** The button that takes the last decision or note back. @param {any} on @param {any} review */
export function undoButton(on, review) {
  const title = `${labels.undo} (u)`;
  const attributes = { type: "button", title, disabled: !review.canUndo, onclick: () => on.undo() };
  return createElement("button.lv-quiet", attributes, labels.undo);
}
