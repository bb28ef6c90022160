const loaded = new Promise((resolve) => {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", resolve);
  else resolve();
});
const lines = new Map(); // digest of a map → its tiles

/** A tile of a large map, packed; its block of the page is read when the first one is asked for. */
function tile(digest, number) {
  if (!lines.has(digest)) lines.set(digest, document.getElementById(`tiles-${digest}`)?.textContent.split("\n") ?? []);
  return lines.get(digest)[number];
}

/** The tiles that the view asks for, in the form in which the explorer sends them; of some maps the page has none. */
async function tilesOf(asked) {
  await loaded; // the tiles stand behind this script
  const found = asked.flatMap(({ tiles, ...map }) =>
    tiles.map((number) => ({ ...map, tile: number, values: tile(map.digest, number) })),
  );
  return unpackTiles(found.filter(({ values }) => values));
}

const view = await mount(document.getElementById("view"), JSON.parse(document.getElementById("payload").textContent), {
  onTiles: async (asked) => view.pieces.take(await tilesOf(asked)),
});

const button = document.getElementById("theme");
const scheme = matchMedia("(prefers-color-scheme: dark)");
button.hidden = false;
button.addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : scheme.matches;
  dataset.theme = dark ? "light" : "dark";
  view.repaint();
});
