// The two ways in: `mount` for the report, the default export for Streamlit's Components v2.

import { View } from "./view.js";

/** Draw the view of a payload into `root`; returns {update(payload), repaint()}. */
export function mount(root, payload, callbacks = {}) {
  return new View(root, payload, callbacks);
}

const views = new WeakMap(); // parentElement → view; Streamlit calls again on every change of data or theme

export default function linkedView({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".lv-root");
  const callbacks = {
    onSelect: (selected) => setStateValue("selected", selected),
    onSettings: (settings) => setStateValue("settings", settings),
    onReview: data.can_review ? (marks) => setStateValue("review", marks) : null,
    onModel: (name) => setStateValue("model", name),
    onWhatIf: data.can_ask ? (out) => setStateValue("what_if", out) : null,
    onWords: data.can_ask ? (asked) => setStateValue("words", asked) : null,
    onSections: data.can_edit ? (edit) => setStateValue("sections", { ...edit, id: Date.now() }) : null,
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
