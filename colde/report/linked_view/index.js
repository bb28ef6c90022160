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

  /** Show a payload after those that came before it. */
  receive(payload) {
    this.received = this.received
      .catch(() => {}) // whoever sent that payload has heard of it
      .then(async () => this.update(await unpackPayload(payload, this.payload)));
    return this.received;
  }

  /**
   * Go on in another place of the page: both texts show the selection.
   * @param {HTMLElement} root
   */
  moveTo(root) {
    this.root = root;
    root.replaceChildren(this.element);
    if (this.selected) this.panes.mark(this.selected);
  }
}

/** Draw the view of a payload into `root`, and return the view as soon as it is there. */
export async function mount(root, payload, callbacks = {}) {
  return new ReceivingView(root, await unpackPayload(payload), callbacks);
}

const MOVES_WITHIN = 2000; // milliseconds

/**
 * A view in its place of the page: `make` made it, and `focused` is the control that had the focus last.
 * @typedef {(root: HTMLElement, payload: any, callbacks: any) => Promise<any>} Make
 * @typedef {{root: HTMLElement, make: Make, view: Promise<any>, focused: any}} Placed
 */

/** @type {WeakMap<HTMLElement, Placed>} */
const placed = new WeakMap(); // by parentElement; Streamlit calls again on every change of data or theme
/** @type {{placed: Placed, at: number} | null} */
let left = null; // the view whose place was removed last, and when

/**
 * The view that goes on in a new place, as the reader has set it: Streamlit removes and makes a view anew when runs of the
 * page overtake each other. An element loses the focus when it leaves the page.
 */
function moved(root, make) {
  if (!left || left.placed.make !== make || performance.now() - left.at > MOVES_WITHIN) return null;
  const before = left.placed;
  left = null;
  const view = before.view.then((shown) => {
    shown.moveTo(root);
    if (document.activeElement === document.body) before.focused?.focus({ preventScroll: true });
    return shown;
  });
  return inPlace({ root, make, view, focused: before.focused });
}

/** @param {Placed} here */
function inPlace(here) {
  here.root.addEventListener("focusin", (event) => (here.focused = event.target));
  return here;
}

/** Draw data in a place of the page: in the view that is there, in the one that was there until a moment ago, or in a new one. */
function drawInPlace(make, { data, parentElement }, callbacks) {
  const root = parentElement.querySelector(".lv-root");
  const known = placed.get(parentElement);
  const there = known?.root === root ? known : moved(root, make);
  there?.view.then(async (view) => {
    view.callbacks = callbacks;
    await view.receive(data);
    view.repaint();
  });
  const here = there ?? inPlace({ root, make, view: make(root, data, callbacks), focused: null });
  placed.set(parentElement, here);
  return () => {
    if (!root.isConnected) left = { placed: here, at: performance.now() };
  };
}

const drawSources = async (root, payload, callbacks) => mountSources(root, payload, callbacks);

export default function draw(component) {
  const { data, setStateValue } = component;
  // Streamlit calls no callback for a value that equals the last one, and the same can be asked for again.
  const tell = (name, value) => setStateValue(name, { value, id: Date.now() });
  return data.document
    ? drawInPlace(drawSources, component, sourcesCallbacks(tell))
    : drawInPlace(mount, component, linkedCallbacks(data, setStateValue, tell));
}

const sourcesCallbacks = (tell) => ({
  onExclusions: (exclusions) => tell("exclusions", exclusions),
  onReview: (marks) => tell("review", marks),
  onCompare: (id) => tell("compare", id),
});

const linkedCallbacks = (data, setStateValue, tell) => ({
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
});
