"""Short answers to eight questions, our own writing: cut from a source, revised lightly or heavily, or independent.

As in the corpus of Clough and Stevenson (2011), whose answers are held back for measuring. Two answers of people who
did not see the source are independent, although they say the same.
"""

from __future__ import annotations

import gzip
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

from sklearn.metrics import roc_auc_score

from colde.models import load
from colde.models.lexical.bm25 import Bm25

ANSWERS = Path(__file__).with_name("short_answers.jsonl.gz")
REVISED = ("cut", "light", "heavy")
INDEPENDENT = "independent"


@dataclass(frozen=True, slots=True)
class AnswerPair:
    """An answer beside its source, or two independent answers to one question.

    Attributes:
        kind: cut, light, heavy or independent.
        a, b: texts.
    """

    name: str
    kind: str
    a: str
    b: str


def answer_pairs() -> list[AnswerPair]:
    """All pairs, by question."""
    with gzip.open(ANSWERS, "rt", encoding="utf-8") as lines:
        records = [json.loads(line) for line in lines]
    questions: dict[str, dict[str, str]] = defaultdict(dict)
    for record in records:
        questions[record["topic"]][record["name"]] = record["text"]
    return [pair for topic, texts in questions.items() for pair in _pairs(topic, texts)]


def _pairs(topic: str, texts: Mapping[str, str]) -> Iterator[AnswerPair]:
    for name, text in texts.items():
        kind = name.partition("_")[0]
        if kind in REVISED:
            yield AnswerPair(f"{topic}-{name}", kind, text, texts["source"])
    for one, two in combinations((name for name in texts if name.startswith("own_")), 2):
        yield AnswerPair(f"{topic}-{one}-{two}", INDEPENDENT, texts[one], texts[two])


def bm25_scores(pairs: Sequence[AnswerPair]) -> list[float]:
    """Scores of the model BM25."""
    model = load("bm25")
    assert isinstance(model, Bm25)
    return [model.score(model.weigh([pair.a]), model.weigh([pair.b])) for pair in pairs]


def separation(pairs: Sequence[AnswerPair], scores: Sequence[float]) -> float:
    """ROC AUC of revised answers against independent ones."""
    return float(roc_auc_score([pair.kind != INDEPENDENT for pair in pairs], scores))
