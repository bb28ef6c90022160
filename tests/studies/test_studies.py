"""The studies: documents put together anew keep their chunks, runs are kept, and the tables say what was found."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from colde.training.colde_models.colde_corpus import PooledChunks
from studies.papers import colde_studies, colde_study_runs, colde_study_tables
from studies.robustness import perturbed_chunks
from tests.corpora import toy_corpus

pytestmark = pytest.mark.slow

FEW = {"steps": 2, "pairs": 8, "validate_every": 1}


def documents(counts: Sequence[int]) -> list[PooledChunks]:
    """Documents of so many chunks; no two chunks are alike."""
    random = np.random.default_rng(0)
    return [
        PooledChunks(
            random.normal(size=(n, 4)).astype(np.float32),
            np.full(n, 1 / n, dtype=np.float32),
            (2 * np.arange(n)) // max(n, 2),
        )
        for n in counts
    ]


COUNTS = st.lists(st.integers(min_value=1, max_value=12), min_size=2, max_size=6)


@given(counts=COUNTS, seed=st.integers(0, 99), runs=st.sampled_from([2, 3, None]))
def test_shuffling_keeps_every_chunk_and_the_order_within_a_run(
    counts: list[int], seed: int, runs: int | None
) -> None:
    perturbed, known = perturbed_chunks, documents(counts)
    for before, after in zip(
        perturbed.intact(known), perturbed.shuffled(known, np.random.default_rng(seed), runs), strict=True
    ):
        assert Counter(after.tolist()) == Counter(before.tolist())
        for piece in np.array_split(before, min(runs or len(before), len(before))):
            at = np.flatnonzero(np.isin(after, piece))
            assert after[at].tolist() == piece.tolist()  # in its order
            assert at[-1] - at[0] + 1 == len(at)  # and in one piece


@given(counts=COUNTS, share=st.sampled_from([0.25, 0.5, 0.75, 1.0]))
def test_truncation_keeps_the_beginning_and_its_share(counts: list[int], share: float) -> None:
    perturbed, known = perturbed_chunks, documents(counts)
    for before, after in zip(perturbed.intact(known), perturbed.truncated(known, share), strict=True):
        assert after.tolist() == before[: len(after)].tolist()
        assert len(after) >= 1 and abs(len(after) - share * len(before)) <= max(0.5, 1 - share * len(before))


@given(counts=COUNTS, share=st.sampled_from([0.1, 0.3]), seed=st.integers(0, 99))
def test_noise_adds_chunks_of_one_other_document(counts: list[int], share: float, seed: int) -> None:
    perturbed, known = perturbed_chunks, documents(counts)
    owner = np.repeat(np.arange(len(counts)), counts)
    made = perturbed.noisy(known, share, np.random.default_rng(seed))
    for d, (before, after) in enumerate(zip(perturbed.intact(known), made, strict=True)):
        foreign = after[owner[after] != d]
        assert after[owner[after] == d].tolist() == before.tolist()
        assert len(set(owner[foreign].tolist())) == 1 and len(set(foreign.tolist())) == len(foreign)
        assert 1 <= len(foreign) <= max(1, round(share * len(before)))


def test_documents_put_together_anew_hold_the_chunks_named() -> None:
    perturbed, known = perturbed_chunks, documents([3, 3])
    every = np.concatenate([d.means for d in known])
    places: list[NDArray[np.int64]] = [np.array([2, 0]), np.array([5, 4, 1])]
    found = perturbed.rearranged(known, places)
    assert [d.means.tolist() for d in found] == [every[p].tolist() for p in places]
    assert [d.part.tolist() for d in found] == [[0, 1], [0, 1, 1]]
    assert all(d.mass.sum() == pytest.approx(1) for d in found)


def test_the_mean_cosine_is_scikit_learns() -> None:
    from sklearn.metrics.pairwise import cosine_similarity

    rows = np.random.default_rng(0).normal(size=(6, 5)).astype(np.float32)
    expected = cosine_similarity(rows)[~np.eye(6, dtype=bool)].mean()
    assert colde_studies.mean_cosine(torch.from_numpy(rows)) == pytest.approx(expected, abs=1e-6)


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 documents of two sections on three subjects; two of one subject are similar."""
    folder = tmp_path_factory.mktemp("corpora") / "toy"
    return toy_corpus(folder, ("tides", "bread", "bees"), documents=8, sections=2, train=40, valid=20)


