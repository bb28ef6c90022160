// Types of what the modules hand to each other. Only the checker reads this file; nothing of it reaches a page.

/** Start and end of a passage in code points, half-open. */
export type Span = [number, number];

export type Side = "a" | "b";

/** Whose passages are the rows and whose are the columns. */
export type Axes = "across" | "within_a" | "within_b";

/** The passages of one axis of a map, in reading order. */
export interface Passages {
  starts: Int32Array;
  ends: Int32Array;
  length: number;
  span(index: number): Span;
  /** Half-open range of the indices of those that overlap a stretch. */
  range(start: number, end: number): Span;
  /** Indices of those that overlap a stretch. */
  within(start: number, end: number): number[];
  /** Index of the one that holds an offset, or −1. */
  holding(offset: number): number;
  all(): number[];
}

/** A heading, a sentence, or a gap of text between sentences; `sentence` and `paragraph` are −1 where there is none. */
export interface Unit {
  kind: "heading" | "sentence" | "gap";
  start: number;
  end: number;
  section: number;
  sentence: number;
  paragraph: number;
  page: number | null;
}

export interface Section {
  heading: string | null;
  place: string; // its heading, else pages or paragraphs
  level: number;
  role: string | null;
  start: number;
  body: number;
  end: number;
  paragraphs: number[];
  sentences: number[];
  pages?: number[];
  boxes?: number[][];
}

/** A document as colde/report/html/view_payload.py writes it. */
export interface DocumentData {
  title: string;
  words: number;
  pages: number | null;
  page_sizes: number[][];
  notes: { first: number; text: string }[];
  aside: string;
  text: string;
  sections: Section[];
}

export interface Cell {
  row: number;
  column: number;
}

export type ValuedCell = Cell & { value: number };

/** A cell that was opened on the way to the matrix on screen. */
export type Step = Cell & { map: string };

/** What the reader selected: two passages, and the cell if it is one. */
export interface Selection {
  axes: Axes;
  a: Span;
  b: Span;
  picked?: boolean;
}

/** A line from a passage to its answer. */
export interface Answer {
  a: Span;
  b: Span;
  strength: number;
}

/** Least and greatest value of a scale. */
export type Limits = [low: number, high: number, usual?: number | null];

/** Values of a map in steps; `packed`: the text that they came as. */
export interface PackedValues {
  packed: string;
  numbers: Int16Array;
}

/** A map as colde/report/html/view_payload.py writes it, unpacked; passages are flat lists. */
export interface MapData {
  role: string;
  level: string;
  /** the level under which the view offers it */
  offered: string;
  side: Axes;
  label: string;
  /** of the maps of one level, the one with the least comes first */
  preference: number;
  kind: string;
  unit: string;
  scale: "sequential" | "diverging";
  /** of contributions: all values + reference + residual are the score */
  reference?: number | null;
  residual?: number | null;
  /** varies as chance makes it: one colour */
  flat?: boolean;
  meaning: string;
  /** where the colours begin and end, whatever the pair; null: from the values themselves */
  limits: [number, number] | null;
  /** 95 of 100 cells of unrelated pairs stay below it; null where that is not known */
  usual: number | null;
  shape: [number, number];
  rows: number[];
  columns: number[];
  /** to one */
  steps: number;
  /** null where the map comes in tiles */
  values: PackedValues | null;
  /** of a large map: what is known of it before any tile is here */
  overview?: OverviewData | null;
}

/** A large map before its tiles, as colde/report/maps/map_tiles.py writes it; numbers are in the map's steps. */
export interface OverviewData {
  digest: string;
  /** rows and columns of a tile */
  size: number;
  /** rows and columns of which `coarse` has the means */
  factor: number;
  coarse: Int16Array;
  best: { rows: Int16Array; columns: Int16Array };
  /** the greatest cells: row, column, value */
  top: [number, number, number][];
  mean: number;
  most: number;
  least: number;
  low: number;
}

