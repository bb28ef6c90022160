"""Studies of SMASH RNN and CoLDE over the systems that have a row: by length, ranking, texts changed.

    python -m studies.papers.systems_studies ../shared/corpora --work runs/systems --models simnet,lda,tfidf

Runs of studies/papers/systems_table.py are taken from `--work`; a model without one is loaded as it ships. Judged are
the same pairs. Writes docs/results/systems_studies.json and its tables in systems.md; what is there is not computed
again unless `--again` is given.

    lengths                 accuracy by the longer document of a pair: up to 1,000 words, up to 4,000, more; all
                            corpora together (SMASH RNN, figure 5)
    ranking                 each source of a related pair: its related documents among ten, the others at random: P@1,
                            MRR, MAP, of each corpus, and of all together by the length of the source (figure 6)
    paragraphs, sections    accuracy and area under the curve with the paragraphs (encyclopedia; SMASH RNN, figure 7) or
                            the sections (papers; CoLDE, figure 8) of every document in random order
    first_words             the same of papers of which nothing is read after so many words (CoLDE, figure 7)

Of changed documents the thresholds are those of documents as they are.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from rich.console import Console
from sklearn.metrics import average_precision_score, roc_auc_score

from colde.corpus.corpus_folder import Pair
from colde.evaluation import pair_scores
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.registry import spec
from colde.results.similarity_map import Array
from colde.training.training_run import read_settings
from studies.papers.system_scores import Scorer
from studies.papers.systems_rows import replace_between
from studies.papers.systems_studies_tables import RANKED, study_tables
from studies.papers.systems_table import NewDocumentPairs, judged, predicted_similar, thresholds
from studies.robustness.changed_texts import Change, keep_first_words, shuffle_paragraphs, shuffle_sections

BOUNDS = {"up to 1,000 words": (0, 1_000), "1,000 to 4,000": (1_000, 4_000), "more": (4_000, 10**9)}
CANDIDATES = 10
BEGIN, END = "<!-- studies: studies/papers/systems_studies.py -->", "<!-- end of the studies -->"


@cache
def words(known: NewDocumentPairs) -> dict[str, int]:
    """How many words each judged document has."""
    pairs = [(p.source, p.target) for p in known.pairs]
    return {name: _words(record) for name, record in pair_scores.records_of(known.folder, pairs).items()}


def _words(record: Mapping[str, Any]) -> int:
    return sum(len(text.split()) for section in record["sections"] for text in section["paragraphs"])


def by_length(values: np.ndarray, size: np.ndarray) -> dict[str, tuple[int, list[float]]]:
    """Means of what was measured of texts of a length, all corpora together.

    Args:
        values: [texts, measures].
        size: words of each text: [texts].

    Returns:
        How many there are of each length, and the mean of each measure.
    """
    found = {}
    for name, (low, high) in BOUNDS.items():
        inside = (size > low) & (size <= high)
        means = values[inside].mean(0) if inside.any() else np.full(values.shape[1], np.nan)
        found[name] = (int(inside.sum()), means.round(4).tolist())
    return found


def accuracy_by_length(
    right: Sequence[np.ndarray], longer: Sequence[np.ndarray]
) -> dict[str, dict[str, float]]:
    """Accuracy of the pairs of all corpora by the longer document.

    Args:
        right: of each corpus, whether each pair was judged right.
        longer: of each corpus, words of the longer document of each pair.
    """
    found = by_length(np.concatenate(right)[:, None], np.concatenate(longer))
    return {name: {"pairs": n, "accuracy": accuracy} for name, (n, (accuracy,)) in found.items()}


def candidates(known: NewDocumentPairs, seed: int = 0) -> dict[str, tuple[list[str], np.ndarray]]:
    """Of each source of a related pair ten documents, and which are related: at most five, the others random."""
    random = np.random.default_rng(seed)
    every = sorted({n for p in known.pairs for n in (p.source, p.target)})
    related = _related(known.pairs)
    found = {}
    for source in sorted({p.source for p in known.pairs if p.label == 1}):
        own = sorted(related[source])[: CANDIDATES // 2]
        others = [n for n in every if n != source and n not in related[source]]
        drawn = random.choice(others, CANDIDATES - len(own), replace=False).tolist()
        found[source] = ([*own, *drawn], np.repeat([1, 0], [len(own), len(drawn)]))
    return found


def _related(pairs: Sequence[Pair]) -> dict[str, set[str]]:
    found: dict[str, set[str]] = {}
    for p in pairs:
        if p.label == 1:
            found.setdefault(p.source, set()).add(p.target)
            found.setdefault(p.target, set()).add(p.source)
    return found


def ranked(labels: Array, scores: Array) -> tuple[float, float, float]:
    """P@1, reciprocal rank of the first related document, and average precision of one list."""
    order = labels[np.argsort(-scores, kind="stable")]
    return float(order[0]), 1 / float(np.argmax(order) + 1), float(average_precision_score(labels, scores))


def ranking(scorer: Scorer, known: NewDocumentPairs) -> tuple[Array, list[str]]:
    """P@1, reciprocal rank and average precision of each list: [lists, 3], and whose list each is."""
    lists = candidates(known)
    pairs = [Pair(source, name, 0) for source, (names, _) in lists.items() for name in names]
    scores = scorer.scores(known, pairs).reshape(-1, CANDIDATES)
    found = [ranked(y, s) for (_, y), s in zip(lists.values(), scores, strict=True)]
    return np.array(found).reshape(-1, 3), list(lists)


def rankings(scorer: Scorer, every: Mapping[str, NewDocumentPairs]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Means over the lists of each corpus, and of all corpora by the length of the source."""
    found: dict[str, Any] = {}
    values, size = [], []
    for name, known in every.items():
        own, sources = ranking(scorer, known)
        found[name] = {"lists": len(own), **dict(zip(RANKED, own.mean(0).round(4).tolist(), strict=True))}
        count = words(known)
        values.append(own)
        size.append([count[s] for s in sources])
    by = by_length(np.concatenate(values), np.concatenate(size))
    return found, {name: {"lists": n, **dict(zip(RANKED, own, strict=True))} for name, (n, own) in by.items()}


