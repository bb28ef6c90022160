// The lists of a payload that maps have the numbers of: passages, and values, which are compressed.

/** @import {PackedValues} from "../types" */

export const VERSION = 12; // of the payload; the one that view_payload.py has

/**
 * 16-bit integers as colde/report/maps/packed_values.py packs them: all low bytes, then all high ones; the lowest bit is the sign.
 * @param {string} packed
 */
export async function unpackNumbers(packed) {
  const text = atob(packed);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i); // millions of callbacks take seconds
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  const planes = new Uint8Array(await new Response(stream).arrayBuffer());
  const count = planes.length / 2;
  const numbers = new Int16Array(count);
  for (let i = 0; i < count; i += 1) {
    const value = planes[i] | (planes[count + i] << 8);
    numbers[i] = (value >>> 1) ^ -(value & 1);
  }
  return numbers;
}

/**
 * A payload whose maps have their passages and values in place of numbers of lists. Values that the payload before had, too,
 * are taken from it. A payload of another version is returned as it is, for the view refuses it.
 * @param {any} payload
 * @param {any} before what this function returned for the payload before
 */
export async function unpackPayload(payload, before = null) {
  if (payload.version !== VERSION) return payload;
  /** @type {Map<string, PackedValues>} */
  const known = new Map((before?.values ?? []).map((/** @type {PackedValues} */ values) => [values.packed, values]));
  /** @type {PackedValues[]} */
  const values = await Promise.all(
    payload.values.map(
      async (/** @type {string} */ packed) => known.get(packed) ?? { packed, numbers: await unpackNumbers(packed) },
    ),
  );
  const { spans } = payload;
  const unpackMap = (/** @type {any} */ map) => ({
    ...map,
    rows: spans[map.rows],
    columns: spans[map.columns],
    values: map.values === null ? null : values[map.values],
    overview: map.overview && unpackOverview(map.overview),
  });
  const unpackOverview = (/** @type {any} */ overview) => ({
    ...overview,
    coarse: values[overview.coarse].numbers,
    best: { rows: values[overview.best.rows].numbers, columns: values[overview.best.columns].numbers },
  });
  const unpackWeights = (/** @type {any} */ side) =>
    side && { ...side, spans: spans[side.spans], values: values[side.values] };
  const unpackModel = (/** @type {any} */ model) => ({
    ...model,
    maps: Object.fromEntries(Object.entries(model.maps).map(([name, map]) => [name, unpackMap(map)])),
    shadings: model.shadings?.map((/** @type {any} */ shading) => ({
      ...shading,
      a: unpackWeights(shading.a),
      b: unpackWeights(shading.b),
    })),
  });
  return {
    ...payload,
    values,
    models: payload.models.map(unpackModel),
    beside: payload.beside?.map(unpackModel),
    tiles: payload.tiles && (await unpackTiles(payload.tiles)),
  };
}

/**
 * Tiles of large maps with their values in place of packed ones.
 * @template {{values: string}} T
 * @param {T[]} tiles
 */
export async function unpackTiles(tiles) {
  return Promise.all(tiles.map(async (tile) => ({ ...tile, values: await unpackNumbers(tile.values) })));
}
