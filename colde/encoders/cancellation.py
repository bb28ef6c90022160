"""A word in passing: long work inside a network lets whoever waits for it say "stop", or let others go on.

A comparison reports its progress between steps; a step can take a minute. `breathe` is called within: before each
layer of a network that `breathing` was told of, and between batches. It calls what `listening` has set, in this thread
alone, and not more often than `EVERY` seconds.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from torch import nn

EVERY = 0.1
"""Seconds between two calls."""

N = TypeVar("N", bound="nn.Module")


class _Listener:
    def __init__(self, call: Callable[[], None]) -> None:
        self.call = call
        self.last = time.monotonic()


_listener: ContextVar[_Listener | None] = ContextVar("listener", default=None)


@contextmanager
def listening(call: Callable[[], None]) -> Iterator[None]:
    """Have `call` called now and then by the work inside; an exception that it raises ends that work."""
    token = _listener.set(_Listener(call))
    try:
        yield
    finally:
        _listener.reset(token)


def breathe(*_: object) -> None:
    """Call who listens, if anybody does and it is time."""
    listener = _listener.get()
    if listener is not None and time.monotonic() - listener.last >= EVERY:
        listener.call()
        listener.last = time.monotonic()


def breathing(network: N) -> N:
    """The network, which from now on breathes before each of its layers.

    Not inside a Transformer layer of torch, which takes a slower way where there is a hook in it.
    """
    inside: set[nn.Module] = set()
    for module in network.modules():
        if module in inside or breathe in module._forward_pre_hooks.values():
            continue
        if type(module).__name__ == "TransformerEncoderLayer":
            inside.update(module.modules())
        else:
            module.register_forward_pre_hook(breathe)
    return network
