"""The pictures on the sample cards."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from colde_explorer_app.thumbnails import MAPS, map_picture, sample_verdicts, thumbnail

import colde
from colde.corpus.samples import Sample, samples
from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from studies.release.card_pictures import make_all, map_svg

RECT = "{http://www.w3.org/2000/svg}rect"


def test_a_stronger_cell_is_less_transparent_and_a_missing_one_faint() -> None:
    values = np.array([[0.0, 0.5, 1.0, np.nan]], dtype=np.float32)
    columns = tuple(Span(i, i + 1) for i in range(4))
    one = SimilarityMap(values, (Span(0, 1),), columns, "cosine", "x", role="passages", level="chunk")
    svg = ElementTree.fromstring(map_svg(one))
    strengths = [float(cell.attrib["opacity"]) for cell in svg.iter(RECT)]
    assert strengths[0] < strengths[1] < strengths[2] == 1.0
    assert strengths[3] == strengths[0]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_every_sample_has_a_picture_of_its_size(sample: Sample) -> None:
    cells = list(ElementTree.parse(thumbnail(sample)).iter(RECT))
    a, b = (sum(1 for _ in colde.read(path).compared()) for path in (sample.a, sample.b))
    assert len(cells) == a * b, "run make fresh"


def test_the_maps_of_how_it_works_are_of_the_first_sample_and_differ() -> None:
    sizes = [len(list(ElementTree.parse(map_picture(role)).iter(RECT))) for role, *_ in MAPS]
    sample = samples()[0]
    a, b = (sum(1 for _ in colde.read(path).compared()) for path in (sample.a, sample.b))
    assert set(sizes) == {a * b}, "run make fresh"
    assert len({map_picture(role).read_text(encoding="utf-8") for role, *_ in MAPS}) == len(MAPS)


def test_every_sample_has_a_verdict_and_the_two_without_a_common_subject_are_not_called_related() -> None:
    verdicts = sample_verdicts()
    assert set(verdicts) == {sample.key for sample in samples()}
    assert "unrelated" in verdicts["unrelated"]
    for key in ("lighthouse", "twice"):
        assert verdicts[key].startswith("Almost surely related")


@pytest.mark.slow
def test_the_cards_show_what_the_weights_that_ship_give() -> None:
    """Numbers of two processors differ in the last digit: bf16 on one, single precision on the other."""
    verdicts, pictures = make_all()
    shown = sample_verdicts()
    for key, headline in verdicts.items():
        (words, percent), (shown_words, shown_percent) = apart(headline), apart(shown[key])
        assert shown_words == words, (
            f"{key}: the card says {shown[key]!r}, now it is {headline!r}: run make fresh"
        )
        assert shown_percent == pytest.approx(percent, abs=1), (
            f"{key}: the card says another number: run make fresh"
        )
    for path, picture in pictures.items():
        assert strengths(path.read_text(encoding="utf-8")) == pytest.approx(strengths(picture), abs=0.03), (
            f"{path.name} is not what a comparison gives now: run make fresh"
        )


def apart(headline: str) -> tuple[str, list[int]]:
    """A sentence without its numbers, and these."""
    return re.sub(r"\d+", "…", headline), [int(number) for number in re.findall(r"\d+", headline)]


def strengths(svg: str) -> list[float]:
    return [float(cell.attrib["opacity"]) for cell in ElementTree.fromstring(svg).iter(RECT)]
