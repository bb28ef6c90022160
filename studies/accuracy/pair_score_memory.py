"""Scores of the models that ship on pairs with new documents, kept on disk so that a run can be resumed."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from colde import models
from colde.corpus.corpus_folder import record_to_document
from colde.evaluation.pair_scores import match_pairs, score_or_nan
from colde.judge.profiles import GENERAL, profile_table
from colde.models.base import ProfileAware
from colde.models.checkpoint import read_config
from colde.results.progress import OnProgress
from colde.results.similarity_map import Array
from colde.text.document import Document
from studies.papers.new_document_pairs import NewDocumentPairs
from studies.tables import append_line, read_lines

BLOCK = 16  # documents that are encoded in one call

ScoresByProfile = Mapping[str, Array]
"""Scores [pairs] of a model by profile; NaN under profiles that do not judge a pair."""


def document_reader(known: NewDocumentPairs) -> Callable[[str], Document]:
    """A function from the name of a document to the document, which is read once for all models."""
    records = known.records()
    return cache(lambda name: record_to_document(records[name]))


def scores_by_profile(
    name: str,
    model: Any,
    known: NewDocumentPairs,
    document: Callable[[str], Document],
    profiles: Sequence[Collection[str]],
    memory: Path,
    on_progress: OnProgress | None = None,
) -> ScoresByProfile:
    """Scores of these pairs; those that `memory` holds for the same weights and settings are not computed again.

    Args:
        name: of a model that ships; model: as it is loaded.
        profiles: those that judge each pair, `general` among them: [pairs].
        memory: a folder of JSON lines, a file for each model and corpus.
    """
    path = memory / f"{name}-{read_config(models.checkpoint(name)).fingerprint(judged=False)[:16]}"
    path.mkdir(parents=True, exist_ok=True)
    path = path / f"{known.folder.name}.jsonl"
    kept = {(line["source"], line["target"]): line["scores"] for line in read_lines(path)}
    aware = isinstance(model, ProfileAware)
    names = [(p.source, p.target) for p in known.pairs]
    needed = {n: set(some) if aware else {GENERAL} for n, some in zip(names, profiles, strict=True)}
    for profile in profile_table():
        left = [n for n in names if profile in needed[n] and profile not in kept.get(n, {})]
        matcher = model.for_profile(profile) if aware and left else model
        results = match_pairs(
            lambda pair, matcher=matcher: matcher, document, left, block=BLOCK, on_progress=on_progress
        )
        for pair, result in zip(left, results, strict=True):
            kept[pair] = {**kept.get(pair, {}), profile: score_or_nan(result)}
            append_line(path, {"source": pair[0], "target": pair[1], "scores": kept[pair]})
    return {
        profile: np.array([kept[n].get(profile if aware else GENERAL, np.nan) for n in names])
        for profile in profile_table()
    }
