"""Standard sentences that two documents share are set aside, but not in versions of one text."""

from __future__ import annotations

import re

import numpy as np
import pytest
from numpy.typing import NDArray

import colde
from colde.comparison.standard_text import prepare_documents, without_shared_standard_text
from colde.encoders.sentence_encoder import shared_sentence_encoder
from colde.encoders.sentence_layout import Sentences, read_sentences
from colde.judge.reference import Reference
from colde.results.shared_text import SAME_MEANING
from colde.results.similarity_map import Array
from colde.text.document import Document
from colde.text.not_compared.set_aside import set_aside
from studies.quality.annotated_pairs import read_items
from studies.quality.standard_data import MARK, documents, groups, part_of

pytestmark = pytest.mark.slow

TEXTS = {(d["genre"], d["name"]): d["text"] for d in documents()}
PROVISIONS = "\n\n## General provisions\n\n" + " ".join(
    group[0] for k, group in enumerate(groups()["contract"]) if part_of(f"contract/{k}") == "test"
)


def standard_words(document: Document) -> int:
    return sum(item.words for item in set_aside(document) if item.what == "standard sentences")


def test_the_general_provisions_of_unlike_agreements_are_set_aside_and_can_be_included() -> None:
    texts = [TEXTS["contract", name] + PROVISIONS for name in ("archive", "ferry")]
    a, b = (colde.read_text(text) for text in texts)
    for prepared, name in zip(prepare_documents([a, b]), ("archive", "ferry"), strict=True):
        assert standard_words(prepared) >= 0.9 * len(PROVISIONS.split())
        assert prepared.words() >= 0.95 * colde.read_text(TEXTS["contract", name]).words()
        assert "(--include boilerplate)" not in str(set_aside(prepared))
    assert prepare_documents([a, b], ["boilerplate"]) == [a, b]


def test_a_section_that_is_cut_keeps_its_heading_in_every_piece() -> None:
    a, _ = prepare_documents(colde.read_text(TEXTS["patent", name]) for name in ("pump", "easel"))
    roles: dict[str | None, set[str | None]] = {}
    for section in a.sections:
        roles.setdefault(section.heading, set()).add(section.role)
    assert None not in roles and {None, "boilerplate"} in roles.values()
    assert " ".join(a.text[s.start : s.end] for s in a.sections).split() == a.text.split()


@pytest.mark.parametrize(
    ("genre", "one", "other"),
    [("patent", "pump", "easel"), ("advert", "vet", "sound"), ("release", "cable", "storks")],
)
def test_documents_of_one_template_that_are_about_different_things_are_not_related(
    genre: str, one: str, other: str
) -> None:
    a, b = (colde.read_text(TEXTS[genre, name]) for name in (one, other))
    c = colde.compare(a, b, profile="general")
    probability = c.models[0].probability
    assert probability is not None and probability < 0.6
    assert c.shared is not None
    assert not any(p.kind in SAME_MEANING and not p.standard for p in c.shared.passages)


def test_nothing_is_set_aside_in_two_versions_of_one_agreement() -> None:
    one = TEXTS["contract", "ferry"] + PROVISIONS
    other = one.replace("November", "October").replace("four", "six").replace("written", "signed")
    a, b = (colde.read_text(text) for text in (one, other))
    assert without_shared_standard_text([a, b]) == [a, b]


def test_a_copied_clause_is_compared_where_general_provisions_are_set_aside() -> None:
    clause = TEXTS["contract", "tanker"].split("\n\n")[3]
    one = colde.read_text(TEXTS["contract", "tanker"] + PROVISIONS)
    other = colde.read_text(TEXTS["contract", "choir"] + "\n\n## Further\n\n" + clause + PROVISIONS)
    c = colde.compare(one, other)
    assert c.shared is not None and c.shared.a["identical"] >= 0.8 * len(clause.split()) / c.shared.words_a
    assert standard_words(c.a) >= 0.9 * len(PROVISIONS.split())
    first = c.shared.passages[0]
    assert first.kind == "identical" and clause[:40] in c.a.text[first.a.start : first.a.end]
    assert any(p.standard for p in c.shared.passages) and c.shared.passages[-1].standard


def test_documents_that_share_no_words_and_those_in_another_language_stay_as_they_are() -> None:
    a, b = (colde.read_text(TEXTS["contract", name]) for name in ("archive", "ferry"))
    assert without_shared_standard_text([a, b]) == [a, b]
    german = colde.read_text("Änderungen dieses Vertrages bedürfen der Schriftform. " * 9)
    assert without_shared_standard_text([german, german]) == [german, german]


def test_a_collection_is_compared_without_the_standard_sentences_that_its_documents_share() -> None:
    names = [("patent", "feeder"), ("patent", "clamp"), ("prior", "feeder")]
    read = [colde.read_text(TEXTS[name]) for name in names]
    scores = colde.Collection.of(read).scores["colde_words"]
    assert scores[0, 2] > scores[0, 1]
    whole = colde.Collection.of(read, include=["boilerplate"]).scores["colde_words"]
    assert whole[0, 2] < whole[0, 1]


def test_with_a_reference_of_the_same_genre_prior_art_ranks_above_another_device() -> None:
    """The plain text shares no standard sentence with the patent; the documents of the reference do."""
    patent, other, prior = (
        colde.read_text(TEXTS[name]) for name in (("patent", "easel"), ("patent", "pump"), ("prior", "easel"))
    )
    reference = reference_like("easel")
    near, far = (colde.compare(patent, b, "colde_words", reference=reference) for b in (prior, other))
    assert near.models[0].score > far.models[0].score
    assert standard_words(near.a) > 0.3 * patent.words()


def reference_like(name: str) -> Reference:
    """Ten patents about other devices in the language of this one; the bodies are the project's own texts."""
    lines = next(d["lines"] for d in documents() if (d["genre"], d["name"]) == ("patent", name))
    standard = [re.split(r"(?<=\.) (?=[A-Z])", part)[0] for line in lines for part in MARK.split(line)[1:]]
    bodies = [" ".join(item["source"]) for _, item in read_items() if item["genre"] != "patent"]
    devices = ("sledge", "trap", "lamp", "barrow", "screw", "hammock", "skate", "kite", "loom", "plough")
    texts = [
        "\n\n".join([*standard[:4], body, *standard[4:]]).replace(name, device)
        for device, body in zip(devices, bodies, strict=False)
    ]
    return Reference("patents", tuple(map(colde.read_text, texts)))


def test_a_sentence_that_may_be_standard_is_encoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whichever documents have it: where it is set aside, and in versions of a text."""
    shared = shared_sentence_encoder()
    read_batch = shared.read_batch
    encoded: list[bytes] = []

    def count(layout: Sentences, batch: NDArray[np.int64]) -> Array:
        encoded.extend(layout.ids[i].tobytes() for i in batch)
        return read_batch(layout, batch)

    monkeypatch.setattr(shared, "_cache", None)
    monkeypatch.setattr(shared, "read_batch", count)
    archive, ferry = (TEXTS["contract", name] + PROVISIONS for name in ("archive", "ferry"))
    for other in (archive, ferry.replace("November", "October")):
        encoded.clear()
        prepared = prepare_documents([colde.read_text(ferry), colde.read_text(other)])
        candidates = encoded.copy()
        encoded.clear()
        shared.read(prepared, [read_sentences(d, shared.tokenizer) for d in prepared])
        assert candidates and len(candidates) == len(set(candidates))
        assert not set(candidates) & set(encoded)
