// Sends the server the random name of this browser tab, which lasts as long as the tab is open.

export default function ({ parentElement, setStateValue }) {
  const root = parentElement.querySelector("span");
  if (root.dataset.sent) return;
  root.dataset.sent = "1";
  let token = null;
  try {
    token = sessionStorage.getItem("colde-tab");
  } catch {
    return;
  }
  if (!/^[0-9a-f]{32}$/.test(token || "")) {
    token = [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, "0")).join("");
    sessionStorage.setItem("colde-tab", token);
  }
  setStateValue("token", token);
}
