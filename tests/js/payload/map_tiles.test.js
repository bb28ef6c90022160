import assert from "node:assert/strict";
import { test } from "node:test";

import { SimilarityMap } from "../../../colde/report/linked_view/payload/similarity_map.js";
import { mapData } from "../payload.js";

const MISSING = -32768;
const HEIGHT = 5;
const WIDTH = 7;
const SIZE = 2; // of a tile

const raw = (row, column) => 100 * row + column;
const count = (n) => Array.from({ length: n }, (_, i) => i);
const FACTOR = 5;

function tile(number) {
  const across = Math.ceil(WIDTH / SIZE);
  const [top, left] = [Math.floor(number / across) * SIZE, (number % across) * SIZE];
  const rows = count(HEIGHT).slice(top, top + SIZE);
  return Int16Array.from(
    rows.flatMap((row) =>
      count(WIDTH)
        .slice(left, left + SIZE)
        .map((column) => raw(row, column)),
    ),
  );
}

/** A map of 100 · row + column steps, of which nothing is here but the overview. */
function inTiles(more = {}) {
  const data = mapData(count(HEIGHT).map((r) => count(WIDTH).map((c) => raw(r, c) / 10_000)));
  const overview = {
    digest: "d",
    size: SIZE,
    factor: FACTOR,
    coarse: Int16Array.from([202, 205]),
    best: {
      rows: Int16Array.from(count(HEIGHT).map((r) => raw(r, WIDTH - 1))),
      columns: Int16Array.from(count(WIDTH).map((c) => raw(HEIGHT - 1, c))),
    },
    top: [
      [4, 6, 406],
      [4, 5, 405],
    ],
    mean: 203,
    most: 406,
    least: 0,
    low: 1,
    ...more,
  };
  return new SimilarityMap("m", { ...data, values: null, overview }, MISSING);
}

test("a value is asked for, and is there once its tile is", () => {
  const map = inTiles();
  let missed = 0;
  map.tiles.missed = () => (missed += 1);
  assert.ok(Number.isNaN(map.at(3, 5)));
  assert.ok(map.awaits(3, 5));
  assert.deepEqual([[...map.tiles.wanted], missed], [[6], 1]);
  assert.ok(map.tiles.put(6, tile(6)));
  assert.ok(!map.tiles.put(6, tile(6)));
  assert.equal(map.at(3, 5), 0.0305);
  assert.ok(!map.awaits(3, 5));
  assert.equal(map.tiles.wanted.size, 0);
});

test("with all tiles every value is there, to the last row and column", () => {
  const map = inTiles();
  const tiles = Math.ceil(HEIGHT / SIZE) * Math.ceil(WIDTH / SIZE);
  for (const number of count(tiles)) map.tiles.put(number, tile(number));
  for (const row of count(HEIGHT)) {
    for (const column of count(WIDTH)) assert.equal(map.at(row, column), raw(row, column) / 10_000);
  }
  assert.equal(map.tiles.wanted.size, 0);
});

test("what a whole map says needs no tile", () => {
  const map = inTiles();
  assert.equal(map.best("rows")[2].toFixed(4), "0.0206");
  assert.equal(map.best("columns")[0].toFixed(4), "0.0400");
  assert.equal(map.mean(), 0.0203);
  assert.deepEqual(map.range(), [0.0001, 0.0406]);
  assert.equal(map.tiles.wanted.size, 0);
});

test("a part asks for its own tiles, and its strongest cell is found when they are here", () => {
  const map = inTiles();
  assert.equal(map.strongest([1, 2], [0, 1]), null);
  assert.deepEqual([...map.tiles.wanted], [0, 4]);
  for (const number of [0, 4]) map.tiles.put(number, tile(number));
  assert.deepEqual(map.strongest([1, 2], [0, 1]), { row: 2, column: 1, value: 0.0201 });
});

test("a wide part is drawn from the overview, and its strongest cells are known", () => {
  const map = inTiles();
  map.tiles.isWide = () => true;
  const drawn = map.drawnFrom(count(HEIGHT), count(WIDTH));
  assert.deepEqual([drawn(0, 0), drawn(4, 4), drawn(0, 5)], [0.0202, 0.0202, 0.0205]);
  assert.deepEqual(map.strongest(count(HEIGHT), count(WIDTH)), { row: 4, column: 6, value: 0.0406 });
  assert.equal(map.greatestCells(count(HEIGHT), count(WIDTH), 5).length, 2);
  assert.equal(map.tiles.wanted.size, 0);
});
