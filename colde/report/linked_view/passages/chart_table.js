// The tab of the claim chart: a row for each requirement of A, with its counterparts in B and what the reviewer decided.

import * as labels from "../labels.js";
import { createElement, redraw, segmentedButtons } from "../frame/dom.js";
import { DECISION_SIGNS, passageMark } from "../review/review_marks.js";
import { reviewTools, undoButton } from "../review/review_tools.js";
import { RowTable } from "./row_table.js";

const ROWS = ["requirements", "clauses", "sentences"]; // as in colde/text/clauses_and_requirements/requirements.py

/** on: as in RowTable, with the decisions of ReviewList, rows() and setRows(name) which passages are rows, removeRow(i) */
export class ChartTable extends RowTable {
  constructor(on) {
    const words = { title: labels.chartTitle, first: labels.chartFound, awaited: labels.chartAwaited };
    super(on, labels.rowNoun, words);
    this.head = createElement("div.lv-items-header");
    this.measured = createElement("details.lv-closest");
    this.element.prepend(this.head);
    this.element.append(this.measured);
  }

  draw() {
    const { data, review, list } = this;
    const options = ROWS.map((value) => ({ value, text: value, title: labels.chartRows[value] }));
    redraw(
      this.head,
      segmentedButtons(labels.chartRowsOf, options, this.on.rows(), (name) => this.on.setRows(name)),
      ...(this.on.canDecide() && list.length ? [undoButton(this.on, review)] : []),
      ...(list.length ? this.arrows() : []),
    );
    this.measured.hidden = !data?.measured;
    this.measured.replaceChildren(
      createElement("summary", {}, labels.notFoundMeasured),
      createElement("p", {}, data?.measured ?? ""),
    );
    super.draw();
  }

  label(row) {
    return `${row.number} ${row.reason}`;
  }

  /** The decision and the note on the row; else those on a shared passage that it holds. */
  remarks(row) {
    const own = this.review.of(row);
    const { decision, note } = own.decision || own.note ? own : passageMark(this.review.list(), row);
    const where = own.decision || !decision ? "" : ` ${labels.inPassages}`;
    return [
      ...(decision ? [createElement("b.lv-decision", {}, `${DECISION_SIGNS[decision]} ${decision}${where}`)] : []),
      ...(note && row.number !== this.chosen + 1 ? [createElement("i", { dir: "auto" }, note)] : []),
      ...(row.added ? [createElement("i", {}, labels.addedByYou)] : []),
    ];
  }

  cell(row, side) {
    if (side === "a") return this.quote("a", row.a, row.place);
    const quoted = row.counterparts.flatMap((counterpart, k) => this.counterpart(row, counterpart, k));
    return quoted.length ? quoted : ["–"];
  }

  /** A counterpart: a button that shows it beside the row, and its words. */
  counterpart(row, { b: [start, end], kind, certainty, place }, k) {
    const show = () => {
      this.on.choose(row.number - 1);
      if (k) this.on.part({ a: row.a, b: { start, end } });
    };
    const said = `${row.kind === "not found" ? labels.closestOf(kind) : kind} ${labels.certainty(certainty)}${place ? ` · ${place}` : ""}`;
    const attributes = { type: "button", "data-focus": `counterpart ${row.number} ${k}`, onclick: show };
    return this.quote("b", { start, end }, createElement("button.lv-quiet", attributes, said));
  }

  /** A row; below the chosen one stands what can be done with it. */
  row(i) {
    const elements = super.row(i);
    if (i !== this.chosen || !this.on.canDecide()) return elements;
    const row = this.list[i];
    const attributes = { type: "button", "data-focus": "remove", onclick: () => this.on.removeRow(i) };
    const remove = row.added ? [createElement("button.lv-decide", attributes, labels.removeRow)] : [];
    const tools = reviewTools(this.on, row, i, this.review.of(row), this.noun, ...remove);
    return [...elements, createElement("tr.lv-tools-row", {}, createElement("td", { colspan: "3" }, tools))];
  }
}
