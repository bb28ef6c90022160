// Drawing what hangs on the layout of an element again whenever anything in it may have moved.

/** Events that move something without a change to the elements: scrolling, unfolding, images that arrive. */
const MOVES = ["scroll", "toggle", "load", "transitionend"];

/** At most one drawing a frame; after one that found something moved comes another, until the layout has come to rest. */
export class LayoutWatch {
  /** @param {() => boolean} draw returns whether anything has moved since the last time */
  constructor(draw) {
    this.draw = draw;
    this.waiting = false;
  }

  soon() {
    if (this.waiting) return;
    this.waiting = true;
    requestAnimationFrame(() => {
      this.waiting = false;
      if (this.draw()) this.soon();
    });
  }

  /**
   * Draw after every change of size, content or attributes in this element.
   * @param {HTMLElement} element
   * @param {Node} drawing what is drawn; its own changes do not count
   */
  watch(element, drawing) {
    const soon = () => this.soon();
    for (const event of MOVES) element.addEventListener(event, soon, { capture: true, passive: true });
    new ResizeObserver(soon).observe(element);
    new MutationObserver((changes) => {
      if (changes.some(({ target }) => !drawing.contains(target))) this.soon();
    }).observe(element, { subtree: true, childList: true, attributes: true, characterData: true });
  }
}
