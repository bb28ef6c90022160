"""The README's example of a model is a whole model: it runs as it stands there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

import colde
from colde.models.base import Card, Matcher
from colde.samples import samples

README = Path(__file__).parents[1] / "README.md"


def test_the_example_is_a_matcher() -> None:
    code = next(
        b
        for b in re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        if "class " in b
    )
    space: dict[str, Any] = {}
    exec(compile(code, "README.md", "exec"), space)
    card = Card(
        "jaccard", "Jaccard", "Jaccard 1901", ("document", "section"), "share", "Shared words.", False
    )
    model = space["Jaccard"](card)
    assert isinstance(model, Matcher)
    a, b = model.encode([colde.read(samples()[0].a), colde.read(samples()[0].b)])
    assert 0 < model.compare(a, b) < model.compare(a, a) == 1
    assert np.isfinite(model.maps(a, b)["section"].values).all()
    assert model.explain(a, b)[0].weight == model.maps(a, b)["section"].values.max()
