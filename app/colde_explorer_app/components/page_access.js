// What keyboards and screen readers need on every page: a link that skips to the results, and true roles of drop zones.

const ZONES = "[data-testid=stFileUploaderDropzone][role=presentation]";
const ISOLATED = "[data-testid=stBidiComponentIsolated]";

export default function ({ parentElement }) {
  const link = parentElement.querySelector("button");
  link.onclick = () => {
    const tab = results();
    tab?.scrollIntoView({ block: "nearest" });
    tab?.focus();
  };
  const mend = () => {
    link.hidden = !results();
    for (const zone of document.querySelectorAll(ZONES)) zone.setAttribute("role", "group"); // it has a name
  };
  const observer = new MutationObserver(mend);
  observer.observe(document.querySelector("[data-testid=stMain]") ?? document.body, { childList: true, subtree: true });
  mend();
  return () => observer.disconnect();
}

/**
 * The tab between the two texts that is chosen; null without a comparison on the page.
 * @returns {HTMLElement | null}
 */
function results() {
  for (const host of document.querySelectorAll(ISOLATED)) {
    const tab = host.shadowRoot?.querySelector('.lv-tab[aria-selected="true"]');
    if (tab instanceof HTMLElement) return tab;
  }
  return null;
}
