"""Which sentences of a cited paper does a citing sentence speak of? Rankings against the judgement of people.

python benchmarks/citances.py FOLDER [--memory FILE.npz]

FOLDER holds documents.jsonl.gz and citances.jsonl. MRR of the first judged sentence and hit@5 are means over cases;
F1 compares the two first sentences with the judged ones, counts added up within a cited paper, mean over papers.
The learned ranking is a logistic regression over the same likenesses, fitted on the other cited papers.
"""

from __future__ import annotations

import argparse
import gzip
import json
import re
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from memory import Memory
from numpy.typing import NDArray
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import GroupKFold

from colde.encoders.vectors import cosines, normalised, window_means
from colde.explain.passages import letter_cosines

Scores = NDArray[np.floating]

CITATION = re.compile(
    r"\([^()]*\b(?:19|20)\d\d[a-z]?[^()]*\)|\[[^\[\]]{1,30}\]"
    r"|[A-Z]\w+ (?:et al\.?|and [A-Z]\w+)?,? ?\(?(?:19|20)\d\d[a-z]?\)?"
)
"""(Brown et al., 1993), [12], Collins and Duffy 2002: names and years say nothing of what is cited."""

FOLDS = 10


@dataclass(frozen=True, slots=True)
class Case:
    """What is asked, and the sentences of the cited paper with the judgement."""

    cited: str
    query: str
    sentences: tuple[str, ...]
    numbers: tuple[int, ...]
    judged: frozenset[int]

    @property
    def right(self) -> NDArray[np.bool_]:
        return np.array([n in self.judged for n in self.numbers])


def read_cases(folder: Path) -> list[Case]:
    with gzip.open(folder / "documents.jsonl.gz", "rt", encoding="utf-8") as lines:
        records = {r["id"]: r for r in map(json.loads, lines)}
    texts = {
        name: {n: t for section in r["sections"] for n, t in section["sentences"]}
        for name, r in records.items()
    }
    cases = []
    for line in (folder / "citances.jsonl").read_text(encoding="utf-8").splitlines():
        judgement = json.loads(line)
        cited, citing = texts[judgement["cited"]], texts[judgement["citing"]]
        query = " ".join(citing[n] for n in judgement["citing_sentences"] if n in citing)
        judged = frozenset(judgement["cited_sentences"])
        if query and judged & cited.keys():
            cases.append(Case(judgement["cited"], query, tuple(cited.values()), tuple(cited), judged))
    return cases


def measures(cases: Sequence[Case], rankings: Sequence[Scores]) -> dict[str, float]:
    """MRR, hit@5 and F1 of the first two."""
    reciprocal, in_five = [], []
    counts: dict[str, NDArray[np.int64]] = defaultdict(lambda: np.zeros(3, dtype=np.int64))
    for case, scores in zip(cases, rankings, strict=True):
        right = case.right[np.argsort(-scores, kind="stable")]
        first = int(np.argmax(right))
        reciprocal.append(1 / (first + 1))
        in_five.append(first < 5)
        counts[case.cited] += np.array([right[:2].sum(), 2, len(case.judged)])
    f1 = [2 * hits / (given + wanted) for hits, given, wanted in counts.values()]
    return {"MRR": float(np.mean(reciprocal)), "hit@5": float(np.mean(in_five)), "F1": float(np.mean(f1))}


def z(scores: Scores) -> Scores:
    return (scores - scores.mean()) / (scores.std() + 1e-9)


def without_citations(text: str) -> str:
    return CITATION.sub(" ", text)


def words(case: Case, query: str) -> Scores:
    weighted = TfidfVectorizer(sublinear_tf=True)
    sentences = weighted.fit_transform(case.sentences)
    return (sentences @ weighted.transform([query]).T).toarray()[:, 0]


def letters(cases: Sequence[Case], queries: Sequence[str]) -> list[Scores]:
    """Cosines by letters; what is rare is counted among the sentences of a cited paper and all that cite it."""
    out: list[Scores] = [np.zeros(0)] * len(cases)
    for cited in dict.fromkeys(c.cited for c in cases):
        own = [i for i, c in enumerate(cases) if c.cited == cited]
        found = letter_cosines(cases[own[0]].sentences, [queries[i] for i in own])
        for column, i in enumerate(own):
            out[i] = found[:, column]
    return out


