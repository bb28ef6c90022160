// What the tab of a view lists, and how one of its items is shown in both texts.

import * as labels from "../labels.js";
import { markChange } from "../texts/change_marks.js";

/** @import {View} from "../view.js" */

/**
 * Take on the rows of the ledger and of the claim chart, which the page makes while their tab is shown; returns whether
 * any are new.
 * @param {View} view
 */
export function fillTables({ ledger, chart, payload }) {
  return [ledger.fill(payload.ledger), chart.fill(payload.chart)].includes(true);
}

/**
 * Changes, rows of a table, or shared passages.
 * @param {View} view
 */
export function itemsOf({ tab, listedChanges, ledger, chart, shared }) {
  if (tab === "changes") return listedChanges ?? [];
  if (tab === "ledger" || tab === "chart") return { ledger, chart }[tab].rowsHere;
  return shared ?? [];
}

/**
 * The list that the tab has; the short one of passages where it has none.
 * @param {View} view
 */
export function listOf({ tab, passageList: passages, changes, ledger, chart, top }) {
  return { passages, changes, ledger, chart }[tab] ?? top;
}

/**
 * Choose an item of the list, and show it in both texts.
 * @param {View} view
 * @param {number} i
 */
export function showItem(view, i) {
  const item = view.items[i];
  if (!item) return;
  const { a, b } = item;
  const listed = view.listed();
  const within = listed.hasFocus();
  view.chosen = i;
  view.panes.passage = "parts" in item ? item : null;
  view.pick(a && [a.start, a.end], b && [b.start, b.end]);
  if ("marks" in item) markChange(view.panes.slots, item);
  listed.reveal(i, within);
  view.say(labels.itemText(listed.noun, i + 1, listed.places(i).join(labels.and)));
}

/**
 * Choose which passages of A are the rows of the claim chart.
 * @param {View} view
 * @param {string} name
 */
export function setRows(view, name) {
  Object.assign(view, { rows: name, chosen: -1 });
  view.chart.empty();
  view.showItems();
  view.sendSettings.now();
}

/**
 * Make a passage of A a row of the claim chart, and show the chart.
 * @param {View} view
 * @param {import("../types").Span} span
 */
export function addRow(view, span) {
  view.setTab("chart");
  view.reviewing.addRow(span);
}
