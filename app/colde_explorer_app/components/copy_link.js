// A button that copies the address of the page, and says whether that worked.

export default function ({ parentElement }) {
  const button = parentElement.querySelector("button");
  const status = parentElement.querySelector("[role=status]");
  button.onclick = async () => {
    try {
      await navigator.clipboard.writeText(window.location.href);
      status.textContent = "Link copied";
    } catch {
      status.textContent = "Copy it from the address bar";
    }
    setTimeout(() => {
      status.textContent = "";
    }, 4000);
  };
}
