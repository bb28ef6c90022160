// The two ways in: `mount` for the report, the default export for Streamlit's Components v2.

import { View } from "./view.js";

/** Draw the view of a payload into `root`; returns {update(payload), repaint()}. */
export function mount(root, payload, callbacks = {}) {
  return new View(root, payload, callbacks);
}

const views = new WeakMap(); // parentElement → view; Streamlit calls again on every change of data or theme

export default function linkedView({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".lv-root");
  // Streamlit calls no callback for a value that equals the last one, and the same can be asked for again.
  const tell = (name, value) => setStateValue(name, { value, id: Date.now() });
  const callbacks = {
    onSelect: (selected) => setStateValue("selected", selected),
    onSettings: (settings) => tell("settings", settings),
    onReview: data.can_review ? (marks) => tell("review", marks) : null,
    onModel: (name) => tell("model", name),
    onWhatIf: data.can_ask ? (out) => setStateValue("what_if", out) : null,
    onWords: data.can_ask ? (asked) => setStateValue("words", asked) : null,
    onSections: data.can_edit ? (edit) => tell("sections", edit) : null,
    onTiles: (list) => setStateValue("tiles", list),
    onSilence: () => setStateValue("silence", Date.now()),
    onPageWanted: data.can_show_pages ? (side, page) => setStateValue("pages", { side, page }) : null,
  };
  const view = views.get(parentElement);
  if (view && view.root === root) {
    view.callbacks = callbacks;
    view.update(data);
    view.repaint();
  } else {
    views.set(parentElement, mount(root, data, callbacks));
  }
}
