"""What does a search for sources cost in an index of 100,000 passages? Seconds, memory, bytes; and writing them.

    python -m studies.search.source_scale CORPUS… --pan FOLDER --index INDEX [--passages 100000] [--queries 10]

INDEX holds the sources of PAN (studies/search/source_recall.py makes it) and grows by documents of the corpora. Their
sentences are not encoded: document by document they get consecutive vectors of sentences of PAN, with noise. The cosine
of a vector to the one it comes from is 0.71, that of the nearest chunks of two documents (docs/log/scale.md). So these
documents come up by words and by vectors, and are compared as others are; they share no passage.

A call that made the index grow ends there, so that the next one has the memory of a search alone. A query has ten
pages: suspicious documents of PAN one after the other, so that it has the sources of several. Reading and encoding it
is not counted. Processor time is that of all threads.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path
from statistics import mean
from typing import Any

import numpy as np
from numpy.typing import NDArray

import colde
from colde import models
from colde.corpus.corpus_folder import read_records, record_to_document
from colde.encoders.encoder_names import PACKAGED
from colde.encoders.sentence_encoder import shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import normalised
from colde.index.index_rows import Row, rows_of
from colde.index.index_schema import DOCUMENTS, PASSAGES, arrow_tables
from colde.index.passage_rows import document_passages, passage_rows, searched_vectors, sentence_columns
from colde.index.search import nearest_vectors
from colde.index.sources.passage_candidates import HITS_PER_PASSAGE, passage_candidates
from colde.index.store import Store
from colde.index.write_buffer import prepare_for_index
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.not_compared.boilerplate import prepare_for_comparison
from colde.text.word_weights.term_weights import bucket, shipped_statistics, words_of
from studies.arguments import command_line
from studies.passages.pan_pairs import read_documents, read_pairs
from studies.speed.process_memory import peak_mebibytes
from studies.tables import markdown_table, read_json, write_json

TEN_PAGES = 4_500
"""Words of a query."""
TO_ORIGIN = 0.71
"""Cosine of a vector with noise to the one it comes from."""
GENERATED = "generated"
"""Folder of the documents of the corpora in the index."""
RAREST = 8
"""Words of a passage that are searched where not all are."""
AT_ONCE = 64
"""Documents that are written together."""


class NoisyVectors:
    """Vectors of sentences in place of an encoder: consecutive ones of some documents, with noise.

    Args:
        known: [sentences, dimension].
    """

    def __init__(self, known: Array) -> None:
        self._known, self._rng, self._first = known, np.random.default_rng(0), 0
        self._layout: Sentences | None = None

    def read_batch(self, layout: Sentences, batch: NDArray[np.int64]) -> Array:
        """Unit vectors: [batch, dimension]; in place of the method of `CachedSentenceEncoder`."""
        if layout is not self._layout:
            self._layout, self._first = layout, int(self._rng.integers(len(self._known)))
        origins = self._known[(self._first + batch) % len(self._known)]
        noise = normalised(self._rng.normal(size=origins.shape).astype(np.float32))
        return normalised(TO_ORIGIN * origins + np.sqrt(1 - TO_ORIGIN**2) * noise)


def known_vectors(store: Store) -> Array:
    """Vectors of the sentences of the sources of PAN: [sentences, dimension]."""
    rows = store.rows(DOCUMENTS, ["sentences", "width"], f"folder NOT LIKE '{GENERATED}%'")
    vectors = (np.frombuffer(row["sentences"], np.float16).reshape(-1, row["width"]) for row in rows)
    return np.concatenate(list(vectors)).astype(np.float32)


def generated_rows(record: dict[str, Any], dimension: int) -> dict[str, list[Row]]:
    """The rows of a document of a corpus, without those of sections and chunks, which sources do not need."""
    document = prepare_for_index(prepare_for_comparison(record_to_document(record)))
    none = np.zeros((0, dimension), dtype=np.float32)
    vector = np.ones(dimension, dtype=np.float32) / np.sqrt(dimension)
    encoding = Encoding(document, Coverage(0, 0), vector=vector, sections=none, chunks=none)
    rows = rows_of(encoding, models.load("tfidf"), f"{GENERATED}/{record['id']}", f"{record['id']}", None)
    document_id = rows[DOCUMENTS][0]["id"]
    rows[DOCUMENTS][0] |= sentence_columns(document)
    rows[PASSAGES] = passage_rows(document, document_id, PACKAGED)[0]
    return rows


def grow(store: Store, corpora: Sequence[Path], passages: int) -> dict[str, float]:
    """Add documents until the index has so many passages; what a document costs to write, without its encoder."""
    records = [record for corpus in corpora for _, record in read_records(corpus)]
    random.Random(0).shuffle(records)
    dimension = store.meta.dimension
    before, held = store.count(DOCUMENTS), store.bytes()
    writing = merging = 0.0
    with store.writing():
        known = {row["file"] for row in store.rows(DOCUMENTS, ["file"])}
        left = iter([record for record in records if record["id"] not in known])
        while store.count(PASSAGES) < passages and (some := list(islice(left, AT_ONCE))):
            rows = [generated_rows(record, dimension) for record in some]
            joined = {name: [row for one in rows for row in one[name]] for name in rows[0]}
            tables = arrow_tables(joined, dimension, store.meta.passages)
            writing += _seconds(partial(store.append, tables))[0]
    added = store.count(DOCUMENTS) - before
    if added:
        merging = _seconds(store.compact)[0]
    return {
        "added": added,
        "milliseconds to write a document": round(1000 * writing / max(added, 1), 1),
        "seconds to merge and index": round(merging, 1),
        "kilobytes a document": round((store.bytes() - held) / max(added, 1) / 1000, 1),
    }


def ten_page_queries(pan: Path, count: int) -> Iterator[Document]:
    """Suspicious documents of the half `development`, one after the other until they have ten pages, as indexed."""
    contents = read_documents(pan)
    names = list(dict.fromkeys(p.a for p in read_pairs(pan) if p.half == "development" and p.cases))
    random.Random(0).shuffle(names)
    left = iter(names)
    for _ in range(count):
        text = ""
        while len(text.split()) < TEN_PAGES:
            text += contents[next(left)] + "\n\n"
        words = " ".join(text.split(" ")[: int(TEN_PAGES * 1.1)])
        yield prepare_for_index(prepare_for_comparison(colde.read(words.encode(), name="query.txt")))


def _seconds(do: Callable[[], object]) -> tuple[float, float, Any]:
    """Processor seconds, seconds by the clock, and the result."""
    processor, clock = time.process_time(), time.perf_counter()
    result = do()
    return time.process_time() - processor, time.perf_counter() - clock, result


def measure_query(index: colde.Index, store: Store, document: Document) -> dict[str, float]:
    """Seconds of a search beyond reading and encoding, and of finding its candidates alone."""
    spans, vectors = document_passages(document, searched_vectors(document))
    texts = [document.text[span.start : span.end] for span in spans]
    of_vectors = _seconds(partial(_nearest_passages, store, vectors))
    of_rare_words = _seconds(lambda: [_passages_with(store, rarest_words(text)) for text in texts])
    of_candidates = _seconds(lambda: passage_candidates(store, texts, vectors))
    of_all = _seconds(lambda: index.sources(document))
    return {
        "words": document.words(),
        "passages": len(spans),
        "nearest vectors, s": of_vectors[0],
        "BM25 of all words, s": of_candidates[0] - of_vectors[0],
        "BM25 of the rarest words, s": of_rare_words[0],
        "comparisons and count, s": of_all[0] - of_candidates[0],
        "in all, s": of_all[0],
        "in all, by the clock, s": of_all[1],
        "documents compared": of_all[2].searched,
        "sources": len(of_all[2]),
    }


def _nearest_passages(store: Store, vectors: Array) -> object:
    query = nearest_vectors(store.table(PASSAGES), list(vectors))
    return query.select(["document", "_distance"]).limit(HITS_PER_PASSAGE).to_list()


def _passages_with(store: Store, words: Sequence[str]) -> object:
    query = store.table(PASSAGES).search(" ".join(words), query_type="fts")
    return query.select(["document", "_score"]).limit(HITS_PER_PASSAGE).to_list()


def rarest_words(text: str) -> list[str]:
    """The `RAREST` words of a passage that are in the fewest documents of the background."""
    idf = shipped_statistics().idf
    return sorted(set(words_of(text)), key=lambda word: (-idf[bucket(word)], word))[:RAREST]


def kilobytes_of_parts(store: Store) -> dict[str, float]:
    """What a generated document holds, without older states of the tables and their indexes: means of all."""
    documents = store.rows(DOCUMENTS, ["id", "packed", "sentences", "text"], f"folder LIKE '{GENERATED}%'")
    some = {row["id"] for row in documents}
    passages = [row for row in store.rows(PASSAGES, ["document", "text"]) if row["document"] in some]
    count = max(len(documents), 1)
    return {
        "documents": len(documents),
        "words": round(sum(len(row["text"].split()) for row in documents) / count),
        "passages": round(len(passages) / count, 1),
        "kB of text and structure": round(
            sum(len(row["packed"]) + len(row["text"].encode()) for row in documents) / count / 1000, 1
        ),
        "kB of vectors of sentences": round(
            sum(len(row["sentences"]) for row in documents) / count / 1000, 1
        ),
        "kB of vectors of passages": round(len(passages) * store.meta.passages * 4 / count / 1000, 1),
        "kB of texts of passages": round(
            sum(len(row["text"].encode()) for row in passages) / count / 1000, 1
        ),
    }


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--pan", type=Path, required=True, help="folder of train.pairs.jsonl")
    parser.add_argument("--index", type=Path, required=True)
    parser.add_argument("--passages", type=int, default=100_000)
    parser.add_argument("--queries", type=int, default=10)
    options = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    index, store = colde.Index(options.index), Store(options.index)
    if store.count(PASSAGES) < options.passages:
        noisy = NoisyVectors(known_vectors(store))
        shared_sentence_encoder().read_batch = noisy.read_batch  # type: ignore[method-assign]
        print(grow(store, options.corpora, options.passages))
        return
    queries = list(ten_page_queries(options.pan, options.queries + 1))
    for document in queries:
        searched_vectors(document)
    measure_query(index, store, queries[0])  # loads what is loaded once
    rows = [measure_query(index, store, document) for document in queries[1:]]
    peak = round(peak_mebibytes())
    figures: dict[str, Any] = {
        "documents": store.count(DOCUMENTS),
        "passages": store.count(PASSAGES),
        "document": kilobytes_of_parts(store),
        "megabytes": round(store.bytes() / 1e6),
        "mean": {name: round(mean(row[name] for row in rows), 2) for name in rows[0]},
        "greatest": {name: round(max(row[name] for row in rows), 2) for name in rows[0]},
        "peak_mebibytes": peak,
        "load": round(os.getloadavg()[0]),
    }
    names = ("mean", "greatest")
    print(markdown_table(("", *names), [(key, *(figures[n][key] for n in names)) for key in rows[0]]))
    print({name: value for name, value in figures.items() if name not in names})
    if options.json:
        write_json(options.json, read_json(options.json, {}) | {f"{figures['passages']:,} passages": figures})


if __name__ == "__main__":
    main()
