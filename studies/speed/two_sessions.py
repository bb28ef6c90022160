"""Does a huge comparison of one session keep a short one of another waiting? Turns as page and service take them.

    python -m studies.speed.two_sessions ../shared/corpora/acl [--words 20000] [--models colde_words,tfidf] [--alone 3]

One session compares two short texts again and again, each pair another one: first alone, then while another session
compares two long ones (documents of a corpus, each once) and makes the view's payload of what it found, outside of its
turn, as the page does. What is counted is the processor's time of the whole process from a short pair's request to its
result: the waiting on a machine with nothing else to do, whatever else this one does. With it the longest time between
two signs of the long comparison, which is how long it may keep its turn beyond a slice.
"""

from __future__ import annotations

import os
import random
import statistics
import threading
import time
from functools import cache
from pathlib import Path

import colde
from colde import models
from colde.comparison.fair_queue import SLICE, FairQueue, TimeEstimator
from colde.comparison.pipeline import compare_steps
from colde.corpus.document_sources import document_sources
from colde.report.html.view_payload import view_payload
from colde.results.comparison import Comparison
from colde.results.progress import Progress
from colde.text.document import Document
from studies.arguments import command_line
from studies.speed.sample_texts import random_pair

SHORT = 600  # words of a short text


def long_pair(corpus: Path, words: int) -> tuple[Document, Document]:
    there = iter(document_sources([corpus]))
    made = []
    for _ in range(2):
        parts, count = [], 0
        while count < words:
            document = next(there).read()
            count += document.words()
            for _, section in document.compared():
                parts.append(
                    f"## {section.heading or document.title}\n\n{document.text[section.start : section.end]}"
                )
        made.append(colde.read_text("\n\n".join(["# A long text", *parts])))
    return made[0], made[1]


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("corpus", type=Path)
    parser.add_argument("--words", type=int, default=20_000, help="of each of the long texts")
    parser.add_argument("--models", default=",".join(models.DEFAULTS))
    parser.add_argument("--alone", type=int, default=3)
    asked = parser.parse_args()
    os.environ["COLDE_CACHE"] = "off"
    names = tuple(asked.models.split(","))
    load = cache(models.load)
    turns, pace, chance = FairQueue(), TimeEstimator(), random.Random(0)

    def work(owner: str, a: Document, b: Document, gaps: list[tuple[float, str]] | None = None) -> Comparison:
        with turns.take(owner, cost=pace.estimate(names, a.words() + b.words())) as turn:
            since, at = time.process_time(), "the beginning"

            def report(progress: Progress) -> None:
                nonlocal since, at
                here = f"{progress.stage} {progress.model or ''} {progress.done}/{progress.total}"
                if gaps is not None:
                    gaps.append((time.process_time() - since, f"from {at} to {here}"))
                turn.offer()
                since, at = time.process_time(), here

            *_, last = compare_steps(a, b, models=names, loader=load, on_progress=report)
            return last

    def short() -> float:
        a, b = random_pair(SHORT, chance, unseen=True)
        begun = time.process_time()
        work("short", a, b)
        return time.process_time() - begun

    short()  # models are loaded
    alone = [short() for _ in range(asked.alone)]
    usual = statistics.median(alone)
    print(f"alone: {usual:.2f} s ({min(alone):.2f} to {max(alone):.2f})", flush=True)
    a, b = long_pair(asked.corpus, asked.words)
    gaps: list[tuple[float, str]] = []
    spent: dict[str, float] = {}

    def long() -> None:
        begun = time.process_time()
        comparison = work("long", a, b, gaps)
        spent["compared"] = time.process_time() - begun
        begun = time.process_time()
        view_payload(comparison)
        spent["payload"] = time.process_time() - begun

    thread = threading.Thread(target=long)
    thread.start()
    beside = []
    while thread.is_alive():
        beside.append(short())
        print(
            f"beside {a.words():,} and {b.words():,} words: {beside[-1]:.2f} s, {beside[-1] / usual:.1f} ×",
            flush=True,
        )
    thread.join()
    beside = beside[:-1] or beside  # the last one may have ended alone
    half, most = statistics.median(beside), max(beside)
    print(
        f"beside: {half:.2f} s in the middle ({half / usual:.1f} × alone), {most:.2f} at most ({most / usual:.1f} ×)"
    )
    print({what: round(seconds, 1) for what, seconds in spent.items()})
    print(f"longest between two signs, a slice being {SLICE} s:")
    for seconds, where in sorted(gaps, reverse=True)[:6]:
        print(f"  {seconds:.2f} s {where}")


if __name__ == "__main__":
    main()
