"""Groups of LaTeX source: what a macro or a switch was before a group comes back at the end of that group."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

_MAX_OPEN = 1000  # groups inside each other; the reader refuses a document with as many


@dataclass(slots=True)
class _Group:
    kind: str
    ends_declarations: bool
    before: dict[tuple[int, str], tuple[dict[str, Any], Any]] = field(default_factory=dict)


class Scopes:
    """The groups that are open, and what was declared before them.

    Attributes:
        is_global: whether the next declaration outlives all groups, as behind `\\global`.
    """

    def __init__(self) -> None:
        self._open: list[_Group] = []
        self.is_global = False

    def begin(self, kind: str, *, ends_declarations: bool = True) -> None:
        """A group begins.

        Args:
            kind: `{`, `begingroup`, or the name of an environment.
            ends_declarations: False for the argument of a macro, which may be read at any place.
        """
        if len(self._open) < _MAX_OPEN:
            self._open.append(_Group(kind, ends_declarations))

    def end(self, kind: str) -> bool:
        """A group ends, with those in it that have no end; whether that was the argument of a macro."""
        if not any(group.kind == kind for group in reversed(self._open)):
            return False
        while True:
            group = self._open.pop()
            if group.ends_declarations:
                self._restore(group)
            elif self._open:
                self._open[-1].before = group.before | self._open[-1].before
            if group.kind == kind:
                return not group.ends_declarations

    def assign(self, values: dict[str, Any], name: str, value: object) -> None:
        """Set a value up to the end of the innermost group."""
        key = id(values), name
        if self.is_global:
            for group in self._open:
                group.before.pop(key, None)
        elif self._open:
            self._open[-1].before.setdefault(key, (values, values.get(name)))
        values[name] = value

    def _restore(self, group: _Group) -> None:
        for (_, name), (values, value) in group.before.items():
            if value is None:
                values.pop(name, None)
            else:
                values[name] = value
