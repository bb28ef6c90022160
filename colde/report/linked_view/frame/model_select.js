// The list of models to choose from, where the data of several are here.

import * as labels from "../labels.js";
import { createElement, redraw, selectBox } from "./dom.js";

export class ModelSelect {
  /** @param {(name: string) => void} choose */
  constructor(choose) {
    this.choose = choose;
    this.element = createElement("span.lv-whose");
    this.drawn = ""; // the models and the chosen one, as they were drawn last
  }

  /**
   * @param {{name: string, title: string}[]} models
   * @param {string | undefined} name the chosen one
   */
  show(models, name) {
    const state = JSON.stringify([models.map((m) => m.name), name]);
    if (state === this.drawn) return;
    this.drawn = state;
    const options = models.map((model) => ({ value: model.name, text: model.title }));
    redraw(
      this.element,
      ...(options.length > 1 ? [selectBox(labels.model, options, name, (chosen) => this.choose(chosen))] : []),
    );
  }
}
