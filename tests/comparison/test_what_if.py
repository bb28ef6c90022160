"""What if: documents with passages left out, comparisons made again, the smallest change that turns a verdict."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde import models
from colde.cli import main
from colde.cli.comparing.what_if import parse_parts
from colde.comparison.part_notation import format_parts
from colde.comparison.questions import what_if
from colde.corpus.samples import sample_named
from colde.encoders.sentence_encoder import CachedSentenceEncoder
from colde.errors import ModelError, PartError, ReadError
from colde.explain.counterfactual import Place, fewest_kept, smallest_change
from colde.results.similarity_map import Letter
from colde.text.document import EXCLUDED_ROLE, Document, Span
from colde.text.sections.parts_without_headings import split_into_parts
from colde.text.sections.passage_removal import keep_only, leave_out

SEA = (
    "# Tides\n\nThe tide comes in over the bar twice a day. Harbour pilots wait for the wind to drop before dawn.\n\n"
    "# Bread\n\nBread rises in a warm oven for an hour. The crust is done when it sounds hollow to the knuckle.\n"
)
SHIPS = (
    "Pilots take ships over the bar at high tide. They read wind and swell before they leave harbour at dawn."
)


@pytest.fixture(scope="module")
def comparison() -> colde.Comparison:
    return colde.compare(colde.read_text(SEA), colde.read_text(SHIPS), models=["tfidf", "bm25"])


@given(st.lists(st.tuples(st.integers(0, 220), st.integers(1, 80)), max_size=4))
@settings(max_examples=60)
def test_what_is_left_out_and_what_is_kept_are_all_of_the_text(cuts: list[tuple[int, int]]) -> None:
    document = colde.read_text(SEA)
    spans = [Span(start, start + length) for start, length in cuts]
    without, alone = leave_out(document, spans), keep_only(document, spans)
    assert without.text is document.text and alone.text is document.text

    def held(d: Document) -> set[int]:
        kept = (s for s in d.sections if not s.role)  # a heading left alone is kept, though not compared
        return {i for s in kept for i in range(s.start, s.end) if not d.text[i].isspace()}

    assert held(without) | held(alone) == held(document) and not held(without) & held(alone)
    for d in (without, alone):
        assert all(s.start < s.end for s in d.sections)
        assert all(x.end <= y.start for x, y in zip(d.sections, d.sections[1:], strict=False))
        for section in d.sections:
            assert section.start <= section.body <= section.end
            assert all(section.start <= s.start < s.end <= section.end for s in section.sentences)
    assert split_into_parts(without) == without or not any(s.role for s in without.sections)


def test_nothing_left_out_is_the_document_itself() -> None:
    document = colde.read_text(SEA)
    assert leave_out(document, []) is document


def test_a_section_is_left_out(comparison: colde.Comparison) -> None:
    after = comparison.without(a=[1])
    assert isinstance(after, colde.Comparison)
    assert [s.role for s in after.a.sections] == [None, EXCLUDED_ROLE] and after.b is comparison.b
    before = {s.name: s.score for s in comparison.models}
    assert all(s.score > before[s.name] for s in after.models)  # bread only diluted it
    alone = replace(comparison.a, sections=comparison.a.sections[:1])
    expected = colde.compare(alone, comparison.b, models=["tfidf", "bm25"])
    assert [s.score for s in after.models] == pytest.approx([s.score for s in expected.models])
    assert [s.score for s in comparison.only(a=[0]).models] == pytest.approx([s.score for s in after.models])


def test_what_is_not_there(comparison: colde.Comparison) -> None:
    with pytest.raises(PartError, match="there is no section 7; it has sections 0 to 1"):
        comparison.without(a=[7])
    with pytest.raises(PartError, match=r"there is no chunk 0\.3; section 0 has chunk 0 alone"):
        comparison.without(b=[(0, 3)])
    with pytest.raises(PartError, match="set aside"):
        comparison.without(a=[1]).without(a=[1])
    with pytest.raises(ReadError, match="leave less of it out"):
        comparison.without(a=range(2))


def test_sentences_keep_their_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing is read anew where whole sentences are left out, and MiniLM reads none that CoLDE has read."""
    a, b = colde.read_text(SEA), colde.read_text(SHIPS)
    comparison = colde.compare(a, b, models=["colde"])
    monkeypatch.setattr(
        CachedSentenceEncoder, "read_batch", lambda *_: pytest.fail("a sentence was read again")
    )
    assert colde.compare(a, b, models=["minilm"]).models[0].score < 1
    after = comparison.without(a=[1])
    assert after.models[0].score != comparison.models[0].score
    again = colde.compare(after.a, after.b, models=["colde"])
    assert again.models[0].score == after.models[0].score


