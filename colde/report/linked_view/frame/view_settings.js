// How the reader has set the view, as the page keeps it and puts it into the address.

const ROWS = "requirements"; // of the claim chart, as a rule

/** Which passages of A are the rows of the claim chart. */
export function rowsOf(settings) {
  return settings?.rows || ROWS;
}

/** The settings of a view; what is as usual is null. @param {import("../view.js").View} view */
export function viewSettings({ asked, first, beside, shading, rows, passageList, whatIf }) {
  const { standard } = passageList.filter;
  return {
    tab: asked === (first ?? "map") ? null : asked,
    beside,
    shading,
    standard: standard === "apart" ? null : standard,
    rows: rows === ROWS ? null : rows,
    out: whatIf.out || null,
  };
}
