"""The page Sources keeps the decisions of the reader for the session, with those of comparisons of the same texts."""

from __future__ import annotations

from typing import Any

import pytest
from colde_explorer_app import session_reviews, sources_page

from colde.index.counted_sources import Sources
from colde.ingest import read_text
from colde.results.review_decisions import Mark
from tests.index.source_texts import HARBOUR, LAMP, query_text, shared_passages


@pytest.fixture
def sources(session: dict[str, Any]) -> Sources:
    """`harbour.txt` has two passages of a text, `lamps.txt` one of them."""
    document = read_text(query_text(LAMP, "He wrote this down as well.", HARBOUR))
    return shared_passages(document, {"harbour.txt": (LAMP, HARBOUR), "lamps.txt": (LAMP,)})


def decide(monkeypatch: pytest.MonkeyPatch, sources: Sources, sent: object) -> dict[int, Mark]:
    """What the session holds after the view has sent this."""
    monkeypatch.setattr(sources_page, "sent_value", lambda key, name: sent)
    sources_page._keep_marks(sources)
    return sources_page._kept_marks(sources)


def test_decisions_are_kept_and_taken_back(sources: Sources, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = decide(
        monkeypatch,
        sources,
        {"1": {"decision": "accepted", "note": ""}, "2": {"decision": "", "note": "who?"}},
    )
    assert {n: (m.decision, m.note) for n, m in kept.items()} == {1: ("accepted", ""), 2: ("", "who?")}
    kept = decide(
        monkeypatch, sources, {"1": {"decision": "", "note": ""}, "2": {"decision": "", "note": "who?"}}
    )
    assert list(kept) == [2]
    reviewed = sources.reviewed(kept)
    assert [p.note for source in reviewed for p in source.passages if p.note] == ["who?"]


def test_marks_of_changes_and_of_other_passages_of_the_pair_stay(
    sources: Sources, monkeypatch: pytest.MonkeyPatch
) -> None:
    one, passage = sources.passages[0]
    places = sources_page._places(passage)
    other, change = Mark(places[0], None, "rejected"), Mark(*places, "accepted", change=True)
    session_reviews.keep_passage_marks(sources.document, one.text, (), (other, change))
    decide(monkeypatch, sources, {"0": {"decision": "rejected", "note": "quoted"}})
    marks = session_reviews.decisions(sources.document, one.text).marks
    assert set(marks) == {other, change, Mark(*places, "rejected", "quoted")}


@pytest.mark.parametrize(
    "sent", [None, 7, {"0": {"decision": "burn it"}}, {"0": {"note": 7}}, {"99": {"note": "x"}}]
)
def test_what_is_no_review_changes_nothing(
    sources: Sources, monkeypatch: pytest.MonkeyPatch, sent: object
) -> None:
    assert decide(monkeypatch, sources, sent) == {}
