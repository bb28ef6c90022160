"""Does a search bring up the papers that a paper cites, and articles on the same matter? Rankings of a pool.

python -m studies.search.retrieval CORPUS… [--documents 150] [--seed 0] [--output docs/log/search.md]

Queries are sources of positive validation pairs (a citing paper, an article), drawn at random until they and their
targets (papers it cites, articles with many links in common) fill the pool. Right are the targets; what is related
beyond the pairs counts as wrong. Each query ranks the whole pool but itself, and lists of 20: the right ones among as
many others of the pool as are needed, drawn at random. Intervals are of 1,000 bootstrap samples of the queries.

Reading with the vector cache on (the default), a second run takes a fraction of the time.
"""

from __future__ import annotations

import random
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde import models
from colde.corpus.corpus_folder import read_pairs, record_to_document, write_documents
from colde.evaluation.pair_scores import records_of
from colde.index import Index
from colde.index.search import CANDIDATES, rankings, reciprocal_rank
from colde.index.store import Store
from colde.judge.profiles import profile_of
from colde.results.progress import Progress
from colde.text.document import Document
from colde.text.sections.parts_without_headings import split_into_parts
from studies.arguments import command_line
from studies.significance import bootstrap_interval
from studies.tables import markdown_table, replace_between

NAMES = ("tfidf", "bm25", "minilm", "smith", "colde", "colde_words")
RELATIONS = {"acl": "citations", "wiki": "pairs of linked articles"}
FIRST = 10
LIST = 20
MEASURES = {"recall": "recall@10", "mrr": "MRR", "ndcg": "nDCG@10"}
BEGIN, END = "<!-- retrieval: begin -->", "<!-- retrieval: end -->"

Measures = dict[str, NDArray[np.float64]]


def sample(corpus: Path, most: int, seed: int) -> tuple[list[str], dict[str, set[str]]]:
    """Names of the pool, and the cited papers of each query."""
    rows: dict[str, list[str]] = defaultdict(list)
    for pair in read_pairs(corpus / "valid.tsv"):
        if pair.label:
            rows[pair.source].append(pair.target)
    sources = sorted(rows)
    random.Random(seed).shuffle(sources)
    pool: dict[str, None] = {}
    cited: dict[str, set[str]] = {}
    for source in sources:
        named = [source, *rows[source]]
        if len(set(pool) | set(named)) <= most:
            pool |= dict.fromkeys(named)
            cited[source] = set(rows[source])
    return list(pool), cited


def measures(rankings: Mapping[str, Sequence[str]], cited: Mapping[str, set[str]]) -> Measures:
    """Recall of the first ten, reciprocal rank of the first right one, and nDCG of the first ten, a value a query."""
    by_measure: dict[str, list[float]] = {"recall": [], "mrr": [], "ndcg": []}
    for query, right in cited.items():
        hits = [name in right for name in rankings[query]]
        gains = [hit / np.log2(rank + 1) for rank, hit in enumerate(hits[:FIRST], 1)]
        best = sum(1 / np.log2(rank + 1) for rank in range(1, min(len(right), FIRST) + 1))
        by_measure["recall"].append(sum(hits[:FIRST]) / min(len(right), FIRST))
        by_measure["mrr"].append(next((1 / rank for rank, hit in enumerate(hits, 1) if hit), 0.0))
        by_measure["ndcg"].append(sum(gains) / best)
    return {name: np.array(values) for name, values in by_measure.items()}


def cell(values: NDArray[np.float64]) -> str:
    """Mean and 95 % interval."""
    mean, low, high = bootstrap_interval(values)
    return f"{mean:.3f} ({low:.3f}–{high:.3f})"


def rankings_of(
    name: str, pool: Mapping[str, Document], queries: Sequence[str], profile: str
) -> dict[str, list[str]]:
    """The pool by a model's score for each query, best first."""
    model = models.load(name)
    if hasattr(model, "for_profile"):
        model = model.for_profile(profile)
    encoded = {}
    for done, (key, document) in enumerate(pool.items(), 1):
        encoded[key] = model.encode([document], explain=False)[0]
        print(f"{name}: {done} of {len(pool)}", file=sys.stderr, end="\r", flush=True)
    by_query = {}
    for query in queries:
        scores = {
            k: model.match(encoded[query], e, explain=False).score for k, e in encoded.items() if k != query
        }
        by_query[query] = sorted(scores, key=lambda k: -scores[k])
    return by_query


