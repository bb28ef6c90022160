// The maps of several models, each different one once.

/**
 * Models in groups of equal maps, in their order.
 * @template {{map: import("../payload/similarity_map.js").SimilarityMap}} T
 * @param {T[]} entries
 * @returns {T[][]}
 */
export function distinctMaps(entries) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const entry of entries) {
    const { map } = entry;
    const key = JSON.stringify([map.role, map.label, map.height, map.width, map.packed]);
    groups.set(key, [...(groups.get(key) ?? []), entry]);
  }
  return [...groups.values()];
}
