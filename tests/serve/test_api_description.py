"""An API tester calls the service by its OpenAPI description: every answer is one that the description names."""

from __future__ import annotations

from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis.checks import CHECKS, load_all_checks

from colde.serve.rate_limits import ServeLimits
from colde.serve.routes import create_app
from tests.index.light import load

pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("ignore")]

EXAMPLES = 30
"""Requests for each path and mode."""
STATES, WORK = ("/health", "/ready", "/metrics"), ("/read", "/compare", "/what-if", "/search")
RIGHT, WRONG = schemathesis.GenerationMode.POSITIVE, schemathesis.GenerationMode.NEGATIVE
NOT_DESCRIBED = ("positive_data_acceptance", "negative_data_rejection")
"""Checks that are left out: no schema says which bytes are a readable file, and every value of a form is text."""

LOCAL = {"Host": "localhost"}


@pytest.fixture(scope="module")
def schema() -> Any:
    app = create_app(limits=ServeLimits(per_minute=10**6, active_requests=10**4), loader=load, warm=())
    return schemathesis.openapi.from_asgi("/openapi.json", app, headers=LOCAL)


@pytest.mark.parametrize(
    ("path", "mode"),
    [*((path, RIGHT) for path in (*STATES, *WORK)), *((path, WRONG) for path in WORK)],
)
def test_every_answer_is_described(schema: Any, path: str, mode: schemathesis.GenerationMode) -> None:
    load_all_checks()
    (operation,) = [o.ok() for o in schema.get_all_operations() if o.ok().path == path]
    left_out = CHECKS.get_by_names(list(NOT_DESCRIBED))

    @given(case=operation.as_strategy(generation_mode=mode))
    @settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck), derandomize=True)
    def check(case: Any) -> None:
        case.call_and_validate(headers=LOCAL, excluded_checks=left_out)

    check()


def test_the_description_names_what_requests_can_end_with(schema: Any) -> None:
    described = schema.raw_schema["paths"]
    for path in ("/read", "/compare", "/what-if", "/search"):
        responses = described[path]["post"]["responses"]
        assert {"400", "403", "408", "413", "422", "429", "500", "503", "504"} <= responses.keys()
        assert responses["200"]["content"].keys() == {"application/json", "text/event-stream"}
    assert "409" in described["/search"]["post"]["responses"]
    assert described["/metrics"]["get"]["responses"]["200"]["content"].keys() == {"text/plain"}
    assert '"null"' not in str(schema.raw_schema["components"]).replace("'", '"')