/** Weights of passages of one text, as colde/report/html/view_payload.py writes them, unpacked. */
export interface WeightsData {
  spans: number[];
  steps: number;
  values: PackedValues;
}

/** What shades the texts in place of the best counterparts. */
export interface ShadingData {
  key: string;
  label: string;
  kind: string;
  unit: string;
  more: string;
  meaning: string;
  a: WeightsData | null;
  b: WeightsData | null;
}

/** What a model says of the pair, as colde/report/html/view_payload.py writes it. */
export interface ScoreData {
  name: string;
  title: string;
  score: number;
  threshold: number | null;
  says: "related" | "unrelated" | "undecided" | "";
  probability: number | null;
  percentile: number | null;
  /** where the score stands on a line from 0 to 1 whose middle is the threshold; null without one */
  at: number | null;
}

/** The split of both texts, as colde/report/wording/shared_kinds.py writes it. */
export interface SplitData {
  /** the strongest kind first */
  kinds: { label: string; means: string }[];
  rest: { label: string; means: string };
  /** how the words were counted, and what was not looked for */
  note: string;
  /** which kinds were not looked for; empty where all were */
  missing: string;
  /** stretches of each text, flat: start, end, number of the kind or −1, words, 1 where it is quoted */
  a: number[];
  b: number[];
}

/** How standard text counts: as a kind of its own, as all other text, or not at all. */
export type StandardText = "apart" | "with" | "out";

/** What the reader leaves out of the passages and of the split. */
export interface SplitFilter {
  /** the fewest words of the shorter side of a passage */
  words: number;
  /** whether quotations are counted */
  quotations: boolean;
  standard: StandardText;
  /** keys of the passages that were rejected (`itemKey`) */
  rejected: Set<string>;
}

/** A part of a text of one kind; `passages`: their places in the list, without those that are left out. */
export interface SplitPart {
  label: string;
  means: string;
  share: number;
  passages: number[];
}

/** A passage of each text and what the two add to a score; `share`: of all that raises it. */
export interface PairContribution {
  a: { start: number; end: number };
  b: { start: number; end: number };
  part: number;
  share: number;
  /** the pairs of finer passages in it that add most */
  inside: PairContribution[];
}

/** What made a model's score, as colde/report/wording/contribution_summary.py has it. */
export interface MadeOf {
  model: string;
  /** “sections”, “chunks” or “sentences”, and of which the pairs inside are */
  passages: string;
  finer: string;
  /** “the score”, or “the positive contribution” */
  of: string;
  /** the greatest first: as a rule those that make half of the score */
  pairs: PairContribution[];
  share: number;
  /** pairs that are not listed */
  raising: { count: number; part: number };
  lowering: { count: number; part: number };
  /** what empty texts get */
  reference: number;
  half: number;
  cells: number;
  sentence: string;
}

/** A pair of sentences or an identical run of words within a shared passage. */
export interface Part {
  kind: string;
  a: { start: number; end: number };
  b: { start: number; end: number };
}

/** A passage of each text that the two share, as colde/report/html/view_payload.py writes it; its parts are unpacked. */
export interface SharedPassage {
  a: { start: number; end: number; section?: string | null };
  b: { start: number; end: number; section?: string | null };
  /** of most of its words */
  kind: string;
  certainty: number;
  /** whether it is a standard sentence or boilerplate */
  standard: boolean;
  /** of a and of b */
  words: [number, number];
  parts: Part[];
  /** start and end of a word in a and in b that match each other, and how near they are */
  aligned: [number, number, number, number, number][];
}

/** A difference between the texts, as colde/report/html/view_payload.py writes it; a sentence that only one text has is null in the other. */
export interface Change {
  a: ChangedPassage | null;
  b: ChangedPassage | null;
  kind: string;
  /** of a change in a table: “Table 2, row 3 (Mill): 4.1 → 4.7” */
  description: string;
  /** where the sentence would be in the text that lacks it */
  near: number | null;
  /** start and end of what differs in each text, in reading order */
  marks: { a: [number, number][]; b: [number, number][] };
  /** other places of the words of a sentence that one text has alone, in brackets; empty where there are none */
  also: string;
}

