// The tiles of large maps, which are asked of whoever made the payload.

import { decodeModels } from "./decode_models.js";
import { debounce } from "../frame/dom.js";

const ASK_TILES_AFTER = 120; // milliseconds; what a click needs is one message
const TILES_ASKED = 24; // tiles in one message; the rest is asked for when these are here

/** The models of a view and of the payload it is shown, whose maps may come in tiles; `take(tiles)` hands over what came. */
export class TileRequests {
  constructor(view, payload) {
    this.view = view;
    this.asked = "";
    this.askSoon = debounce(ASK_TILES_AFTER, () => this.ask());
    this.decode(payload);
  }

  /** Give the view the models of a payload, and those that stand beside them; maps that did not change keep their tiles. */
  decode(payload) {
    const { view } = this;
    view.models = decodeModels(payload.models, payload, [...view.models, ...view.neighbours]);
    view.neighbours = decodeModels(payload.beside || [], payload, [...view.neighbours, ...view.models]);
    for (const { tiles } of view.models.flatMap((model) => model.maps)) {
      if (!tiles) continue;
      tiles.missed = () => this.askSoon();
    }
  }

  ask() {
    const list = [];
    let room = TILES_ASKED;
    for (const model of this.view.models) {
      for (const map of model.maps) {
        const tiles = [...(map.tiles?.wanted ?? [])].slice(0, room);
        room -= tiles.length;
        if (tiles.length) list.push({ model: model.name, map: map.name, digest: map.tiles.data.digest, tiles });
      }
    }
    const said = JSON.stringify(list);
    if (!list.length || said === this.asked) return;
    this.asked = said;
    this.view.callbacks.onTiles?.(list);
  }

  take(tiles = []) {
    let fresh = false;
    for (const { model, map: name, tile, digest, values } of tiles) {
      const map = this.view.models.find((m) => m.name === model)?.map(name);
      if (map?.tiles && map.tiles.data.digest === digest) fresh = map.tiles.put(tile, values) || fresh;
    }
    if (fresh) this.arrived();
  }

  arrived() {
    const { panes, position, selected } = this.view;
    position.part = null; // what is on screen is drawn again
    this.view.show();
    if (selected) panes.mark(selected);
    this.askSoon();
  }
}
