// What a part that was set aside is called above its text.

import * as labels from "../labels.js";

const ROLES = {
  references: labels.references,
  caption: labels.captions,
  footnote: labels.footnotes,
  equation: labels.equations,
  boilerplate: labels.boilerplate,
  template: labels.template,
  standard: labels.standard,
  furniture: labels.excludedByUser,
};

/**
 * @param {{role: string | null, heading: string | null}} section one that is set aside
 */
export function skippedLabel({ role, heading }) {
  if (role === "table") return labels.tablesSetAside;
  const what = ROLES[role] || role;
  if (role === "furniture") return `${heading ? `${heading} · ` : ""}${what.toLowerCase()}, not compared`;
  if (role === "boilerplate") return labels.notScoredLabel(what); // shared passages are searched in it
  return labels.setAsideLabel(what);
}
