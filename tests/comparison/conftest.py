"""What is compared here is encoded once, but where the encoding or its progress is what a file is about."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from tests.made_once import keeping_vectors

ABOUT_ENCODING = ("test_cancelled.py", "test_fair_queue.py", "test_fitted_model.py", "test_pipeline.py")


@pytest.fixture(scope="module", autouse=True)
def encoded_once(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.path.name in ABOUT_ENCODING:
        yield
        return
    with keeping_vectors():
        yield
