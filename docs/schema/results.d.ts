// What `--json` writes. Made by `make schemas` from the types in colde/results; not edited.

/** A rectangle on a page as displayed: page from 1, PDF points, origin top left. */
export type Box = [number, number, number, number, number];

/** What a document has for a row. */
export interface Cell {
  /** Whether it has a counterpart; null where none could be searched. */
  found: boolean | null;
  /** That `found` is right. */
  probability: number | null;
  /** The best ones; where none was found, the closest passage. */
  counterparts: ChartCounterpart[];
  /** Of the reviewer on the row, else on a passage that overlaps it and one of the counterparts. */
  decision: "" | "accepted" | "rejected";
  /** Of the reviewer on the row, else on a passage that overlaps it and one of the counterparts. */
  note: string;
}

/** A difference: two corresponding sentences, or one without a counterpart. */
export interface Change {
  kind: "negation" | "opposite" | "roles" | "obligation" | "number" | "condition" | "quantifier" | "name" | "only in a" | "only in b" | "table" | "moved and changed" | "moved" | "wording" | "form";
  /** The sentence in each text; null where the text has none. */
  a: Span | null;
  /** The sentence in each text; null where the text has none. */
  b: Span | null;
  /** By kind, and within a kind greater for longer sentences. */
  importance: number;
  /** The words and signs that differ. */
  marks: Record<"a" | "b", [number, number][]>;
  /** Of tables, the place and what changed there: `Table 2, row 3 (Mill): 4.1 → 4.7`; else empty. */
  description?: string;
  /** Of a sentence in one text alone, other places where its words stand. */
  also?: Record<"a" | "b", [number, number][]>;
}

/** A counterpart of a row; kind and certainty as in `Counterpart`. */
export interface ChartCounterpart {
  b: ChartPlace;
  kind: string;
  certainty: number;
}

/** A document of the chart; `not_searched`: a sentence on what was not searched in it, and why, or None. */
export interface ChartDocument {
  title: string;
  source: string;
  not_searched: string | null;
}

/** A passage with its text and its place; `line`: of the running text on its page, from 1. */
export interface ChartPlace {
  start: number;
  end: number;
  /** The nearest heading above it. */
  section: string | null;
  /** The page on which it begins, from 1. */
  page: number | null;
  line: number | null;
  text: string;
  /** `paragraph 12 of 14`, where no heading is above it. */
  position?: string;
}

/** A passage of A with a cell for each other document; `number` counts from 1. */
export interface ChartRow {
  number: number;
  a: ChartPlace;
  cells: Cell[];
}

/** A passage of at most 512 tokens of the default model, within one section. */
export interface ChunkEntry {
  /** Index into the sections of the document. */
  section: number;
  start: number;
  end: number;
  tokens: number;
}

/** A claim chart (colde chart --json). */
export interface ClaimChart {
  version: 1;
  a: ChartDocument;
  /** The other ones, in the order of the cells. */
  documents: ChartDocument[];
  /** Share of planted sentences that were not found, by how they were changed, and of absent ones that were (`false found`); measured by studies/passages/fit_counterparts.py. */
  miss_rates: Record<string, number>;
  rows: ChartRow[];
}

/** Two sentences that are close and do not count as shared; `certainty`: probability that they say the same. */
export interface ClosestPair {
  a: Span;
  b: Span;
  certainty: number;
}

/** A document of a collection; the file does not contain its text. */
export interface CollectedDocument {
  title: string;
  /** The name of the file, or of the text. */
  source: string;
  /** In reading order. */
  sections: SectionEntry[];
  /** In reading order; none in sections that are not compared. */
  chunks: ChunkEntry[];
  /** Of the sections that are compared. */
  sentences: Span[];
  /** Text that was not compared, by kind. */
  set_aside: SetAside[];
  /** What was not read or not compared of it. */
  warnings: string[];
}

/** Many documents compared with each other (colde compare DIR --json). */
export interface Collection {
  version: 1;
  /** The profile asked for; `auto` where each pair has that of its kind. */
  profile: string;
  /** In the order in which they were given; numbers of documents count from 0. */
  documents: CollectedDocument[];
  /** Names of the models. */
  models: string[];
  /** Model name → [documents, documents]; row by column, the first model's first. */
  scores: Record<string, number[][]>;
  /** Of the first model in the profile of most pairs; clusters join where their mean score reaches it. Scores of pairs of other profiles are moved by the difference of the thresholds. null without one. */
  threshold: number | null;
  /** Numbers of documents, each in one cluster, in the order of the tree, so that neighbours are similar. */
  clusters: number[][];
  /** Groups of documents of nearly the same text. */
  duplicates: number[][];
  /** The strongest pairs by the first model's score, best first. */
  pairs: StrongPair[];
  /** Files that were skipped, and why. */
  unread: ReadError[];
}

