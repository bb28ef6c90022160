// The values of a large map: an overview from the beginning, tiles of it as they are asked for.

/**
 * @import {OverviewData} from "../types"
 */

const MOST_DRAWN = 16; // tiles; a larger part is drawn from the overview

/** Which values of a map are here; where one is not, `wanted` grows and `missed()` is called. */
export class MapTiles {
  /**
   * @param {OverviewData} data
   * @param {[number, number]} shape
   * @param {number} missing what stands for a value that does not exist
   */
  constructor(data, [height, width], missing) {
    this.data = data;
    this.height = height;
    this.width = width;
    this.missing = missing;
    this.across = Math.ceil(width / data.size);
    this.values = new Int16Array(height * width).fill(missing);
    this.coarse = data.coarse;
    this.coarseWidth = Math.ceil(width / data.factor);
    this.best = data.best;
    /** @type {Set<number>} */
    this.here = new Set();
    /** @type {Set<number>} */
    this.wanted = new Set();
    this.missed = () => {};
  }

  /**
   * Whether a value is here; where it is not, it is asked for.
   * @param {number} row
   * @param {number} column
   */
  has(row, column) {
    const { size } = this.data;
    const tile = Math.floor(row / size) * this.across + Math.floor(column / size);
    return this.here.has(tile) || this.want(tile);
  }

  /**
   * See to it that a part of the map is here, or on its way.
   * @param {number[]} rows neighbours, in order
   * @param {number[]} columns
   */
  fetch(rows, columns) {
    if (!rows.length || !columns.length) return;
    const { size } = this.data;
    const ends = (/** @type {number[]} */ of) => [Math.floor(of[0] / size), Math.floor(of[of.length - 1] / size)];
    const [[top, bottom], [left, right]] = [ends(rows), ends(columns)];
    for (let y = top; y <= bottom; y += 1) for (let x = left; x <= right; x += 1) this.has(y * size, x * size);
  }

  /** @param {number} tile */
  want(tile) {
    if (!this.wanted.has(tile)) {
      this.wanted.add(tile);
      this.missed();
    }
    return false;
  }

  /**
   * Take over a tile; says whether it is new.
   * @param {number} tile
   * @param {Int16Array} found its values
   */
  put(tile, found) {
    this.wanted.delete(tile);
    if (this.here.has(tile)) return false;
    const { size } = this.data;
    const [top, left] = [Math.floor(tile / this.across) * size, (tile % this.across) * size];
    const wide = Math.min(size, this.width - left);
    for (let row = 0; row * wide < found.length; row += 1) {
      this.values.set(found.subarray(row * wide, (row + 1) * wide), (top + row) * this.width + left);
    }
    this.here.add(tile);
    return true;
  }

  /**
   * Whether a part of the map is so large that it is drawn from the overview.
   * @param {number[]} rows neighbours, in order
   * @param {number[]} columns
   */
  isWide(rows, columns) {
    const count = (/** @type {number[]} */ of) =>
      of.length ? Math.floor(of[of.length - 1] / this.data.size) - Math.floor(of[0] / this.data.size) + 1 : 0;
    return count(rows) * count(columns) > MOST_DRAWN;
  }

  /**
   * The mean around a cell, in steps.
   * @param {number} row
   * @param {number} column
   */
  about(row, column) {
    const { factor } = this.data;
    return this.coarse[Math.floor(row / factor) * this.coarseWidth + Math.floor(column / factor)];
  }
}
