"""Shared passages of two texts: whole, inside the texts, every word once, the same when the texts are swapped."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import colde
from colde.alignment.sentence_matches import sentence_matches
from colde.alignment.sentence_similarity import MOST_PAIRS
from colde.passages.find_passages import LONG_RUN, MAX_WORDS, find_passages
from colde.results.seeds import Seeds, certain_seeds
from colde.results.shared_text import (
    EXCLUSIONS,
    Exclusion,
    PassageKind,
    SentenceMatch,
    SentenceMatches,
    SharedPassage,
    SharedText,
)
from colde.results.similarity_map import Letter
from colde.text.document import Document
from colde.text.not_compared.boilerplate import without_boilerplate
from tests.operation_counts import calls_of
from tests.passages.made_seeds import drawn_seeds, matches_of, seeds_of

COPIED = "the lamp of the old tower turns once a minute while nobody on the rock is awake"
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
SIDES: tuple[Letter, Letter] = ("a", "b")


def shared(
    a: str | Document,
    b: str | Document,
    found: SentenceMatches = NONE,
    leave_out: Sequence[Exclusion] = (),
) -> SharedText:
    one, two = (colde.read_text(text) if isinstance(text, str) else text for text in (a, b))
    result = find_passages(one, two, found, leave_out)
    assert result is not None
    return result


def of_pair(text: Document, other: Document, passage: SharedPassage) -> tuple[str, str]:
    return text.text[passage.a.start : passage.a.end], other.text[passage.b.start : passage.b.end]


def test_a_passage_holds_its_parts_and_its_words_have_their_kinds() -> None:
    edited = seeds_of((1, 1, 5.0), common=6, order=0.6)
    result = shared(A, B, matches_of(edited))
    (passage,) = result.passages
    assert passage.kind == "edited", "words at both ends differ"
    assert [p.kind for p in passage.parts] == [
        "edited",
        "identical",
        "edited",
    ]
    a = colde.read_text(A)
    assert a.text[passage.a.start : passage.a.end].startswith("We know that the lamp")
    assert a.text[passage.a.start : passage.a.end].endswith("the cold night.")
    run = next(p for p in passage.parts if p.kind == "identical")
    assert a.text[run.a.start : run.a.end] == COPIED
    assert result.a["identical"] == pytest.approx(len(COPIED.split()) / result.words_a)
    assert result.a["edited"] == pytest.approx((3 + 9) / result.words_a), "the rest of both sentences"


@pytest.mark.parametrize(
    ("kind", "common", "order"), [("identical", 9, 1.0), ("edited", 6, 0.6), ("paraphrased", 4, 0.6)]
)
def test_sentences_are_edited_or_paraphrased_by_the_words_they_have_in_common(
    kind: PassageKind, common: int, order: float
) -> None:
    a = "When the tide turns at noon on every day of spring the boat leaves for the rock with bread and letters."
    b = "At midday in April and May water comes back and ships bring food and post to whoever lives out there."
    result = shared(a, a if order == 1 else b, matches_of(seeds_of((0, 0, 9.0), common=common, order=order)))
    assert [(p.kind, {q.kind for q in p.parts}) for p in result.passages] == [(kind, {kind})]


def test_a_passage_with_one_other_word_is_edited() -> None:
    a = f"{COPIED} It is seen for miles.".replace("lamp", "light")
    kinds = [shared(a, b).passages[0].kind for b in (a, a.replace("miles", "hours"), a.upper())]
    assert kinds == ["identical", "edited", "identical"]


def test_statements_that_disagree_are_opposite() -> None:
    a = "The boat came to the rock at noon with bread and letters for all of us who had waited since the storm."
    b = "At noon the boat did not come to the rock where we all had waited for bread and letters since the storm."
    result = shared(a, b, matches_of(seeds_of((0, 0, 9.0), common=3, order=0.2)))
    assert [p.kind for p in result.passages] == ["opposite"]


def test_the_kind_is_that_of_most_words_of_both_sides() -> None:
    long = "In the years after the war it was the custom of his large family to read the letters aloud " * 2
    a, b = f"They knew that {COPIED}. {long.strip()}.", f"They knew that {COPIED}. They read the letters."
    found = seeds_of((1, 1, 9.0), common=5, order=0.5)
    one, two = shared(a, b, matches_of(found)), shared(b, a, matches_of(found.swapped()))
    assert [p.kind for p in one.passages] == [p.kind for p in two.passages] == ["edited"]


def test_parts_end_where_their_passage_ends() -> None:
    listed = "Contents chapter figures tables index glossary appendix maps plates errata notes sources dates names "
    result = shared(f"{listed * 2}{COPIED}.", f"They wrote that {COPIED}.")
    (passage,) = result.passages
    assert passage.a.start >= len(listed) and {p.kind for p in passage.parts} == {"identical", "edited"}
    assert min(part.a.start for part in passage.parts) == passage.a.start


def test_certain_translations_are_passages_of_any_weight() -> None:
    place = np.array([1])
    found = SentenceMatches(
        (), ("translated",), "words cannot be compared", seeds=certain_seeds(place, place)
    )
    result = shared(
        "We sleep here. Bread is dear. They left.", "Wir schlafen. Brot kostet viel. Sie gingen.", found
    )
    assert [(p.kind, p.words["a"]) for p in result.passages] == [("translated", 3)]


def test_pairs_about_the_same_topic_come_after_passages_and_once() -> None:
    a, b = colde.read_text(A), colde.read_text(B)
    rows, columns = ([s for _, s in d.sentences()] for d in (a, b))
    topic: PassageKind = "same topic"
    matches = [SentenceMatch(topic, rows[i], columns[j], 0.4) for i, j in ((0, 0), (2, 2), (2, 2))]
    result = shared(a, b, SentenceMatches(tuple(matches)))
    assert [p.kind for p in result.passages] == ["edited", "same topic"]
    assert of_pair(a, b, result.passages[1])[0] == "Bread is dear."


def test_the_longest_come_first_and_standard_text_last() -> None:
    licence = "# Acknowledgements\n\nWe thank the whole crew of the boat for the bread that they brought us in May.\n"
    texts = ((A, "We sleep here. " * 9), (B, "They left. " * 9))  # too far for one passage
    a, b = (
        without_boilerplate(colde.read_text(f"{text}\n\n{between}\n\n{licence}")) for text, between in texts
    )
    result = shared(a, b)
    assert [(p.kind, p.standard) for p in result.passages] == [("edited", False), ("identical", True)]
    assert result.a["standard"] == pytest.approx(18 / result.words_a)
    assert sum(result.split()["a"].values()) == pytest.approx(1, abs=1e-3)


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_text_against_itself_is_one_identical_passage_in_every_language(language: str) -> None:
    text = f"# 1\n\n{LANGUAGES[language]}\n\n# 2\n\nOne.\n"
    result = shared(text, text)
    (passage,) = result.passages
    assert passage.kind == "identical" and passage.words == {"a": result.words_a, "b": result.words_b}
    assert result.a["identical"] == result.b["identical"] == 1
    assert result.split()["a"] == {
        "identical": 1, "edited": 0, "paraphrased": 0, "same_topic": 0, "standard": 0, "rest": 0,
    }  # fmt: skip


def test_the_number_of_words_is_that_of_the_document() -> None:
    odd = "# E-mail – a note\n\nIt's a well-known fact – 3.5 % of e-mails, i.e. 1,000, aren't read (see A/B). OK.\n"
    document = colde.read_text(odd)
    assert shared(odd, B).words_a == document.words() == len(document.text.split())
    assert colde.read_text(B).words() - shared(odd, B, leave_out=("quotes",)).words_b == len(COPIED.split())


@pytest.mark.parametrize("exclusion", ["quotes", "small"])
def test_what_is_left_out_in_one_text_is_shared_by_neither(exclusion: Exclusion) -> None:
    quoted, short = f"They wrote: “{COPIED}” twice.", "The lamp of the old tower turns by day."
    one, two = (A, quoted) if exclusion == "quotes" else (short, short)
    assert shared(one, two).passages
    result = shared(one, two, leave_out=(exclusion,))
    assert not result.passages and result.a["identical"] == result.b["identical"] == 0
    assert result.left_out == (exclusion,)


def test_citations_and_front_matter_can_be_left_out() -> None:
    text = f"# Copyright\n\nAll rights are kept by the people who wrote it.\n\n# Sea\n\n{COPIED} (Fresnel, 1822)."
    everything, without = shared(text, B), shared(text, B, leave_out=("references", "boilerplate"))
    assert everything.words_a - without.words_a == 2 + 11


def test_texts_without_words_and_too_long_ones_are_not_searched(monkeypatch: pytest.MonkeyPatch) -> None:
    a, b = colde.read_text(A), colde.read_text(B)
    assert MAX_WORDS == 300_000
    monkeypatch.setattr("colde.passages.find_passages.MAX_WORDS", a.words() + b.words())
    assert find_passages(a, b, NONE) is not None
    monkeypatch.setattr("colde.passages.find_passages.MAX_WORDS", a.words() + b.words() - 1)
    assert find_passages(a, b, NONE) is None


def test_a_text_of_too_many_sentences_for_the_search_is_one_passage_against_itself() -> None:
    a = colde.read_text(
        " ".join(f"Boat {n} came with {n} letters." for n in range(math.isqrt(MOST_PAIRS) + 1))
    )
    sentences = sentence_matches(a, a, lambda progress: None)
    assert not len(sentences.seeds) and sentences.too_long
    (passage,) = shared(a, a, sentences).passages
    assert passage.kind == "identical" and passage.words["a"] == a.words()


def test_the_closest_sentences_lie_outside_passages_and_each_is_named_once() -> None:
    pairs = seeds_of((0, 0, 1.0), (2, 2, -1.0), (2, 1, -2.0), (1, 1, -3.0), (1, 2, -1.5))
    result = shared(A, B, matches_of(pairs))
    a, b = colde.read_text(A), colde.read_text(B)
    named = [(a.text[p.a.start :][:5], b.text[p.b.start :][:3]) for p in result.closest]
    assert named == [("Bread", "In "), ("Its k", "Its")]
    assert result.closest[0].certainty == pytest.approx(1 / (1 + np.e))


SENTENCES = st.lists(
    st.sampled_from(
        [
            "one two three four five six seven.",
            "the tide turns at noon here today.",
            "no.",
            "six of it.",
            "the keeper of the old tower lights its lamp at dusk on every day of the year.",
            "nobody but the owl was awake when the boat with “bread and many letters” came to us in May.",
        ]
    ),
    min_size=1,
    max_size=7,
).map(lambda side: " ".join(s.capitalize() for s in side))


@st.composite
def searched(draw: st.DrawFn) -> tuple[Document, Document, Seeds]:
    """Two texts that have sentences in common, and any seeds."""
    one, two = (colde.read_text(draw(SENTENCES)) for _ in SIDES)
    rows, columns = (sum(1 for _ in d.sentences()) for d in (one, two))
    return one, two, draw(drawn_seeds(rows, columns))


def mirrored(found: SharedText, one: Letter, other: Letter) -> list[tuple[object, ...]]:
    """The passages as plain values, the side of `one` first."""
    return sorted(
        (
            *((s.start, s.end) for s in (getattr(p, one), getattr(p, other))),
            p.kind,
            p.standard,
            round(p.certainty, 9),
            (p.words[one], p.words[other]),
            sorted(
                (q.kind, getattr(q, one).start, getattr(q, one).end, getattr(q, other).start) for q in p.parts
            ),
        )
        for p in found.passages
    )


@settings(max_examples=30)
@given(searched())
def test_swapped_texts_have_mirrored_passages_parts_and_shares(
    texts: tuple[Document, Document, Seeds],
) -> None:
    a, b, seeds = texts
    forward, back = shared(a, b, matches_of(seeds)), shared(b, a, matches_of(seeds.swapped()))
    assert mirrored(forward, "a", "b") == mirrored(back, "b", "a")
    assert (forward.a, forward.b) == (back.b, back.a)


@settings(max_examples=30)
@given(searched(), st.lists(st.sampled_from(EXCLUSIONS), unique=True, max_size=2))
def test_parts_lie_in_their_passage_and_passages_in_the_texts(
    texts: tuple[Document, Document, Seeds], leave_out: list[Exclusion]
) -> None:
    a, b, seeds = texts
    result = shared(a, b, matches_of(seeds), leave_out)
    for passage in result.passages:
        assert 0 <= passage.a.start < passage.a.end <= len(a.text)
        assert 0 <= passage.b.start < passage.b.end <= len(b.text)
        assert passage.parts
        for part in passage.parts:
            assert passage.a.start <= part.a.start < part.a.end <= passage.a.end
            assert passage.b.start <= part.b.start < part.b.end <= passage.b.end


@settings(max_examples=30)
@given(searched(), st.lists(st.sampled_from(EXCLUSIONS), unique=True, max_size=2))
def test_every_word_is_counted_once_and_shares_add_up(
    texts: tuple[Document, Document, Seeds], leave_out: list[Exclusion]
) -> None:
    a, b, seeds = texts
    result = shared(a, b, matches_of(seeds), leave_out)
    for side, shares in ((SIDES[0], result.a), (SIDES[1], result.b)):
        stretches = result.stretches[side]
        assert all(x.end <= y.start for x, y in pairwise(stretches))
        assert sum(s.words for s in stretches) == pytest.approx(result.words[side], abs=0.5)
        for kind, share in shares.items():
            words = sum(s.words for s in stretches if s.kind == kind)
            assert words == pytest.approx(share * max(1, result.words[side])), "the stretches are the split"
        assert sum(result.split()[side].values()) == pytest.approx(1, abs=1e-3)
        assert sum(shares.values()) <= 1 + 1e-9


@settings(max_examples=30)
@given(searched(), st.sampled_from(EXCLUSIONS))
def test_leaving_out_never_adds(texts: tuple[Document, Document, Seeds], exclusion: Exclusion) -> None:
    a, b, seeds = texts
    whole, less = shared(a, b, matches_of(seeds)), shared(a, b, matches_of(seeds), (exclusion,))
    assert {(p.a, p.b) for p in less.passages} <= {(p.a, p.b) for p in whole.passages}
    for side in SIDES:
        shared_words = [
            sum(s.words for s in result.stretches[side] if s.kind is not None) for result in (whole, less)
        ]
        assert shared_words[1] <= shared_words[0]
        assert less.words[side] <= whole.words[side]


def test_a_run_does_not_continue_over_what_is_left_out() -> None:
    words = COPIED.split()
    quoted = " ".join([*words[:8], "“which is the brightest of all the lamps of this coast”", *words[8:]])
    assert not shared(
        f"Then {COPIED.replace('while', 'when')}.", f"They: {quoted}.", leave_out=("quotes",)
    ).passages


@settings(max_examples=30)
@given(SENTENCES)
def test_a_text_against_itself_is_one_identical_passage(text: str) -> None:
    result = shared(text, text)
    assert [(p.kind, p.words["a"]) for p in result.passages] == [("identical", result.words_a)] or (
        result.words_a < LONG_RUN and not result.passages
    )


@settings(max_examples=30)
@given(st.integers(0, 10**6), st.integers(1, 30))
def test_texts_of_random_words_share_nothing(seed: int, sentences: int) -> None:
    draw = random.Random(seed)
    known = [f"word{k}" for k in range(300)]
    one, two = (
        " ".join(f"{' '.join(draw.choices(known, k=12)).capitalize()}." for _ in range(sentences))
        for _ in SIDES
    )
    result = shared(one, two)
    assert not result.passages and set(result.a.values()) == {0.0}


def text_of(count: int, draw: random.Random) -> str:
    """Sentences of which many are equal, many are rows of a table, and some are in the other text, too."""
    kinds = (
        lambda k: "The keeper of the old tower lights its lamp at dusk.",
        lambda k: f"Row {'abcdefg'[k % 7]} has {'hijklmnopqrst'[k % 13]} in the table of all hours and days.",
        lambda k: " ".join("".join(draw.choices("bdfklmnprst", k=6)) for _ in range(12)).capitalize() + ".",
    )
    return " ".join(kinds[k % 3](k) for k in range(count))


def work_of(count: int) -> int:
    draw = random.Random(0)
    a, b = (colde.read_text(text_of(count, draw)) for _ in SIDES)
    pairs = {(k, k) for k in range(0, count, 7)} | {(k, draw.randrange(count)) for k in range(count)}
    found = matches_of(seeds_of(*((i, j, draw.uniform(-4, 4)) for i, j in sorted(pairs))))
    return calls_of(lambda: find_passages(a, b, found))


def test_work_grows_with_the_length_of_the_texts() -> None:
    work_of(30)
    assert work_of(300) < 2.7 * work_of(150)


def test_parts_that_begin_at_the_same_places_have_one_order() -> None:
    files = (f"assets/samples/lens_{name}.md" for name in ("history", "physics"))
    found = colde.compare(*map(colde.read, files), models="tfidf").shared
    assert found is not None
    starts = [[(p.a.start, p.b.start, p.kind) for p in passage.parts] for passage in found.passages]
    ends = [[(-p.a.end, -p.b.end) for p in passage.parts] for passage in found.passages]
    ties = [pair for s, e in zip(starts, ends, strict=True) for pair in pairwise(zip(s, e, strict=True))]
    ties = [(one[1], two[1]) for one, two in ties if one[0] == two[0]]
    assert ties and all(one < two for one, two in ties)
