// The parts of the view and where they stand: the texts, and between them the tabs with the map, the passages, changes, ledger, chart, why and models.

import * as labels from "../labels.js";
import { createElement } from "./dom.js";
import { MapFigure } from "../map/map_figure.js";
import { HelpSheet } from "./help_sheet.js";
import { handleKey } from "./keyboard.js";
import { TopPassages } from "../passages/top_passages.js";
import { ModelSelect } from "./model_select.js";
import { NarrowScreen } from "./narrow_screen.js";
import { ClosestSentences } from "../passages/closest_sentences.js";
import { TextPanes } from "../texts/text_panes.js";
import { ChartTable } from "../passages/chart_table.js";
import { addRow, setRows, showItem } from "../passages/listed_items.js";
import { LedgerTable } from "../passages/ledger_table.js";
import { ReviewList } from "../review/review_list.js";
import { ModelComparison } from "../models/model_comparison.js";
import { Tabs } from "./tabs.js";
import { Tooltip } from "./tooltip.js";
import { WhatIf } from "../whatif/what_if_panel.js";
import { ContributionTab } from "../contribution/contribution_tab.js";
import { WordContributions } from "../contribution/word_contributions.js";

/** Makes every part of a view, connects it with what the reader does, and puts the view into its root; returns the parts. */
export function buildLayout(view) {
  const says = { tip: (about, event) => view.tip.show(about, event), say: (text) => view.say(text) };
  const live = createElement("div.lv-live", { "aria-live": "polite", role: "status" });
  const tip = new Tooltip();
  const figure = new MapFigure(view.texts, view.position, {
    ...says,
    up: (depth) => view.up(depth),
    axes: (axes) => view.setAxes(axes),
    level: (level) => view.setLevel(level),
    map: (name) => view.setMap(name),
    shading: (key) => view.setShading(key),
    choose: (cell) => view.choose(cell),
    back: () => view.back(),
    label: (axis, index) => view.revealLabel(axis, index),
    weight: (shading, side, i) => view.panes.showWeight(shading, side, i),
  });
  const rivals = new ModelComparison(view.texts, {
    model: (name) => view.askModel(name),
    level: (level) => view.setBeside(level),
    cursor: (place) => view.panes.markPlace(place),
    pick: (a, b) => view.pick(a, b),
    back: () => view.back(),
  });
  const counted = {
    choose: (i) => showItem(view, i),
    keeps: (i) => view.items !== view.shared || view.panes.split.keeps(i),
    label: (item) => view.panes.split.label(item),
  };
  const top = new TopPassages(counted);
  const decisions = {
    ...counted,
    canDecide: () => Boolean(view.callbacks.onReview), // a view of two texts alone becomes one of their comparison
    decide: (i, decision) => view.reviewing.decide(i, decision),
    note: (i, text) => view.reviewing.note(i, text),
    noted: () => view.reviewing.noted(),
    undo: () => view.reviewing.undo(),
    filter: () => view.reviewing.filtered(),
    standard: () => view.sendSettings(),
    part: ({ a, b }) => view.pick([a.start, a.end], [b.start, b.end]),
  };
  const passageList = new ReviewList(decisions, labels.passages, "passage");
  const closest = new ClosestSentences(decisions.part);
  const changes = new ReviewList(decisions, labels.changes, "change");
  const ledger = new LedgerTable(counted);
  const chart = new ChartTable({
    ...decisions,
    label: (row) => row.counterparts[0]?.kind ?? row.kind,
    rows: () => view.rows,
    setRows: (name) => setRows(view, name),
    removeRow: (i) => view.reviewing.removeRow(i),
  });
  const whatIf = new WhatIf(view);
  const why = new ContributionTab(view.texts, whatIf, { pick: (a, b) => view.pick(a, b) });
  const wordCells = new WordContributions(view);
  const tabs = new Tabs(labels.betweenTexts, { choose: (key) => view.setTab(key) });
  tabs.add("map", labels.map, createElement("div", {}, figure.element, top.element));
  tabs.add(
    "passages",
    labels.passages,
    createElement(
      "div",
      {},
      createElement("h3", { title: labels.sharedPassagesTitle }, labels.sharedPassages),
      passageList.element,
      closest.element,
    ),
  );
  tabs.add("changes", labels.changes, createElement("div", {}, changes.element), labels.changesTitle);
  tabs.add("ledger", labels.ledger, createElement("div", {}, ledger.element), labels.ledgerTitle);
  tabs.add("chart", labels.chart, createElement("div", {}, chart.element), labels.chartTitle);
  tabs.add("why", labels.why, createElement("div", {}, why.element));
  tabs.add("models", labels.models, createElement("div", {}, rivals.element), labels.modelsTitle);
  const fold = createElement(
    "button.lv-quiet.lv-fold",
    { type: "button", onclick: () => view.foldMap() },
    labels.textsOnly,
  );
  const whose = new ModelSelect((name) => view.setModel(name));
  const help = new HelpSheet({ tab: (key) => view.setTab(key), strongest: () => view.chooseStrongest() });
  const centre = createElement(
    "div.lv-centre",
    { tabindex: "-1" },
    createElement("div.lv-head", {}, tabs.list, whose.element, createElement("div.lv-switches", {}, fold, help.button)),
    whatIf.bar,
    wordCells.element,
    tabs.panels,
  );
  const panes = new TextPanes(view.texts, view.position, centre, {
    ...says,
    page: (side, page) => view.callbacks.onPageWanted(side, page),
    hasPages: () => Boolean(view.callbacks.onPageWanted),
    edit: view.callbacks.onSections ? (edit) => view.callbacks.onSections(edit) : null,
    part: (part) => view.splitSteps.next(part),
    chartRows: {
      isOffered: () => view.payload.chart !== undefined && decisions.canDecide(),
      add: (span) => addRow(view, span),
    },
    whatIf,
    wordCells,
    cell: () => (view.tab === "map" && view.selected ? view.figure.selectedBox(view.selected) : null),
    matrix: () => view.figure.heatmap.canvas.getBoundingClientRect(),
  });
  const body = panes.element;
  fold.before(panes.together.button);
  const narrow = new NarrowScreen(body, view.texts, {
    shown: () => view.selected && view.panes.mark(view.selected),
  });
  figure.element.append(narrow.sheet);
  const element = createElement(
    "div.lv",
    { "data-testid": "linked-view", tabindex: "-1" },
    narrow.bar,
    body,
    help.element,
    tip.element,
    live,
  );
  element.addEventListener("keydown", (event) => handleKey(view, event));
  view.root.replaceChildren(element);
  return {
    live,
    tip,
    figure,
    rivals,
    top,
    passageList,
    closest,
    changes,
    ledger,
    chart,
    whatIf,
    why,
    wordCells,
    tabs,
    fold,
    whose,
    help,
    panes,
    body,
    narrow,
    element,
  };
}
