"""What a document costs an index that holds 100, 1,000 or 10,000 already: seconds, bytes, memory; and a search.

    python -m studies.search.index_cost CORPUS… [--documents 10000] [--words 600] [--index s3://bucket/new.index]

Documents are the beginnings of those of the corpora, repeated with a number of their own where there are too few. The
encoder is left out: sentences get random vectors, since it reads each document by itself and takes as long for the last
as for the first. Everything else is what `colde index add` does: sentences, chunks, vectors of every level, rows, text
indexes, merging of files.
"""

from __future__ import annotations

import itertools
import os
import random
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from colde import models
from colde.corpus.corpus_folder import read_records, record_to_document, write_documents
from colde.encoders.sentence_layout import Sentences
from colde.encoders.vector_math import normalised
from colde.index import Index
from colde.models.colde.matcher import Colde
from colde.results.similarity_map import Array
from studies.arguments import command_line
from studies.corpora import beginning, record_words
from studies.speed.process_memory import peak_mebibytes


def documents(corpora: list[Path], words: int) -> Iterator[dict[str, Any]]:
    """Records of the beginnings of documents, without end; a document that comes again has a number in its text."""
    records: list[dict[str, Any]] = []
    for corpus in corpora:
        for _, record in read_records(corpus):
            first = beginning(record, words, cut=True)
            if record_words(first) > 50:
                records.append(first)
    random.Random(0).shuffle(records)
    for number, record in enumerate(itertools.cycle(records)):
        if number >= len(records):
            paragraphs = [f"This is number {number}.", *record["sections"][0]["paragraphs"]]
            first = {**record["sections"][0], "paragraphs": paragraphs}
            record = {**record, "sections": [first, *record["sections"][1:]]}
        yield {**record, "id": f"{record['id']}-{number}"}


def without_encoder() -> Colde:
    """The shipped network over random sentence vectors."""
    model = models.load("colde")
    assert isinstance(model, Colde)
    rng, reader = np.random.default_rng(0), model.sentence_encoder

    def read(layout: Sentences, batch: NDArray[np.int64]) -> Array:
        return normalised(rng.normal(size=(len(batch), reader.width)).astype(np.float32))

    reader.read_batch = read  # type: ignore[method-assign]
    return model


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpora", type=Path, nargs="+")
    parser.add_argument("--documents", type=int, default=10_000)
    parser.add_argument("--words", type=int, default=600)
    parser.add_argument(
        "--index", help="where it is made, and stays; by default a folder for as long as this runs"
    )
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    model = without_encoder()
    source = documents(asked.corpora, asked.words)
    steps = [n for n in (100, 1_000, 3_000, 10_000) if n < asked.documents] + [asked.documents]
    with tempfile.TemporaryDirectory(prefix="index_cost") as folder:
        index = Index(asked.index or Path(folder) / "index", model="colde", loader=lambda name: model)
        held = 0
        for step in steps:
            corpus = Path(folder) / f"corpus-{step}"
            write_documents(corpus, itertools.islice(source, step - held))
            begun = time.perf_counter(), time.process_time()
            result = index.add([corpus])
            clock, processor = time.perf_counter() - begun[0], time.process_time() - begun[1]
            more = step - held
            held = index.stats().documents
            query = record_to_document(next(source))
            spent = []
            for _ in range(5):
                start = time.perf_counter()
                index.search(query)
                spent.append(time.perf_counter() - start)
            stats = index.stats()
            print(
                f"{step:6,} documents ({len(result.known)} known): {1000 * clock / more:5.0f} ms a document by the "
                f"clock, {1000 * processor / more:5.0f} of processor time; {stats.bytes / held / 1e3:5.1f} kB each, "
                f"{stats.chunks / held:.1f} chunks; search {1000 * float(np.median(spent)):.0f} ms; most memory "
                f"{peak_mebibytes():,.0f} MiB; load {os.getloadavg()[0]:.0f}",
                flush=True,
            )


if __name__ == "__main__":
    main()