def test_parts_as_they_are_written() -> None:
    assert parse_parts("a:3,b:7-9") == {"a": [3], "b": [7, 8, 9]}
    assert parse_parts("a:3.2, A:4,5,b:0.1-2") == {"a": [(3, 2), 4, 5], "b": [(0, 1), (0, 2)]}
    assert parse_parts("a@12-40,@50-61,b:1") == {"a": [Span(12, 40), Span(50, 61)], "b": [1]}
    for wrong in ("3", "c:3", "a:", "a:x", "a:5-3", "", "a@7-7", "@1-2", "a@5"):
        with pytest.raises(ValueError, match=r"names no sections|ends before"):
            parse_parts(wrong)


def test_parts_are_written_as_they_are_read() -> None:
    documents: dict[Letter, Document] = {"a": colde.read_text(SEA), "b": colde.read_text(SHIPS)}
    second = documents["a"].sections[1]
    said = format_parts(documents, {"a": [Span(3, 9), Span(second.start, second.end)], "b": [Span(0, 5)]})
    assert said == "a:1,a@3-9,b@0-5"
    assert parse_parts(said) == {"a": [1, Span(3, 9)], "b": [Span(0, 5)]}
    whole = [Span(s.start, s.end) for s in documents["a"].sections]
    assert format_parts({"a": documents["a"]}, {"a": whole[:2]}) == "a:0-1"


def test_a_sentence_is_left_out(comparison: colde.Comparison) -> None:
    sentence = comparison.a.sections[1].sentences[0]
    after = comparison.without(a=[Span(sentence.start, sentence.end)])
    assert "Bread rises" not in "".join(after.a.text[s.start : s.end] for _, s in after.a.sentences())
    assert all(x.score > y.score for x, y in zip(after.models, comparison.models, strict=True))
    with pytest.raises(PartError, match="characters, none at"):
        comparison.without(a=[Span(0, 9999)])
    with pytest.raises(PartError, match="are not compared"):
        after.without(a=[Span(sentence.start, sentence.start + 3)])


PLACES = [Place("a", Span(k, k + 1)) for k in range(50)]


@pytest.mark.parametrize(
    ("contributions", "threshold", "max_tries", "removed", "tries"),
    [
        pytest.param((0.1, 0.5, 0.3), 0.45, 40, {1}, 2, id="the strongest first"),
        pytest.param((-0.4, 0.5, -0.1), 0.3, 40, {0}, 2, id="of a verdict against"),
        pytest.param((0.5, 0.5), 0.2, 40, None, 3, id="none flips it"),
        pytest.param((0.1,) * 50, 0.05, 10, None, 10, id="not in time"),
    ],
)
def test_smallest_change(
    contributions: tuple[float, ...], threshold: float, max_tries: int, removed: set[int] | None, tries: int
) -> None:
    """The score of the model is the sum of what is left."""
    adds = dict(zip(PLACES, contributions, strict=False))

    def ask(gone: frozenset[Place]) -> tuple[bool, float] | None:
        score = sum(v for p, v in adds.items() if p not in gone)
        return (score >= threshold, score) if gone != adds.keys() else None

    found = smallest_change("m", adds, ask, max_tries)
    assert found.found == (removed is not None) and found.tries == tries
    assert {p.span.start for p in found.places} == (removed or set())
    assert found.scores[0] == pytest.approx(sum(contributions))


def test_what_was_not_needed_is_put_back() -> None:
    """The strongest passage first turned nothing; two others do it alone."""
    a, b, c = PLACES[:3]
    found = smallest_change("m", {a: 3.0, b: 2.0, c: 1.0}, lambda removed: (not {b, c} <= removed, 1.0))
    assert found.found and set(found.places) == {b, c} and found.tries == 6