def run(toy: Path, work: Path, study: str, seeds: int = 2) -> dict[str, Any]:
    work.mkdir(exist_ok=True)
    config = toy.parent / "settings.json"
    config.write_text(
        json.dumps({"training": FEW, "sentences": str(toy.parent / "sentences")}), encoding="utf-8"
    )
    out = work / "studies.json"
    colde_studies.main(
        [
            str(toy),
            *("--work", str(work), "--study", study, "--seeds", str(seeds)),
            *("--config", str(config), "--json", str(out)),
        ]
    )
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


def test_ablations_are_kept_and_come_out_the_same_again(
    toy: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = run(toy, tmp_path / "one", "ablations")["ablations"]["toy"]["rows"]
    assert first[0]["name"] == "colde:paper" and len(first) == 5
    assert all("difference" in r for r in first[1:]) and "difference" not in first[0]

    def trained_again(*_: object) -> None:
        raise AssertionError("trained again")

    with monkeypatch.context() as patch:
        patch.setattr(colde_study_runs, "fit_head", trained_again)
        assert run(toy, tmp_path / "one", "ablations")["ablations"]["toy"]["rows"] == first
        shuffled = run(toy, tmp_path / "one", "shuffling")["shuffling"]["toy"]["rows"]
        within = run(toy, tmp_path / "one", "collapse")
    plain = {r["name"]: r["accuracy"] for r in first}
    assert {r["name"]: r["accuracy"] for r in shuffled if r["documents"] == "as they are"} == {
        name: plain[name] for name in ("colde:paper", "colde:no_lstm")
    }
    assert set(within) == {"ablations", "shuffling", "collapse"}  # earlier studies stay

    def figures(rows: list[dict[str, Any]]) -> list[Any]:
        return [{k: v for k, v in r["each"][0].items() if k != "seconds"} for r in rows]

    again = run(toy, tmp_path / "two", "ablations", seeds=1)["ablations"]["toy"]["rows"]
    assert figures(again) == figures(first)


def test_whole_documents_keep_their_scores(toy: Path, tmp_path: Path) -> None:
    """Every chunk in its place gives the score of the document."""
    perturbed, runs, studies = perturbed_chunks, colde_study_runs, colde_studies
    bench = runs.Bench(toy, tmp_path, {"training": FEW, "sentences": str(toy.parent / "sentences")})
    trained = bench.run(runs.Row(), 0)
    plain, pairs = bench.corpus.chunks, studies.judged(bench.corpus)[1]
    again = perturbed.rearranged(plain, perturbed.intact(plain))
    np.testing.assert_allclose(trained.scores(again, pairs), trained.scores(plain, pairs), atol=1e-6)


def test_tables_are_written_between_their_markers() -> None:
    tables = colde_study_tables
    number = {"mean": 0.8, "sd": 0.01}
    row = {"name": "colde"} | dict.fromkeys(("accuracy", "precision", "recall", "f1", "auc"), number)
    row |= {"difference": {"accuracy": -0.02, "p": 0.0001}}
    found = {"ablations": {"acl": {"pairs": 1644, "seeds": 3, "rows": [row]}}}
    text = "Before.\n<!-- study ablations -->\nstale\n<!-- end -->\nAfter.\n<!-- study batch -->\nkept\n<!-- end -->\n"
    written = tables.update_tables(text, found)
    assert "| colde | " + " / ".join(["0.800 ± 0.010"] * 5) + ", -0.020 (p < .001) |" in written
    assert (
        written.startswith("Before.\n")
        and "After." in written
        and "stale" not in written
        and "kept" in written
    )
    assert tables.update_tables(written, found) == written
