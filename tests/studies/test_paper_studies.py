"""The studies of SMITH, SMASH RNN and Match-Ignition on a corpus of twelve documents."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from rich.console import Console

from colde.corpus.corpus_folder import Pair, read_pairs
from studies.papers import new_document_pairs as systems
from studies.papers import paper_studies as studies
from studies.papers import paper_studies_tables as tables
from studies.papers import smith_memory as memory
from studies.speed.process_memory import peak_mebibytes


@pytest.fixture
def place(small_corpus: Path, tmp_path: Path) -> Any:
    """All validation pairs: those with a new document are too few for five folds."""
    pairs = [Pair(p.source, p.target, p.label) for p in read_pairs(small_corpus / "valid.tsv")]
    known = {"acl": systems.NewDocumentPairs(small_corpus, tuple(pairs))}
    return studies.Place(known, tmp_path, Console(), lambda: None)


def test_smith_is_judged_at_every_length(place: Any) -> None:
    found: dict[str, Any] = {}
    studies.lengths(place, found)
    assert list(found["acl"]) == ["64", "128", "256", "512", "1024", "1536", "2048"]
    assert found["acl"]["64"]["pairs"] == 12
    assert found["acl"]["1536"] == found["acl"]["2048"]  # no text of this corpus is as long
    assert "| 1,536 | " in tables.page_tables({"lengths": found})


def test_a_form_is_trained_and_tested_against_the_first(place: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    size = {"width": 8, "heads": 2, "inner": 8, "blocks": 4, "sentence_layers": 1, "document_layers": 1}
    forms = {k: studies.Form("SMITH", k, "smith:np", size | {"combine": k}) for k in ("normal", "sum-concat")}
    monkeypatch.setattr(studies, "FORMS", forms)
    monkeypatch.setattr(studies, "SMALL", studies.SMALL | {"steps": 2, "pairs": 4})
    monkeypatch.setattr(studies, "SEEDS", (0, 1))
    found: dict[str, Any] = {}
    studies.trained(place, found)
    assert found["normal"]["pairs"] == 12 and "p" not in found["normal"] and 0 < found["sum-concat"]["p"] <= 1
    again = json.loads(json.dumps(found))
    studies.trained(place, again)  # nothing is trained anew
    assert again == found
    assert list(found["normal"]["seeds"]) == ["1"]
    assert "| SMITH: sum-concat | " in tables.page_tables({"trained": found})


def test_comparisons_are_corrected_for_how_many_there_are(
    place: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = place.known["acl"]
    right = known.labels + np.linspace(0, 0.1, len(known.pairs))
    (place.work / "scores").mkdir()
    for name, scores in (("x", right), ("y", right[::-1]), ("z", right)):
        np.savez(place.work / "scores" / f"{name}.npz", acl=scores)
    monkeypatch.setattr(studies, "TESTED", {"table": ("x", 0.05, ("y", "z", "not_there"))})
    found: dict[str, Any] = {}
    studies.tests(place, found)
    first, second = found["table"]["rows"]
    assert (first["with"], second["with"]) == ("y", "z") and second["difference"] == 0 == 1 - second["t"]
    assert first["t_holm"] == pytest.approx(min(1, 2 * first["t"]), abs=2e-4)
    assert "less the other, level 0.05, 2 comparisons" in tables.page_tables({"tests": found})
    again = json.loads(json.dumps(found))
    (place.work / "scores" / "y.npz").unlink()
    studies.tests(place, again)  # what cannot be compared anew stays
    assert again == found


@pytest.mark.parametrize("form", memory.FORMS)
def test_a_step_is_taken_whatever_the_attention(form: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(memory, "DOCUMENTS", 1)
    memory.step(form, 64)
    assert peak_mebibytes() > 100
    assert f"| {form} | 12 |" in tables.page_tables({"memory": {form: {"512": 12.2}}})
