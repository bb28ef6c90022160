// Texts of the linked view that readers see, in one file, by part of the view. Descriptions of cells are in map/cell_descriptions.js.

// ---- Why: what the score is made of ----

export const howMeasured = "How this is computed and measured";
export const scoreParts = "Parts of the score";
export const contributionHeading = "Contribution to score";
export const mostlyBaseline = "No pair of passages stands out: most of the score is its baseline.";
/** @type {(count: string | number, cells: string | number, passages: string | number, share: string | number, of: string | number) => string} */
export const listedHold = (count, cells, passages, share, of) =>
  `The ${count} pairs of ${passages} listed here (of ${cells}) make up ${share} of ${of}.`;
/** @type {(count: string | number) => string} */
export const listMore = (count) => `List the ${count} strongest`;
export const listFewer = "List fewer";
/** @type {(finer: string | number) => string} */
export const strongestInside = (finer) => `Strongest ${finer}`;
/** @type {(count: string | number, kind: string | number) => string} */
export const otherPairs = (count, kind) => `${count} other ${kind} ${count === "1" ? "pair" : "pairs"} (increase)`;
/** @type {(count: string | number, kind: string | number) => string} */
export const loweringPairs = (count, kind) => `${count} ${kind} ${count === "1" ? "pair" : "pairs"} (decrease)`;
/** @type {(heading: string | number, side: string | number, amount: string | number) => string} */
export const speaksAgainst = (heading, side, amount) => ` “${heading}” in ${side} lowers the score by ${amount}.`;
export const showInTexts = "Show both in the texts";
export const scoreBaseline = "Baseline";
export const score = "Score";
export const wordByWord = "Word by word";
/** @type {(residual: string | number) => string} */
export const wordResidual = (residual) => `Not attributed to a pair of words: ${residual}`;
/** @type {(total: string | number, whole: string | number) => string} */
export const wordTotal = (total, whole) =>
  `These two passages add ${total} to the score of ${whole}. The pairs of words that contribute most:`;
export const wordPairs = "Pairs of words";

// ---- Frame, help and narrow screens ----

export const keyMatches = "next and previous passage, change or row";
export const keyDecide = "accept or reject the passage, change or row of the chart";
export const keyUndo = "undo the last decision or note";
export const keyMove = "move in the map; Page Up, Page Down, Home and End move further";
export const keyOpen = "open the cell: both texts show its passages";
export const keyBack = "Esc";
export const keyHelp = "show keyboard shortcuts";
export const tourMap = "The map";
export const tourMapText =
  "Rows are sections of A, columns are sections of B. The stronger a cell, the more similar; values that are usual for unrelated texts stay pale.";
export const tourTexts = "Both texts";
export const tourTextsText =
  "Click a cell: both texts scroll to its passages, and the next finer map opens. Here the strongest cell is selected.";
export const tourPassages = "Shared passages";
export const tourPassagesText =
  "Passages that both texts share, numbered as in the texts. Accept or reject them, and write notes. The tab Why lists what contributed to the score.";
export const tourModels = "The models";
export const tourModelsText =
  "Each model has its own scale and threshold. All thresholds are drawn on one line. If the score lies to the right of it, the model calls the pair related.";
export const tourNext = "What next";
export const tourNextText =
  "Export saves the report, the PDFs with highlights, and all numbers. Press ? for keyboard shortcuts. The decision is yours: a score is no proof.";