/** A comparison of two documents (colde compare --json). */
export interface Comparison {
  version: 2;
  /** The profile asked for; `auto` where each model takes that of the kind of both documents. */
  profile: string;
  /** The kinds of the two documents; null where they were not detected. */
  kind: PairKind | null;
  /** The documents that the pair was judged against instead of the profile's background, or null. */
  reference: string | null;
  /** The documents with their sections, chunks and sentences. */
  documents: Record<"a" | "b", DocumentEntry>;
  /** The text of each document that was not compared, counted by kind. */
  set_aside: Record<"a" | "b", SetAside[]>;
  /** Sentences on what was not read or not compared of each document. */
  warnings: Record<"a" | "b", string[]>;
  /** How well each document was read, as a grade with its reasons. */
  reading: Record<"a" | "b", ReadingGrade>;
  /** One Score a model, in the order asked for; the first is the default for verdict and view. */
  models: Score[];
  /** By model and map name, as files have them: of very large ones the strongest cells alone. */
  maps: Record<string, Record<string, SimilarityMap>>;
  /** Seconds for read, load, encode, compare and total. */
  timing: Record<string, number>;
  /** How much of each text is identical, edited, paraphrased, whatever model is chosen; null while models run, and where the texts are too long to count. */
  shared: SharedText | null;
  /** Shares of the words of each text by kind, which add up to 1, whatever model is chosen; null where `shared` is null. */
  split: Record<"a" | "b", Record<"identical" | "edited" | "paraphrased" | "same_topic" | "standard" | "rest", number>> | null;
  /** Differences between the two texts, most important first. */
  changes: Change[];
  /** The encoder, and the languages of both texts. */
  encoder: EncoderUsed;
  /** What encoders ran on: library, precision, threads; null where no model has one. */
  runtime: string | null;
  /** What a reviewer decided about this pair; null where nobody reviewed it. Every export contains it. */
  review: Decisions | null;
  /** What the comparison was made from, by which `colde verify` makes it again. */
  record: Record;
}

/** Tokens of one text that a model read, of those it has; `unread` are the passages that it did not read. */
export interface Coverage {
  tokens_read: number;
  tokens: number;
}

/** Everything that a reviewer decided about a pair of documents. */
export interface Decisions {
  /** One for each passage, change and row of the claim chart that has a decision or a note, or was added. */
  marks: Mark[];
  /** Passages of each text that were left out with What if; scores and maps are those of the full texts. */
  left_out: Record<"a" | "b", Span[]>;
}

/** A document of a comparison. */
export interface DocumentEntry {
  title: string;
  /** The name of the file, or of the text. */
  source: string;
  text: string;
  /** In reading order. */
  sections: SectionEntry[];
  /** In reading order; none in sections that are not compared. */
  chunks: ChunkEntry[];
  /** Of the sections that are compared. */
  sentences: Span[];
}

/** The kind of a document. */
export interface DocumentKind {
  /** The profile of the document; null where its kind is not certain enough. */
  name: string | null;
  /** Probability that the document is of its most likely kind. */
  certainty: number;
}

/** A document of a comparison. */
export interface DocumentRecord {
  /** SHA-256 of the file; null where the text is from no file. */
  file: string | null;
  /** SHA-256 of the text as read, in UTF-8. */
  text: string;
}

/** The encoder of a comparison. */
export interface EncoderUsed {
  /** `packaged`, `multilingual`, or as the user named it. */
  name: string;
  /** Of both texts, ISO 639-1; null where a language is not known. */
  languages: Record<"a" | "b", string | null>;
}

/** What is left out of the count. */
export interface Exclusions {
  /** Kinds of text and of sources. */
  leave_out: ("versions" | "standard" | "quotes" | "references")[];
  /** Words of a passage that counts. */
  fewest_words: number;
  /** Ids of sources that do not count. */
  documents: string[];
}

