// Builds colde/report/linked_view/bundle from its sources: `make view`. With --check it builds in memory and fails
// where the committed files differ.

import { createHash } from "node:crypto";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const SOURCES = fileURLToPath(new URL("../../colde/report/linked_view/", import.meta.url));
const SHARED = { bundle: true, write: false, minify: true, charset: "utf8", legalComments: "none", logLevel: "error" };

/** SHA-256 over paths and contents of all sources; tests/report/test_linked_view_bundle.py computes the same. */
function sourceDigest() {
  const hash = createHash("sha256");
  const names = readdirSync(SOURCES, { recursive: true }).map((name) => name.replaceAll("\\", "/"));
  for (const name of names.filter((n) => /\.(js|css)$/.test(n) && !n.startsWith("bundle/")).sort()) {
    hash
      .update(`${name}\n`)
      .update(readFileSync(SOURCES + name))
      .update("\n");
  }
  return hash.digest("hex");
}

const banner = `/* Built from sources ${sourceDigest()} by tests/js/build.mjs */`;
const [script, style] = await Promise.all([
  build({
    ...SHARED,
    entryPoints: [`${SOURCES}index.js`],
    format: "iife", // nothing but `coldeView` and what it exports reaches the scope of the page's own script
    globalName: "coldeView",
    target: "es2022",
    banner: { js: banner },
    footer: { js: "export const { mount, mountSources, unpackTiles } = coldeView;\nexport default coldeView.default;" },
  }),
  build({ ...SHARED, entryPoints: [`${SOURCES}linked_view.css`], banner: { css: banner } }),
]);

const check = process.argv.includes("--check");
mkdirSync(`${SOURCES}bundle`, { recursive: true });
for (const [name, result] of [
  ["linked_view.js", script],
  ["linked_view.css", style],
]) {
  const path = `${SOURCES}bundle/${name}`;
  if (!check) writeFileSync(path, result.outputFiles[0].contents);
  else if (readFileSync(path, "utf8") !== result.outputFiles[0].text) {
    console.error(`${path} is not what its sources give: run \`make view\` and commit the result.`);
    process.exitCode = 1;
  }
}
