// The two ways in: `mount` for the report, the default export for Streamlit's Components v2.

import { unpackPayload, unpackTiles } from "./payload/packed_values.js";
import { View } from "./view.js";

export { unpackTiles };

/** A view that takes payloads as they are sent, one after the other. */
class ReceivingView extends View {
  /** @type {Promise<unknown>} */
  received = Promise.resolve();

  /** Show a payload after those that came before it. */
  receive(payload) {
    this.received = this.received
      .catch(() => {}) // whoever sent that payload has heard of it
      .then(async () => this.update(await unpackPayload(payload, this.payload)));
    return this.received;
  }
}

/** Draw the view of a payload into `root`, and return the view as soon as it is there. */
export async function mount(root, payload, callbacks = {}) {
  return new ReceivingView(root, await unpackPayload(payload), callbacks);
}

const views = new WeakMap(); // parentElement → {root, view: a promise}; Streamlit calls again on every change of data or theme

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
  const drawn = views.get(parentElement);
  if (drawn?.root === root) {
    drawn.view.then(async (/** @type {ReceivingView} */ view) => {
      view.callbacks = callbacks;
      await view.receive(data);
      view.repaint();
    });
  } else {
    views.set(parentElement, { root, view: mount(root, data, callbacks) });
  }
}