def robustness(
    scorer: Scorer, known: NewDocumentPairs, changes: Mapping[str, Change]
) -> dict[str, dict[str, float]]:
    """Accuracy and area under the curve of documents as they are, and changed, by the thresholds of the former."""
    scores = {"as they are": scorer.judged(known)}
    scores |= {title: scorer.changed(known, _folder(title), change) for title, change in changes.items()}
    limits = thresholds(known, scores["as they are"])
    found = {}
    for form, own in scores.items():
        right = (own.astype(np.float64) >= limits) == known.labels
        area = float(roc_auc_score(known.labels, own))
        found[form] = {"accuracy": round(float(right.mean()), 4), "roc_auc": round(area, 4)}
    return found


def _folder(title: str) -> str:
    return title.replace(" ", "_").replace(",", "")


CHANGES: Mapping[str, tuple[str, Mapping[str, Change]]] = {
    "paragraphs": ("wiki", {"paragraphs shuffled": shuffle_paragraphs}),
    "sections": ("acl", {"sections shuffled": shuffle_sections}),
    "first_words": ("acl", {f"first {n:,} words": keep_first_words(n) for n in (250, 1_000, 4_000)}),
}
"""Of what corpus which changes are studied."""


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/systems"))
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--models", required=True, help="names with commas")
    parser.add_argument(
        "--studies", default="lengths,ranking,paragraphs,sections,first_words", help="with commas"
    )
    parser.add_argument("--again", action="store_true", help="compute anew what is there")
    parser.add_argument("--config", type=Path, help="settings; `sentences`: folder")
    parser.add_argument("--seed", type=int, default=0, help="whose run is taken, where a model has one")
    chosen = parser.parse_args(arguments)
    known = {name: judged(chosen.corpora / name) for name in shipped_corpora()}
    path = chosen.output / "systems_studies.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    console = Console()
    for name in chosen.models.split(","):
        own = found.setdefault(name, {"title": spec(name).card.title})
        missing = [s for s in chosen.studies.split(",") if chosen.again or s not in own]
        scorer = Scorer(name, chosen.work, read_settings(chosen.config), chosen.seed) if missing else None
        for study in missing:
            assert scorer is not None
            own |= {"seed": chosen.seed} if scorer.trained else {}
            if study == "lengths":
                right, longer = [], []
                for k in known.values():
                    right.append(predicted_similar(k, scorer.judged(k)) == k.labels)
                    count = words(k)
                    longer.append(np.array([max(count[p.source], count[p.target]) for p in k.pairs]))
                own[study] = accuracy_by_length(right, longer)
            elif study == "ranking":
                own[study], own["ranking_by_length"] = rankings(scorer, known)
            else:
                corpus, changes = CHANGES[study]
                own[study] = robustness(scorer, known[corpus], changes)
            path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            console.print(f"{name} {study}: {own[study]}")
    replace_between(chosen.output / "systems.md", BEGIN, END, study_tables(found, list(known)))


if __name__ == "__main__":
    main()
