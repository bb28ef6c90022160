"""The study of translated books, on two small chapters whose translation has the same words."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from colde import models
from colde.comparison.fitted_model import over_encoder
from studies.languages.translated_books import auc, measure, read_chapters
from tests.small_encoders import write_encoder

LAMP = "The keeper lit the lamp before dusk. A wick was trimmed by a keeper who had the lamp. " * 4
PAINT = "The wall was painted white before the rain. A brush was cleaned by a painter who had the wall. " * 4
LOG = "The captain wrote the log at dawn. A letter was read by a captain who had the log at sea. " * 4
MAST = "The mast broke in the storm at night. A sail was mended by a sailor who had the broken mast. " * 4


@pytest.fixture
def book(tmp_path: Path) -> Path:
    for name, texts in (("one", (LAMP, PAINT)), ("two", (LOG, MAST))):
        truth = {}
        for language in ("en", "de"):
            headings = [f"{language} {name} {k}" for k in range(2)]
            body = "\n\n".join(f"# {h}\n\n{t}" for h, t in zip(headings, texts, strict=True))
            (tmp_path / f"{name}.{language}.md").write_text(body)
            truth[language] = [
                {"id": str(k), "heading": h, "characters": len(texts[k])} for k, h in enumerate(headings)
            ]
        (tmp_path / f"{name}.truth.json").write_text(json.dumps(truth))
    return tmp_path


def test_sections_and_chapters_are_compared_with_their_translations(book: Path, tmp_path: Path) -> None:
    write_encoder(tmp_path / "encoder")
    model = over_encoder(models.load("colde"), str(tmp_path / "encoder"))
    (german,) = measure(read_chapters(book, model), model)
    assert german.language == "de" and (german.hits, german.sections) == (4, 4)
    related, other = ([score for score, _ in pairs] for pairs in (german.translations, german.others))
    assert len(related) == len(other) == 2 and auc(related, other) == 1
    assert len(german.same_language) == 1


def test_a_tie_counts_half() -> None:
    assert auc([0.5, 0.9], [0.5, 0.1]) == pytest.approx(0.875)
