"""What the service may answer, for the OpenAPI description of its paths."""

from __future__ import annotations

from typing import Any

Responses = dict[int | str, dict[str, Any]]

_ERROR = {
    "type": "object",
    "properties": {
        "error": {
            "type": "object",
            "properties": {
                "reason": {"type": ["string", "null"], "description": "a stable code, where there is one"},
                "message": {"type": "string", "description": "what happened and what to do, in one line"},
                "source": {"type": "string", "description": "the name of the file that it is about"},
                "what": {"type": "string"},
                "advice": {"type": "string"},
            },
            "required": ["reason", "message"],
        }
    },
    "required": ["error"],
}
_RETRY = {"Retry-After": {"description": "seconds to wait", "schema": {"type": "integer"}}}


def _error(about: str, *, retry: bool = False) -> dict[str, Any]:
    described = {"description": about, "content": {"application/json": {"schema": _ERROR}}}
    return described | ({"headers": _RETRY} if retry else {})


def _result(about: str) -> dict[str, Any]:
    events = {
        "schema": {"type": "string"},
        "example": 'event: progress\ndata: {"stage": "encoding", "done": 1, "total": 2, "model": "colde"}\n\n',
    }
    content = {"application/json": {"schema": {"type": "object"}}, "text/event-stream": events}
    return {"description": about, "content": content}


_EVERY: Responses = {
    403: _error("a request of a web page of another origin"),
    429: _error("too many requests from this address", retry=True),
}
"""Answers of the checks that come before every path with work."""

HEALTH: Responses = {403: _EVERY[403]}
READY: Responses = {
    200: {"description": "the models are loaded"},
    403: _EVERY[403],
    500: _error("a model cannot be loaded"),
    503: {
        "description": "the models are being loaded",
        "content": {"application/json": {"schema": {"type": "object"}}},
        "headers": _RETRY,
    },
}
METRICS: Responses = {
    200: {
        "description": "figures as Prometheus reads them",
        "content": {"text/plain": {"schema": {"type": "string"}}},
    },
    403: _EVERY[403],
}
WORK: Responses = {
    200: _result(
        "the result; with `Accept: text/event-stream` events, the last of which is `result` or `error`"
    ),
    400: _error("a malformed form, an unknown model or an unknown profile"),
    **_EVERY,
    408: _error("the request did not arrive completely in time"),
    413: _error("the request or a file is too large"),
    422: _error("a field is missing or not of its type, or a file cannot be read or compared"),
    500: _error("a bug"),
    503: _error("too many requests are being processed, or the worker ended: send it again", retry=True),
    504: _error("the work took too long"),
}
SEARCH: Responses = {**WORK, 409: _error("there is no index, or it cannot be used")}


def without_null(description: dict[str, Any]) -> dict[str, Any]:
    """The description with fields of a form that may be missing, and are never null, as a form has no null."""

    def cleaned(value: Any) -> Any:
        if isinstance(value, list):
            return [cleaned(item) for item in value]
        if not isinstance(value, dict):
            return value
        kinds = value.get("anyOf")
        if isinstance(kinds, list) and {"type": "null"} in kinds and len(kinds) == 2:
            (kind,) = (k for k in kinds if k != {"type": "null"})
            value = {k: v for k, v in value.items() if k != "anyOf"} | kind
        return {key: cleaned(item) for key, item in value.items()}

    schemas = description["components"]["schemas"]
    for name in [n for n in schemas if n in ("HTTPValidationError", "ValidationError")]:
        del schemas[name]  # FastAPI's own form of errors, which is not used
    cleaned_description: dict[str, Any] = cleaned(description)
    return cleaned_description
