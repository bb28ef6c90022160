// Where the reader is in both texts, for a view that is made anew of the same texts, with other sections.

/** @import {View} from "../view.js" */

/**
 * Remember what is searched for and read in each text, and how both are shown. The function that is returned restores it
 * in the panes that the view has then; a text whose sections are edited shows the section instead.
 * @param {View} view
 */
export function keepReadingPlace(view) {
  const { panes: before, body } = view;
  const folded = body.classList.contains("lv-folded");
  const { fit, zoom, strip } = before.pageTools;
  const places = [...before.panes].map(([key, pane]) => ({
    key,
    words: pane.finder.input.value,
    hit: pane.finder.now,
    offset: pane.offsetAtLine(),
    top: pane.pages?.scroller.scrollTop ?? 0,
  }));
  return () => {
    const { panes } = view;
    if (folded) view.foldMap();
    if (before.together.isChosen && before.together.on !== panes.together.on) panes.together.choose();
    if (before.paper && !panes.paper) panes.togglePages();
    if (strip !== null) panes.pageTools.showStrip(strip);
    panes.pageTools.set(fit, zoom);
    for (const { key, words, hit, offset, top } of places) {
      const pane = panes.panes.get(key);
      if (!pane) continue;
      pane.finder.mark(words, hit);
      if (pane.sectioning.active) continue;
      if (pane.pages) pane.pages.scroller.scrollTop = top;
      else if (offset !== null) pane.putAtLine(offset);
    }
  };
}
