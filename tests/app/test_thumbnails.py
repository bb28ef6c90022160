"""The pictures on the sample cards."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest
from colde_explorer_app.inputs.sample_cards import error_note
from colde_explorer_app.page_parts.thumbnails import MAPS, MAPS_OF, map_picture, sample_verdicts, thumbnail

import colde
from colde.corpus.samples import Sample, sample_named, samples
from colde.report.wording.verdict import NEARLY_SAME

RECT = "{http://www.w3.org/2000/svg}rect"


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_every_sample_has_a_picture_of_its_size(sample: Sample) -> None:
    cells = list(ElementTree.parse(thumbnail(sample)).iter(RECT))
    a, b = (sum(1 for _ in colde.read(path).compared()) for path in (sample.a, sample.b))
    assert len(cells) == a * b, "run make fresh"


def test_the_maps_of_how_it_works_are_of_one_sample_and_differ() -> None:
    sizes = [len(list(ElementTree.parse(map_picture(role)).iter(RECT))) for role, *_ in MAPS]
    sample = sample_named(MAPS_OF)
    a, b = (sum(1 for _ in colde.read(path).compared()) for path in (sample.a, sample.b))
    assert set(sizes) == {a * b}, "run make fresh"
    assert len({map_picture(role).read_text(encoding="utf-8") for role, *_ in MAPS}) == len(MAPS)


def test_every_sample_has_a_verdict_and_a_wrong_one_is_called_so() -> None:
    verdicts = sample_verdicts()
    assert set(verdicts) == {sample.key for sample in samples()}
    assert verdicts["licence"].headline.startswith("Two versions: ")
    assert verdicts["licence"].related.startswith(NEARLY_SAME)
    for key in ("licence", "battery", "lighthouse"):
        assert error_note(sample_named(key), verdicts[key].related) == ""
    unrelated, related = sample_named("banks"), sample_named("battery")
    assert error_note(unrelated, "Related: the score 0.29 reaches the threshold 0.25.").endswith(
        "are unrelated."
    )
    assert error_note(related, "Probably unrelated: 8 in 100 such pairs are related.").endswith(
        "are related."
    )
    for headline in ("Unrelated: the score 0.19 is below the threshold 0.25.", "Undecided: 40 in 100 …"):
        assert error_note(unrelated, headline) == ""