export const helpButton = "Keys and help";
export const helpTitle = "Keys and help (?)";
export const help = "Help";
export const startTour = "Show me around";
export const keys = "Keys";
export const done = "Done";
export const next = "Next";
/** @type {(step: string | number, steps: string | number, title: string | number) => string} */
export const tourStep = (step, steps, title) => `${step} of ${steps} · ${title}`;
export const skip = "Skip";
export const textA = "Text A";
export const map = "Map";
export const textB = "Text B";
export const selectedPassages = "Passages of the selected cell";
export const show = "Show";
/** @type {(name: string | number) => string} */
export const showIn = (name) => `Show in ${name}`;
export const bestCounterpartSuffix = " best counterpart";
export const matchingWords = "matching words: ";
export const clickShows = "Click to show it in the other text.";
export const ofAttention = " of the model’s attention in this text";
export const betweenTexts = "Between the texts";
export const middleTitle = "Map, passages, changes, contributions and models";
export const passages = "Passages";
export const changes = "Changes";
export const changesTitle = "What differs between the two texts, most important first";
export const ledger = "Ledger";
export const ledgerTitle = "Every sentence of both texts, with what became of it";
export const ledgerKind = "What became of it";
export const ledgerAwaited = "The sentences are being listed.";
export const sentenceNoun = "sentence";
export const chart = "Chart";
export const chartTitle = "Claim chart: each requirement of A, with its counterparts in B";
export const chartFound = "Found in B";
export const chartAwaited = "The counterparts are being searched.";
export const chartRowsOf = "Rows of the claim chart";
/** What the rows of the claim chart are, by the name of the choice. */
export const chartRows = {
  requirements: "Numbered paragraphs, and sentences with words such as “shall”",
  clauses: "All paragraphs, with the lists that they introduce",
  sentences: "All sentences",
};
export const rowNoun = "row";
export const addRow = "Add to chart";
export const addRowTitle = "Make this passage a row of the claim chart";
export const rowAdded = "The passage is a row of the claim chart.";
export const rowRemoved = "The row was removed.";
export const removeRow = "Remove row";
export const addedByYou = "added by you";
export const inPassages = "in Passages";
/** @type {(kind: string) => string} */
export const closestOf = (kind) => (kind === "closest" ? "closest passage," : `closest passage, ${kind},`);
export const notFoundMeasured = "How often “not found” is wrong";
export const alsoThere = "says so, too";
export const why = "Why";
export const models = "Models";
export const modelsTitle = "Scores and maps side by side";
export const textsOnly = "Texts only";

// ---- Map ----

export const sectionsTitle = "Sections by their headings";
export const chunksTitle = "Passages of at most 512 tokens; a chunk never extends beyond its section";
export const sentencesTitle = "Single sentences";
export const wordsTitle = "Single words";
/** @type {(value: string | number) => string} */
export const usualUpTo = (value) => ` Values up to ${value} are usual between unrelated texts.`;
/** @type {(title: string | number, read: string | number, tokens: string | number) => string} */
export const tokensRead = (title, read, tokens) => `${title} read ${read} of ${tokens} tokens`;
export const oneColour = "one colour: the values vary no more than by chance";
export const whereInMatrix = "Where in the matrix";
export const all = "All";
export const whichTexts = "The two texts with each other";
export const oneText = "One text with itself";
export const texts = "Texts";
export const level = "Level";
export const whatIsShown = "What is shown";
export const usualTitle = "The tick on the scale: of pairs of unrelated texts, 95 of 100 cells have lower values.";
export const fromUsualTitle = "The colours begin here: of pairs of unrelated texts, 95 of 100 cells have lower values.";
/** @type {(value: string | number) => string} */
export const usualLimit = (value) => `Up to ${value}: usual between unrelated texts`;
/** @type {(value: string | number) => string} */
export const goToStrongest = (value) => `Go to strongest, ${value}`;
export const whatMapShows = "What this map shows";
export const similarityMap = "Similarity map";
/** @type {(label: string | number, levelName: string | number, axes: string | number, rows: string | number, columns: string | number) => string} */
export const mapLabel = (label, levelName, axes, rows, columns) =>
  `${label}, ${levelName} ${axes}, ${rows} by ${columns}. Arrow keys move, Enter selects, Escape goes back.`;
/** @type {(title: string | number) => string} */
export const cancelledBefore = (title) => `The comparison was cancelled before ${title} had finished.`;
/** @type {(title: string | number) => string} */
export const failedBefore = (title) => `The comparison failed before ${title} had finished.`;
/** @type {(axes: string) => string} */
export const axisNames = (axes) => `Names of the ${axes}`;
/** @type {(axis: string, side: string) => string} */
export const axisOfText = (axis, side) => `${sentenceCase(axis)}: text ${side}`;
export const mapPlaceholder = "The similarity map will appear here.";
/** @type {(title: string | number) => string} */
export const stillReading = (title) => `${title} is still processing; its map fills in as it goes.`;
/** @type {(title: string | number) => string} */
export const noMap = (title) => `${title} has no map of this pair; its shared passages are in the list.`;

