"""The history of versions: in which version each sentence came in, changed, moved and went out."""

from __future__ import annotations

import json
from itertools import pairwise

import pytest

import colde
from colde.comparison.version_history import SentenceHistory, VersionHistory, version_history
from colde.errors import ReadError
from tests.schemas import validate

FIRST = """# Lease of a boathouse

## Rent

The rent is 400 crowns a month. The tenant pays it on the first working day. Interest of two per cent is charged on late
payments.

## Use

The tenant may keep six boats in the hall. No fire is lit inside the house. The keys are returned in October.
"""
SECOND = FIRST.replace("400 crowns", "450 crowns").replace("The tenant may keep", "The tenant may not keep")
CALENDAR = "The society prints a calendar of regattas each spring."
THIRD = SECOND.replace(" No fire is lit inside the house.", "").replace(
    "The rent is", f"{CALENDAR} The rent is"
)
FOURTH = THIRD.replace("The keys are", "No fire is lit inside the house. The keys are").replace(
    " Interest of two per cent is charged on late\npayments.", ""
)
NAMES = ("Owner", "Lawyer", "Tenant", "Owner again")


def history_of(*texts: str) -> VersionHistory:
    return version_history([colde.read_text(text) for text in texts])


def sentence(history: VersionHistory, words: str) -> SentenceHistory:
    return next(s for s in (*history.sentences, *history.removed) if words in s.text.text)


@pytest.fixture(scope="module")
def history() -> VersionHistory:
    documents = [colde.read_text(text) for text in (FIRST, SECOND, THIRD, FOURTH)]
    return version_history(documents, NAMES)


def test_each_sentence_tells_when_it_came_in_and_changed(history: VersionHistory) -> None:
    expected = {
        "450 crowns": (1, 2, ["number"]),
        "six boats": (1, 2, ["negation"]),
        "first working day": (1, 1, []),
        "calendar of regattas": (3, 3, ["added"]),
        "returned in October": (1, 1, []),
    }
    for words, (first, last, kinds) in expected.items():
        one = sentence(history, words)
        assert (one.first, one.last, [step.kind for step in one.steps]) == (first, last, kinds), words
        assert one.removed is None and one.version == 4


def test_a_sentence_that_comes_back_keeps_its_history(history: VersionHistory) -> None:
    fire = sentence(history, "No fire is lit")
    assert [(step.version, step.kind) for step in fire.steps] == [(3, "removed"), (4, "restored")]
    assert (fire.first, fire.last) == (1, 4)


def test_what_the_last_version_has_not_is_listed(history: VersionHistory) -> None:
    (interest,) = history.removed
    assert "two per cent" in interest.text.text
    assert (interest.version, interest.removed, interest.first, interest.last) == (3, 4, 1, 1)
    assert [step.kind for step in interest.steps] == ["removed"]


def test_versions_count_their_changes_by_kind(history: VersionHistory) -> None:
    assert [version.name for version in history.versions] == list(NAMES)
    counts = [dict(version.changes) for version in history.versions]
    assert counts == [
        {},
        {"number": 1, "negation": 1},
        {"removed": 1, "added": 1},
        {"removed": 1, "added": 1},
    ]


def test_the_counts_are_those_of_comparisons_of_two_versions(history: VersionHistory) -> None:
    texts = [colde.read_text(text) for text in (FIRST, SECOND, THIRD, FOURTH)]
    names = {"only in a": "removed", "only in b": "added"}
    for version, (a, b) in zip(history.versions[1:], pairwise(texts), strict=True):
        kinds = [names.get(change.kind, change.kind) for change in colde.compare(a, b, "tfidf").changes]
        assert sorted(kinds) == sorted(kind for kind, n in version.changes.items() for _ in range(n))


def test_steps_mark_what_differs(history: VersionHistory) -> None:
    (step,) = sentence(history, "450 crowns").steps
    assert step.before is not None and step.after is not None
    assert [text for text, differs in step.before.pieces if differs] == ["400"]
    assert [text for text, differs in step.after.pieces if differs] == ["450"]
    assert "".join(text for text, _ in step.after.pieces) == step.after.text


def test_a_moved_sentence_keeps_its_version() -> None:
    last = "The keys are returned in October."
    moved = FIRST.replace(f" {last}", "").replace("The rent is", f"{last} The rent is")
    keys = sentence(history_of(FIRST, moved), "October")
    assert [step.kind for step in keys.steps] == ["moved"]
    assert (keys.first, keys.last) == (1, 1)


def test_a_sentence_that_is_split_changes_where_its_words_do() -> None:
    joined = "The porter opens the gate at seven each morning, and the cook brings bread and soup to the hall at noon."
    split = (
        "The porter opens the gate at seven each morning. The cook brings bread and soup to the hall at one."
    )
    history = history_of(FIRST + joined, FIRST + split)
    gate, bread = sentence(history, "opens the gate"), sentence(history, "brings bread")
    assert gate.first == bread.first == 1
    assert "noon" not in [text for step in gate.steps if step.before for text, on in step.before.pieces if on]
    assert any(text == "one" for step in bread.steps if step.after for text, on in step.after.pieces if on)


def test_equal_versions_have_no_steps() -> None:
    history = history_of(FIRST, FIRST, FIRST)
    assert not history.removed
    assert {(s.first, s.last, s.steps) for s in history.sentences} == {(1, 1, ())}


def test_every_word_of_the_last_version_is_in_one_sentence(history: VersionHistory) -> None:
    words = " ".join(s.text.text for s in history.sentences).split()
    assert words == colde.read_text(FOURTH).text.split()


def test_json_follows_its_schema(history: VersionHistory) -> None:
    validate("history", json.loads(history.to_json()))


def test_wrong_versions_are_refused() -> None:
    document = colde.read_text(FIRST)
    with pytest.raises(ValueError, match="two versions"):
        version_history([document])
    with pytest.raises(ValueError, match="3 names for 2 versions"):
        version_history([document, document], NAMES[:3])
    with pytest.raises(ReadError):
        version_history([document, colde.read_text("Three short words.")])
