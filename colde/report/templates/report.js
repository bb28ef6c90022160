const lines = new Map(); // digest of a map → its tiles

/** A tile of a large map; its block of the page is read when the first one is asked for. Null while the page is on its way. */
function tile(digest, number) {
  if (document.readyState === "loading") return null;
  if (!lines.has(digest)) lines.set(digest, document.getElementById(`tiles-${digest}`)?.textContent.split("\n") ?? []);
  return lines.get(digest)[number] ?? null;
}

const view = mount(document.getElementById("view"), JSON.parse(document.getElementById("payload").textContent), {
  tile,
});

document.addEventListener("DOMContentLoaded", () => view.pieces?.retry());

const button = document.getElementById("theme");
const scheme = matchMedia("(prefers-color-scheme: dark)");
button.hidden = false;
button.addEventListener("click", () => {
  const { dataset } = document.documentElement;
  const dark = dataset.theme ? dataset.theme === "dark" : scheme.matches;
  dataset.theme = dark ? "light" : "dark";
  view.repaint();
});