// ---- Passages ----

export const noPassage = "The two texts share no passage.";
export const passagesToCome = "The passages that both texts share are listed here once the two are compared.";
export const passagesNotSearched = "Shared passages were not searched: a text has no words, or the two are too long.";
/** @type {(count: number) => string} */
export const unplaced = (count) =>
  `${count} ${count === 1 ? "decision" : "decisions"} could not be placed: ${count === 1 ? "its passage is" : "their passages are"} not in the list.`;
export const otherPassages = "Opposite, or on the same topic";
export const standardText = "Standard text that both have";
/** What standard text counts as, by the name of the choice. */
export const standardCounts = { apart: "counted apart", with: "with the rest", out: "left out" };
/** @type {(kind: string, words: [number, number]) => string} */
export const kindAndWords = (kind, [a, b]) =>
  `${kind} · ${a.toLocaleString("en")}${a === b ? "" : ` ↔ ${b.toLocaleString("en")}`} ${a === 1 && b === 1 ? "word" : "words"}`;
/** @type {(share: number) => string} */
export const certainty = (share) => `${Math.round(100 * share)} %`;
export const certaintyTitle = "Certainty that the two sides belong together";
export const parts = "Parts of the passage";
/** @type {(count: number) => string} */
export const allParts = (count) => `Show all ${count.toLocaleString("en")} parts`;
export const closest = "Closest other sentences";
/** @type {(noun: string | number) => string} */
export const previousItem = (noun) => `Previous ${noun}`;
/** @type {(noun: string | number) => string} */
export const nextItem = (noun) => `Next ${noun}`;
export const sharedPassages = "Shared passages";
export const sharedPassagesTitle =
  "Passages that both texts share, whatever model is selected. What contributed to its score is under Why.";
/** @type {(number: string | number, total: string | number) => string} */
export const ofShown = (number, total) => `${number} of ${total}`;

// ---- Models ----

export const thresholdNote =
  "The line is the threshold of each model. If the score lies to the right of it, the model calls the pair related. Scores of different models cannot be compared.";
export const mapsOnTheWay = "The maps of the other models are loading.";
export const levelOfMaps = "Level of the maps";
export const scoresAgainstThresholds = "Scores against thresholds";
export const showItsMaps = "Show the maps of this model";
export const threshold = "Threshold";
export const probability = "Probability";
export const belowAbove = "Below | above";
export const says = "Verdict";
/** @type {(share: number) => string} */
export const percent = (share) => `${Math.min(99, Math.max(1, Math.round(100 * share)))} %`;
export const mapsShown = "Maps";
export const noThreshold = "no threshold";
export const mapsSideBySide = "Maps side by side";
export const moveOverMatrix =
  "Move over a map: all maps and both texts show the same place. Each map has its own scale.";
export const stillReadingSuffix = " · still processing";
/** @type {(title: string | number, mapName: string | number, unit: string | number, rows: string | number, columns: string | number) => string} */
export const smallMapLabel = (title, mapName, unit, rows, columns) =>
  `${title}: ${mapName}, ${unit}, ${rows} by ${columns}. Arrow keys move the cursor, Page Down and Page Up change the matrix, Enter selects.`;

// ---- Pages ----

export const noHeading = "No heading";
/** @type {(side: string | number) => string} */
export const smallPages = (side) => `Page thumbnails of text ${side}`;
export const fitText = "Fit text";
export const fitTextTitle = "The text without the margins";
export const fitColumn = "Fit column";
export const fitColumnTitle = "One column fills the pane";
export const fitPage = "Fit page";
export const fitPageTitle = "The page with its margins";
export const whatFillsWidth = "Fit to the width of the pane";
export const smallPagesTitle = "Page thumbnails that show where the shared passages are";
export const howPagesAreShown = "How pages are shown";
export const smaller = "−";
export const larger = "Larger";

