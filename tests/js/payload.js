// Payloads made by hand, as colde/report/html/view_payload.py makes them: small enough to see at a glance what must come out.

import { decodeModels } from "../../colde/report/linked_view/payload/decode_models.js";
import { SimilarityMap } from "../../colde/report/linked_view/payload/similarity_map.js";

const STEPS = 10_000;
const MISSING = -32768;
const LEVELS = ["section", "chunk", "sentence", "word"];

/** A document of sections: [heading or null, [[sentence, …] for each paragraph]]; a heading ends with its line. */
export function aDocument(sections, { title = "A title", pages = null } = {}) {
  let text = "";
  const length = () => [...text].length;
  const found = sections.map(([heading, paragraphs, more = {}]) => {
    const start = length();
    text += heading === null ? "" : `${heading}\n`;
    const body = length();
    const section = {
      heading,
      place: heading ?? "p. 1",
      level: 1,
      role: null,
      start,
      body,
      end: body,
      paragraphs: [],
      sentences: [],
      ...more,
    };
    for (const sentences of paragraphs) {
      section.paragraphs.push(length());
      for (const sentence of sentences) {
        section.sentences.push(length());
        text += sentence;
        section.sentences.push(length());
        text += " ";
      }
      text = text.replace(/ $/, "");
      section.paragraphs.push(length());
      section.end = length();
      text += "\n";
    }
    return section;
  });
  return {
    title,
    words: text.split(/\s+/).filter(Boolean).length,
    pages,
    notes: [],
    aside: [],
    page_sizes: [],
    text,
    sections: found,
  };
}

/** A shared passage as the view holds it: spans of both texts, and its parts as [kind, span of a, span of b]. */
export function aPassage(a, b, parts, more = {}) {
  const place = ([start, end]) => ({ start, end });
  return {
    a: place(a),
    b: place(b),
    kind: parts[0]?.[0] ?? "identical",
    certainty: 0.9,
    standard: false,
    words: [a[1] - a[0], b[1] - b[0]],
    parts: parts.map(([kind, one, other]) => ({ kind, a: place(one), b: place(other) })),
    aligned: [],
    ...more,
  };
}

/** Values as the view has them when it has unpacked a payload. */
export function unpacked(values) {
  const raw = values.flat().map((value) => (Number.isNaN(value) ? MISSING : Math.round(value * STEPS)));
  return { packed: raw.join(), numbers: Int16Array.from(raw) };
}

/** A map of these values; without `rows` and `columns` its passages are ten characters each, one after the other. */
export function mapData(values, { level = "section", rows, columns, ...more } = {}) {
  const tens = (count) => Array.from({ length: count }, (_, i) => [10 * i, 10 * i + 10]);
  const shape = [values.length, values[0]?.length ?? 0];
  return {
    role: "topic",
    level,
    offered: level,
    side: "across",
    label: "topic",
    preference: 1,
    kind: "cosine",
    unit: "cosine",
    scale: "sequential",
    meaning: "How alike two passages are.",
    shape,
    rows: (rows ?? tens(shape[0])).flat(),
    columns: (columns ?? tens(shape[1])).flat(),
    steps: STEPS,
    values: unpacked(values),
    ...more,
  };
}

/** The same as the view holds it. */
export function aMap(values, { name = "section", ...more } = {}) {
  return new SimilarityMap(name, mapData(values, more), MISSING);
}

/** Weights of passages of one text. */
export function weights(values, spans) {
  return { spans: spans.flat(), steps: STEPS, values: unpacked(values) };
}

/** A model with these maps, by name, as a payload has it. */
export function modelData(maps, more = {}) {
  return {
    name: "colde",
    title: "CoLDE",
    maps,
    shadings: [],
    typical: {},
    pending: false,
    stopped: null,
    ...more,
  };
}

/** A model with these maps as the view holds it; `before` is what it held so far. */
export function aModel(maps, more = {}, before = []) {
  return decodeModels([modelData(maps, more)], { missing: MISSING, levels: LEVELS }, before)[0];
}
