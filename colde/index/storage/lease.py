"""A lock on object storage: an object that is only ever replaced on condition that nobody else has replaced it.

Whoever holds it writes a new turn into it every few seconds. Whoever finds it held watches it: a new turn means that
the holder lives, and is refused; none for as long as the object says means that the holder is dead, and the lock is
taken over. Time is taken on the watcher's own clock alone, so clocks of several machines need not agree. The holder
proves before each writing, by a turn of its own, that the lock was not taken from it while it was stopped.

A holder that is stopped between that proof and the writing that follows it, for as long as the lock lasts, goes on with
that writing when another program holds the lock. So whoever takes over a lock must first make what it guards refuse
that (`shut_out`; Kleppmann 2016 calls it fencing); the lock says that this is due until it is done, whoever holds it.
"""

from __future__ import annotations

import contextlib
import json
import os
import socket
import threading
import time
import uuid
from dataclasses import dataclass
from typing import Annotated, Any

import obstore
from msgspec import Meta, Struct

from colde import strict_json
from colde.errors import StoreError
from colde.strict_json import JsonError

LEASE_SECONDS = 30.0
"""Seconds without a new turn after which a lock is nobody's."""

RENEW_SECONDS = 8.0
"""Seconds between two turns."""


class _LockFile(Struct):
    """The content of a lock; its parts are those of `LockState`."""

    owner: str
    turn: str
    by: str
    seconds: Annotated[float, Meta(ge=0, le=86_400)]
    shut_out: bool = False


@dataclass(frozen=True, slots=True)
class LockState:
    """What a lock says.

    Attributes:
        owner: whose it is; empty while it is free.
        turn: of its owner.
        seconds: how long it lasts without a new turn.
        shut_out: whether a holder that gave no sign may still go on with a writing.
        by: machine and process, for people.
        version: of the object, for replacing it.
    """

    owner: str
    turn: str
    seconds: float
    shut_out: bool
    by: str
    version: dict[str, str]


class Lease:
    """The lock object of an index.

    Args:
        store: obstore's, of the index.
        name: of the object.
        of: what is locked, for messages.

    Attributes:
        shut_out: whether a holder before this one gave no sign, and was not shut out yet.
    """

    def __init__(self, store: Any, name: str, of: str) -> None:
        self._store, self._name, self._locked_name = store, name, of
        self._owner = uuid.uuid4().hex
        self._turn = 0
        self._version: dict[str, str] = {}
        self._swap_lock = threading.Lock()
        self._released = threading.Event()
        self.shut_out = False

    def acquire(self) -> None:
        """Take it; waits as long as a lock lasts where its holder gives no sign.

        Raises:
            StoreError: another program holds it.
        """
        while not self._compare_and_swap(None):
            observed = self._read()
            if observed is not None and observed.owner:
                observed = self._watch(observed)
            if observed is None:  # removed since
                continue
            self.shut_out = bool(observed.owner) or observed.shut_out
            if not self._compare_and_swap(observed.version):
                raise self._refused("")
            break
        threading.Thread(target=self._renew, name="lock of an index", daemon=True).start()

    def confirm(self) -> None:
        """Prove that it is still held.

        Raises:
            StoreError: another program has taken it.
        """
        if not self._write_turn():
            raise taken_over(self._locked_name)

    def done(self) -> None:
        """Say that holders before this one can write nothing any more.

        Raises:
            StoreError: another program has taken it.
        """
        self.shut_out = False
        self.confirm()

    def release(self) -> None:
        """Let others take it at once; where that cannot be said, they wait until it has lasted."""
        self._released.set()
        with _ignore_storage_errors():
            self._write_turn(owner="")

    def _renew(self) -> None:
        while not self._released.wait(RENEW_SECONDS):
            with _ignore_storage_errors():
                if not self._write_turn():
                    return  # who writes next hears of it

    def _watch(self, observed: LockState) -> LockState | None:
        """What may be replaced once the lock is nobody's: free, or as it was seen first; None where it was removed.

        Raises:
            StoreError: its holder lives.
        """
        end = time.monotonic() + observed.seconds
        while time.monotonic() < end:
            time.sleep(min(1.0, observed.seconds / 10))
            now = self._read()
            if now is None or not now.owner:
                return now
            if now.version != observed.version:
                raise self._refused(now.by)
        return observed

    def _refused(self, by: str) -> StoreError:
        who = f" ({by})" if by else ""
        return StoreError(
            f"{self._locked_name} is being written by another program{who}: wait until it is done"
        )

    def _read(self) -> LockState | None:
        try:
            response = obstore.get(self._store, self._name)
        except FileNotFoundError:
            return None
        try:
            lock = strict_json.decode(bytes(response.bytes()), _LockFile)
            return LockState(
                lock.owner, lock.turn, lock.seconds, lock.shut_out, lock.by, version_of(response.meta)
            )
        except JsonError:  # damaged: nobody's, if nobody gives a sign
            return LockState("somebody", "", LEASE_SECONDS, True, "", version_of(response.meta))

    def _write_turn(self, owner: str | None = None) -> bool:
        """Put the next turn in the place of our last one; False where that is gone."""
        with self._swap_lock:
            return not (self._released.is_set() and owner is None) and self._compare_and_swap(
                self._version, owner
            )

    def _compare_and_swap(self, version: dict[str, str] | None, owner: str | None = None) -> bool:
        """Put a turn in the place of this version, or of nothing; False where the object is another one."""
        self._turn += 1
        turn = f"{self._owner} {self._turn}"
        content = {
            "owner": self._owner if owner is None else owner,
            "turn": turn,  # no two contents are the same: versions of some storages are hashes of it
            "seconds": LEASE_SECONDS,
            "shut_out": self.shut_out,
            "by": f"{socket.gethostname()}, process {os.getpid()}",
        }
        refused = (obstore.exceptions.AlreadyExistsError, obstore.exceptions.PreconditionError)
        try:
            mode: Any = "create" if version is None else version
            self._version = version_of(
                obstore.put(self._store, self._name, json.dumps(content).encode(), mode=mode)
            )
        except refused:
            now = self._read()
            if now is None or (now.turn != turn and (version is None or now.owner != self._owner)):
                return False
            self._version = now.version  # it was ours: an answer got lost
            return now.turn == turn or self._compare_and_swap(now.version, owner)
        except FileNotFoundError:  # removed; or, without a version, there is no such bucket
            if version is None:
                raise
            return False
        return True


def taken_over(what: object) -> StoreError:
    """The error of a program that was stopped too long."""
    return StoreError(
        f"{what} was taken over by another program, because this one did not respond for {LEASE_SECONDS:.0f} "
        "seconds: start again when the other one is done; nothing that was written is lost"
    )


def version_of(of: Any) -> dict[str, str]:
    """Of an object, as a condition for replacing it."""
    return {key: of[key] for key in ("e_tag", "version") if of.get(key)}


def _ignore_storage_errors() -> contextlib.AbstractContextManager[None]:
    """Let an error of the storage pass: the next turn tries again."""
    return contextlib.suppress(obstore.exceptions.BaseError, OSError)
