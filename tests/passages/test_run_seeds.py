"""Seeds from identical runs of words."""

from __future__ import annotations

import numpy as np
import pytest

import colde
from colde.alignment.paraphrase_classifier import EDITED
from colde.alignment.shared_runs import compared_words
from colde.passages.run_seeds import EVEN, PER_WORD, RunsOfTexts, with_runs
from colde.passages.sentence_words import SentenceWords
from colde.results.seeds import MOST_LOG_ODDS, Seeds
from colde.text.document import Document, Span
from tests.passages.made_seeds import seeds_of

A = "The old lamp turns once a minute all night. Nobody sees it. Bread is dear on the rock in winter."
B = "They wrote that the old lamp turns once a minute. A boat came. Bread is dear on the rock in winter."


def read(*texts: str) -> tuple[tuple[Document, ...], RunsOfTexts, tuple[SentenceWords, SentenceWords]]:
    documents = tuple(colde.read_text(text) for text in texts)
    one, two = (SentenceWords.of(d) for d in documents)
    return documents, RunsOfTexts.of(*map(compared_words, documents)), (one, two)


def test_a_run_is_a_seed_of_the_sentences_that_hold_it() -> None:
    _, runs, texts = read(A, B)
    assert runs.lengths(*texts) == {(0, 0): 7, (2, 2): 8}
    seeds = with_runs(Seeds.none(), runs.lengths(*texts), *texts)
    assert list(zip(seeds.rows, seeds.columns, seeds.run, seeds.common, strict=True)) == [
        (0, 0, 7, 7),
        (2, 2, 8, 8),
    ]
    assert seeds.log_odds.tolist() == [EDITED, EDITED], "they have most of their words in common"
    _, runs, texts = read(A, f"{A[:40]} {' '.join(f'w{k}' for k in range(20))}.")
    (weak,) = with_runs(Seeds.none(), runs.lengths(*texts), *texts).log_odds
    assert weak == PER_WORD * (8 - EVEN)
    assert seeds.order.tolist() == [pytest.approx(2 * 7 / (9 + 10)), 1.0]


def test_what_is_known_of_two_sentences_keeps_the_stronger_of_both() -> None:
    _, runs, texts = read(A, B)
    known = seeds_of((0, 0, 3.0), (1, 1, -2.0), (2, 2, -9.0))
    seeds = with_runs(known, runs.lengths(*texts), *texts)
    assert seeds.log_odds.tolist() == [3.0, -2.0, PER_WORD * (8 - EVEN)]
    assert seeds.run.tolist() == [7, 0, 8]


def test_a_run_of_several_whole_sentences_counts_whole() -> None:
    text = "The lamp turns. Nobody sees it. Bread is dear. The boat is late. We wait."
    _, runs, texts = read(text, text)
    lengths = runs.lengths(*texts)
    assert lengths == dict.fromkeys([(k, k) for k in range(5)], 15)
    seeds = with_runs(Seeds.none(), lengths, *texts)
    assert seeds.log_odds.tolist() == [PER_WORD * (15 - EVEN)] * 5, "three words alone would be none"
    _, cut, texts = read(text, "So: the lamp turns. Nobody sees it. Bread is dear on the rock.")
    assert cut.lengths(*texts) == {(0, 0): 3, (1, 1): 9, (2, 2): 3}


def test_log_odds_of_long_runs_are_limited() -> None:
    text = " ".join(f"word{k}" for k in range(60)) + "."
    _, runs, texts = read(text, text)
    assert with_runs(Seeds.none(), runs.lengths(*texts), *texts).log_odds.tolist() == [MOST_LOG_ODDS]


def test_repeated_text_has_runs_in_every_place_of_both_texts() -> None:
    line = "The old lamp turns once a minute."
    _, runs, texts = read(line, f"{line} Nobody sees it. {line}")
    assert set(runs.lengths(*texts)) == {(0, 0), (0, 2)}
    _, back, swapped = read(f"{line} Nobody sees it. {line}", line)
    assert set(back.lengths(*swapped)) == {(0, 0), (2, 0)}


def test_runs_within_a_passage_are_cut_at_its_ends() -> None:
    (a, b), runs, _ = read(A, B)

    def within(one: str, two: str, hidden: str = "") -> list[tuple[str, str]]:
        spans = [Span(d.text.index(t), d.text.index(t) + len(t)) for d, t in ((a, one), (b, two))]
        counted = np.array([name not in hidden.split() for name in runs.words[0].names])
        everything = np.ones(len(runs.words[1].names), dtype=bool)
        return sorted({
            (a.text[x.start : x.end], b.text[y.start : y.end])
            for x, y in runs.within(*spans, (counted, everything))
        })  # fmt: skip

    run = "Bread is dear on the rock in winter"
    assert within(A, B) == [
        (run, run),
        ("The old lamp turns once a minute", "the old lamp turns once a minute"),
    ]
    assert within(A, run) == [(run, run)]
    assert within("is dear on the rock in winter", run) == [(run[6:], run[6:])], (
        "the same words of both texts"
    )
    assert within("dear on the rock in winter", "Bread is dear on the rock") == [], "four words are no run"
    assert within(A, run, "bread") == [(run[6:], run[6:])]
    assert within(A, run, "rock") == [], "what is left is too short on both sides"
