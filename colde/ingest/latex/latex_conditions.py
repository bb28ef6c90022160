"""Passages of a LaTeX document that are switched on and off: `\\iffalse`, and the switches of the document."""

from __future__ import annotations

import re
from collections.abc import Callable

from colde.ingest.latex.latex_definitions import NO_VALUE, TRUE, Macro
from colde.ingest.latex.latex_scopes import Scopes
from colde.ingest.latex.latex_source import LatexSource
from colde.text.word_lists.stop_words import words

_COMPARISON = re.compile(r"\s*(-?\d+)\s*([<=>])\s*(-?\d+)\s?")
_CONDITION = re.compile(r"[^\n\\]{0,80}?(?=\\else|\\fi|\\relax|\n|\Z|\s(?=\s*[A-Z\\]))(?:\\relax)?")
_NAME = re.compile(r"\s*(?:\\csname\s*)?\\?([a-zA-Z@]+)\s*(?:\\endcsname)?")
_TOKEN = re.compile(r"\s*(\\(?:[a-zA-Z@]+|.)|[^\\])", re.DOTALL)
_CASE = re.compile(r"\s*(\d+)\s?")
_ALWAYS = {
    "iftrue": True, "iffalse": False, "ifpdf": True, "ifPDFTeX": True, "ifxetex": False, "ifXeTeX": False,
    "ifluatex": False, "ifLuaTeX": False, "iftutex": False, "ifTUTeX": False, "ifhtml": False, "ifmmode": False,
    "ifvmode": False, "ifhmode": True, "ifinner": False, "ifeof": True, "ifvoid": True, "if@twocolumn": False,
    "if@twoside": False,
}  # fmt: skip
"""Conditions that need no look at the document: it is set by pdfTeX."""
_COMPARING = words("ifx if ifcat ifnum ifdim ifodd ifdefined ifcsname ifcase ifhbox ifvbox")
_SETTING = {"true": True, "false": False}


class Switches:
    """The conditions of a document: which are known, how they are set, and whether what follows them is read."""

    def __init__(
        self, is_defined: Callable[[str], bool], meaning: Callable[[str], object], scopes: Scopes
    ) -> None:
        self._values: dict[str, bool] = {}
        self._scopes = scopes
        self._is_defined = is_defined
        self._meaning = meaning

    def set(self, name: str, value: bool) -> None:
        """Set a switch, which need not be known."""
        self._scopes.assign(self._values, name, value)

    def is_condition(self, macro: str) -> bool:
        """Whether a macro begins a passage that ends with `\\fi`."""
        return macro in _ALWAYS or macro in _COMPARING or (macro[:2] == "if" and macro[2:] in self._values)

    def setting(self, macro: str) -> tuple[str, bool] | None:
        """The switch that a macro such as `\\drafttrue` sets, and its value."""
        for ending, value in _SETTING.items():
            if macro.endswith(ending) and (name := macro.removesuffix(ending)) in self._values:
                return name, value
        return None

    def choose(self, macro: str, source: LatexSource) -> bool | int:
        """Read a condition; whether it holds, or the number of the passage of `\\ifcase` that is read."""
        if macro in _ALWAYS:
            return _ALWAYS[macro]
        if macro == "ifcase":
            number = source.take(_CASE)
            return int(number[1][:4]) if number is not None else 0
        if macro in ("ifx", "if", "ifcat"):
            first, second = (source.take(_TOKEN) for _ in range(2))
            return first is not None and second is not None and self._same(first[1], second[1])
        if macro in ("ifdefined", "ifcsname"):
            name = source.take(_NAME)
            return name is not None and self._is_defined(name[1])
        if macro == "ifnum" and (comparison := source.take(_COMPARISON)) is not None:
            return _compare(comparison)
        if macro == "ifodd" and (number := source.take(_CASE)) is not None:
            return int(number[1][-1]) % 2 == 1
        if macro[2:] in self._values:
            return self._values[macro[2:]]
        source.take(_CONDITION)
        return True

    def holds(self, test: str) -> bool:
        """Whether a test of the package ifthen holds; one that is not understood does."""
        test = test.strip()
        if test.startswith(("\\not", "\\NOT")):
            return not self.holds(test[4:])
        if match := re.match(r"\\boolean\s*\{\s*([^{}]*?)\s*\}", test):
            return self._values.get(match[1], False)
        if match := re.match(r"\\equal\s*\{([^{}]*)\}\s*\{([^{}]*)\}", test):
            return match[1].strip() == match[2].strip()
        match = _COMPARISON.match(test)
        return _compare(match) if match is not None else True

    def take(self, macro: str, source: LatexSource) -> str | None:
        """The text that a macro with its branches as arguments stands for; None for other macros."""
        if macro not in _BRANCHES:
            return None
        count, decide, branches = _BRANCHES[macro]
        tested = [source.argument() for _ in range(count)]
        holds = decide(self, tested)
        texts = {name: source.argument() for name in branches}
        return texts.get(holds, "")

    def value(self, name: str) -> bool:
        """Whether a switch is on; an unknown one is off."""
        return self._values.get(name.strip(), False)

    def defines(self, name: str) -> bool:
        """Whether the document defines a macro."""
        return self._is_defined(name.strip().removeprefix("\\"))

    def _same(self, first: str, second: str) -> bool:
        if first == second:
            return True
        if first[0] == second[0] == "\\":
            return self._meaning(first[1:]) == self._meaning(second[1:])
        return first[0] == "\\" and self._meaning(first[1:]) == Macro((), second)


