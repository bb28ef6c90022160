"""A hit of a search has the score and the verdict of a comparison of the two."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pytest

from colde import ingest
from colde.comparison import fitted_model, pipeline
from colde.index import Index
from colde.judge.calibration import Calibration, Profile
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.results.verdicts.pair_kind import DocumentKind
from colde.text.document import Document
from tests.index.light import Light


def test_scores_are_those_of_the_model(index, files) -> None:
    model = Light()
    a, b = model.encode([ingest.read(files / name) for name in ("file001.md", "file005.md")])
    hits = {h.document.name: h.score for h in index.search(files / "file001.md")}
    assert hits["file005.md"] == pytest.approx(model.match(a, b).score, abs=1e-5)


class LightWithArrays(Light):
    """A model whose score needs more than the vector of a document, as that of the default model does."""

    def condense(self, encoding: Encoding) -> dict[str, np.ndarray]:
        assert encoding.vector is not None
        return {"doubled": 2 * encoding.vector}

    def restore(self, arrays: Mapping[str, np.ndarray]) -> Encoding:
        return Encoding(document=Document("", ()), coverage=Coverage(1, 1), vector=arrays["doubled"] / 2)


def test_scores_of_a_model_that_stores_arrays_are_those_of_the_model(tmp_path, files) -> None:
    model = LightWithArrays()
    index = Index(tmp_path / "arrays.index", loader=lambda name: model)
    index.add([files])
    a, b = model.encode([ingest.read(files / name) for name in ("file001.md", "file005.md")])
    hits = {h.document.name: h.score for h in index.search(files / "file001.md")}
    assert hits["file005.md"] == pytest.approx(model.match(a, b).score, abs=1e-5)


def test_a_hit_is_judged_as_a_comparison_of_the_two_is(tmp_path, files, monkeypatch) -> None:
    kinds = {f"file{k:03}.md": "papers" for k in (1, 2, 3)}  # the others are of no kind
    model = Light()
    model.profiles = {  # type: ignore[misc, assignment]
        "general": Profile("general", 0.3, Calibration(20.0, -6.0)),
        "papers": Profile("papers", 0.9, Calibration(20.0, -18.0)),
    }

    def kind_of(document: Document) -> DocumentKind:
        return DocumentKind(kinds.get(document.source), 0.9, 2.0)

    for module in (fitted_model, pipeline):
        monkeypatch.setattr(module, "detect_document_kind", kind_of)
    index = Index(tmp_path / "kinds.index", loader=lambda name: model)
    index.add([files])
    hits = index.search(files / "file001.md", limit=6)
    assert len({hit.probability is None for hit in hits}) == 2, "of both sorts"
    for hit in hits:
        pair = ingest.read(files / "file001.md"), index.read(hit.document.id)
        (score,) = pipeline.compare(*pair, ["colde"], loader=lambda name: model).models
        assert hit.score == pytest.approx(score.score, abs=1e-5)
        assert (hit.similar, hit.no_verdict) == (score.similar, score.no_verdict)
        assert hit.probability == (
            None if score.probability is None else pytest.approx(score.probability, abs=1e-4)
        )
