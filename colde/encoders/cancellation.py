"""Cancellation checks inside long computations.

A comparison reports progress between steps, but a step can take a minute. `poll_cancel` is called during a step, before
each layer of an `interruptible` network and between batches. It calls the function that `cancel_check` has set for this
thread, at most once in `POLL_SECONDS`.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

from colde.results.progress import OnProgress, Progress

if TYPE_CHECKING:
    from torch import nn

POLL_SECONDS = 0.1
"""Least time between two calls."""

N = TypeVar("N", bound="nn.Module")


class _CancelCheck:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.last = time.monotonic()


_cancel_check: ContextVar[_CancelCheck | None] = ContextVar("listener", default=None)


@contextmanager
def cancel_check(call: Callable[[], None]) -> Iterator[None]:
    """Let the work in the `with` block call `call` regularly; an exception that it raises ends the work."""
    token = _cancel_check.set(_CancelCheck(call))
    try:
        yield
    finally:
        _cancel_check.reset(token)


def poll_cancel(*_: object) -> None:
    """Call the function of `cancel_check`, if there is one and it is due."""
    check = _cancel_check.get()
    if check is not None and time.monotonic() - check.last >= POLL_SECONDS:
        check.call()
        check.last = time.monotonic()


@contextmanager
def reported_again(report: OnProgress, first: Progress) -> Iterator[OnProgress]:
    """Progress that is reported again at each cancellation check within a long step."""
    last = first

    def report_and_remember(progress: Progress) -> None:
        nonlocal last
        last = progress
        report(progress)

    with cancel_check(lambda: report(last)):
        yield report_and_remember


def interruptible(network: N) -> N:
    """The network, which from now on calls `poll_cancel` before each of its layers.

    Not inside a Transformer layer of torch, which is slower with hooks.
    """
    inside: set[nn.Module] = set()
    for module in network.modules():
        if module in inside or poll_cancel in module._forward_pre_hooks.values():
            continue
        if type(module).__name__ == "TransformerEncoderLayer":
            inside.update(module.modules())
        else:
            module.register_forward_pre_hook(poll_cancel)
    return network
