// A sentence and a detail behind it, and below them a bar where there is one. All words are text, never markup.

const SVG = "http://www.w3.org/2000/svg";

export default function ({ data, parentElement }) {
  const line = parentElement.querySelector(".colde-line");
  line.dataset.testid = data.testid;
  const [head, detail] = line.children;
  if (head.textContent !== data.text) head.textContent = data.text;
  if (detail.textContent !== data.detail) detail.textContent = data.detail;
  const bar = parentElement.querySelector(".colde-verdict-bar");
  bar.hidden = !data.bar;
  if (data.bar) drawBar(bar, data.bar);
}

/** From unrelated through undecided to related: the parts, the threshold, and where the pair lies. */
function drawBar(bar, { at, threshold, undecided, label }) {
  const drawing = shape("svg", { viewBox: "0 0 100 8", preserveAspectRatio: "none", role: "img", "aria-label": label });
  const [low, high] = undecided.map((share) => 100 * share);
  drawing.append(
    shape("rect", { class: "part", x: 0, y: 2, width: low, height: 4 }),
    shape("rect", { class: "part undecided", x: low, y: 2, width: high - low, height: 4 }),
    shape("rect", { class: "part related", x: high, y: 2, width: 100 - high, height: 4 }),
    shape("line", { class: "threshold", x1: 100 * threshold, x2: 100 * threshold, y1: 0, y2: 8 }),
    shape("rect", { class: "pair", x: Math.min(99, Math.max(0, 100 * at - 0.5)), y: 0, width: 1, height: 8 }),
  );
  bar.querySelector("svg").replaceWith(drawing);
}

function shape(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, String(value));
  return made;
}
