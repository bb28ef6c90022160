"""Errors as HTTP answers: a status, and JSON with the message of the command line."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from typing import Any

from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from colde.errors import Cancelled, ColdeError, ModelError, PartError, ReadError, StoreError
from colde.serve.job_queue import QueueFull, TimedOut
from colde.serve.worker_processes import WorkerBug, WorkerDied

logger = logging.getLogger("colde.serve")

CLIENT_CLOSED = 499  # as other servers write it in their log; no client reads it


def status_of(error: BaseException) -> int:
    """The HTTP status that an error ends a request with."""
    match error:
        case ReadError(reason="too_large"):
            return 413
        case ReadError(reason="busy") | QueueFull() | WorkerDied():
            return 503
        case TimedOut():
            return 504
        case Cancelled():
            return CLIENT_CLOSED
        case ReadError() | PartError():
            return 422
        case StoreError():
            return 409
        case ModelError() | ColdeError():
            return 400
        case _:
            return 500


def body_of(error: BaseException) -> dict[str, Any]:
    """The error as JSON values; of a bug only its kind, since its message may hold a document's text."""
    if isinstance(error, ReadError):
        parts = {"reason": error.reason, "source": error.source, "what": error.what, "advice": error.advice}
        return {"error": {**parts, "message": str(error)}}
    if isinstance(error, ColdeError):
        return _body(str(error))
    if isinstance(error, WorkerBug):  # its process has told the log more
        return _body(f"this is a bug: {error}")
    logger.error("a request failed: %s", type(error).__name__, exc_info=error)
    return _body(f"this is a bug: {type(error).__name__}")


def _body(message: str, reason: str | None = None) -> dict[str, Any]:
    return {"error": {"reason": reason, "message": message}}


def error_response(error: BaseException) -> Response:
    """The answer that a failed request ends with."""
    status = status_of(error)
    headers = {"Retry-After": "5"} if status == 503 else {}
    return json_response(json.dumps(body_of(error)), status, headers)


def refusal(
    status: int, message: str, reason: str | None = None, headers: Mapping[str, str] | None = None
) -> Response:
    """The answer to a request that is not worked on."""
    return json_response(json.dumps(_body(message, reason)), status, headers)


async def invalid_request(request: Request, error: Exception) -> Response:
    """The answer to a malformed request: which parts are wrong, and nothing of what was sent."""
    if isinstance(error, RequestValidationError):
        parts = {".".join(str(at) for at in e["loc"][1:]) or "body": e["type"] for e in error.errors()}
        problems = (
            f"{part}: {'missing' if kind == 'missing' else 'not of the type it has'}"
            for part, kind in parts.items()
        )
        return refusal(422, "; ".join(problems))
    assert isinstance(error, HTTPException)
    return refusal(error.status_code, str(error.detail), headers=error.headers)


def json_response(text: str, status: int = 200, headers: Mapping[str, str] | None = None) -> Response:
    """Ready JSON as an answer."""
    return Response(text, status, media_type="application/json", headers=dict(headers or {}))
