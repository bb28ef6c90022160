"""Matching sentences of two documents: the same whatever model is chosen, with its limits stated."""

from __future__ import annotations

import pytest

import colde
from colde.alignment import sentence_matches
from colde.comparison import pipeline
from colde.results.progress import Progress
from colde.results.shared_text import SharedText

A = colde.read_text(
    "The keeper lights the lamp of the old tower at dusk and writes the hour into a book. Nobody but the owl has ever "
    "read that book from the first page to the last. When the boat brought bread in March, the man had been alone for "
    "nine weeks. The lens was ground in Paris and cost more than the house."
)
B = colde.read_text(
    "At nightfall the old tower's lamp is lit by its keeper, who notes the time in a ledger. In March, after nine "
    "weeks on his own, the boat came with bread for the man. Fishermen steer by stars when fog does not hide them. "
    "The lens was ground in Paris, and it cost more than the whole house did."
)
GERMAN = colde.read_text(
    "Der Wärter zündet am Abend die Lampe des alten Turms an und schreibt die Stunde in ein Buch. Niemand außer der "
    "Eule hat dieses Buch jemals von der ersten bis zur letzten Seite gelesen. Die Linse wurde in Paris geschliffen."
)


def split(model: str) -> SharedText:
    shared = pipeline.compare(A, B, models=model).shared
    assert shared is not None
    return shared


def test_the_split_is_the_same_whatever_model_is_chosen() -> None:
    shares = [split(model).split() for model in ("tfidf", "colde", "minilm,bm25")]
    assert shares[0] == shares[1] == shares[2]
    of_b = shares[0]["b"]
    assert of_b["paraphrased"] > 0.4 and of_b["edited"] + of_b["identical"] > 0.1, of_b


def test_above_the_limit_identical_text_alone_is_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("colde.alignment.sentence_similarity.MOST_PAIRS", 15)
    monkeypatch.setattr(sentence_matches, "_vectors", None)  # nothing is encoded
    comparison = pipeline.compare(A, B, models="tfidf")
    assert comparison.shared is not None and comparison.shared.searched == ("identical",)
    reason = comparison.shared.not_searched
    assert reason.startswith(
        "Edited and paraphrased text was not looked for: A has 4 sentences and B 4, more than"
    )
    assert all(f"e{reason[1:-1]}" in warnings for warnings in comparison.warnings.values())
    short = colde.read_text("The lens was ground in Paris. It cost more than the house.")
    monkeypatch.undo()
    monkeypatch.setattr("colde.alignment.sentence_similarity.MOST_PAIRS", 8)
    assert not sentence_matches.sentence_matches(short, B, lambda progress: None).too_long, (
        "few pairs, however long one text is"
    )


def test_paraphrases_are_not_looked_for_in_a_language_that_the_encoder_does_not_read() -> None:
    matches = sentence_matches.sentence_matches(GERMAN, GERMAN, lambda progress: None)
    assert (
        GERMAN.language == "de"
        and matches.searched == ("edited",)
        and "does not read German" in matches.reason
    )
    assert {m.kind for m in matches.matches} == {"edited"}
    shared = pipeline.compare(GERMAN, GERMAN, models="tfidf").shared
    assert shared is not None and shared.a["identical"] == 1


def test_reading_sentences_can_be_cancelled() -> None:
    class Stop(Exception):
        pass

    def stop(progress: Progress) -> None:
        raise Stop

    fresh = colde.read_text(A.text + " One more sentence that nobody has read before.")
    with pytest.raises(Stop):
        sentence_matches.sentence_matches(fresh, B, stop)
