"""The sample pairs are what they say they are: their lengths, what they share, and their PDFs."""

from __future__ import annotations

import gzip
import json
import re
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from itertools import islice
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from colde_explorer_app.page_parts.thumbnails import thumbnail
from sklearn.feature_extraction.text import TfidfVectorizer

from colde.corpus.samples import Sample, sample_named, samples

CONTRACT, PATENT, SUBJECT, WORDS = samples()
ESSAYS = [path for sample in (SUBJECT, WORDS) for path in (sample.a, sample.b)]
TEXTS = [path for sample in samples() for path in (sample.a, sample.b)]
PDFS = [path for sample in samples() for path in (sample.a_pdf, sample.b_pdf)]
BUDGET = 1_000_000
"""Bytes of all texts, PDFs and pictures of the samples."""
RUN = 7  # words in a row that two authors hardly choose by chance


def _read(path: Path) -> str:
    return path.read_text(encoding="utf-8")


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.lower())


def _runs(text: str) -> set[tuple[str, ...]]:
    words = _words(text)
    return set(zip(*(words[i:] for i in range(RUN)), strict=False))


def _section_of(text: str, passage: str) -> int:
    return text[: text.index(passage)].count("\n#")


def test_four_pairs_with_their_own_keys() -> None:
    assert [sample.key for sample in samples()] == ["licence", "battery", "lighthouse", "banks"]
    assert sample_named("banks") == WORDS


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_the_description_is_one_sentence(sample: Sample) -> None:
    assert re.findall(r"[.!?](?=\s|$)", sample.description) == ["."]


@pytest.mark.parametrize("path", ESSAYS, ids=lambda path: path.stem)
def test_length_and_headings(path: Path) -> None:
    text = _read(path)
    assert 2100 <= len(text.split()) <= 2800
    levels = Counter(len(marks) for marks in re.findall(r"^(#+) ", text, flags=re.MULTILINE))
    assert text.startswith("# ")
    assert levels[1] == 1
    assert levels[2] >= 6
    assert levels[3] >= 2
    assert set(levels) == {1, 2, 3}


def test_the_listed_titles_are_those_of_the_texts() -> None:
    listing = json.loads(_read(SUBJECT.a.with_name("samples.json")))
    listed = [pair[side]["title"] for pair in listing["pairs"] for side in "ab"]
    assert listed == [_read(path).splitlines()[0].removeprefix("# ") for path in TEXTS]


@pytest.mark.parametrize(
    ("sample", "identical", "paraphrased"), [(SUBJECT, 3, 6), (PATENT, 1, 4)], ids=["lighthouse", "battery"]
)
def test_shared_passages_stand_where_they_are_said_to_stand(
    sample: Sample, identical: int, paraphrased: int
) -> None:
    a, b = _read(sample.a), _read(sample.b)
    kinds = Counter(passage.kind for passage in sample.shared)
    assert kinds == {"identical": identical, "paraphrased": paraphrased}
    for passage in sample.shared:
        assert a.count(passage.a) == 1
        assert b.count(passage.b) == 1
        for side in (passage.a, passage.b):
            assert 1 <= len(re.findall(r"[.!?](?=\s|$)", side)) <= 4
        if passage.kind == "identical":
            assert passage.a == passage.b
        else:
            assert passage.a not in b
            assert passage.b not in a


def test_the_two_specifications_contradict_each_other_in_one_figure() -> None:
    measured = "warmest and the coldest cell of a module cost {} of the usable capacity after 800 cycles."
    assert measured.format("9%") in _read(PATENT.a)
    assert measured.format("14%") in _read(PATENT.b)


def test_nothing_else_is_shared_word_for_word() -> None:
    a, b = _read(SUBJECT.a), _read(SUBJECT.b)
    for passage in SUBJECT.shared:
        if passage.kind == "identical":
            a, b = a.replace(passage.a, "|"), b.replace(passage.b, "|")
    assert _runs(a) & _runs(b) == set()
    bodies = [_read(path).partition("\n")[2] for path in (WORDS.a, WORDS.b)]  # their titles are twins
    assert _runs(bodies[0]) & _runs(bodies[1]) == set()


def test_the_shared_passages_come_in_another_order() -> None:
    a, b = _read(SUBJECT.a), _read(SUBJECT.b)
    places_a = [_section_of(a, passage.a) for passage in SUBJECT.shared]
    places_b = [_section_of(b, passage.b) for passage in SUBJECT.shared]
    assert len(set(places_a)) >= 6
    assert len(set(places_b)) >= 6
    assert abs(np.corrcoef(places_a, places_b)[0, 1]) < 0.5


def test_the_second_pair_shares_its_words(shared: Callable[[str], Path]) -> None:
    """TF-IDF cosine against pairs of random encyclopedia articles.

    On 400 articles: 0.42 for this pair, 0.54 for the pair on one subject, 0.02 for two random articles on
    average; of 40,000 random pairs, 99.9 % lie below 0.25.
    """
    with gzip.open(shared("corpora/wiki/documents.jsonl.gz"), "rt", encoding="utf-8") as lines:
        articles = [
            "\n".join(p for section in json.loads(line)["sections"] for p in section["paragraphs"])
            for line in islice(lines, 400)
        ]
    vectors = TfidfVectorizer(stop_words="english").fit_transform(articles + [_read(path) for path in ESSAYS])
    background = (vectors[:200] @ vectors[200:400].T).toarray()
    a_subject, _, a_words, b_words = vectors[400:].toarray()
    assert a_words @ b_words > 0.35
    assert a_words @ b_words > np.quantile(background, 0.999)
    assert a_subject @ a_words < 0.2  # the pairs have nothing to do with each other


def test_the_samples_are_small() -> None:
    files = [*SUBJECT.a.parent.iterdir(), *thumbnail(SUBJECT).parent.rglob("*.svg")]
    assert sum(file.stat().st_size for file in files) < BUDGET


@pytest.mark.parametrize(
    ("text", "pdf"), list(zip(TEXTS, PDFS, strict=True)), ids=[path.stem for path in TEXTS]
)
def test_a_pdf_has_the_words_of_its_text(text: Path, pdf: Path) -> None:
    document = pypdfium2.PdfDocument(pdf)
    printed = Counter(_words("\n".join(page.get_textpage().get_text_range() for page in document)))
    written = Counter(_words(re.sub(r"^#+ |\|", " ", _read(text), flags=re.MULTILINE)))
    assert written - printed == Counter()
    extra = printed - written  # page numbers and running heads
    assert all(count <= len(document) for count in extra.values())
    assert len(document) >= 3


def test_the_pdfs_come_out_the_same_every_time(tmp_path: Path) -> None:
    for folder in (tmp_path / "once", tmp_path / "again"):
        folder.mkdir()
        subprocess.run([sys.executable, SUBJECT.a.with_name("make_pdfs.py"), folder], check=True)
    for pdf in PDFS:
        once = (tmp_path / "once" / pdf.name).read_bytes()
        assert once.startswith(b"%PDF")
        assert once == (tmp_path / "again" / pdf.name).read_bytes()
