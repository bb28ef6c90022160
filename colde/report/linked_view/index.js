// The ways in: `mount` and `mountSources` for the reports, the default export for Streamlit's Components v2.

import { unpackPayload, unpackTiles } from "./payload/packed_values.js";
import { SourcesView } from "./sources/sources_view.js";
import { View } from "./view.js";

export { unpackTiles };

/** Draw the sources of a document into `root`. */
export function mountSources(root, payload, callbacks = {}) {
  return new SourcesView(root, payload, callbacks);
}

/** A view that takes payloads as they are sent, one after the other. */
class ReceivingView extends View {
  /** @type {Promise<unknown>} */
  received = Promise.resolve();
  /** @type {any} */
  focused = null;

  constructor(root, payload, callbacks) {
    super(root, payload, callbacks);
    this.followFocus();
  }

  /** Show a payload after those that came before it. */
  receive(payload) {
    this.received = this.received
      .catch(() => {}) // whoever sent that payload has heard of it
      .then(async () => this.update(await unpackPayload(payload, this.payload)));
    return this.received;
  }

  /**
   * Go on in another place of the page: what the reader has set and the focus stay, and both texts show the selection.
   * @param {HTMLElement} root
   */
  moveTo(root) {
    const focused = this.focused;
    this.root = root;
    root.replaceChildren(this.element);
    this.followFocus();
    if (this.selected) this.panes.mark(this.selected);
    if (document.activeElement === document.body) focused?.focus({ preventScroll: true });
  }

  /** Remember which control has the focus, which an element loses when it leaves the page. */
  followFocus() {
    this.root.addEventListener("focusin", (event) => (this.focused = event.target));
  }
}

/** Draw the view of a payload into `root`, and return the view as soon as it is there. */
export async function mount(root, payload, callbacks = {}) {
  return new ReceivingView(root, await unpackPayload(payload), callbacks);
}

const MOVES_WITHIN = 2000; // milliseconds

const views = new WeakMap(); // parentElement → {root, view: a promise}; Streamlit calls again on every change of data or theme
/** @type {{drawn: {root: HTMLElement, view: Promise<ReceivingView>}, at: number} | null} */
let left = null; // the view whose place was removed last, and when

/** The view that goes on in a new place: Streamlit removes and makes it anew when runs of the page overtake each other. */
function moved(root) {
  if (!left || performance.now() - left.at > MOVES_WITHIN) return null;
  const view = left.drawn.view.then((drawn) => {
    drawn.moveTo(root);
    return drawn;
  });
  left = null;
  return { root, view };
}

export default function draw(component) {
  return component.data.document ? sourcesView(component) : linkedView(component);
}

function sourcesView({ data, parentElement, setStateValue }) {
  const root = parentElement.querySelector(".lv-root");
  const tell = (name, value) => setStateValue(name, { value, id: Date.now() });
  const callbacks = {
    onExclusions: (exclusions) => tell("exclusions", exclusions),
    onReview: (marks) => tell("review", marks),
    onCompare: (id) => tell("compare", id),
  };
  const drawn = views.get(parentElement);
  if (drawn?.root === root) {
    drawn.view.callbacks = callbacks;
    drawn.view.show(data);
  } else {
    views.set(parentElement, { root, view: mountSources(root, data, callbacks) });
  }
  return () => {};
}

function linkedView({ data, parentElement, setStateValue }) {
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
  const known = views.get(parentElement);
  const drawn = known?.root === root ? known : moved(root);
  if (drawn) {
    drawn.view.then(async (/** @type {ReceivingView} */ view) => {
      view.callbacks = callbacks;
      await view.receive(data);
      view.repaint();
    });
  }
  const shown = drawn ?? { root, view: mount(root, data, callbacks) };
  views.set(parentElement, shown);
  return () => {
    if (!root.isConnected) left = { drawn: shown, at: performance.now() };
  };
}
