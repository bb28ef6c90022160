// What is left out of the count of sources: a check box for each kind, and the fewest words of a passage.

import { createElement } from "../frame/dom.js";
import * as labels from "./labels.js";

/**
 * @param {import("./count_sources.js").Exclusions} exclusions
 * @param {(change: Partial<import("./count_sources.js").Exclusions>) => void} exclude
 */
export function exclusionControls(exclusions, exclude) {
  const box = ([name, text]) =>
    createElement(
      "label",
      {},
      createElement("input", {
        type: "checkbox",
        "data-focus": name,
        checked: exclusions.leave_out.includes(name),
        onchange: (event) => exclude({ leave_out: toggled(exclusions.leave_out, name, event.target.checked) }),
      }),
      text,
    );
  const fewest = createElement("input", {
    type: "number",
    min: "0",
    "data-focus": "fewest",
    value: String(exclusions.fewest_words),
    onchange: (event) => exclude({ fewest_words: Math.max(0, Math.floor(Number(event.target.value) || 0)) }),
  });
  return createElement(
    "div.sv-controls",
    { role: "group", "aria-label": labels.sources.leaveOut },
    createElement("span", {}, labels.sources.leaveOut),
    ...Object.entries(labels.sources.exclusions).map(box),
    createElement("label", {}, labels.sources.fewest, fewest),
  );
}

/**
 * @param {string[]} names
 * @param {string} name
 * @param {boolean} added
 */
export const toggled = (names, name, added) => [...names.filter((other) => other !== name), ...(added ? [name] : [])];
