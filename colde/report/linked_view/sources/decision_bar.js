// The decision on a passage and the note, with buttons to change them and to take the last change back.

import { createElement } from "../frame/dom.js";
import { notKept, undo } from "../labels.js";
import { LONGEST_NOTE } from "../review/review_marks.js";
import * as labels from "./labels.js";

/**
 * @param {{decision: string, note: string}} now
 * @param {import("../review/kept_review.js").KeptReview} kept
 * @param {import("../types").SharedPassage} item
 * @param {() => number[]} undone the passages that the last step was about
 * @param {(passage: number) => void} choose
 */
export function decisionBar(now, kept, item, undone, choose) {
  const button = (/** @type {"accepted" | "rejected"} */ decision, text) =>
    createElement(
      "button",
      {
        type: "button",
        "aria-pressed": String(now.decision === decision),
        onclick: () => kept.decideOn(item, decision),
      },
      text,
    );
  const undoing = createElement(
    "button",
    {
      type: "button",
      disabled: !undone().length,
      onclick: () => {
        const [passage] = undone();
        kept.takeBack();
        choose(passage);
      },
    },
    undo,
  );
  const note = createElement("textarea", {
    "aria-label": labels.sources.note,
    placeholder: labels.sources.note,
    maxlength: String(LONGEST_NOTE),
    rows: "2",
    oninput: (event) => {
      kept.noteOn(item, event.target.value);
      undoing.toggleAttribute("disabled", false); // redrawn, it would miss the click that ends the note
    },
    onchange: () => kept.noted(),
  });
  note.value = now.note;
  return createElement(
    "div.sv-decision",
    { role: "group", "aria-label": labels.sources.decision },
    button("accepted", labels.sources.accept),
    button("rejected", labels.sources.reject),
    undoing,
    note,
    kept.review.isKept ? null : createElement("p", { role: "alert" }, notKept),
  );
}
