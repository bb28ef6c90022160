// What a key does anywhere in the view; the help sheet lists them.

/**
 * @param {import("../view.js").View} view
 * @param {KeyboardEvent} event
 */
export function handleKey(view, event) {
  const typing = /** @type {HTMLElement} */ (event.target).matches?.("input, textarea, select");
  if (event.ctrlKey || event.metaKey || event.altKey || typing) return;
  if (event.key === "?") {
    view.help.open();
    event.preventDefault();
  } else if (event.key === "n" || event.key === "p") {
    view.listed().step(event.key === "n" ? 1 : -1);
    event.preventDefault();
  } else if (
    (event.key === "a" || event.key === "r") &&
    view.chosen >= 0 &&
    view.listed().reviewed &&
    view.callbacks.onReview
  ) {
    view.reviewing.decide(view.chosen, event.key === "a" ? "accepted" : "rejected");
    event.preventDefault();
  } else if (event.key === "u" && view.reviewing.review.canUndo && view.callbacks.onReview) {
    view.reviewing.undo();
    event.preventDefault();
  } else if (event.key === "Escape") {
    view.back();
  }
}
