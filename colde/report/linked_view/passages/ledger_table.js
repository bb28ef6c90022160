// The tab of the ledger: every sentence of both texts in one row of a table, with what became of it.

import * as labels from "../labels.js";
import { createElement } from "../frame/dom.js";
import { RowTable } from "./row_table.js";

export class LedgerTable extends RowTable {
  /** on: as in RowTable */
  constructor(on) {
    const words = { title: labels.ledgerTitle, first: labels.ledgerKind, awaited: labels.ledgerAwaited };
    super(on, labels.sentenceNoun, words);
    this.reviewed = false;
  }

  label(row) {
    return super.label(row) + (row.certainty === null ? "" : ` ${labels.certainty(row.certainty)}`);
  }

  cell(row, side) {
    const [where, ...words] = super.cell(row, side);
    return row[side] && !row.own[side]
      ? [where, createElement("i", {}, labels.alsoThere), ...words]
      : [where, ...words];
  }
}
