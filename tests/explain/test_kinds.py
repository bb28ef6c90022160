"""Copied, edited, paraphrased: every word once, under the strongest kind."""

from __future__ import annotations

import numpy as np
import pytest

import colde
from colde.explain.kinds import shared_text
from colde.report.kinds import kind_note, kind_rows
from colde.results.comparison import Comparison
from colde.results.maps import SimilarityMap
from colde.results.shared import Exclusion

COPIED = "the lamp of the old tower turns once a minute"
A = f"# Sea\n\nWe know that {COPIED}. Its keeper was sleeping soundly through the cold night. Bread is dear.\n"
B = (
    f"# Light\n\nThey wrote: \u201c{COPIED}\u201d and nothing more than that. "
    "Its keeper was quite badly asleep through the cold night. In wintertime the man who minds it slumbers."
)


def compared(a: str = A, b: str = B, values: dict[tuple[int, int], float] | None = None) -> Comparison:
    one, other = colde.read_text(a), colde.read_text(b)
    rows, columns = (tuple(s for _, s in d.sentences()) for d in (one, other))
    cells = np.zeros((len(rows), len(columns)), np.float32)
    for place, value in (values or {}).items():
        cells[place] = value
    found = SimilarityMap(cells, rows, columns, "cosine", "Alike.", role="passages", level="sentence")
    return Comparison(one, other, (), (), (), {"colde": {"sentence": found}}, (), {})


def test_every_word_once_under_the_strongest_kind() -> None:
    comparison = compared(values={(0, 0): 0.9, (1, 1): 0.8, (1, 2): 0.6})
    shared = shared_text(comparison)
    assert shared is not None and shared.by == "colde"
    (run,) = shared.of("copied")
    assert comparison.a.text[run.a.start : run.a.end] == COPIED == comparison.b.text[run.b.start : run.b.end]
    words = len(COPIED.split())
    assert shared.a["copied"] == pytest.approx(words / shared.words_a)
    assert shared.b["copied"] == pytest.approx(words / shared.words_b)
    assert [p.a for p in shared.of("edited")][-1] == comparison.maps["colde"]["sentence"].rows[1]
    assert shared.b["paraphrased"] == pytest.approx(8 / shared.words_b)
    assert sum(shared.a.values()) <= 1 and sum(shared.b.values()) <= 1


@pytest.mark.parametrize(("left_out", "copied"), [((), True), (("quotes",), False), (("small",), False)])
def test_left_out_is_not_counted(left_out: tuple[Exclusion, ...], copied: bool) -> None:
    whole, found = shared_text(compared()), shared_text(compared(), left_out)
    assert whole is not None and found is not None
    assert (found.b["copied"] > 0) is copied and found.left_out == left_out
    assert bool(found.of("copied")) is copied
    if left_out == ("quotes",):
        assert found.words_b == whole.words_b - len(COPIED.split())
        assert "quotations" in kind_note(found)


def test_citations_and_front_matter_can_be_left_out() -> None:
    text = f"# Copyright\n\nAll rights are kept by the people who wrote it.\n\n# Sea\n\n{COPIED} (Fresnel, 1822)."
    everything = shared_text(compared(a=text))
    without = shared_text(compared(a=text), ("references", "boilerplate"))
    assert everything is not None and without is not None
    assert everything.words_a - without.words_a == 2 + 11


def test_without_a_model_only_runs_are_known_and_long_texts_are_not_counted(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    comparison = compared()
    plain = Comparison(comparison.a, comparison.b, (), (), (), {}, (), {})
    shared = shared_text(plain)
    assert shared is not None and shared.by is None and [r.kind for r in kind_rows(shared)] == ["copied"]
    monkeypatch.setattr("colde.explain.kinds.MOST_WORDS", 10)
    assert shared_text(plain) is None
