"""Shares of shared text: every word once, under the strongest kind, from the two texts alone."""

from __future__ import annotations

import pytest
from colde.explain.text_overlap import shared_text
from hypothesis import given
from hypothesis import strategies as st

import colde
from colde.report.csv_tables import split_table
from colde.report.shared_kinds import kind_note, kind_rows, split_payload
from colde.results.shared_text import Exclusion, Kind, SentenceMatch, SentenceMatches, SharedText
from colde.text.document import Document

COPIED = "the lamp of the old tower turns once a minute"
A = f"# Sea\n\nWe know that {COPIED}. Its keeper was sleeping soundly through the cold night. Bread is dear.\n"
B = (
    f"# Light\n\nThey wrote: “{COPIED}” and nothing more than that. "
    "Its keeper was quite badly asleep through the cold night. In wintertime the man who minds it slumbers."
)
NONE = SentenceMatches(())
LANGUAGES = {
    "English": "The keeper lights the lamp at dusk. He writes the hour in a book. Nobody reads it but the owl. "
    "In the morning he sleeps until the boat arrives with bread and letters.",
    "German": "Der Wärter zündet am Abend die Lampe an. Er schreibt die Stunde in ein Buch. Niemand liest es außer "
    "der Eule. Am Morgen schläft er, bis das Boot mit Brot und Briefen kommt.",
    "Chinese": "守塔人在黄昏点亮灯。他把时间写进本子里。除了猫头鹰没有人读它。早晨他一直睡到船带着面包和信件来。"
    "第二天他又点亮灯，重新开始。",
    "Arabic": "يشعل الحارس المصباح عند الغروب. يكتب الساعة في دفتر. لا يقرأه أحد سوى البومة. في الصباح ينام حتى يصل "
    "القارب حاملا الخبز والرسائل من المدينة البعيدة على الشاطئ الآخر.",
    "Greek": "Ο φύλακας ανάβει τη λάμπα το σούρουπο. Γράφει την ώρα σε ένα βιβλίο. Κανείς δεν το διαβάζει εκτός από "
    "την κουκουβάγια. Το πρωί κοιμάται ώσπου να έρθει η βάρκα με ψωμί και γράμματα.",
}


def matches(a: Document, b: Document, *found: tuple[Kind, int, int]) -> SentenceMatches:
    rows, columns = ([s for _, s in d.sentences()] for d in (a, b))
    return SentenceMatches(tuple(SentenceMatch(kind, rows[i], columns[j], 0.9) for kind, i, j in found))


def counted(
    leave_out: tuple[Exclusion, ...] = (), *found: tuple[Kind, int, int], a: str = A, b: str = B
) -> SharedText:
    one, two = colde.read_text(a), colde.read_text(b)
    shared = shared_text(one, two, matches(one, two, *found), leave_out)
    assert shared is not None
    return shared


def test_every_word_once_under_the_strongest_kind() -> None:
    shared = counted((), ("edited", 0, 0), ("edited", 1, 1), ("paraphrased", 1, 2))
    a = colde.read_text(A)
    (run,) = shared.of("copied")
    assert a.text[run.a.start : run.a.end] == COPIED
    words = len(COPIED.split())
    assert shared.a["copied"] == pytest.approx(words / shared.words_a)
    assert shared.b["copied"] == pytest.approx(words / shared.words_b)
    assert shared.b["paraphrased"] == pytest.approx(8 / shared.words_b)
    assert shared.a["paraphrased"] == 0, "its sentence is edited, which is stronger"
    for side, shares in (("a", shared.a), ("b", shared.b)):
        assert sum(shared.split()[side].values()) == pytest.approx(1, abs=1e-9)
        words = {"a": shared.words_a, "b": shared.words_b}[side]
        for kind, share in shares.items():
            of_kind = sum(s.words for s in shared.stretches[side] if s.kind == kind)
            assert of_kind / words == pytest.approx(share), "the stretches are the split"


