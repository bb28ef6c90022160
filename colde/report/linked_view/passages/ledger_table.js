// The tab of the ledger: every sentence of both texts in one row of a table, with what became of it.

import * as labels from "../labels.js";
import { createElement, redraw } from "../frame/dom.js";

/** @import {LedgerData, LedgerRow, Span} from "../types" */

const MOST_DRAWN = 50; // rows at first, and with each press for more
const QUOTED = 110; // characters of a sentence

/** Rows of these kinds; all where none is named. @param {LedgerRow[]} rows @param {string[]} kinds */
export function rowsOfKinds(rows, kinds) {
  return kinds.length ? rows.filter((row) => kinds.includes(row.kind)) : rows;
}

/** Both places of a row: of a sentence that one text has alone, where the other says the same. @param {LedgerRow} row */
export function placesOf(row) {
  const also = row.also ?? null;
  return { a: row.a ?? also, b: row.b ?? also };
}

const signature = (ledger) => JSON.stringify(ledger && [ledger.note, ledger.counts]);

/** Where the sentence of a row would be in the text that lacks it: after the row before it. @param {LedgerRow[]} rows @param {LedgerRow} row */
export function nearOf(rows, row) {
  const side = row.a ? "b" : "a";
  const before = rows.slice(0, row.number - 1).findLast((other) => other[side]);
  return before?.[side]?.[1] ?? 0;
}

/** `show(ledger, texts)` draws; pick({a, b, near}) shows a row in both texts, or where the sentence would be in one. */
export class LedgerTable {
  /** @param {(place: {a: Span | null, b: Span | null, near: number}) => void} pick */
  constructor(pick) {
    this.pick = pick;
    /** @type {LedgerData | null | undefined} */
    this.ledger = undefined; // undefined until it is drawn
    /** @type {string[]} */
    this.kinds = [];
    this.drawn = MOST_DRAWN;
    this.chosen = 0; // number of a row
    /** @type {any} */
    this.texts = null;
    this.note = createElement("p.lv-none", { role: "status" });
    this.filter = createElement("div.lv-kinds", { role: "group", "aria-label": labels.kindsOf(labels.sentenceNoun) });
    this.body = createElement("tbody");
    this.more = createElement("div");
    const heads = [labels.ledgerKind, "A", "B"].map((name) => createElement("th", { scope: "col" }, name));
    const table = createElement(
      "table",
      { "aria-label": labels.ledgerTitle },
      createElement("thead", {}, createElement("tr", {}, ...heads)),
      this.body,
    );
    this.scroller = createElement("div.lv-ledger-rows", {}, table, this.more);
    this.element = createElement("div.lv-ledger", {}, this.note, this.filter, this.scroller);
  }

  /** ledger: null while it is not made; the page sends the same one again with each answer */
  show(ledger, texts) {
    const same = texts === this.texts && signature(ledger) === signature(this.ledger);
    if (same) return;
    Object.assign(this, { ledger, texts, chosen: 0, drawn: MOST_DRAWN });
    this.kinds = this.kinds.filter((kind) => ledger?.counts[kind]);
    this.draw();
  }

  draw() {
    const { ledger } = this;
    this.note.textContent = ledger ? ledger.note : labels.ledgerAwaited;
    this.filter.hidden = this.scroller.hidden = !ledger;
    if (!ledger) return;
    const listed = rowsOfKinds(ledger.rows, this.kinds);
    redraw(this.filter, ...Object.entries(ledger.counts).flatMap(([kind, n]) => (n ? [this.toggle(kind, n)] : [])));
    redraw(this.body, ...listed.slice(0, this.drawn).map((row) => this.row(row)));
    this.more.replaceChildren(...(listed.length > this.drawn ? [this.button(listed.length)] : []));
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

  button(count) {
    const onclick = () => {
      const first = this.drawn;
      this.drawn += MOST_DRAWN;
      this.draw();
      /** @type {HTMLElement | null | undefined} */ (this.body.children[first]?.querySelector("button"))?.focus();
    };
    const label = labels.showPart(this.drawn + 1, Math.min(count, this.drawn + MOST_DRAWN));
    return createElement("button.lv-more", { type: "button", onclick }, label);
  }

  /** @param {LedgerRow} row */
  row(row) {
    const certainty = row.certainty === null ? "" : ` ${labels.certainty(row.certainty)}`;
    const onclick = () => {
      this.chosen = row.number;
      this.pick({ ...placesOf(row), near: nearOf(this.ledger?.rows ?? [], row) });
      this.draw();
    };
    const attributes = {
      type: "button",
      "aria-pressed": String(row.number === this.chosen),
      "data-focus": `row ${row.number}`,
      onclick,
    };
    const button = createElement("button.lv-quiet", attributes, `${row.number} ${row.kind}${certainty}`);
    const first = createElement("th", { scope: "row" }, button, createElement("span", {}, row.reason));
    return createElement("tr", { "data-kind": row.kind }, first, this.cell(row, "a"), this.cell(row, "b"));
  }

  /** @param {LedgerRow} row @param {"a" | "b"} side */
  cell(row, side) {
    const text = this.texts[side];
    const place = placesOf(row)[side];
    if (!place) return createElement("td", {}, "–");
    const words = createElement("q", { dir: "auto" }, text.snippet(...place, QUOTED));
    const where = createElement("small", {}, text.place(place[0]));
    const about = row[side] ? [] : [createElement("i", {}, labels.alsoThere)];
    return createElement("td", {}, where, ...about, words);
  }
}