def hybrid(
    records: Mapping[str, Mapping[str, Any]], pool: Mapping[str, Document], queries: Sequence[str]
) -> dict[str, list[str]]:
    """The order of an index before the model's score: three rankings joined by their ranks."""

    def show(progress: Progress) -> None:
        print(f"index: {progress.done} of {progress.total}", file=sys.stderr, end="\r", flush=True)

    with tempfile.TemporaryDirectory() as folder:
        write_documents(Path(folder) / "corpus", records.values())
        index = Index(Path(folder) / "index")
        index.add([Path(folder) / "corpus"], on_progress=show)
        names = {d.id: d.name for d in index.documents()}
        store, model = Store(index.folder), models.load(index.model)
        by_query = {}
        for query in queries:
            ways, _ = rankings(store, model.encode([pool[query]])[0], "document", None, len(pool))
            order = [names[i] for i in reciprocal_rank(ways.values())]
            by_query[query] = [name for name in order if name != query]
    return by_query


def lists(
    rankings: Mapping[str, Sequence[str]], cited: Mapping[str, set[str]], seed: int
) -> dict[str, list[str]]:
    """The same rankings of 20 candidates a query: the cited and others drawn at random, the same for each model."""
    by_query = {}
    for query, right in cited.items():
        others = sorted(set(rankings[query]) - right)
        drawn = random.Random(f"{seed} {query}").sample(others, max(0, min(LIST - len(right), len(others))))
        kept = right | set(drawn)
        by_query[query] = [name for name in rankings[query] if name in kept]
    return by_query


def reranked(fused: Mapping[str, Sequence[str]], scored: Mapping[str, Sequence[str]]) -> dict[str, list[str]]:
    """What `colde index search` gives: the first candidates of the joined ranks in the order of the score."""
    return {
        query: [*sorted(order[:CANDIDATES], key=scored[query].index), *order[CANDIDATES:]]
        for query, order in fused.items()
    }


def table_of(corpus: Path, documents: int, seed: int) -> str:
    names, right = sample(corpus, documents, seed)
    records = records_of(corpus, [(name, name) for name in names])
    pool = {name: split_into_parts(record_to_document(records[name])) for name in names}
    queries = list(right)
    by_title = {}
    for name in NAMES:
        begun = time.perf_counter()
        by_title[models.card(name).title] = rankings_of(name, pool, queries, profile_of(corpus.name))
        print(f"\n{corpus.name}, {name}: {time.perf_counter() - begun:.0f} s", file=sys.stderr, flush=True)
    fused = hybrid(records, pool, queries)
    by_title["Hybrid: ranks of vectors and BM25 joined"] = fused
    by_title["`colde index search`: hybrid, its first 100 by CoLDE + words"] = reranked(
        fused, by_title[models.card("colde_words").title]
    )
    rows = []
    for title, ranking in by_title.items():
        both = measures(ranking, right), measures(lists(ranking, right, seed), right)
        rows.append([title, *(cell(part[m]) for part in both for m in MEASURES)])
    columns = [*MEASURES.values(), *(f"{name}, lists of {LIST}" for name in MEASURES.values())]
    return (
        f"{corpus.name}: {len(queries)} queries, {len(pool)} documents, {sum(map(len, right.values()))} "
        f"{RELATIONS.get(corpus.name, 'pairs')}, seed {seed}; mean and 95 % interval.\n\n"
        f"{markdown_table(['', *columns], rows)}"
    )


def main() -> None:
    parser = command_line(__doc__, "--seed")
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=150)
    parser.add_argument("--output", type=Path)
    asked = parser.parse_args()
    tables = []
    for corpus in asked.corpora:
        tables.append(table_of(corpus, asked.documents, asked.seed))
        print(tables[-1], flush=True)
    if asked.output is not None:
        replace_between(asked.output, BEGIN, END, "\n".join(tables))


if __name__ == "__main__":
    main()