export interface ChangedPassage {
  start: number;
  end: number;
  place: string;
}

/** Two sentences word by word, as colde_explorer_app/linked_view/on_demand_explanations.py has them. */
export interface WordCellsData {
  /** what was asked for, as the page asked */
  asked: string;
  /** what the two sentences add to the score, and what of it no pair of words makes */
  total: number;
  residual: number;
  /** start and end of a word in a and in b, and what the two add; the strongest first */
  pairs: [number, number, number, number, number][];
}

/** What the reader wants done to a section; places are told by their first characters. */
export interface SectionEdit {
  side: Side;
  do: "rename" | "merge" | "split" | "heading" | "leave_out" | "take_in" | "undo" | "redo" | "done";
  /** where the section begins */
  at: number;
  /** where the sentence begins that is chosen, or null */
  sentence: number | null;
  heading: string;
  /** whether the pages are shown: the reader goes on there */
  pages: boolean;
}

/** Sections that are being put right, as colde_explorer_app/linked_view/linked_view_edits.py says it. */
export interface SectionsState {
  /** another one after each change */
  id: number;
  side: Side;
  /** where the last change was made */
  at: number;
  pages: boolean;
  /** how many changes were made, and how many were taken back */
  changes: Record<Side, [number, number]>;
}

/** What a reviewer said of a passage, of a change, or of a row of the claim chart, which has its passage of A alone. */
export interface Marked {
  a: Span | null;
  b: Span | null;
  change?: boolean;
  row?: "listed" | "added";
  decision: "" | "accepted" | "rejected";
  note: string;
}

/** Which passages or changes are listed; empty values let all through. */
export interface ItemFilter {
  kinds: string[];
  /** “A: Results” */
  section: string;
  /** the fewest words of the shorter side */
  words: number;
  text: string;
  decision: string;
  /** whether passages in quotation marks are listed */
  quotations: boolean;
  standard: StandardText;
  /** whether differences of form are listed after the other changes */
  form: boolean;
}

/** A row of the ledger or of the claim chart, as the page sends it. */
export interface RowData {
  number: number;
  kind: string;
  certainty: number | null;
  reason: string;
  a: Span | null;
  b: Span | null;
  /** where the other text says the same */
  also: Span | null;
}

/** The ledger or the claim chart, as colde/report/ledger_and_chart/row_tables_payload.py writes them. */
export interface RowTableData {
  note: string;
  counts: Record<string, number>;
  rows: RowData[];
  /** of the claim chart: how often “not found” is wrong */
  measured?: string;
}

/** A row as the view has it; where a text lacks it, with the place where that text says the same. */
export interface TableRow {
  number: number;
  kind: string;
  certainty: number | null;
  reason: string;
  a: { start: number; end: number } | null;
  b: { start: number; end: number } | null;
  own: Record<Side, boolean>;
  near: number;
  marks: Change["marks"];
}

/** A row of the claim chart: a passage of A and its counterparts in B. */
export interface ChartRow extends TableRow {
  a: { start: number; end: number };
  /** heading, page and line */
  place: string;
  /** whether the reviewer has added it */
  added: boolean;
  counterparts: { b: Span; kind: string; certainty: number; place: string }[];
}

/** A model as colde/report/html/view_payload.py writes it. */
export interface ModelData {
  name: string;
  title: string;
  pending: boolean; // its score and maps are still to come
  stopped: "cancelled" | "failed" | null; // how the comparison ended before this model had finished
  maps: Record<string, MapData>;
  shadings?: ShadingData[];
  /** level → name of the map that stands beside those of other models */
  typical: Record<string, string>;
  unread?: Record<Side, Span[]>;
  read?: Record<Side, { tokens_read: number; tokens: number }>;
  /** what made the score: the pairs of passages that add most */
  made?: MadeOf | null;
  /** how much the parts of the score were measured to say, and whether that is more than chance */
  measured_quality?: { better: boolean; sentence: string } | null;
}
