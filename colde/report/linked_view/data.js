// The payload of colde/report/payload.py as objects that answer the view's questions.
// Offsets are Unicode code points everywhere; only `Text.slice` turns them into JavaScript's UTF-16 positions.

const MISSING = -32768;
const DARKEST = 0.99; // share of the units of a text whose weight is below the darkest shade
const PREFERRED = ["passages"]; // of the maps of one level, the one that shows what the two texts share
export const LEVELS = ["section", "chunk", "sentence", "word"];
export const AXES = { ab: ["a", "b"], aa: ["a", "a"], bb: ["b", "b"] }; // the texts of rows and columns, left and right

/** First index in the sorted `values` whose value is greater than `x`. */
export function upper(values, x) {
  let low = 0;
  let high = values.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (values[middle] <= x) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** First index in the sorted `values` whose value is not less than `x`. */
function lower(values, x) {
  return upper(values, x - 1); // whole numbers
}

/** Half-open index range of the spans that overlap [start, end); both their starts and their ends rise. */
function overlapping(starts, ends, start, end) {
  const first = upper(ends, start);
  return [first, Math.max(first, lower(starts, end))];
}

/** One document: its text, its sections, and `units`: headings and sentences in reading order. */
export class Text {
  constructor(doc, side) {
    Object.assign(this, { side, title: doc.title, words: doc.words, pages: doc.pages, pageSizes: doc.page_sizes });
    Object.assign(this, { notes: doc.notes, aside: doc.aside });
    this.text = doc.text;
    this.sections = doc.sections;
    this.sectionStarts = doc.sections.map((s) => s.start);
    this.astral = astralPositions(doc.text);
    this.astralUnits = this.astral.map((position, i) => position + i);
    this.units = unitsOf(doc.sections, (s, e) => this.slice(s, e));
    this.starts = Int32Array.from(this.units, (u) => u.start);
    this.ends = Int32Array.from(this.units, (u) => u.end);
    this.compared = doc.sections.filter((s) => !s.role).length;
  }

  slice(start, end) {
    return this.text.slice(this.utf16(start), this.utf16(end));
  }

  utf16(codePoint) {
    return codePoint + upper(this.astral, codePoint - 1);
  }

  codePoint(utf16) {
    return utf16 - upper(this.astralUnits, utf16 - 1);
  }

  unitsIn(start, end) {
    return overlapping(this.starts, this.ends, start, end);
  }

  section(offset) {
    return Math.max(0, upper(this.sectionStarts, offset) - 1);
  }

  /** The heading as it stands in the text; a reader may have given the section another name. */
  ownHeading(section) {
    return this.slice(section.start, section.body).trimEnd();
  }

  /** The heading over this offset, or its first words where there is none. */
  heading(offset) {
    const section = this.sections[this.section(offset)];
    if (!section) return "";
    return section.heading || this.snippet(section.start, section.end, 28);
  }

  page(offset) {
    const [first, last] = this.unitsIn(offset, offset + 1);
    for (let i = first; i < Math.max(last, first + 1) && i < this.units.length; i += 1) {
      const page = this.units[i].page;
      if (page) return page;
    }
    return null;
  }

  snippet(start, end, length) {
    const text = this.slice(start, Math.min(end, start + length * 2)).replace(/\s+/g, " ").trim();
    const cut = text.length > length ? `${text.slice(0, length).replace(/\s+\S*$/, "")}…` : text;
    return end - start > length * 2 && !cut.endsWith("…") ? `${cut}…` : cut;
  }

  /** “Results, p. 4” */
  place(offset) {
    const page = this.page(offset);
    return this.heading(offset) + (page ? `, p. ${page}` : "");
  }
}

function astralPositions(text) {
  const found = [];
  for (let i = 0, codePoint = 0; i < text.length; i += 1, codePoint += 1) {
    const unit = text.charCodeAt(i);
    if (unit >= 0xd800 && unit < 0xdc00 && i + 1 < text.length) {
      found.push(codePoint);
      i += 1;
    }
  }
  return found;
}

/** Headings, sentences, and whatever text stands between sentences, in reading order. */
function unitsOf(sections, slice) {
  const hasText = (start, end) => slice(start, end).trim() !== "";
  const units = [];
  sections.forEach((section, index) => {
    const add = (kind, start, end, sentence = -1) => {
      const page = sentence < 0 ? null : section.pages?.[sentence] || null;
      units.push({ kind, start, end, section: index, sentence, page, paragraph: -1 });
    };
    const own = slice(section.start, section.body).trimEnd();
    if (own) {
      add("heading", section.start, section.start + [...own].length);
      units.at(-1).page = section.pages?.[0] || null;
    }
    let next = 0;
    const sentences = section.sentences;
    for (let p = 0; p < section.paragraphs.length; p += 2) {
      const from = units.length;
      let at = section.paragraphs[p];
      const end = section.paragraphs[p + 1];
      while (next < sentences.length && sentences[next] < end) {
        const [start, stop] = [sentences[next], sentences[next + 1]];
        if (start > at && hasText(at, start)) add("gap", at, start);
        add("sentence", start, stop, next / 2);
        at = stop;
        next += 2;
      }
      if (end > at && hasText(at, end)) add("gap", at, end);
      for (let i = from; i < units.length; i += 1) units[i].paragraph = p / 2;
    }
  });
  return units;
}

/** A matrix over two lists of passages; NaN where a value does not exist. */
export class SimilarityMap {
  constructor(name, map) {
    Object.assign(this, { name, level: map.level, unit: map.unit, label: map.label, axes: map.axes, kind: map.kind, meaning: map.meaning });
    [this.height, this.width] = map.shape;
    this.rows = spans(map.rows);
    this.columns = spans(map.columns);
    this.scale = map.scale;
    this.packed = map.values;
    this.values = unpack(map.values);
  }

  at(row, column) {
    const value = this.values[row * this.width + column];
    return value === MISSING ? NaN : value / this.scale;
  }

  /** Where the colours begin and end: nearly the least value (a few very low cells would pale all others) and the greatest. */
  range() {
    if (!this.limits) {
      let most = MISSING;
      for (const value of this.values) if (value > most) most = value;
      const step = Math.max(1, Math.floor(this.values.length / 100_000));
      const sample = Int16Array.from({ length: Math.floor(this.values.length / step) }, (_, i) => this.values[i * step])
        .filter((value) => value !== MISSING)
        .sort();
      const low = sample.length ? sample[Math.floor(0.01 * sample.length)] / this.scale : 0;
      const high = most / this.scale;
      this.limits = high > low ? [low, high] : [low, low + 1 / this.scale];
    }
    return this.limits;
  }

  /** {row, column, value} of the greatest of these cells, or null. */
  strongest(rows, columns) {
    let [raw, row, column] = [MISSING, -1, -1];
    for (const r of rows) {
      const line = r * this.width;
      for (const c of columns) if (this.values[line + c] > raw) [raw, row, column] = [this.values[line + c], r, c];
    }
    return row < 0 ? null : { row, column, value: raw / this.scale };
  }

  /** Row and column ranges of the cells whose passages overlap these two, or null. */
  block(a, b) {
    const [r0, r1] = this.rows.range(...a);
    const [c0, c1] = this.columns.range(...b);
    return r0 < r1 && c0 < c1 ? { r0, r1, c0, c1 } : null;
  }

  /** Greatest value of each row (or column), as Float32Array; NaN where none exists. */
  best(axis) {
    const cache = axis === "rows" ? "bestRows" : "bestColumns";
    if (!this[cache]) {
      const count = axis === "rows" ? this.height : this.width;
      const raw = new Int16Array(count).fill(MISSING);
      for (let row = 0, i = 0; row < this.height; row += 1) {
        for (let column = 0; column < this.width; column += 1, i += 1) {
          const k = axis === "rows" ? row : column;
          if (this.values[i] > raw[k]) raw[k] = this.values[i];
        }
      }
      this[cache] = Float32Array.from(raw, (v) => (v === MISSING ? NaN : v / this.scale));
    }
    return this[cache];
  }
}

/** The map of one level to begin with, or null. */
export function preferred(maps) {
  return maps.find((m) => PREFERRED.includes(m.name)) || maps[0] || null;
}

function spans(flat) {
  const starts = new Int32Array(flat.length / 2);
  const ends = new Int32Array(flat.length / 2);
  for (let i = 0; i < starts.length; i += 1) [starts[i], ends[i]] = [flat[2 * i], flat[2 * i + 1]];
  return {
    starts,
    ends,
    length: starts.length,
    span: (i) => [starts[i], ends[i]],
    range: (start, end) => overlapping(starts, ends, start, end),
    /** Indices of the passages that overlap [start, end). */
    within(start, end) {
      const [first, last] = overlapping(starts, ends, start, end);
      return Array.from({ length: last - first }, (_, i) => first + i);
    },
    /** Index of the passage that holds the offset, or −1. */
    holding(offset) {
      const i = upper(starts, offset) - 1;
      return i >= 0 && offset < ends[i] ? i : -1;
    },
    all: () => Array.from({ length: starts.length }, (_, i) => i),
  };
}

/** Little-endian 16-bit integers from base64; a loop, since millions of callbacks take seconds. */
function unpack(base64) {
  const text = atob(base64);
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < text.length; i += 1) bytes[i] = text.charCodeAt(i);
  return new Int16Array(bytes.buffer);
}

