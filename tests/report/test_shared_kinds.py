"""The split of both texts by kind: its rows, and what the page counts again."""

from __future__ import annotations

import pytest

import colde
from colde.corpus.samples import Sample, samples
from colde.report.wording.shared_kinds import kind_rows, split_payload
from colde.results.shared_text import LABELS, Label, Part, SharedPassage, SharedText, Stretch
from colde.text.document import Span


def test_a_kind_that_only_parts_of_passages_have_is_a_row_of_the_split() -> None:
    long, short, both = Span(0, 60), Span(60, 80), Span(0, 80)
    shares: dict[Label, float] = {**dict.fromkeys(LABELS, 0.0), "paraphrased": 0.75, "opposite": 0.25}
    parts = (Part("paraphrased", long, long), Part("opposite", short, short))
    stretches = (Stretch(0, 60, "paraphrased", 9.0, False), Stretch(60, 80, "opposite", 3.0, False))
    shared = SharedText(
        a=shares,
        b=shares,
        words_a=12,
        words_b=12,
        passages=(SharedPassage("paraphrased", both, both, {"a": 12, "b": 12}, 0.9, parts=parts),),
        stretches={"a": stretches, "b": stretches},
    )
    assert [(row.kind, row.a) for row in kind_rows(shared) if row.a != "0 %"] == [
        ("paraphrased", "75 %"),
        ("opposite", "25 %"),
    ]
    split = split_payload(shared)
    numbers = split["a"][2::5]
    assert [split["kinds"][number]["label"] for number in numbers] == ["paraphrased", "opposite"]


@pytest.mark.parametrize("sample", samples(), ids=lambda sample: sample.key)
def test_the_split_of_every_sample_adds_up(sample: Sample) -> None:
    shared = colde.compare(colde.read(sample.a), colde.read(sample.b), ["tfidf"]).shared
    assert shared is not None
    split = split_payload(shared)
    for side, words in shared.words.items():
        assert round(sum(split[side][3::5])) == words
        assert all(-1 <= number < len(split["kinds"]) for number in split[side][2::5])