/** Mean loss of a score on this pair when 10, 25 and 50 % of the text are left out. */
export interface Faithfulness {
  /** Without the chunks with the greatest contributions. */
  own: number;
  /** Without as much text, chosen at random. */
  chance: number;
}

/** The labelled pairs that a threshold and a calibration were fitted on. */
export interface FitPairs {
  /** Their number. */
  pairs: number;
  /** Of documents; null for a profile, which has one kind or the corpora that it names. */
  kinds: number | null;
  /** On kinds that were left out; null where no kind was. */
  calibration_error: number | null;
}

/** The shares of the words of each text that are of a kind, or standard text. */
export interface KindShares {
  kind: "identical" | "edited" | "paraphrased" | "translated" | "opposite" | "same topic" | "standard";
  /** The shares; of `identical`, runs of at least six words in shared passages. */
  a: number;
  /** The shares; of `identical`, runs of at least six words in shared passages. */
  b: number;
  /** Number of passages of the kind. */
  passages: number;
}

/** A ledger (colde ledger --json). */
export interface Ledger {
  version: 1;
  a: LedgerDocument;
  b: LedgerDocument;
  /** A sentence on what was not searched, and why; null where all was. */
  not_searched: string | null;
  /** The number of rows of each kind. */
  counts: Record<"same" | "reworded" | "moved" | "merged" | "opposite" | "repeated" | "dropped" | "new", number>;
  /** In the order of A; sentences of B alone after the sentence of B before them. */
  rows: LedgerRow[];
}

/** A document of the ledger; `left_out`: its sentences in sections that the user left out, which have no row. */
export interface LedgerDocument {
  title: string;
  source: string;
  left_out: number;
}

/** Sentences with their text and their place. */
export interface LedgerPlace {
  start: number;
  end: number;
  /** The nearest heading above it. */
  section: string | null;
  /** The page on which it begins, from 1. */
  page: number | null;
  text: string;
  /** `paragraph 12 of 14`, where no heading is above it. */
  position?: string;
}

/** Sentences that correspond, or a sentence of one text alone. */
export interface LedgerRow {
  /** In the ledger, from 1. */
  number: number;
  /** `merged` where several sentences of one text are fewer in the other, `repeated` where the other text has the sentence, but beside another sentence of this text; `dropped` of A alone, `new` of B alone. */
  kind: "same" | "reworded" | "moved" | "merged" | "opposite" | "repeated" | "dropped" | "new";
  /** The sentences; null where a text has none. */
  a: LedgerPlace | null;
  /** The sentences; null where a text has none. */
  b: LedgerPlace | null;
  /** Of a repeated sentence, where the other text has it; of a dropped or new one, a passage that may say the same. */
  also: LedgerPlace | null;
  /** Probability that the kind is right; null where none is known. */
  certainty: number | null;
  /** A sentence. */
  reason: string;
}

/** Reviewer's decision and note on a shared passage, a change, or a row of the claim chart. */
export interface Mark {
  /** The passages; null on the side where a change has no sentence. A row has its passage of A alone. */
  a: Span | null;
  /** The passages; null on the side where a change has no sentence. A row has its passage of A alone. */
  b: Span | null;
  /** Empty where there is only a note, or a row was added. */
  decision: "" | "accepted" | "rejected";
  note: string;
  /** Whether it is on a change; a shared passage with the same spans has a mark of its own. */
  change?: true;
  /** Whether it is on a row of the claim chart. */
  row?: "" | "listed" | "added";
}

/** The kinds of the two documents of a pair. */
export interface PairKind {
  a: DocumentKind;
  b: DocumentKind;
}

/** A sentence or run of words of each side of a passage, and how they match. */
export interface Part {
  kind: "identical" | "edited" | "paraphrased" | "translated" | "opposite" | "same topic";
  a: Span;
  b: Span;
}

/** A document as read (colde read --json). */
export interface ReadDocument {
  title: string;
  /** The name of the file. */
  source: string;
  format: string;
  pages: number | null;
  /** ISO 639-1 code. */
  language: string | null;
  /** What the reader of the file could not do; the sentences name the pages. */
  warnings: string[];
  /** How well it was read. */
  reading: ReadingGrade;
  seconds: number;
  text: string;
  /** In reading order. */
  sections: ReadSection[];
}

