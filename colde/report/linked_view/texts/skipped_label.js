// What a part that was set aside is called above its text.

const ROLES = {
  references: "References",
  caption: "Captions",
  footnote: "Footnotes",
  table: "Tables",
  equation: "Equations",
  boilerplate: "Front matter, acknowledgements, licences",
  furniture: "Left out by hand",
};

/**
 * @param {{role: string | null, heading: string | null}} section one that is set aside
 */
export function skippedLabel({ role, heading }) {
  const what = ROLES[role] || role;
  if (role === "furniture") return `${heading ? `${heading} · ` : ""}${what.toLowerCase()}, not compared`;
  return `${what} · set aside, not compared`;
}
