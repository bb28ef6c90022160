// A sentence and a detail behind it. Both are text, never markup.

export default function ({ data, parentElement }) {
  const line = parentElement.querySelector(".colde-line");
  line.dataset.testid = data.testid;
  const [head, detail] = line.children;
  if (head.textContent !== data.text) head.textContent = data.text;
  if (detail.textContent !== data.detail) detail.textContent = data.detail;
}