def test_the_number_of_words_is_that_of_the_document() -> None:
    odd = "# E-mail – a note\n\nIt's a well-known fact – 3.5 % of e-mails, i.e. 1,000, aren't read (see A/B). OK.\n"
    shared = counted(a=odd, b=B)
    document = colde.read_text(odd)
    assert shared.words_a == document.words() == len(document.text.split())
    quoted = counted(("quotes",), b=B)
    assert colde.read_text(B).words() - quoted.words_b == len(COPIED.split())


@pytest.mark.parametrize("language", LANGUAGES)
def test_identical_texts_are_identical_in_every_language(language: str) -> None:
    text = f"# 1\n\n{LANGUAGES[language]}\n\n# 2\n\nOne.\n"
    shared = counted(a=text, b=text)
    assert shared.a["copied"] == shared.b["copied"] == 1
    assert [row.a for row in kind_rows(shared)] == ["100 %", "0 %", "0 %", "0 %", "0 %"]
    assert shared.split()["a"] == {"identical": 1, "edited": 0, "paraphrased": 0, "same_topic": 0, "rest": 0}


def test_nothing_shared_is_0_percent() -> None:
    shared = counted(b="Bees fly home at noon, each to a hive of clay, and the grass is very dry there. " * 2)
    assert not shared.passages and [row.a for row in kind_rows(shared)] == [
        "0 %",
        "0 %",
        "0 %",
        "0 %",
        "100 %",
    ]
    assert [stretch.kind for stretch in shared.stretches["b"]] == [None]


@pytest.mark.parametrize("exclusion", ["quotes", "small"])
def test_what_is_left_out_in_one_text_is_shared_by_neither(exclusion: Exclusion) -> None:
    shared = counted((exclusion,), ("paraphrased", 0, 0))
    assert not shared.of("copied") and shared.a["copied"] == shared.b["copied"] == 0
    assert shared.left_out == (exclusion,) and "Not counted" in kind_note(shared)
    if exclusion == "quotes":
        assert not shared.passages, "what remains of the sentence is not compared"
        assert counted().words_b - shared.words_b == len(COPIED.split())


def test_citations_and_front_matter_can_be_left_out() -> None:
    text = f"# Copyright\n\nAll rights are kept by the people who wrote it.\n\n# Sea\n\n{COPIED} (Fresnel, 1822)."
    everything, without = counted(a=text), counted(("references", "boilerplate"), a=text)
    assert everything.words_a - without.words_a == 2 + 11


SENTENCES = st.lists(
    st.sampled_from(
        ["one two three four five six seven.", "the tide turns at noon here today.", "no.", "six of it."]
    ),
    min_size=1,
    max_size=6,
)


@given(SENTENCES, SENTENCES, st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), max_size=4))
def test_swapped_texts_have_mirrored_shares(a: list[str], b: list[str], pairs: list[tuple[int, int]]) -> None:
    one, two = (colde.read_text(" ".join(s.capitalize() for s in side)) for side in (a, b))
    n, m = (sum(1 for _ in d.sentences()) for d in (one, two))
    forward = shared_text(one, two, matches(one, two, *(("edited", i % n, j % m) for i, j in pairs)))
    back = shared_text(two, one, matches(two, one, *(("edited", j % m, i % n) for i, j in pairs)))
    assert forward is not None and back is not None
    assert (forward.a, forward.b) == (back.b, back.a)
    assert sorted((p.kind, p.a.start, p.b.start) for p in forward.passages if p.kind == "copied") == sorted(
        (p.kind, p.b.start, p.a.start) for p in back.passages if p.kind == "copied"
    )


def test_what_was_not_looked_for_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = colde.read_text(A), colde.read_text(B)
    reason = "Edited and paraphrased text was not looked for: B has 2,400 sentences."
    shared = shared_text(a, b, SentenceMatches((), (), reason))
    assert shared is not None and [row.kind for row in kind_rows(shared)] == ["copied", "rest"]
    assert reason in kind_note(shared) and shared.to_dict()["not_searched"] == reason
    assert split_payload(shared)["missing"] == "edited and paraphrased text not looked for"
    assert reason in split_table(shared) and "rest" in split_table(shared)
    monkeypatch.setattr("colde.explain.text_overlap.MAX_WORDS", 10)
    assert shared_text(a, b, NONE) is None