// ---- Units ----

export const averageAttention = "average attention";

// ---- Review ----

/** @type {(noun: string | number) => string} */
export const filterItems = (noun) => `Filter the ${noun}`;
export const leastWords = "Minimum words";
export const wordsInPassages = "Words in the passages";
/** @type {(noun: string | number) => string} */
export const kindsOf = (noun) => `Kinds of ${noun} to list; if none is pressed, all are listed`;
export const decision = "Decision";
export const sectionOfPassages = "Section of the passages";
export const excludeQuotations = "Exclude quotations";
/** @type {(shown: string | number, total: string | number, accepted: string | number, rejected: string | number) => string} */
export const reviewState = (shown, total, accepted, rejected) =>
  `${shown} of ${total} shown · ${accepted} accepted · ${rejected} rejected`;
/** @type {(noun: string | number, number: string | number) => string} */
export const noteOn = (noun, number) => `Note on ${noun} ${number}`;
/** @type {(first: string | number, last: string | number) => string} */
export const showPart = (first, last) => `Show ${first} to ${last}`;
/** @type {(count: number, shown: boolean) => string} */
export const formChanges = (count, shown) =>
  `${shown ? "Hide" : "Show"} ${count} ${count === 1 ? "difference" : "differences"} of form (punctuation, capitals, layout of numbers)`;
export const notKept =
  "This browser cannot keep your decisions and notes: its storage is full or blocked. Save a “Review file” before you close the page.";
export const noneListed = "Nothing is listed with these filters.";
export const note = "Note";
export const accept = "Accept";
export const reject = "Reject";

// ---- Texts and sections ----

export const editSectionsTitle = "See how this text is divided into sections, and correct it in the text";
export const editSections = "Edit sections";
/** @type {(side: string | number) => string} */
export const sectionsOfText = (side) => `Sections of text ${side}`;
/** @type {(sentence: string | number, section: string | number) => string} */
export const sentenceInSection = (sentence, section) => `“${sentence}” in “${section}”`;
export const chooseHeading =
  "Click a heading, or a sentence where a section should begin. The text itself does not change.";
export const previousSection = "Previous section";
export const nextSection = "Next section";
export const beginSection = "Begin a section here";
export const isHeading = "Make it a heading";
/** @type {(name: string | number) => string} */
export const mergeWith = (name) => `Merge with “${name}”`;
export const compareSection = "Compare this section";
export const leaveOutSection = "Leave this section out";
export const heading = "Heading";
export const renameHelp =
  "Press Enter to rename. A new name changes labels, not scores. Leave it empty to restore the heading of the document.";
export const undo = "Undo";
export const redo = "Redo";
export const references = "References";
export const captions = "Captions";
export const footnotes = "Footnotes";
export const equations = "Equations";
export const boilerplate = "Front matter, licences, standard sentences";
export const template = "Text of a template";
export const standard = "Standard text of the reference";
export const excludedByUser = "Removed by you";
export const foldedTitle = "Not scored. Click or press Enter to unfold; arrow keys go to the next one.";
export const tablesSetAside = "Tables · not compared; their differences are in Changes";
/** @type {(what: string | number) => string} */
export const setAsideLabel = (what) => `${what} · not compared`;
/** @type {(what: string | number) => string} */
export const notScoredLabel = (what) => `${what} · not scored`;
export const asRead = "as read: ";
/** @type {(side: string | number) => string} */
export const outlineOfText = (side) => `Outline of text ${side}`;
export const outline = "Outline";
/** @type {(value: string | number) => string} */
export const strongestCounterpart = (value) => `Strongest counterpart ${value}`;
/** @type {(side: string | number) => string} */
export const textName = (side) => `Text ${side}`;
export const untitled = "Untitled";
/** @type {(items: string | number) => string} */
export const skippedTitle = (items) =>
  `Shown in grey and ignored by the score: ${items}. Each click opens the next one.`;
