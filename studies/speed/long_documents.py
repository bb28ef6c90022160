"""Two documents of 10, 100 and 1,000 pages: processor time a token, memory, and what the page is sent.

python -m studies.speed.long_documents CORPUS [--pages 10 100 1000] [--models colde,tfidf] [--explain]

Each document is different documents of a corpus one after the other, `WORDS` words a page. Each size runs in a process
of its own, the cache off, with the models loaded and used once before the clock starts.
"""

from __future__ import annotations

import json
import multiprocessing
import os
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from colde.corpus.corpus_folder import read_records, record_to_document
from colde.models.base import Matcher
from colde.results.encoding import Encoding
from colde.text.document import Document
from studies.arguments import command_line
from studies.corpora import beginning, record_words
from studies.speed.process_memory import peak_mebibytes

WORDS = 500
"""Words of a page of running text."""


@dataclass
class Measured:
    """What one size took.

    Attributes:
        stages: processor seconds up to each stage, by model.
        resident: the greatest resident memory in MiB: after the models are loaded, and in the end.
        payload: what the linked view is sent, in millions of characters; made: processor seconds to make it.
        explanations: processor seconds of everything that explains a score, by model.
    """

    pages: int
    tokens: int = 0
    sentences: tuple[int, int] = (0, 0)
    seconds: dict[str, float] = field(default_factory=dict)
    resident: tuple[float, float] = (0.0, 0.0)
    payload: float = 0.0
    made: float = 0.0
    explanations: dict[str, float] = field(default_factory=dict)


def documents(corpus: Path, pages: int) -> tuple[Document, Document]:
    """Two documents of so many pages, without a section in common."""
    records = read_records(corpus)
    made = []
    for side in "ab":
        sections: list[dict[str, Any]] = []
        words = 0
        while words < pages * WORDS:
            _, record = next(records)
            new = beginning(record, pages * WORDS - words)
            words += record_words(new)
            sections += new["sections"]
        made.append(record_to_document({"id": side, "title": f"{pages} pages, {side}", "sections": sections}))
    return made[0], made[1]


def _match_seconds(model: Matcher, encoded: Sequence[Encoding], explain: bool) -> float:
    begun = time.process_time()
    model.match(*encoded, explain=explain)
    return time.process_time() - begun


def measure(
    corpus: Path, pages: int, names: str | None, reports: Path | None = None, explain: bool = False
) -> Measured:
    """Compare two documents of so many pages; with a folder, write their report there for `long_report.py`."""
    import colde
    from colde import models
    from colde.report.html.html_report import to_html
    from colde.report.html.view_payload import view_payload
    from colde.results.progress import Progress, Stage

    measured = Measured(pages)
    a, b = documents(corpus, pages)
    loaded = {name: models.load(name) for name in models.resolve(names)}
    colde.compare(*documents(corpus, 1), models=list(loaded), loader=loaded.__getitem__)
    measured.resident = (peak_mebibytes(), 0.0)
    last = time.process_time()

    def watch(progress: Progress) -> None:
        nonlocal last
        if progress.stage in (Stage.COMPARING, Stage.DONE):
            now = time.process_time()
            read = f"{progress.model} encode"  # until it compares for the first time
            what = read if read not in measured.seconds else f"{progress.model} match"
            measured.seconds[what] = measured.seconds.get(what, 0.0) + now - last
            last = now

    comparison = colde.compare(a, b, models=list(loaded), loader=loaded.__getitem__, on_progress=watch)
    measured.seconds["shared text"] = time.process_time() - last
    for name, model in loaded.items() if explain else ():
        encoded = model.encode([a, b])
        measured.explanations[name] = _match_seconds(model, encoded, True) - _match_seconds(
            model, encoded, False
        )
    measured.tokens = max(r.read_a.tokens + r.read_b.tokens for r in comparison.models)
    measured.sentences = len(list(a.sentences())), len(list(b.sentences()))
    measured.resident = (measured.resident[0], peak_mebibytes())
    begun = time.process_time()
    payload = view_payload(comparison, comparison.models[0].name)
    measured.payload = len(json.dumps(payload, ensure_ascii=False)) / 1e6
    measured.made = time.process_time() - begun
    if reports is not None:
        reports.mkdir(parents=True, exist_ok=True)
        (reports / f"{pages}_pages.html").write_text(to_html(comparison), encoding="utf-8")
    return measured


def show(measured: Measured) -> None:
    total = sum(measured.seconds.values())
    print(
        f"{measured.pages:5} pages: {measured.tokens:,} tokens, "
        f"{measured.sentences[0]:,} and {measured.sentences[1]:,} sentences; "
        f"{total:.1f} s, {total / measured.tokens * 1e6:.0f} µs a token; "
        f"resident {measured.resident[0]:.0f} MiB with models, {measured.resident[1]:.0f} at most; "
        f"page {measured.payload:.1f} M characters, made in {measured.made:.1f} s"
    )
    for name, seconds in measured.seconds.items():
        print(f"          {seconds:8.2f} s  {seconds / measured.tokens * 1e6:7.1f} µs a token  {name}")
    for name, seconds in measured.explanations.items():
        print(f"          {seconds:8.2f} s  {name}: everything that explains the score", flush=True)


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--pages", type=int, nargs="+", default=[10, 100, 1_000])
    parser.add_argument("--models", help="names; the defaults where it is not given")
    parser.add_argument("--reports", type=Path, help="a folder for the report of each size")
    parser.add_argument("--explain", action="store_true", help="time the explanations alone, too")
    chosen = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    context = multiprocessing.get_context("spawn")
    for pages in chosen.pages:
        with context.Pool(1) as pool:
            show(pool.apply(measure, (chosen.corpus, pages, chosen.models, chosen.reports, chosen.explain)))


if __name__ == "__main__":
    main()
