"""What many unrelated documents say, too, counts less; against literal loops."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from colde import models
from colde.explain import passage_maps, passage_windows
from colde.explain.background_corpus import (
    COMMON_ABOVE,
    RARE_BELOW,
    SHARE,
    BackgroundSentences,
    background_sentences,
    rarity,
    read_background,
)
from colde.ingest import read_text
from colde.results.encoding import Encoding
from colde.results.model_score import Coverage
from colde.text.document import Chunk
from studies.explanations.background_sentences import build_background, save_background

ORDINARY_TEXT = (
    "Section 3 presents our approach. Section 4 describes the experiments. Section 5 concludes the paper. "
    "The rest of this paper is organized as follows."
)
OWN = (
    "The keeper wound the clockwork every evening. Rings of glass bend the light of a small lamp. "
    "Fog signals were struck by hand until steam came."
)


def unit(vectors: np.ndarray) -> np.ndarray:
    return vectors / np.linalg.norm(vectors, axis=1, keepdims=True)


def small(seed: int = 0) -> tuple[list[list[np.ndarray]], BackgroundSentences]:
    random = np.random.default_rng(seed)
    kinds = [[random.normal(size=(n, 12)).astype(np.float32) for n in sizes] for sizes in ((3, 1, 4), (2, 2))]
    return kinds, build_background(kinds, width=12)


def test_nearness_is_the_literal_loop() -> None:
    kinds, common = small()
    asked = np.random.default_rng(1).normal(size=(5, 12)).astype(np.float32)
    for vector, found in zip(unit(asked), common.background_similarity(asked), strict=True):
        of_kind = []
        for documents in kinds:
            nearest = sorted((float((unit(d) @ vector).max()) for d in documents), reverse=True)
            of_kind.append(nearest[int(SHARE * len(nearest))])
        assert found == pytest.approx(max(of_kind), abs=0.02), "bytes cost a hundredth"


def test_it_comes_back_from_its_file(tmp_path: Path) -> None:
    _, common = small()
    save_background(common, tmp_path / "x.safetensors")
    asked = np.eye(12, dtype=np.float32)
    np.testing.assert_array_equal(
        read_background(tmp_path / "x.safetensors").background_similarity(asked),
        common.background_similarity(asked),
    )


def test_worth_falls_from_one_to_nothing() -> None:
    middle = (RARE_BELOW + COMMON_ABOVE) / 2
    found = rarity(np.array([0.0, RARE_BELOW, middle, COMMON_ABOVE, 1.0], np.float32))
    np.testing.assert_allclose(found, [1, 1, 0.5, 0, 0], atol=1e-6)


def test_what_ships_is_small_and_of_every_corpus() -> None:
    common = background_sentences()
    assert common is not None
    assert len(set(common.kind.tolist())) == 4 and common.vectors.nbytes < 5e6
    assert (np.diff(common.kind) >= 0).all() and (np.diff(common.first) > 0).all()


class Half(BackgroundSentences):
    """Every passage is half as unusual as can be."""

    def background_similarity(self, vectors: np.ndarray) -> np.ndarray:
        return np.full(len(vectors), (RARE_BELOW + COMMON_ABOVE) / 2, np.float32)


def test_ordinary_passages_weigh_less_and_are_alike_in_the_same_way(monkeypatch: pytest.MonkeyPatch) -> None:
    _, common = small()
    half = Half(common.projection, common.vectors, common.scale, common.first, common.kind)
    random = np.random.default_rng(0)
    shared = random.normal(size=(3, 12))
    encodings = []
    for seed, text in (
        (1, "One two three four five six seven. "),
        (2, "Seven six five four three two one. "),
    ):
        vectors = np.random.default_rng(seed).normal(size=(20, 12))
        vectors[8:11] = shared + 0.3 * random.normal(size=(3, 12))
        document = read_text(text * 20)
        chunks = (Chunk(0, len(document.text), 0, 140),)
        encodings.append(Encoding(document, Coverage(140, 140), sentences=unit(vectors), chunk_spans=chunks))
    found = {}
    for name, background in (("none", None), ("half", half)):
        monkeypatch.setattr(passage_windows, "background_sentences", lambda b=background: b)
        monkeypatch.setattr(passage_maps, "_last", None)
        found[name] = float(passage_maps.passage_maps(*encodings)["passages"].values[0, 0])
    assert found["half"] == pytest.approx(found["none"] / 2) and found["none"] > 0.51


@pytest.mark.slow
def test_outlines_are_more_ordinary_than_a_lighthouse() -> None:
    (encoding,) = models.load("colde").encode([read_text(f"{ORDINARY_TEXT}\n\n{OWN}")])
    common = background_sentences()
    assert common is not None and encoding.sentences is not None
    found = rarity(common.background_similarity(encoding.sentences))
    assert found[:4].max() < 0.9 and found[-3:].min() == 1.0
