// A table of passages of both texts, a row for each: the ledger, and the claim chart. A row that is pressed scrolls both texts.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";
import { ItemList } from "./item_list.js";

/** @import {RowTableData, Span, TableRow} from "../types" */

const MOST_DRAWN = 50; // rows at first, and with each press for more
export const QUOTED = 110; // characters of a sentence

/**
 * The rows of a table as a view selects and marks them; `near` is where a passage would be in the text that lacks it:
 * after the row before.
 * @param {RowTableData} data
 * @returns {TableRow[]}
 */
export function decodeRows({ rows }) {
  const end = { a: 0, b: 0 };
  const place = (/** @type {Span | null | undefined} */ span) => (span ? { start: span[0], end: span[1] } : null);
  return rows.map((row) => {
    const near = row.a ? end.b : end.a;
    for (const side of /** @type {const} */ (["a", "b"])) end[side] = row[side]?.[1] ?? end[side];
    const own = { a: Boolean(row.a), b: Boolean(row.b) };
    return { ...row, a: place(row.a ?? row.also), b: place(row.b ?? row.also), own, near, marks: { a: [], b: [] } };
  });
}

/**
 * Places of the rows of these kinds; of all where none is named.
 * @param {{kind: string}[]} rows
 * @param {string[]} kinds
 */
export function placesOfKinds(rows, kinds) {
  return [...rows.keys()].filter((i) => !kinds.length || kinds.includes(rows[i].kind));
}

/** `fill(data)` takes the rows on, `show(…)` as in ItemList draws. A subclass says what stands in a row. */
export class RowTable extends ItemList {
  /**
   * on: as in ItemList
   * @param {any} on
   * @param {string} noun
   * @param {{title: string, first: string, awaited: string}} words name of the table, head of its first column, and what is said while it is made
   */
  constructor(on, noun, { title, first, awaited }) {
    super(on, createElement("div.lv-table"), noun);
    this.awaited = awaited;
    /** @type {RowTableData | null} */
    this.data = null;
    /** @type {TableRow[]} */
    this.rowsHere = [];
    this.filled = "";
    /** @type {string[]} */
    this.kinds = [];
    this.drawn = MOST_DRAWN;
    this.note = createElement("p.lv-none", { role: "status" });
    this.filter = createElement("div.lv-kinds", { role: "group", "aria-label": labels.kindsOf(noun) });
    this.body = createElement("tbody");
    this.more = createElement("div");
    const heads = [first, "A", "B"].map((name) => createElement("th", { scope: "col" }, name));
    const head = createElement("thead", {}, createElement("tr", {}, ...heads));
    const table = createElement("table", { "aria-label": title }, head, this.body);
    this.items = createElement("div.lv-table-rows", {}, table, this.more);
    this.element.append(this.note, this.filter, this.items);
  }

  /**
   * Take on the rows; returns whether they are others. The page sends them while the tab is shown, with each answer.
   * @param {RowTableData | null | undefined} data
   */
  fill(data) {
    const said = JSON.stringify(data);
    if (!data || said === this.filled) return false;
    Object.assign(this, { filled: said, data, rowsHere: decodeRows(data), drawn: MOST_DRAWN });
    this.kinds = this.kinds.filter((kind) => data.counts[kind]);
    return true;
  }

  /** Wait for other rows. */
  empty() {
    Object.assign(this, { filled: "", data: null, rowsHere: [] });
  }

  /** Arguments as in `take`. */
  show(list, chosen, texts, review) {
    this.take(list, chosen, texts, review);
    this.draw();
  }

  /** Draw nothing, while another list is shown. */
  clear() {
    this.body.replaceChildren();
  }

  listed() {
    return placesOfKinds(this.list, this.kinds);
  }

  draw() {
    const { data, list } = this;
    this.note.textContent = data ? data.note : this.awaited;
    this.filter.hidden = this.items.hidden = !list.length;
    const listed = this.listed();
    const first = Math.min(listed.length, Math.max(this.drawn, listed.indexOf(this.chosen) + 1));
    const counts = Object.entries(data?.counts ?? {});
    redraw(this.filter, ...counts.flatMap(([kind, count]) => (count ? [this.toggle(kind, count)] : [])));
    redraw(this.body, ...listed.slice(0, first).flatMap((i) => this.row(i)));
    this.more.replaceChildren(...(listed.length > first ? [this.button(listed, first)] : []));
  }

  toggle(kind, count) {
    const pressed = this.kinds.includes(kind);
    const onclick = () => {
      this.kinds = pressed ? this.kinds.filter((other) => other !== kind) : [...this.kinds, kind];
      this.drawn = MOST_DRAWN;
      this.draw();
    };
    const attributes = { type: "button", "aria-pressed": String(pressed), "data-focus": kind, onclick };
    return createElement("button.lv-decide", attributes, `${kind} ${count.toLocaleString("en")}`);
  }

  /** The button that adds the next rows, the first of which gets the focus. */
  button(listed, first) {
    const onclick = () => {
      this.drawn = first + MOST_DRAWN;
      this.draw();
      this.reveal(listed[first], true);
    };
    const label = labels.showPart(first + 1, Math.min(listed.length, first + MOST_DRAWN));
    return createElement("button.lv-more", { type: "button", onclick }, label);
  }

  /** The elements of a row. */
  row(i) {
    const row = this.list[i];
    const attributes = {
      type: "button",
      "aria-pressed": String(i === this.chosen),
      "data-item": i,
      "data-focus": `row ${row.number}`,
      onclick: () => this.on.choose(i),
    };
    const button = createElement("button.lv-quiet", attributes, this.label(row));
    const first = createElement("th", { scope: "row" }, button, ...this.remarks(row));
    const cells = ["a", "b"].map((side) => createElement("td", {}, ...this.cell(row, side)));
    return [createElement("tr", { "data-kind": row.kind }, first, ...cells)];
  }

  /** What the button of a row says. */
  label(row) {
    return `${row.number} ${row.kind}`;
  }

  /** What stands below the button. */
  remarks(row) {
    return [createElement("span", {}, row.reason)];
  }

  /** What a row has in a text. */
  cell(row, side) {
    return row[side] ? this.quote(side, row[side], this.texts[side].place(row[side].start)) : ["–"];
  }

  /** A passage of a text, below its place. */
  quote(side, { start, end }, ...above) {
    const words = createElement("q", { dir: "auto" }, this.texts[side].snippet(start, end, QUOTED));
    return [createElement("small", {}, ...above), words];
  }
}
