// How many reviews this browser keeps (colde/report/linked_view/review/review_copy.js), and buttons that clear the one on
// the pair of the page, or all.

const PREFIX = "colde-review ";

export default function ({ parentElement, data, setStateValue }) {
  const status = parentElement.querySelector("[role=status]");
  const [one, all, keep] = parentElement.querySelectorAll("button");
  const shown = data.pair ? PREFIX + [...data.pair].sort().join(" ") : "";

  function show() {
    const kept = copies().filter(hasContent);
    status.textContent = `This browser keeps decisions and notes on ${pairs(kept.length)}.`;
    button(one, "Clear the decisions on this pair", kept.includes(shown), () => ask([shown], "this pair"));
    button(all, "Clear all decisions", kept.length > 0, () => ask(copies(), pairs(kept.length)));
    button(keep, "Keep", false, show);
  }

  function ask(keys, subject) {
    status.textContent = `Clear the decisions and notes on ${subject}? This cannot be undone.`;
    one.hidden = true;
    button(all, "Clear", true, () => clear(keys));
    keep.hidden = false;
  }

  function clear(keys) {
    for (const key of keys) {
      localStorage.removeItem(key);
      // The browser tells other tabs by itself, and the page of this tab by this event.
      window.dispatchEvent(new StorageEvent("storage", { key }));
    }
    const hashes = keys.map((key) => key.slice(PREFIX.length).split(" "));
    setStateValue("cleared", { pairs: hashes, id: Date.now() });
    show();
  }

  show();
}

function button(element, text, isShown, onclick) {
  element.textContent = text;
  element.hidden = !isShown;
  element.onclick = onclick;
}

function pairs(count) {
  return count === 1 ? "1 pair" : `${count} pairs`;
}

/** Keys of the reviews that are kept; none where the page may not use the storage. */
function copies() {
  try {
    return Object.keys(localStorage).filter((key) => key.startsWith(PREFIX));
  } catch {
    return [];
  }
}

/** Whether there is a decision or a note, or a passage that was left out. */
function hasContent(key) {
  try {
    const { marks, out } = JSON.parse(localStorage.getItem(key) ?? "");
    return marks.length > 0 || out !== "";
  } catch {
    return false;
  }
}