def _compare(comparison: re.Match[str]) -> bool:
    """Whether a comparison of two numbers holds."""
    left, right = (int(comparison[i][:9]) for i in (1, 3))
    return {"<": left < right, "=": left == right, ">": left > right}[comparison[2]]


_BOTH, _YES, _NO = (True, False), (True,), (False,)
_Decision = Callable[[Switches, list[str]], bool]
_BRANCHES: dict[str, tuple[int, _Decision, tuple[bool, ...]]] = {
    "ifthenelse": (1, lambda switches, tested: switches.holds(tested[0]), _BOTH),
    **{
        name: (1, lambda switches, tested: switches.value(tested[0]), _BOTH)
        for name in ("ifbool", "iftoggle")
    },
    **{
        name: (1, lambda switches, tested: not switches.value(tested[0]), _BOTH)
        for name in ("notbool", "nottoggle")
    },
    **{
        name: (1, lambda switches, tested: switches.defines(tested[0]), _BOTH)
        for name in ("ifdef", "ifcsdef", "ifdefmacro")
    },
    **{
        name: (1, lambda switches, tested: not switches.defines(tested[0]), _BOTH)
        for name in ("ifundef", "ifcsundef", "@ifundefined")
    },
    **{
        name: (1, lambda _switches, tested: not tested[0].strip(), _BOTH)
        for name in ("ifblank", "ifstrempty")
    },
    "ifstrequal": (2, lambda _switches, tested: tested[0].strip() == tested[1].strip(), _BOTH),
    "IfFileExists": (1, lambda _switches, _tested: False, _BOTH),
    "@ifpackageloaded": (1, lambda _switches, _tested: True, _BOTH),
    **{
        f"If{what}{ending}": (1, decide, branches)
        for what, decide in (
            ("NoValue", lambda _switches, tested: tested[0].strip() == NO_VALUE),
            ("Value", lambda _switches, tested: tested[0].strip() != NO_VALUE),
            ("Blank", lambda _switches, tested: not tested[0].strip()),
            ("Boolean", lambda _switches, tested: tested[0].strip() == TRUE),
        )
        for ending, branches in (("TF", _BOTH), ("T", _YES), ("F", _NO))
    },
}
"""Macros with their branches as arguments: the number of arguments that they test, the test, and their branches."""
