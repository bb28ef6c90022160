// A piece of text under its marks: the classes, the note, the number and the shade of all that lie over it.

/** Give a piece of text that begins at `start` the classes, the note, the number … of the marks over it. */
export function applyMarks(node, base, marks, start) {
  const classes = new Set(marks.flatMap((m) => m.class.split(" ")));
  node.className = [base, ...classes].filter(Boolean).join(" ");
  const note = marks.find((m) => m.note)?.note;
  if (note) node.dataset.note = note;
  else delete node.dataset.note;
  const numbers = marks.filter((m) => m.number && m.start === start).map((m) => m.number);
  if (numbers.length) node.dataset.number = numbers.join(" ");
  else delete node.dataset.number;
  const weighed = marks.find((m) => m.share);
  if (weighed) {
    node.dataset.share = weighed.share;
    node.style.setProperty("--w", weighed.weight.toFixed(2));
  } else if (node.dataset.share) {
    delete node.dataset.share;
    node.style.removeProperty("--w");
  }
  if (marks.some((m) => m.current)) node.setAttribute("aria-current", "true");
  else node.removeAttribute("aria-current");
}
