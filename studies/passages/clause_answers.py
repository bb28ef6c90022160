"""Clauses of agreements that answer the same question in other words (ContractNLI, Koreeda and Manning 2021).

    python -m studies.passages.clause_answers FOLDER [--json FILE]

FOLDER holds nda.jsonl.gz, pairs of non-disclosure agreements with the spans that answer each of 17 questions. hit@1 and
hit@3: share of the clauses of A of which one of the first counterparts lies in an answer of B. No weight was fitted on
them; the form of the order was chosen on them. Yardsticks: sentences by the cosine of TF-IDF, and any clause of B by
chance.
"""

from __future__ import annotations

import gzip
import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer

import colde
from colde.results.comparison import Comparison
from colde.text.clauses_and_requirements.clauses import clauses
from colde.text.document import Document, Span
from studies.arguments import command_line
from studies.passages.seed_memory import places_in_file
from studies.tables import write_json

SHOWN = 3
"""Counterparts of a clause."""
LEAST_OVERLAP = 0.3
"""Share of the shorter of counterpart and answer from which one lies in the other."""


class AnswerFile:
    """An agreement as it was read, with the places of its characters in the file."""

    def __init__(self, name: str, content: str) -> None:
        self.document: Document = colde.read(content.encode(), name=f"{name}.txt")
        self._places = places_in_file(self.document.text, content)

    def span(self, start: int, end: int) -> Span:
        """The part of the text with these characters of the file."""
        first, last = np.searchsorted(self._places, [start, end])
        return Span(int(first), max(int(first) + 1, int(last)))

    def answers(self, spans: Sequence[Sequence[int]]) -> list[Span]:
        return [self.span(start, end) for start, end in spans]


def is_answer(place: Span, answers: Sequence[Span]) -> bool:
    """Whether a passage and an answer overlap in `LEAST_OVERLAP` of the shorter one."""
    return any(
        min(place.end, a.end) - max(place.start, a.start) > LEAST_OVERLAP * min(len(place), len(a))
        for a in answers
    )


def measured(path: Path) -> dict[str, Any]:
    """Hit rates of the program, of TF-IDF and of chance."""
    hits: dict[str, list[tuple[bool, bool]]] = {"counterparts": [], "TF-IDF": []}
    chance: list[float] = []
    for pair in _pairs(path):
        a, b = AnswerFile("a", pair["a"]), AnswerFile("b", pair["b"])
        comparison = colde.compare(a.document, b.document, "tfidf")
        sentences = [Span(s.start, s.end) for _, s in b.document.sentences()]
        units = [Span(sentences[u[0]].start, sentences[u[-1]].end) for u in clauses(b.document, sentences)]
        for question in pair["clauses"]:
            row, answers = a.span(*question["a"][0]), b.answers(question["b"])
            listed = [is_answer(c.b, answers) for c in comparison.counterparts(row.start, row.end, SHOWN)]
            hits["counterparts"].append((any(listed[:1]), any(listed)))
            by_words = [is_answer(sentences[k], answers) for k in _by_words(comparison, row, sentences)]
            hits["TF-IDF"].append((by_words[0], any(by_words)))
            chance.append(float(np.mean([is_answer(u, answers) for u in units])))
    rates = {name: [round(float(x), 3) for x in np.mean(some, axis=0)] for name, some in hits.items()}
    return {"clauses": len(chance), "chance": round(float(np.mean(chance)), 3), **rates}


def _pairs(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def _by_words(comparison: Comparison, row: Span, sentences: Sequence[Span]) -> list[int]:
    a, b = comparison.a, comparison.b
    texts = [b.text[s.start : s.end] for s in sentences]
    vectors = TfidfVectorizer(sublinear_tf=True, stop_words="english").fit(
        [*(a.text[s.start : s.end] for _, s in a.sentences()), *texts]
    )
    similarities = (vectors.transform(texts) @ vectors.transform([a.text[row.start : row.end]]).T).toarray()[
        :, 0
    ]
    return [int(k) for k in np.argsort(-similarities)[:SHOWN]]


def main() -> None:
    parser = command_line(__doc__, "--json")
    parser.add_argument("folder", type=Path)
    options = parser.parse_args()
    figures = measured(options.folder / "nda.jsonl.gz")
    print(json.dumps(figures))
    if options.json:
        write_json(options.json, figures)


if __name__ == "__main__":
    main()
