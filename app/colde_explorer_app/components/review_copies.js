// How many reviews this browser keeps (colde/report/linked_view/review/review_copy.js), and a button that clears them.

const PREFIX = "colde-review ";

export default function ({ parentElement, setStateValue }) {
  const status = parentElement.querySelector("[role=status]");
  const [clear, keep] = parentElement.querySelectorAll("button");

  function show(asks = false) {
    const count = copies().filter(hasContent).length;
    const pairs = count === 1 ? "1 pair" : `${count} pairs`;
    status.textContent = asks
      ? `Clear the decisions and notes on ${pairs}? This cannot be undone.`
      : `This browser keeps decisions and notes on ${pairs}.`;
    clear.textContent = asks ? "Clear" : "Clear all decisions";
    clear.hidden = !count;
    clear.onclick = asks ? clearAll : () => show(true);
    keep.textContent = "Keep";
    keep.hidden = !asks;
    keep.onclick = () => show();
  }

  function clearAll() {
    for (const key of copies()) {
      localStorage.removeItem(key);
      // The browser tells other tabs by itself, and the page of this tab by this event.
      window.dispatchEvent(new StorageEvent("storage", { key }));
    }
    setStateValue("cleared", Date.now());
    show();
  }

  show();
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
