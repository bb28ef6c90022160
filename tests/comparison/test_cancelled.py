"""A comparison that is cancelled at any moment leaves nothing behind that changes the next one."""

from __future__ import annotations

import random

import numpy as np
import pytest

import colde
from colde import models
from colde.encoders import cancellation
from colde.errors import Cancelled
from colde.meaning import grammar
from colde.results.progress import Progress

NAMES = ("tfidf", "bm25", "arc_i", "colde", "colde_words")
MOMENTS = 3


@pytest.mark.parametrize("name", NAMES)
def test_cancelled_at_a_random_moment_the_next_comparison_is_the_same(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cancellation, "POLL_SECONDS", 0.0)  # as many signs whatever the clock says
    monkeypatch.setenv("COLDE_CACHE", "off")
    model = models.load(name)
    chance = random.Random(name)
    words = ["keeper", "wound", "clock", "trimmed", "lamp", "before", "fog", "came", "over", "bar", "tide"]
    texts = [
        "\n\n".join(f"# Part {i}\n\n{' '.join(chance.choices(words, k=40))}." for i in range(3)) for _ in "ab"
    ]

    def compare(stop: int | None) -> tuple[colde.Comparison, int]:
        """Compare, stopped at this sign of progress; and how many signs there were."""
        signs = 0
        grammar._read.clear()  # sentences that a comparison before has parsed give no signs

        def hear(progress: Progress) -> None:
            nonlocal signs
            signs += 1
            if signs == stop:
                raise Cancelled("by the test")

        a, b = (colde.read_text(text.encode().decode()) for text in texts)
        found = colde.compare(a, b, models=[name], on_progress=hear, loader=lambda _: model)
        return found, signs

    whole, signs = compare(None)
    for moment in {1, *(chance.randint(1, signs) for _ in range(MOMENTS - 1))}:
        with pytest.raises(Cancelled, match="by the test"):
            compare(moment)
    again, _ = compare(None)
    assert again.models[0].score == whole.models[0].score
    for key, found in whole.maps[name].items():
        assert np.array_equal(found.values, again.maps[name][key].values, equal_nan=True), key