/** A file that cannot be read or compared. */
export interface ReadError {
  source: string;
  reason: "not_found" | "unsupported" | "empty" | "not_text" | "encrypted" | "no_text" | "garbled" | "corrupt" | "too_large" | "too_short" | "busy" | "failed";
  what: string;
  advice: string;
}

/** A section. */
export interface ReadSection {
  heading: string | null;
  level: number;
  /** The body between this heading and the next; may be empty. */
  text: string;
  /** The first character of the heading, of the body where there is none. */
  start: number;
  /** The end of the body. */
  end: number;
  /** Why it is shown but not compared; null where it is compared. */
  role: "references" | "caption" | "footnote" | "table" | "equation" | "boilerplate" | "template" | "standard" | "furniture" | null;
  sentences: ReadSentence[];
}

/** A sentence. */
export interface ReadSentence {
  text: string;
  start: number;
  end: number;
  /** Where it stands: page from 1, then x0, y0, x1, y1 in PDF points from the top left of the page as shown. */
  boxes: Box[];
}

/** A grade, and why it is not A. */
export interface ReadingGrade {
  /** A nothing to note, B something to know, C parts are missing, D too little was read. */
  grade: "A" | "B" | "C" | "D";
  /** Sentences without a capital or a full stop; none for A. */
  reasons: string[];
}

/** What a comparison was made from. */
export interface Record {
  /** Of the program. */
  version: string;
  documents: Record<"a" | "b", DocumentRecord>;
  /** SHA-256 of the weights, settings and profiles of each model, and of the weights of the encoder. */
  weights: Record<string, string>;
  settings: SettingsRecord;
  /** SHA-256 of the texts of the templates. */
  templates: string[];
  /** The sections of each document that the user left out. */
  excluded: Record<"a" | "b", Span[]>;
  /** SHA-256 of the decisions of the review; null without one. */
  review: string | null;
}

/** Score of one model for one pair. */
export interface Score {
  name: string;
  title: string;
  /** On the model's scale, named by `score_kind`. */
  score: number;
  /** The scale of score and threshold. */
  score_kind: "cosine" | "probability" | "share";
  /** Share of related pairs among labelled pairs of the profile with such a score, where `prior` of all pairs are related; null without a calibration. */
  probability: number | null;
  /** The share of related pairs that `probability` is for, 0.5 in the calibration; threshold and `similar` do not depend on it. */
  prior: number;
  /** Share of unrelated pairs of the background that score lower; null without a background. */
  percentile: number | null;
  /** From validation; null without one. */
  threshold: number | null;
  /** Whether the score reaches the threshold; null without one. */
  similar: boolean | null;
  /** The pair scores as unrelated documents of one kind do. */
  same_kind: boolean;
  /** The verdict in words, by the probability where there is one (`colde.results.verdicts.verdict_words`). */
  says: string;
  /** The profile that threshold, probability and percentile come from; `none` for a pair of no kind that has one, whose threshold depends on the pair; null where there is no threshold. */
  profile: string | null;
  /** The corpora that the profile was fitted on; empty without a profile, or where they are not recorded. */
  corpora: string[];
  /** The pairs that threshold and probability were fitted on; null where they are not known. */
  fit: FitPairs | null;
  /** Why there is no threshold and no probability, as a clause; null where there is one. */
  no_verdict: string | null;
  /** Of the texts that the model's maps show. */
  levels: ("document" | "section" | "chunk" | "sentence" | "word")[];
  /** Time for encoding and comparing this pair, without loading the model. */
  seconds: number;
  /** The tokens of each text that the model read, in its tokens. */
  read: Record<"a" | "b", Coverage>;
  /** Of a mixture: the sum of weight × value is the score. */
  parts?: ScorePart[];
  /** Of a model that weighs words: those that both texts use and that add most to the score, the greatest first; a and b are the first sentences that hold them. */
  words?: WordPart[];
  /** How much of the score depends on what its contribution map shows; null where it was not measured. */
  faithfulness?: Faithfulness;
}

/** One part of a mixture's score: `weight` times `value`, the score of the part. */
export interface ScorePart {
  name: string;
  weight: number;
  value: number;
}

/** A section. */
export interface SectionEntry {
  heading: string | null;
  level: number;
  start: number;
  end: number;
  /** Why it is shown but not compared; null where it is compared. */
  role: "references" | "caption" | "footnote" | "table" | "equation" | "boilerplate" | "template" | "standard" | "furniture" | null;
  /** Indices into the chunks of the document. */
  chunks: number[];
}

