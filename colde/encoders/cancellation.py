"""A word in passing: long work inside a network lets whoever waits for it say "stop", or let others go on.

A comparison reports its progress between steps; a step can take a minute. `poll_cancel` is called within: before each
layer of a network that `interruptible` was told of, and between batches. It calls what `cancel_check` has set, in
this thread alone, and not more often than `POLL_SECONDS` seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from torch import nn

POLL_SECONDS = 0.1
"""Seconds between two calls."""

N = TypeVar("N", bound="nn.Module")


class _CancelCheck:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.last = time.monotonic()


_cancel_check: ContextVar[_CancelCheck | None] = ContextVar("listener", default=None)


@contextmanager
def cancel_check(call: Callable[[], None]) -> Iterator[None]:
    """Have `call` called now and then by the work inside; an exception that it raises ends that work."""
    token = _cancel_check.set(_CancelCheck(call))
    try:
        yield
    finally:
        _cancel_check.reset(token)


def poll_cancel(*_: object) -> None:
    """Call who listens, if anybody does and it is time."""
    check = _cancel_check.get()
    if check is not None and time.monotonic() - check.last >= POLL_SECONDS:
        check.call()
        check.last = time.monotonic()


def interruptible(network: N) -> N:
    """The network, which from now on breathes before each of its layers.

    Not inside a Transformer layer of torch, which takes a slower way where there is a hook in it.
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
