"""SMASH RNN's studies over the systems that have a row: by length (figures 5 and 6), ranking, shuffled paragraphs.

    python benchmarks/systems_studies.py ../shared/corpora --work runs/systems --models simnet,lda,tfidf

Runs of benchmarks/systems.py are taken from `--work`; a model without one is loaded as it ships. Judged are the same
pairs. Writes docs/results/systems_studies.json and its
tables in systems.md; what is there is not computed again unless `--again` is given.

    lengths   accuracy by the longer document of a pair: up to 1,000 words, up to 4,000, more; all corpora together
    ranking   each source of a related pair: its related documents among ten, the others at random: P@1, MRR, MAP
    shuffled  accuracy and area under the curve on the encyclopedia as it is, and with the paragraphs of every
              document in random order
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from results import run_folder
from rich.console import Console
from sklearn.metrics import average_precision_score, roc_auc_score
from systems import Judged, called_similar, judged, loader, put, reads_sentences

from colde import models
from colde.data.corpus import Pair, to_document
from colde.evaluation import scoring
from colde.judge.profiles import corpora as shipped_corpora
from colde.models.baseline import BaselineMatcher
from colde.models.checkpoint import CONFIG
from colde.models.registry import spec
from colde.results.maps import Array
from colde.text.document import Document
from colde.training.run import read_settings
from colde.training.scoring import score_pairs

BOUNDS = {"up to 1,000 words": (0, 1_000), "1,000 to 4,000": (1_000, 4_000), "more": (4_000, 10**9)}
CANDIDATES = 10
SHUFFLED = "wiki"
BEGIN, END = "<!-- studies: benchmarks/systems_studies.py -->", "<!-- end of the studies -->"


class Scorer:
    """Scores of any pairs of a corpus by one model."""

    def __init__(self, name: str, work: Path, settings: Mapping[str, Any]) -> None:
        folder = run_folder(work, name, 0)
        self.trained = (folder / CONFIG).is_file()
        self.model: Any = models.load(folder if self.trained else name)
        self.load = loader(name, settings, work) if self.trained else None

    def scores(self, folder: Path, pairs: Sequence[tuple[str, str]]) -> Array:
        """[pairs], from what is prepared where there is a run, else from the texts."""
        if self.load is None or not isinstance(self.model, BaselineMatcher):
            records = scoring.records_of(folder, pairs)
            return self.of_documents(lambda name: self.document(records[name]), pairs)
        prepared = self.load(self.model.network, folder, None)
        position = {name: i for i, name in enumerate(prepared.ids)}
        ends = np.array([(position[a], position[b]) for a, b in pairs])
        tokens = 2 * self.model.training["settings"]["tokens"]
        return score_pairs(self.model.network, prepared.documents, ends, tokens=tokens, both_orders=True)

    def document(self, record: Mapping[str, Any]) -> Document:
        """A record as the model needs it."""
        return to_document(dict(record), sentences=reads_sentences(self.model))

    def of_documents(self, document: Any, pairs: Sequence[tuple[str, str]]) -> Array:
        """[pairs] of documents that are made by their id."""
        return np.array(list(scoring.score_pairs(self.model, document, pairs)), dtype=np.float32)


def lengths(known: Judged) -> np.ndarray:
    """Words of the longer document of each pair: [pairs]."""
    pairs = [(p.source, p.target) for p in known.pairs]
    size = {name: _words(record) for name, record in scoring.records_of(known.folder, pairs).items()}
    return np.array([max(size[a], size[b]) for a, b in pairs])


def _words(record: Mapping[str, Any]) -> int:
    return sum(len(text.split()) for section in record["sections"] for text in section["paragraphs"])


def by_length(right: Sequence[np.ndarray], words: Sequence[np.ndarray]) -> dict[str, dict[str, float]]:
    """Accuracy of the pairs of all corpora by length.

    Args:
        right: of each corpus, whether each pair was judged right.
    """
    every, size = np.concatenate(right), np.concatenate(words)
    found = {}
    for name, (low, high) in BOUNDS.items():
        inside = (size > low) & (size <= high)
        found[name] = {"pairs": int(inside.sum()), "accuracy": round(float(every[inside].mean()), 4)}
    return found


def candidates(known: Judged, seed: int = 0) -> dict[str, tuple[list[str], np.ndarray]]:
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


def ranking(scorer: Scorer, known: Judged) -> dict[str, float]:
    """Means over the sources."""
    lists = candidates(known)
    pairs = [(source, name) for source, (names, _) in lists.items() for name in names]
    scores = scorer.scores(known.folder, pairs).reshape(-1, CANDIDATES)
    found = np.mean([ranked(y, s) for (_, y), s in zip(lists.values(), scores, strict=True)], axis=0)
    return {"lists": len(lists), **dict(zip(("p_at_1", "mrr", "map"), found.round(4).tolist(), strict=True))}


def shuffled(record: Mapping[str, Any], seed: int) -> dict[str, Any]:
    """A record with all its paragraphs in random order, in sections of as many as before."""
    random = np.random.default_rng(seed)
    texts = [t for section in record["sections"] for t in section["paragraphs"]]
    mixed = iter([texts[i] for i in random.permutation(len(texts))])
    sections = [{**s, "paragraphs": [next(mixed) for _ in s["paragraphs"]]} for s in record["sections"]]
    return {**record, "sections": sections}


def shuffling(scorer: Scorer, known: Judged) -> dict[str, dict[str, float]]:
    """Accuracy and area under the curve with paragraphs as they are, and in random order."""
    pairs = [(p.source, p.target) for p in known.pairs]
    records = scoring.records_of(known.folder, pairs)
    number = {name: i for i, name in enumerate(sorted(records))}
    forms = {
        "as it is": lambda name: scorer.document(records[name]),
        "shuffled": lambda name: scorer.document(shuffled(records[name], number[name])),
    }
    found = {}
    for form, document in forms.items():
        scores = scorer.of_documents(document, pairs)
        right = called_similar(known, scores) == known.labels
        area = float(roc_auc_score(known.labels, scores))
        found[form] = {"accuracy": round(float(right.mean()), 4), "roc_auc": round(area, 4)}
    return found


def tables(found: Mapping[str, Mapping[str, Any]], names: Sequence[str]) -> str:
    """The studies as tables."""
    lines = ["**By the longer document of a pair**, in words, all corpora; accuracy (pairs).", ""]
    lines += ["| | " + " | ".join(BOUNDS) + " |", "| --- " * (len(BOUNDS) + 1) + "|"]
    for own in found.values():
        if "lengths" in own:
            cells = [f"{c['accuracy']:.3f} ({c['pairs']})" for c in own["lengths"].values()]
            lines.append(f"| {own['title']} | {' | '.join(cells)} |")
    counts = next((own["ranking"] for own in found.values() if "ranking" in own), {})
    heads = [f"{n} ({counts[n]['lists']} lists)" for n in names if n in counts]
    lines += ["", "**Ranking among ten**, P@1 / MRR / MAP.", ""]
    lines += ["| | " + " | ".join(heads) + " |", "| --- " * (len(heads) + 1) + "|"]
    for own in found.values():
        if "ranking" in own:
            rows = [own["ranking"][n] for n in names]
            cells = [f"{r['p_at_1']:.3f} / {r['mrr']:.3f} / {r['map']:.3f}" for r in rows]
            lines.append(f"| {own['title']} | {' | '.join(cells)} |")
    if any("shuffled" in own for own in found.values()):
        lines += ["", f"**Shuffled paragraphs** ({SHUFFLED}), accuracy / area under the curve.", ""]
        lines += ["| | as it is | shuffled |", "| --- | --- | --- |"]
    for own in found.values():
        if "shuffled" in own:
            cells = [f"{r['accuracy']:.3f} / {r['roc_auc']:.3f}" for r in own["shuffled"].values()]
            lines.append(f"| {own['title']} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("corpora", type=Path, help="folder that holds the corpora")
    parser.add_argument("--work", type=Path, default=Path("runs/systems"))
    parser.add_argument("--output", type=Path, default=Path("docs/results"))
    parser.add_argument("--models", required=True, help="names with commas")
    parser.add_argument("--studies", default="lengths,ranking,shuffled", help="with commas")
    parser.add_argument("--again", action="store_true", help="compute anew what is there")
    parser.add_argument("--config", type=Path, help="settings; `sentences`: folder")
    chosen = parser.parse_args(arguments)
    known = {name: judged(chosen.corpora / name) for name in shipped_corpora()}
    path = chosen.output / "systems_studies.json"
    found: dict[str, dict[str, Any]] = json.loads(path.read_text(encoding="utf-8")) if path.is_file() else {}
    console = Console()
    for name in chosen.models.split(","):
        own = found.setdefault(name, {"title": spec(name).card.title})
        missing = [s for s in chosen.studies.split(",") if chosen.again or s not in own]
        scorer = Scorer(name, chosen.work, read_settings(chosen.config)) if missing else None
        for study in missing:
            assert scorer is not None
            if study == "lengths":
                right, words = [], []
                for k in known.values():
                    scores = scorer.scores(k.folder, [(p.source, p.target) for p in k.pairs])
                    right.append(called_similar(k, scores) == k.labels)
                    words.append(lengths(k))
                own[study] = by_length(right, words)
            elif study == "ranking":
                own[study] = {corpus: ranking(scorer, k) for corpus, k in known.items()}
            else:
                own[study] = shuffling(scorer, known[SHUFFLED])
            path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
            console.print(f"{name} {study}: {own[study]}")
    put(chosen.output / "systems.md", BEGIN, END, tables(found, list(known)))


if __name__ == "__main__":
    main()