/** A sentence, heading or cell of a table, and what became of it. */
export interface SentenceHistory {
  /** Its words, in the last version that has it. */
  text: VersionPassage;
  /** The number of that version. */
  version: number;
  /** Whether it is a heading. */
  heading: boolean;
  /** The version in which it came in. */
  first: number;
  /** The version in which its words changed last; that in which it came in, where they never did. */
  last: number;
  /** The version without it; null for sentences of the last version. */
  removed: number | null;
  /** In the order of the versions; the first version takes none. */
  steps: Step[];
}

/** One kind of text that is not compared. */
export interface SetAside {
  /** Name of the kind, such as `references`. */
  what: string;
  /** Number of words. */
  words: number;
  /** Reason, as a phrase. */
  why: string;
}

/** The settings of a comparison. */
export interface SettingsRecord {
  profile: string;
  prior: number;
  encoder: string;
  /** Name of the reference set. */
  reference: string | null;
  /** Roles of sections that were compared although reading set them aside. */
  include: ("references" | "caption" | "footnote" | "table" | "equation" | "boilerplate" | "template" | "standard" | "furniture")[];
  /** Kinds of passage that were not counted as shared. */
  leave_out: ("quotes" | "references" | "boilerplate" | "small")[];
}

/** A passage of each text that the two share, with what makes it up. */
export interface SharedPassage {
  /** Of most of its words. */
  kind: "identical" | "edited" | "paraphrased" | "translated" | "opposite" | "same topic";
  a: Span;
  b: Span;
  /** Of each side. */
  words: Record<"a" | "b", number>;
  /** Mean probability of its parts, in [0, 1]. */
  certainty: number;
  /** Whether it is standard text, such as the general provisions of an agreement. */
  standard: boolean;
  /** Pairs of sentences, and identical runs of words, in reading order of a. */
  parts: Part[];
}

/** Shares of the words of each text by kind; every word is counted once, under the strongest kind. */
export interface SharedText {
  /** The encoder whose sentence vectors were compared, whatever model is chosen; null: only runs of words were. */
  by: string | null;
  /** What was not counted. */
  left_out: ("quotes" | "references" | "boilerplate" | "small")[];
  /** A sentence on the kinds that were not searched, and why; null where all were. */
  not_searched: string | null;
  /** Words of each text that were counted. */
  words: Record<"a" | "b", number>;
  /** The shares of each kind. */
  kinds: KindShares[];
  /** Those that say the same first, then by kind; the longest first. */
  passages: SharedPassage[];
  /** The closest sentences that lie in no passage, the most certain first. */
  closest: ClosestPair[];
}

/** A matrix over two lists of passages. */
export interface SimilarityMap {
  /** One list a row, one value a column; null where a value does not exist, and instead of the list where `cells` are written. */
  values: ((number | null)[])[] | null;
  /** The passages; `side` says of which text. */
  rows: Span[];
  /** The passages; `side` says of which text. */
  columns: Span[];
  /** The scale of the values; values of different kinds cannot be compared. */
  kind: "cosine" | "attention" | "attribution" | "term weight";
  /** What a high value means, and what it does not. */
  meaning: string;
  /** What a cell measures: topic similarity, shared vocabulary, shared passages, contribution to the score, attention, what the model's filters kept, rank in its graph. */
  role: "topic" | "words" | "passages" | "contribution" | "attention" | "kept" | "rank";
  /** The finer level of rows and columns. */
  level: "section" | "chunk" | "block" | "paragraph" | "window" | "sentence" | "word";
  /** `across`: rows of document a, columns of b; `within_a`, `within_b`: both of one document. */
  side: "across" | "within_a" | "within_b";
  /** `weights`: one row or one column stands for a full text, and each of the others has a weight. */
  form: "matrix" | "weights";
  /** Unit of a value. */
  unit: string;
  /** `diverging`: zero is the middle; values increase or decrease the score. */
  scale: "sequential" | "diverging";
  /** Distinguishes maps of the same role, such as hierarchies; empty where there is only one. */
  label: string;
  /** Row, column and value of the strongest cells, strongest first, where the map is too large to be written. */
  cells?: [number, number, number][];
  /** The values vary no more than those of the same network with random weights; drawn in one colour. */
  flat?: true;
  /** Of contributions: the sum of all values. */
  sum?: number;
  /** Of contributions: the sum of all values + reference + residual is the score of the model; of `contribution_word`, the cell of its two sentences. */
  reference?: number;
  /** Of contributions: the part of the score that no pair of passages adds. */
  residual?: number;
}

