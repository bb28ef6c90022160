import assert from "node:assert/strict";
import { test } from "node:test";
import { deflateSync } from "node:zlib";

import {
  VERSION,
  unpackNumbers,
  unpackPayload,
  unpackTiles,
} from "../../../colde/report/linked_view/payload/packed_values.js";
import { mapData, modelData } from "../payload.js";

/** What colde/report/maps/packed_values.py does. */
function pack(numbers) {
  const signsLast = numbers.map((n) => ((n << 1) ^ (n >> 15)) & 0xffff);
  const planes = [...signsLast.map((n) => n & 255), ...signsLast.map((n) => n >> 8)];
  return deflateSync(Uint8Array.from(planes)).toString("base64");
}

/** A little generator of pseudo-random numbers, the same in every run. */
function* randomNumbers(seed) {
  for (let state = seed; ;) {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    yield state / 2 ** 32;
  }
}

function packedPayload(more = {}) {
  const map = { ...mapData([[0.1, 0.2]]), rows: 0, columns: 1, values: 0 };
  const shading = { key: "k", a: { spans: 1, steps: 10, values: 1 }, b: null };
  return {
    version: VERSION,
    spans: [
      [0, 10],
      [0, 10, 10, 20],
    ],
    values: [pack([1000, 2000]), pack([3, 4])],
    models: [modelData({ section: map }, { shadings: [shading] })],
    beside: null,
    ...more,
  };
}

test("every 16-bit integer comes back", async () => {
  const all = Array.from({ length: 65_536 }, (_, i) => i - 32_768);
  assert.deepEqual([...(await unpackNumbers(pack(all)))], all);
  assert.equal((await unpackNumbers(pack([]))).length, 0);
});

test("lists of any length and spread come back", async () => {
  const random = randomNumbers(7);
  const next = () => random.next().value;
  for (let round = 0; round < 100; round += 1) {
    const spread = 2 ** Math.floor(16 * next());
    const numbers = Array.from({ length: Math.floor(300 * next()) }, () => Math.floor((next() - 0.5) * spread));
    assert.deepEqual([...(await unpackNumbers(pack(numbers)))], numbers);
  }
});

test("maps and weights get their passages and values", async () => {
  const { models, values, tiles } = await unpackPayload(packedPayload());
  const { section } = models[0].maps;
  assert.deepEqual([section.rows, section.columns], [[0, 10], [0, 10, 10, 20]]); // prettier-ignore
  assert.deepEqual([...section.values.numbers], [1000, 2000]);
  const [{ a, b }] = models[0].shadings;
  assert.deepEqual([a.spans, [...a.values.numbers], b], [[0, 10, 10, 20], [3, 4], null]);
  assert.equal(a.values, values[1]);
  assert.equal(tiles, undefined);
});

test("an overview and tiles are unpacked, too", async () => {
  const overview = { coarse: 0, best: { rows: 0, columns: 1 }, digest: "d" };
  const map = { ...mapData([[0.1, 0.2]]), rows: 0, columns: 1, values: null, overview };
  const payload = packedPayload({
    models: [],
    beside: [modelData({ chunk: map })],
    tiles: [{ tile: 2, values: pack([5]) }],
  });
  const { beside, tiles } = await unpackPayload(payload);
  const { chunk } = beside[0].maps;
  assert.equal(chunk.values, null);
  assert.deepEqual([...chunk.overview.best.columns], [3, 4]);
  assert.deepEqual([...chunk.overview.coarse], [1000, 2000]);
  assert.deepEqual([tiles[0].tile, [...tiles[0].values]], [2, [5]]);
  assert.deepEqual([...(await unpackTiles(payload.tiles))[0].values], [5]);
});

test("what the payload before had is not unpacked again", async () => {
  const before = await unpackPayload(packedPayload());
  const after = await unpackPayload(packedPayload({ values: [pack([3, 4]), pack([7, 8])] }), before);
  assert.equal(after.values[0], before.values[1]);
  assert.deepEqual([...after.values[1].numbers], [7, 8]);
});

test("a payload of another version is left to the view, which refuses it", async () => {
  const other = { version: VERSION - 1 };
  assert.equal(await unpackPayload(other), other);
});
