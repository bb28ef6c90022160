"""The pictures and verdicts of the sample cards are those of the weights that ship."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import numpy as np
import pytest
from colde_explorer_app.page_parts.thumbnails import SampleVerdict, sample_verdicts

from colde.results.similarity_map import SimilarityMap
from colde.text.document import Span
from studies.release.card_pictures import make_all, map_svg

RECT = "{http://www.w3.org/2000/svg}rect"


def strengths(svg: str) -> list[float]:
    return [float(cell.attrib["opacity"]) for cell in ElementTree.fromstring(svg).iter(RECT)]


def apart(verdict: SampleVerdict) -> tuple[str, list[int]]:
    """Its sentences without their numbers, and these."""
    text = " ".join(verdict)
    return re.sub(r"\d+", "…", text), [int(number) for number in re.findall(r"\d+", text)]


def test_a_stronger_cell_is_less_transparent_and_a_missing_one_faint() -> None:
    values = np.array([[0.0, 0.5, 1.0, np.nan]], dtype=np.float32)
    columns = tuple(Span(i, i + 1) for i in range(4))
    one = SimilarityMap(values, (Span(0, 1),), columns, "cosine", "x", role="passages", level="chunk")
    zero, half, most, missing = strengths(map_svg(one))
    assert missing == zero < half < most == 1.0


@pytest.mark.slow
@pytest.mark.usefixtures("kept_vectors")
def test_the_cards_show_what_the_weights_that_ship_give() -> None:
    """Numbers of two processors differ in the last digit: bf16 on one, single precision on the other."""
    verdicts, pictures = make_all()
    shown = sample_verdicts()
    for key, verdict in verdicts.items():
        (words, percent), (shown_words, shown_percent) = apart(verdict), apart(shown[key])
        assert shown_words == words, (
            f"{key}: the card says {shown[key]!r}, now it is {verdict!r}: run make fresh"
        )
        assert shown_percent == pytest.approx(percent, abs=1), (
            f"{key}: the card says another number: run make fresh"
        )
    for path, picture in pictures.items():
        assert strengths(path.read_text(encoding="utf-8")) == pytest.approx(strengths(picture), abs=0.03), (
            f"{path.name} is not what a comparison gives now: run make fresh"
        )