def rankings(cases: Sequence[Case], memory: Memory) -> dict[str, list[Scores]]:
    """Every way to rank, by name: one array of scores a case."""
    vectors = {c.cited: normalised(memory.texts(c.sentences)) for c in cases}

    def meaning(case: Case, query: str) -> Scores:
        return cosines(vectors[case.cited], memory.texts([query]))[:, 0]

    def around(case: Case, query: str) -> Scores:
        return cosines(window_means(vectors[case.cited], 3), memory.texts([query]))[:, 0]

    def centred(case: Case, query: str) -> Scores:
        mean = vectors[case.cited].mean(0)
        return cosines(vectors[case.cited] - mean, normalised(memory.texts([query])) - mean)[:, 0]

    def three(scores: Scores) -> Scores:
        return window_means(scores[:, None].astype(np.float32), 3)[:, 0]

    def each(way: Callable[[Case, str], Scores], *, plain: bool = False) -> list[Scores]:
        return [way(c, without_citations(c.query) if plain else c.query) for c in cases]

    rng = np.random.default_rng(0)
    w, m, mp, wp = each(words), each(meaning), each(meaning, plain=True), each(words, plain=True)
    c = letters(cases, [x.query for x in cases])
    cp = letters(cases, [without_citations(x.query) for x in cases])
    a = each(around)
    found = {
        "random": [rng.random(len(x.sentences)) for x in cases],
        "TF-IDF, words": w,
        "TF-IDF, runs of 3 to 5 letters": c,
        "MiniLM": m,
        "MiniLM, centred on the cited paper": each(centred),
        "MiniLM, windows of 3 sentences": a,
        "MiniLM + words": [z(x) + z(y) for x, y in zip(m, w, strict=True)],
        "MiniLM + letters": [z(x) + z(y) for x, y in zip(m, c, strict=True)],
        "sentence map of the app: mean of the two cosines": [(x + y) / 2 for x, y in zip(m, c, strict=True)],
        "without citations: TF-IDF, words": wp,
        "without citations: TF-IDF, letters": cp,
        "without citations: MiniLM + letters": [z(x) + z(y) for x, y in zip(mp, cp, strict=True)],
        "without citations: MiniLM + letters + half of windows": [
            z(x) + z(y) + z(v) / 2 + z(three(y)) / 2 for x, y, v in zip(mp, cp, a, strict=True)
        ],
    }
    basic = [
        np.stack([z(x), z(y), z(v), z(three(y)), z(length(k))], axis=1)
        for k, x, y, v in zip(cases, mp, cp, a, strict=True)
    ]
    placed = [np.hstack([b, place(k)]) for k, b in zip(cases, basic, strict=True)]
    found["learned: the four likenesses and length"] = learned(cases, basic)
    found["learned: with the place in the paper"] = learned(cases, placed)
    return found


def length(case: Case) -> Scores:
    return np.log1p([len(s.split()) for s in case.sentences])


def place(case: Case) -> Scores:
    """Whether a sentence stands in the first tenth, in the second, in the last, and how far down: [sentences, 4]."""
    at = np.arange(len(case.sentences)) / len(case.sentences)
    return np.stack([at < 0.1, (at >= 0.1) & (at < 0.2), at >= 0.9, at], axis=1).astype(float)


def learned(cases: Sequence[Case], features: Sequence[Scores]) -> list[Scores]:
    """Each case ranked by a regression that saw no case of its cited paper."""
    out: list[Scores] = [np.zeros(0)] * len(cases)
    groups = [c.cited for c in cases]
    for seen, unseen in GroupKFold(FOLDS).split(groups, groups=groups):
        x = np.concatenate([features[i] for i in seen])
        y = np.concatenate([cases[i].right for i in seen])
        model = LogisticRegression(max_iter=500).fit(x, y)
        for i in unseen:
            out[i] = model.decision_function(features[i])
    return out


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path)
    parser.add_argument("--memory", type=Path)
    parser.add_argument("--encoder", type=Path, help="folder of another encoder (benchmarks/student.py)")
    options = parser.parse_args()
    cases = read_cases(options.folder)
    memory = Memory(options.memory, options.encoder)
    print(f"{len(cases)} cases, {len({c.cited for c in cases})} cited papers\n")
    print("| ranking | MRR | hit@5 | F1 |\n| --- | --- | --- | --- |")
    for name, scores in rankings(cases, memory).items():
        print("| " + " | ".join([name, *(f"{v:.3f}" for v in measures(cases, scores).values())]) + " |")
    memory.save()


if __name__ == "__main__":
    main()
