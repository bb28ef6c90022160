// What has the focus, in shadow roots too: its name, and the contrast of the ring around it or around its frame with the
// ground behind it. 0 where there is no ring of two pixels.
() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const paint = document.createElement("canvas").getContext("2d", { willReadFrequently: true });

  /** Red, green and blue of colours painted over each other, the lowest first. */
  const mixed = (colours) => {
    for (const colour of colours) {
      paint.fillStyle = colour;
      paint.fillRect(0, 0, 1, 1);
    }
    return [...paint.getImageData(0, 0, 1, 1).data].slice(0, 3);
  };
  const luminance = (channels) => {
    const [r, g, b] = channels.map((c) => (c <= 10 ? c / 3294 : ((c / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const around = [];
  for (let element = at; element; element = element.parentElement ?? element.getRootNode().host) around.push(element);

  const contrast = (element) => {
    const { outlineStyle, outlineWidth, outlineColor, outlineOffset } = getComputedStyle(element);
    if (outlineStyle === "none" || parseFloat(outlineWidth) < 2) return 0;
    const behind = around.slice(around.indexOf(element) + (parseFloat(outlineOffset) < 0 ? 0 : 1)).reverse();
    const ground = ["white", ...behind.map((e) => getComputedStyle(e).backgroundColor)];
    const [one, other] = [luminance(mixed(ground)), luminance(mixed([...ground, outlineColor]))];
    return (Math.max(one, other) + 0.05) / (Math.min(one, other) + 0.05);
  };
  const name = (at?.getAttribute("aria-label") ?? at?.textContent ?? "").trim().slice(0, 40);
  return {
    name: `${at?.tagName} ${name}`,
    isTab: at?.matches(".lv-tab"),
    contrast: Math.max(...around.slice(0, 3).map(contrast)),
  };
};
