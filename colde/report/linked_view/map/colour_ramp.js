// Colours: one sequential ramp for each kind of number, rising steadily in lightness, so that it reads
// without colour vision and in grey. Kinds never share a ramp, hence never a scale. What can speak for or against has
// two sides, blue below zero and orange above, as far from the middle in lightness, so that they are told apart
// without red or green.

/** @type {Record<string, {light: string[], dark: string[]}>} */
const STOPS = {
  cosine: {
    light: ["#f1f5f9", "#d3e2ee", "#9fc3dd", "#5f9bc6", "#2b6ca3", "#123f6d"],
    dark: ["#1b242e", "#1d3d57", "#236490", "#3f8fc4", "#86bfe6", "#e3f3ff"],
  },
  attention: {
    light: ["#f6f3f8", "#e2d6ea", "#c3a8d6", "#9d76bb", "#754a98", "#4a2569"],
    dark: ["#231f2a", "#3d2b52", "#633f86", "#9064b8", "#c09be0", "#f3e6ff"],
  },
  attribution: {
    light: ["#faf6f1", "#f3dfc6", "#e8ba86", "#d38c48", "#a65f1f", "#6b3609"],
    dark: ["#29221a", "#4d3315", "#85531a", "#c17f31", "#eab76f", "#fff0d8"],
  },
  "term weight": {
    light: ["#f2f7f3", "#d3e7d8", "#a2cdb0", "#64a981", "#2f7d57", "#124d33"],
    dark: ["#1b2620", "#1d4430", "#28704f", "#46a077", "#8ccdab", "#e4fbee"],
  },
  diverging: {
    light: ["#0b3a82", "#3f7cc4", "#a3c6e8", "#f6f6f4", "#f2c08a", "#c9731c", "#7a3a04"],
    dark: ["#abd1ff", "#609de8", "#2a5690", "#20252b", "#7d4815", "#da8b36", "#ffcb8c"],
  },
};

/** @param {string} hex */
function channels(hex) {
  return [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));
}

/**
 * 256 colours as [r, g, b] triples in one array.
 * @param {string} kind
 * @param {boolean} dark
 */
export function ramp(kind, dark) {
  const stops = (STOPS[kind] || STOPS.cosine)[dark ? "dark" : "light"].map(channels);
  const table = new Uint8ClampedArray(256 * 3);
  for (let i = 0; i < 256; i += 1) {
    const x = (i / 255) * (stops.length - 1);
    const k = Math.min(stops.length - 2, Math.floor(x));
    for (let c = 0; c < 3; c += 1) table[3 * i + c] = stops[k][c] + (x - k) * (stops[k + 1][c] - stops[k][c]);
  }
  return table;
}

/**
 * The whole ramp as a background for a legend.
 * @param {string} kind
 * @param {boolean} dark
 */
export function gradient(kind, dark) {
  return `linear-gradient(to right, ${(STOPS[kind] || STOPS.cosine)[dark ? "dark" : "light"].join(", ")})`;
}

/**
 * One colour for a kind of number, of which text is shaded with more or less.
 * @param {string} kind
 * @param {boolean} dark
 */
export function sideTint(kind, dark) {
  return (STOPS[kind] || STOPS.cosine)[dark ? "dark" : "light"][3];
}

/** Share of a scale, from its pale end, for what is usual between unrelated texts. */
export const PALE = 0.3;

/**
 * Place of a value on its scale, 0 to 1: where it is known what is usual between unrelated texts, that takes the pale
 * part, and all that is more takes the rest.
 * @param {number} value
 * @param {import("../types").Limits} limits
 */
export function onScale(value, [low, high, usual]) {
  const known = usual !== null && usual !== undefined && usual > low && usual < high;
  if (!known) return Math.max(0, Math.min(1, (value - low) / (high - low)));
  if (value <= usual) return Math.max(0, (PALE * (value - low)) / (usual - low));
  return Math.min(1, PALE + ((1 - PALE) * (value - usual)) / (high - usual));
}

/**
 * Colour of a value on its scale, 0 to 255.
 * @param {number} value
 * @param {import("../types").Limits} limits
 */
export function shadeLevel(value, limits) {
  return Math.round(255 * onScale(value, limits));
}

/**
 * What a canvas is painted with.
 * @param {HTMLCanvasElement} canvas
 * @param {CanvasRenderingContext2DSettings} [settings]
 */
export function context2d(canvas, settings) {
  return /** @type {CanvasRenderingContext2D} */ (canvas.getContext("2d", settings));
}

const NAMES = ["ground", "ink", "muted", "faint", "accent", "shade", "find"];

/**
 * The theme's colours as a canvas understands them (a custom property may hold `color-mix(…)`), and whether it is dark.
 * @param {HTMLElement} element
 */
export function palette(element) {
  const probe = document.createElement("span");
  element.append(probe);
  const colours = /** @type {Record<string, string>} */ ({});
  for (const name of NAMES) {
    probe.style.color = `var(--lv-${name})`;
    colours[name] = getComputedStyle(probe).color;
  }
  probe.remove();
  const paint = context2d(document.createElement("canvas"), { willReadFrequently: true });
  paint.fillStyle = colours.ground;
  paint.fillRect(0, 0, 1, 1);
  const [r, g, b] = paint.getImageData(0, 0, 1, 1).data;
  return { ...colours, dark: 0.2126 * r + 0.7152 * g + 0.0722 * b < 128 };
}
