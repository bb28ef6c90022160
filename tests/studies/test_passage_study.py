"""The study of shared passages: measures of PAN's task, halves without a document in common, places in files."""

from __future__ import annotations

import gzip
import json
import math
import random
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.passages.fitted_limits import fitted_limits
from studies.passages.detection_measures import Case, characters, covered, measure
from studies.passages.fit_passages import DRAWS, changed, numbers_of
from studies.passages.pan_pairs import CLEAN, REUSED, read_documents, read_pairs
from studies.passages.seed_memory import SeedMemory, places_in_file
from studies.passages.short_answers import answer_pairs, bm25_scores, separation

CASE: Case = ((100, 200), (500, 600))


def test_a_case_found_whole_scores_1() -> None:
    found = measure([([CASE], [CASE]), ([], [])])
    assert (found.precision, found.recall, found.granularity, found.plagdet) == (1, 1, 1, 1)


def test_pieces_lower_the_score_by_the_logarithm_of_their_number() -> None:
    halves: list[Case] = [((100, 150), (500, 550)), ((150, 200), (550, 600))]
    found = measure([([CASE], halves)])
    assert (found.precision, found.recall, found.granularity) == (1, 1, 2)
    assert found.plagdet == pytest.approx(1 / math.log2(3))


def test_what_was_not_taken_lowers_precision_and_what_was_missed_recall() -> None:
    found = measure([([CASE], [((100, 300), (500, 700))]), ([CASE], []), ([], [((0, 9), (0, 9))])])
    assert (found.precision, found.recall, found.granularity) == (0.25, 0.5, 1)
    assert measure([([CASE], [])]).plagdet == 0
    assert covered(CASE, [((150, 160), (0, 100))]) == (0, 0), "both sides must overlap"


@given(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 9)), max_size=6))
def test_characters_are_counted_once(stretches: list[tuple[int, int]]) -> None:
    spans = [(start, start + size) for start, size in stretches]
    assert characters(spans) == len({c for start, end in spans for c in range(start, end)})


def folder_of(path: Path) -> Path:
    """A folder like PAN's, with chains of documents."""
    kinds = (CLEAN, *REUSED)
    lines = [
        {
            "id": f"p{k}",
            "kind": kinds[k % 5],
            "a": f"a{k // 2}",
            "b": f"b{(k + 1) // 3}",
            "truth": [[0, 5, 7, 9]],
        }
        for k in range(60)
        if k % 7
    ]
    (path / "train.pairs.jsonl").write_text("\n".join(map(json.dumps, lines)) + "\n", encoding="utf-8")
    with gzip.open(path / "train.documents.jsonl.gz", "wt", encoding="utf-8") as out:
        out.write(json.dumps({"id": "a0", "text": "One."}) + "\n")
    return path


def test_the_halves_have_no_document_in_common(tmp_path: Path) -> None:
    pairs = read_pairs(folder_of(tmp_path))
    halves = [
        {name for p in pairs if p.half == half for name in (p.a, p.b)} for half in ("development", "test")
    ]
    assert all(halves) and not halves[0] & halves[1]
    assert pairs[0].cases == (((0, 5), (7, 16)),)
    few = read_pairs(tmp_path, 1)
    assert len({(p.kind, p.half) for p in few}) == len(few) < len(pairs)
    assert read_documents(tmp_path) == {"a0": "One."}


def test_places_are_those_of_the_same_letters_in_the_file() -> None:
    content = "  The lamp\r\n\r\nturns   once.\n"
    text = colde.read(content.encode(), name="lamp.txt").text
    places = places_in_file(text, content)
    assert all(content[p] == c for c, p in zip(text, places, strict=True) if not c.isspace())


def test_what_was_searched_is_kept_and_detections_are_places_in_the_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copied = "The keeper of the old tower lights its lamp at dusk on every day of the year."
    a, b = f"Bread is dear.\n\n\n{copied}", f"   {copied} Nobody sees it."
    pair = SeedMemory(tmp_path).pair("one", ("a", a), ("b", b))
    ((in_a, in_b),) = pair.detections(fitted_limits())
    assert a[slice(*in_a)] == b[slice(*in_b)] == copied
    assert pair.share([(in_a, in_b)]) == pytest.approx(len(copied) / len(a), abs=0.05)
    monkeypatch.setattr("studies.passages.seed_memory.text_seeds", None)
    assert SeedMemory(tmp_path).pair("one", ("a", a), ("b", b)).detections(fitted_limits()) == [(in_a, in_b)]


def test_numbers_that_are_tried_are_in_their_ranges_and_few_change() -> None:
    draw, numbers = random.Random(0), numbers_of(fitted_limits())
    for _ in range(50):
        new = changed(numbers, draw)
        assert list(new) == list(DRAWS) and 0 <= sum(new[k] != numbers[k] for k in DRAWS) <= 3
        assert all(isinstance(new[k], type(numbers[k])) for k in DRAWS)


def test_short_answers_are_of_each_kind_and_bm25_tells_most_apart() -> None:
    pairs = answer_pairs()
    counts = {kind: sum(p.kind == kind for p in pairs) for kind in ("cut", "light", "heavy", "independent")}
    assert counts == {"cut": 16, "light": 16, "heavy": 24, "independent": 120}
    assert all(p.a != p.b for p in pairs)
    assert 0.85 < separation(pairs, bm25_scores(pairs)) < 0.95
