"""Does an index bring up the documents that a text took passages from? Pairs of PAN's text alignment task.

    python -m studies.search.source_recall --pan FOLDER [--half test] [--most 10] [--work runs/sources] [--json FILE]

All sources of PAN are in one index, and each suspicious document is a query. Measured for each kind of reuse:
recall of the true source among the first candidates of each way and of their union; its place in the list of sources;
plagdet of its passages there, and of those of a comparison of the two. Other sources of a document that PAN names are
left out of a ranking before the place is counted: a document of PAN has up to eight. Some that it has are not named, so
a true source in the second place may stand behind another true one. Of documents without reuse: the largest share that
a source gets. The limits were chosen on the half `development`; the index is kept in --work.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import mean
from typing import Any

import colde
from colde.index.passage_rows import document_passages, searched_vectors
from colde.index.search import reciprocal_rank
from colde.index.sources.counted_sources import Sources
from colde.index.sources.passage_candidates import RANK_CONSTANT, passage_rankings
from colde.index.store import Store
from colde.index.write_buffer import prepare_for_index
from colde.results.shared_text import SAME_MEANING
from colde.text.document import Document
from colde.text.not_compared.boilerplate import prepare_for_comparison
from studies.arguments import command_line
from studies.passages.detection_measures import Case, measure
from studies.passages.pan_pairs import CLEAN, PanPair, read_documents, read_pairs
from studies.passages.seed_memory import places_in_file
from studies.tables import markdown_table, write_json

PLACES = (1, 5, 10, 20)
SMALL_SHARE = 0.02
"""Share of the words of a document that a source may have by chance."""
UNION = "union"


def index_of(folder: Path, contents: Mapping[str, str], pairs: Sequence[PanPair]) -> colde.Index:
    """The index of all sources, which is made where it does not exist."""
    files = folder / "files"
    files.mkdir(parents=True, exist_ok=True)
    for name in {pair.b for pair in pairs}:
        (files / f"{name}.txt").write_text(contents[name], encoding="utf-8")
    index = colde.Index(folder / "sources.index")
    index.add([files])
    return index


def rankings_of(store: Store, document: Document) -> dict[str, list[str]]:
    """Ids of candidates by each way, and of their union."""
    prepared = prepare_for_index(prepare_for_comparison(document))
    spans, vectors = document_passages(prepared, searched_vectors(prepared))
    texts = [prepared.text[span.start : span.end] for span in spans]
    ways = passage_rankings(store, texts, vectors)
    return {**ways, UNION: reciprocal_rank(ways.values(), RANK_CONSTANT)}


class Measured:
    """Places of true sources, and cases with detections, by kind of reuse."""

    def __init__(self, index: colde.Index, contents: Mapping[str, str], pairs: Sequence[PanPair]) -> None:
        self._index, self._contents = index, contents
        self._store = Store(index.folder)
        self._ids = {d.name.removesuffix(".txt"): d.id for d in index.documents()}
        self._true: dict[str, set[str]] = defaultdict(set)
        for pair in pairs:
            if pair.cases:
                self._true[pair.a].add(self._ids.get(pair.b, ""))
        self.places: dict[str, dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
        self.detections: dict[str, dict[str, list[tuple[Sequence[Case], Sequence[Case]]]]] = defaultdict(
            lambda: defaultdict(list)
        )
        self.largest_shares: list[float] = []
        self.seconds: list[float] = []

    def add(self, pair: PanPair) -> None:
        """Search for the sources of a pair's suspicious document."""
        document = colde.read(self._contents[pair.a].encode(), name=f"{pair.a}.txt")
        begun = time.perf_counter()
        sources = self._index.sources(document)
        self.seconds.append(time.perf_counter() - begun)
        if pair.kind == CLEAN:
            self.largest_shares.append(max((source.share for source in sources), default=0.0))
            return
        ways = {**rankings_of(self._store, document), "sources": [source.id for source in sources]}
        for way, ids in ways.items():
            self.places[way][pair.kind].append(self._place(pair, ids))
        self._detect(pair, document, sources)

    def _place(self, pair: PanPair, ids: Sequence[str]) -> int:
        """Place of the true source, from 1; 0 where it is missing."""
        true = self._ids[pair.b]
        left = [i for i in ids if i == true or i not in self._true[pair.a]]
        return left.index(true) + 1 if true in left else 0

    def _detect(self, pair: PanPair, document: Document, sources: Sources) -> None:
        other = colde.read(self._contents[pair.b].encode(), name=f"{pair.b}.txt")
        places = [places_in_file(d.text, self._contents[n]) for d, n in ((document, pair.a), (other, pair.b))]

        def cases(passages: Sequence[Any]) -> list[Case]:
            spans = ((p.a, p.b) for p in passages if p.kind in SAME_MEANING)
            return [
                (
                    (int(places[0][a.start]), int(places[0][a.end - 1]) + 1),
                    (int(places[1][b.start]), int(places[1][b.end - 1]) + 1),
                )
                for a, b in spans
            ]

        matches = [f for f in sources.sharing if f.document.id == self._ids[pair.b]]
        shared = colde.compare(document, other, models="tfidf").shared
        of_pair = () if shared is None else shared.passages
        self.detections["sources"][pair.kind].append(
            (pair.cases, cases([p for f in matches for p in f.passages]))
        )
        self.detections["pair"][pair.kind].append((pair.cases, cases(of_pair)))

    def figures(self) -> dict[str, Any]:
        """Everything that was measured."""
        shares = self.largest_shares
        return {
            "queries": len(self.seconds),
            "seconds": round(mean(self.seconds), 2),
            "recall": {
                way: {kind: [_share_within(places, n) for n in PLACES] for kind, places in kinds.items()}
                for way, kinds in self.places.items()
            },
            "plagdet": {
                name: {kind: round(measure(rows).plagdet, 3) for kind, rows in kinds.items()}
                for name, kinds in self.detections.items()
            },
            "without_reuse": {
                "documents": len(shares),
                "below": sum(share <= SMALL_SHARE for share in shares),
                "largest": round(max(shares, default=0.0), 3),
            },
        }


def _share_within(places: Sequence[int], most: int) -> float:
    return round(sum(1 <= place <= most for place in places) / len(places), 3)


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("--pan", type=Path, required=True, help="folder of train.pairs.jsonl")
    parser.add_argument("--half", choices=("development", "test"), default="test")
    parser.add_argument("--most", type=int, help="pairs of each kind")
    parser.add_argument("--work", type=Path, default=Path("runs/sources"), help="folder of the index")
    options = parser.parse_args()
    contents = read_documents(options.pan)
    pairs = read_pairs(options.pan)
    measured = Measured(index_of(options.work, contents, pairs), contents, pairs)
    wanted = [p.name for p in read_pairs(options.pan, options.most) if p.half == options.half]
    for pair in (p for p in pairs if p.name in set(wanted)):
        measured.add(pair)
    figures = measured.figures()
    rows = [
        (way, kind, *shares) for way, kinds in figures["recall"].items() for kind, shares in kinds.items()
    ]
    print(markdown_table(("way", "kind", *(f"recall@{n}" for n in PLACES)), rows))
    print({name: value for name, value in figures.items() if name != "recall"})
    if options.json:
        write_json(options.json, figures)


if __name__ == "__main__":
    main()