/** A document of the index that counts as a source. */
export interface Source {
  /** Place in the ranking, from 1. */
  number: number;
  /** The document's id in the index. */
  id: string;
  /** The document's name in the index. */
  name: string;
  /** The document's title. */
  title: string;
  /** Of the counted words of the text that it shares, in [0, 1]. */
  share: number;
  /** How many these are. */
  words: number;
  /** Of these, that no source before it shares. */
  own_words: number;
  /** Words of the longest passage. */
  longest: number;
  /** In reading order of the text. */
  passages: SourcePassage[];
}

/** A passage that the text shares with a source. */
export interface SourcePassage {
  /** Its place in the text and in the source. */
  a: Span;
  /** Its place in the text and in the source. */
  b: Span;
  kind: "identical" | "edited" | "paraphrased" | "translated" | "opposite" | "same topic";
  /** That are counted, of the text. */
  words: number;
  certainty: number;
  standard: boolean;
  /** Numbers of other sources that share at least half of these words. */
  also: number[];
  /** Of the reviewer. */
  decision?: "" | "accepted" | "rejected";
  /** Of the reviewer. */
  note?: string;
}

/** The sources of a document (colde sources --json). */
export interface Sources {
  /** Name of the document's file. */
  name: string;
  /** The document's title. */
  title: string;
  /** Counted words of the text. */
  words: number;
  /** Of these, that at least one source shares. */
  shared_words: number;
  /** Share of the counted words of the text that sources share; every word counts once. */
  share: number;
  /** What is left out of the count. */
  exclusions: Exclusions;
  /** The ranking. */
  sources: Source[];
  /** Versions of the text in the index. */
  versions: Version[];
  /** Documents of the index whose sentences were compared with those of the text. */
  searched: number;
  /** Number of passages that the reviewer has rejected. */
  rejected: number;
}

/** A passage, as code points `[start, end)` of a document's text. */
export interface Span {
  start: number;
  end: number;
}

/** What a version did to a sentence. */
export interface Step {
  /** Its number, from 1. */
  version: number;
  kind: "added" | "removed" | "restored" | "negation" | "opposite" | "roles" | "obligation" | "number" | "condition" | "quantifier" | "name" | "only in a" | "only in b" | "table" | "moved and changed" | "moved" | "wording" | "form";
  /** The passage of the version before; null for an added or restored sentence. */
  before: VersionPassage | null;
  /** The passage of this version; null for a removed sentence. */
  after: VersionPassage | null;
}

/** Two documents by their numbers, with the score of the first model and the reasons for their similarity. */
export interface StrongPair {
  a: number;
  b: number;
  score: number;
  probability: number | null;
  /** By which the pair is judged, as in `Score`. */
  profile: string | null;
  /** Whether the score reaches the threshold of this profile; null without one. */
  similar: boolean | null;
  /** The verdict in words. */
  says: string;
  /** Reasons for the similarity, and for a missing probability; empty where none were looked for. */
  why: string;
}

/** A version of the document. */
export interface Version {
  /** From 1, the oldest version. */
  number: number;
  /** Who made it, or its file. */
  name: string;
  title: string;
  source: string;
  /** How many changes of each kind it has from the version before; `added` counts restored sentences, too. */
  changes: Record<string, number>;
}

/** The history of a document with several versions (colde history --json). */
export interface VersionHistory {
  version: 1;
  /** From the oldest one. */
  versions: Version[];
  /** Those of the last version, in reading order. */
  sentences: SentenceHistory[];
  /** Those that the last version has not, by the version that removed them. */
  removed: SentenceHistory[];
}

/** A passage of a version with its text. */
export interface VersionPassage {
  start: number;
  end: number;
  /** The nearest heading above it. */
  section: string | null;
  /** The page on which it begins, from 1. */
  page: number | null;
  text: string;
  /** Start and end of what differs, as offsets into the version. */
  marks: [number, number][];
  /** `paragraph 12 of 14`, where no heading is above it. */
  position?: string;
}

/** Part of a score owed to one word that both texts use; `a` and `b` are the first sentences that hold it. */
export interface WordPart {
  word: string;
  part: number;
  a: Span;
  b: Span;
}