/** @type {(count: string | number) => string} */
export const skippedButton = (count) => `${count} ${count === 1 ? "item" : "items"} not scored`;
/** @type {(means: string | number, count: string | number) => string} */
export const splitTitle = (means, count) =>
  `${sentenceCase(means)}. ${count} ${count === "1" ? "passage" : "passages"}; each click shows the next one.`;
/** @type {(side: string | number) => string} */
export const splitOf = (side) => `Split of text ${side}`;
/** @type {(share: string | number, kind: string | number) => string} */
export const splitPart = (share, kind) => `${share} ${kind}`;
export const splitChanged = "without what you excluded";
export const showText = "Show text";
export const showPages = "Show pages";
/** @type {(value: string | number, place: string | number) => string} */
export const bestCounterpart = (value, place) => `Best counterpart ${value}, ${place}`;
export const find = "Find";
/** @type {(side: string | number) => string} */
export const findInText = (side) => `Find in text ${side}`;
export const shadeTextsBy = "Shade the texts by";
export const bestCounterparts = "best counterparts";
export const shadeBy = "Shade by ";
/** @type {(levelName: string | number) => string} */
export const textsLevel = (levelName) => `Texts, ${levelName}s: `;
/** @type {(levelName: string | number) => string} */
export const nextDarkest = (levelName) => `Each click goes to the next darkest ${levelName}`;
/** @type {(side: string | number, value: string | number) => string} */
export const darkestIn = (side, value) => `Darkest in ${side}, ${value}`;

// ---- Messages of the view ----

/** @type {(here: string | number, there: string | number) => string} */
export const otherVersion = (here, there) =>
  `This view and its data come from different versions of CoLDE Explorer (formats ${here} and ${there}). Reload the page.`;
export const showMap = "Show map";
export const model = "Model";
/** @type {(cell: string | number) => string} */
export const selectedCell = (cell) => `Selected ${cell}`;
/** @type {(noun: string | number, number: string | number, text: string | number) => string} */
export const itemText = (noun, number, text) => `${sentenceCase(noun)} ${number}: ${text}`;
export const and = " and ";
export const openAgain = "open again";
export const undone = "The last decision or note was undone.";

/** @param {string | number} words */
function sentenceCase(words) {
  return `${words}`.replace(/^./, (letter) => letter.toUpperCase());
}

// ---- Leaving passages out ----

export const selectedPassage = "The selected passage";
export const askWithout = "What would the models say without this passage?";
export const askAlone = "What would the models say about this passage alone?";
export const onlyThis = "Keep only this";
export const putBack = "Restore";
export const leaveOut = "Leave out";
export const leftOut = "Left out";
export const withoutPassages = "Without some passages";
export const askModels = "Ask the models";
export const allBack = "Restore all";
/** @type {(left: string | number, before: string | number) => string} */
export const estimate = (left, before) =>
  `Estimate: about ${left} of the score of ${before} is left. The score of the model can differ.`;
export const whatIf = "What if";
export const whatIfHelp =
  "Clear the check box of a section to leave it out. Or select a passage in a text, the map or the list, and use the buttons below its text.";
export const leaveOutOthers = "Leave out all but the two passages selected";
export const keepSelected = "Keep only what is selected";
export const smallestChange = "Fewest removals that flip the verdict";
export const smallestChangeTitle =
  "The fewest chunks whose removal flips the verdict: a greedy search; the model checks each step";
export const whatIsEnough = "Fewest sections that keep it";
export const whatIsEnoughTitle =
  "The fewest sections that alone keep the verdict: a greedy search; the model checks each step";
/** @type {(side: string | number) => string} */
export const sectionsOfSide = (side) => `Sections of ${side}`;
export const scoresWithout = "Scores without these passages";

// ---- Dividers and scrolling ----

/** @type {(side: string | number) => string} */
export const widthOfText = (side) => `Width of text ${side}`;
export const dividerTitle =
  "Drag, or press arrow keys, to change the widths. Double-click or press Enter to reset them.";
export const scrollTogether = "Sync scroll";
export const scrollTogetherTitle = "When you scroll one text, the other scrolls to the passages that say the same";
