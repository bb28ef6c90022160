"""A small comparison made by hand, with everything that is awkward to print."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from colde.ingest.shared.blocks import Block, assemble
from colde.results.comparison import Comparison
from colde.results.model_score import Coverage, Score, ScorePart
from colde.results.shared_text import LABELS, Part, SentenceMatches, SharedPassage, SharedText
from colde.text.document import Chunk, Document, ReadWarning, Span
from tests.report.example import drawn

BODY = "The lamp turns once a minute. Its lens throws the light over twenty miles of sea."


def document(name: str, headings: list[str]) -> Document:
    """One paragraph below each heading."""
    blocks = []
    for heading in headings:
        blocks += [Block(heading, level=1), Block(BODY)]
    return assemble(
        blocks, source=name, format="text", title=name, warnings=(ReadWarning("page 2 was skipped"),)
    )


def passage(a: Span, b: Span) -> SharedPassage:
    return SharedPassage("identical", a, b, {"a": 6, "b": 6}, 0.9, parts=(Part("identical", a, b),))


@pytest.fixture(autouse=True)
def encoded_once(kept_vectors: None) -> None:
    """These tests are about what is made of vectors."""


@pytest.fixture
def comparison() -> Comparison:
    """Three sections against two, one map value missing, two models."""
    a = document("a.txt", ["Introduction", "=Lenses", "[bold]Results[/bold] \x1b[31mred\x1b[0m"])
    b = document("b.txt", ["Background", "Evaluation of a very long heading that has to be cut somewhere"])
    section = drawn(
        [[0.91, 0.20], [np.nan, 0.35], [0.10, 0.05]], a.sections, b.sections, "topic", "How alike."
    )
    within = drawn(np.eye(3), a.sections, a.sections, "attention", kind="attention", side="within_a")
    return Comparison(
        a=a,
        b=b,
        chunks_a=tuple(Chunk(s.start, s.end, i, 20) for i, s in enumerate(a.sections)),
        chunks_b=tuple(Chunk(s.start, s.end, i, 20) for i, s in enumerate(b.sections)),
        models=(
            Score(
                "colde", "CoLDE", 0.62, "cosine", 0.83, 0.97, 0.4, True, "general",
                ("document", "section"), 1.2, Coverage(100, 100), Coverage(90, 90),
                (ScorePart("vectors", 0.75, 0.68), ScorePart("words", 0.25, 0.44)),
                corpora=("acl", "wiki"),
            ),
            Score(
                "smith:np", "SMITH", 0.1, "cosine", None, None, 0.3, False, "general",
                ("document",), 0.2, Coverage(512, 6120), Coverage(90, 90),
            ),
        ),
        maps={"colde": {"section": section, "within_a_section": within}},
        sentences=SentenceMatches(()),
        shared=SharedText(
            {**dict.fromkeys(LABELS, 0.0), "identical": 0.1},
            {**dict.fromkeys(LABELS, 0.0), "identical": 0.2},
            60,
            40,
            (passage(Span(14, 43), Span(12, 41)),),
        ),
        timing={"read": 0.1, "load": 0.2, "encode": 1.0, "compare": 0.1, "total": 1.4},
        profile="general",
    )  # fmt: skip


@pytest.fixture
def without_profile(comparison: Comparison) -> Comparison:
    """The same, where the second model does not have the profile asked for."""
    first, second = comparison.models
    reason = "the model has no profile general"
    missing = replace(second, threshold=None, similar=None, profile=None, no_verdict=reason)
    return replace(comparison, models=(first, missing))
