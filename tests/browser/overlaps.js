// Pairs of texts on the screen that are drawn over each other, in shadow roots too: a text covers another one where both
// are seen at one point, with no ground painted between them.
() => {
  const boxes = [];

  const everything = { left: -Infinity, top: -Infinity, right: Infinity, bottom: Infinity };
  const intersection = (one, other) => ({
    left: Math.max(one.left, other.left),
    top: Math.max(one.top, other.top),
    right: Math.min(one.right, other.right),
    bottom: Math.min(one.bottom, other.bottom),
  });

  /** Where an element and those around it let its text be seen; null where nowhere. */
  const regions = new Map();
  const regionOf = (element) => {
    if (!element) return everything;
    if (!regions.has(element)) regions.set(element, madeRegion(element));
    return regions.get(element);
  };
  const madeRegion = (element) => {
    const around = element.parentElement ?? element.getRootNode().host;
    const style = getComputedStyle(element);
    if (style.display === "inline") return regionOf(around);
    const frame = element.getBoundingClientRect();
    if (style.clipPath !== "none" && frame.width <= 2) return null; // for screen readers alone
    const outer = style.position === "fixed" ? everything : regionOf(around);
    if (!outer) return null;
    return intersection(outer, {
      ...everything,
      ...(style.overflowX !== "visible" && { left: frame.left, right: frame.right }),
      ...(style.overflowY !== "visible" && { top: frame.top, bottom: frame.bottom }),
    });
  };
  const screen = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
  const isSeen = ({ left, top, right, bottom }) => right - left > 1 && bottom - top > 1;

  /** The part of a box that no element around it cuts off; null where nothing is left, or the box is off the screen. */
  const clipped = (rect, element) => {
    if (!isSeen(intersection(rect, screen))) return null;
    const region = regionOf(element);
    const box = region && intersection(region, rect);
    return box && isSeen(box) ? box : null;
  };

  const collect = (root) => {
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
      if (node.nodeType === Node.ELEMENT_NODE) {
        if (node.shadowRoot) collect(node.shadowRoot);
        continue;
      }
      const element = node.parentElement;
      if (!node.data.trim() || !element || element.matches("script, style, option, title")) continue;
      if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) continue;
      const range = document.createRange();
      range.selectNodeContents(node);
      for (const rect of range.getClientRects()) {
        const box = clipped(rect, element);
        if (box) boxes.push({ element, text: node.data.trim().slice(0, 40), ...box });
      }
    }
  };

  /** The elements at a point, the uppermost first. */
  const stackAt = (x, y) => {
    const stack = [];
    const dig = (root) => {
      for (const element of root.elementsFromPoint(x, y)) {
        if (stack.includes(element)) continue;
        if (element.shadowRoot && element.shadowRoot !== root) dig(element.shadowRoot); // a root lists its host, too
        stack.push(element);
      }
    };
    dig(document);
    return stack;
  };
  const isClear = (colour) => /^(transparent|.*, 0(\.[0-8]\d*)?\))$/.test(colour);

  const bothSeen = (one, other, x, y) => {
    const stack = stackAt(x, y);
    const places = [one, other].map((box) => stack.findIndex((element) => box.element.contains(element)));
    if (Math.min(...places) < 0) return false;
    return stack
      .slice(Math.min(...places), Math.max(...places))
      .every((element) => isClear(getComputedStyle(element).backgroundColor));
  };

  collect(document.body);
  boxes.sort((one, other) => one.top - other.top);
  const pairs = new Set();
  boxes.forEach((one, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].top < one.bottom - 3; j += 1) {
      const other = boxes[j];
      if (one.element === other.element) continue;
      const [left, right] = [Math.max(one.left, other.left), Math.min(one.right, other.right)];
      const [top, bottom] = [Math.max(one.top, other.top), Math.min(one.bottom, other.bottom)];
      if (right - left < 3 || bottom - top < 4) continue; // letters of one line may touch those of the next
      const [x, y] = [(left + right) / 2, (top + bottom) / 2];
      const onScreen = x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
      if (onScreen && bothSeen(one, other, x, y)) pairs.add(`“${one.text}” over “${other.text}”`);
    }
  });
  return [...pairs];
};