/** Weights of single units of one text, from the model's shading; `weights` are 0 to 1, the text's greatest is 1. */
class Shading {
  constructor({ spans: flat, scale, values }) {
    this.spans = spans(flat);
    this.values = Float64Array.from(unpack(values), (v) => (v === MISSING ? NaN : v / scale));
    const there = this.values.filter((v) => v === v).sort();
    this.high = there.at(-1) ?? 0;
    // A few units far above all others would leave the rest without a shade.
    this.dark = Math.max(there[Math.floor(DARKEST * (there.length - 1))] ?? 0, this.high / 100) || 1;
  }

  weight(i) {
    return Math.max(0, Math.min(1, this.values[i] / this.dark));
  }

  /** Indices from the greatest value down. */
  ranked() {
    this.order ||= [...this.values.keys()].filter((i) => this.values[i] > 0).sort((i, j) => this.values[j] - this.values[i]);
    return this.order;
  }
}

/** Models with their maps; `find(axes, level)` are the maps to choose from. Maps that did not change are taken over. */
export function decodeModels(models, before = []) {
  return models.map((model) => {
    const known = before.find((m) => m.name === model.name);
    const maps = Object.entries(model.maps).map(([name, map]) => {
      const old = known?.map(name);
      const same = old && old.packed === map.values && old.meaning === map.meaning && old.height === map.shape[0];
      return same ? old : new SimilarityMap(name, map);
    });
    const shadings = (model.shadings || []).map((shading) => {
      const old = known?.shadings.find((s) => s.key === shading.key);
      if (old && old.packed.a === shading.a?.values && old.packed.b === shading.b?.values) return old;
      const [a, b] = [shading.a, shading.b].map((side) => side && new Shading(side));
      return { ...shading, a, b, packed: { a: shading.a?.values, b: shading.b?.values } };
    });
    return {
      ...model,
      maps,
      shadings,
      map: (name) => maps.find((m) => m.name === name),
      find: (axes, level) => maps.filter((m) => m.axes === axes && m.level === level),
      /** The map that stands beside those of other models: of this level, else the finest there is. */
      beside: (level) => maps.find((m) => m.name === (model.typical[level] || model.typical[LEVELS.findLast((l) => model.typical[l])])),
      levels: (axes) => LEVELS.filter((level) => maps.some((m) => m.axes === axes && m.level === level)),
    };
  });
}

/** .83, −.12, 1.00: two digits, no leading zero, as numbers stand in tables. */
export function number(value) {
  if (Number.isNaN(value)) return "–";
  const text = Math.abs(value).toFixed(2).replace(/^0/, "");
  return (value < -0.004 ? "−" : "") + text;
}