def test_smallest_change_of_a_real_verdict() -> None:
    pair = sample_named("lighthouse")
    comparison = colde.compare(colde.read(pair.a), colde.read(pair.b), models=["tfidf"])
    found = what_if.smallest(comparison, loader=cache(models.load))
    before, after = comparison.models[0], found.after.models[0]
    assert found.smallest is not None
    assert found.smallest.found == (before.similar != after.similar)
    assert len(found.left_out["a"]) + len(found.left_out["b"]) == len(found.smallest.places)


def test_fewest_that_keep_a_verdict() -> None:
    """The two strongest do not do; with the third they do, and then the second is not needed."""
    a, b = (tuple(Place(letter, Span(k, k + 1)) for k in range(3)) for letter in ("a", "b"))
    contributions = dict(zip((*a, *b), (0.5, 0.3, 0.2, 0.9, 0.1, 0.0), strict=True))

    def ask(kept: frozenset[Place]) -> tuple[bool, float] | None:
        return {a[0], a[2], b[0]} <= kept, 1.0

    found = fewest_kept("m", True, contributions, ask)
    assert found.found and set(found.places) == {a[0], a[2], b[0]}
    assert not fewest_kept("m", True, contributions, lambda kept: None).found
    assert fewest_kept("m", True, contributions, lambda kept: (True, 1.0)).places == (b[0], a[0])[::-1]


def test_fewest_sections_that_keep_a_real_verdict() -> None:
    pair = sample_named("lighthouse")
    comparison = colde.compare(colde.read(pair.a), colde.read(pair.b), models=["tfidf"])
    found = what_if.enough(comparison, loader=cache(models.load))
    assert found.enough is not None and found.enough.found
    assert found.after.models[0].similar == comparison.models[0].similar
    kept = len(found.enough.places)
    assert kept + len(found.left_out["a"]) + len(found.left_out["b"]) == len(
        comparison.maps["tfidf"]["contribution_section"].rows
    ) + len(comparison.maps["tfidf"]["contribution_section"].columns)


def test_smallest_change_needs_an_order(comparison: colde.Comparison) -> None:
    with pytest.raises(ModelError, match="does not explain its score"):
        what_if.smallest(comparison, "match_ignition")


def test_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    a, b = tmp_path / "a.md", tmp_path / "b.md"
    a.write_text(SEA)
    b.write_text(SHIPS)
    files = [str(a), str(b), "--model", "tfidf", "--quiet"]
    assert main(["what-if", *files, "--without", "a:1", "--json", "-"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert set(found) == {"before", "after", "without", "set_aside", "warnings"}
    assert found["after"][0]["score"] > found["before"][0]["score"]
    (left,) = found["without"]["a"]
    assert left["section"] == 1 and colde.read(a).text[left["start"] : left["end"]].startswith("Bread")
    assert found["without"]["b"] == []
    assert main(["what-if", *files, "--only", "a:0"]) == 0
    shown = capsys.readouterr().out
    assert "TF-IDF" in shown and "+0." in shown and "Bread" in shown
    assert main(["what-if", *files, "--smallest"]) == 0
    assert main(["what-if", *files, "--enough"]) == 0
    capsys.readouterr()
    assert main(["what-if", *files, "--enough", "--json", "-"]) == 0
    assert {"model", "found", "tries", "kept"} == set(json.loads(capsys.readouterr().out)["enough"])


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ([], "name what to leave out"),
        (["--without", "a:9"], "there is no section 9"),
        (["--without", "9"], "names no sections"),
        (["--without", "a:0", "--only", "a:1"], "name what to leave out"),
    ],
)
def test_command_says_what_is_wrong(
    options: list[str], says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "a.md").write_text(SEA)
    (tmp_path / "b.md").write_text(SHIPS)
    files = [str(tmp_path / "a.md"), str(tmp_path / "b.md"), "--model", "tfidf", "--quiet"]
    assert main(["what-if", *files, *options]) == 2
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == 1
