"""Macros that a LaTeX document defines: how they take their arguments, and what they stand for."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from colde.ingest.latex.latex_source import LatexSource

NO_VALUE = "-NoValue-"
"""What an optional argument without a default is where it is missing, as in xparse."""
TRUE, FALSE = "\\BooleanTrue", "\\BooleanFalse"
_PARAMETER = re.compile(r"#(#|[1-9])")
_CONTROL_WORD_AT_END = re.compile(r"\\[a-zA-Z@]+\Z")
_ARGUMENT_TYPES = re.compile(
    r"\s|[+!]|>\s*\{[^{}]*\}|(?P<kind>[mvbos])|(?P<default>[OG])\s*\{(?P<standard>(?:[^{}]|\{[^{}]*\})*)\}"
    r"|t(?P<sign>\\.|.)|(?P<pair>[drDR])(?P<open>.)(?P<close>.)(?:(?<=[DR]..)\s*\{(?P<paired>(?:[^{}]|\{[^{}]*\})*)\})?"
    r"|g|[eE]\{[^{}]*\}(?:\{[^{}]*\})?",
    re.DOTALL,
)
_NUMBERED_DEFAULT = re.compile(
    r"(?:^|,)\s*([1-9])\s*=\s*(?:\{((?:[^{}]|\{[^{}]*\})*)\}|((?:[^{},]|\{[^{}]*\})*))"
)
_DEF_PARAMETERS = re.compile(r"[^{}]*")


@dataclass(frozen=True, slots=True)
class Argument:
    """How one argument is taken.

    Attributes:
        kind: `m` in braces or one sign, `o` in brackets, `s` a sign or none, `d` between two signs, `u` up to a
            text, `b` the content of the environment.
        default: of one that is missing.
        opening: the sign of `s`; the opening sign of `d`.
        closing: the closing sign of `d`; the text that ends `u`.
    """

    kind: str
    default: str = NO_VALUE
    opening: str = "*"
    closing: str = ""


@dataclass(frozen=True, slots=True)
class Macro:
    """What a macro, or the beginning and the end of an environment, stand for.

    Attributes:
        arguments: in the order in which they are taken.
        body: what it stands for, with `#1` for the first argument.
        end: what the end of an environment stands for.
        prefix: a text that must follow the macro, before its arguments.
    """

    arguments: tuple[Argument, ...] = ()
    body: str = ""
    end: str = ""
    prefix: str = ""

    def take_arguments(self, source: LatexSource) -> list[str]:
        """Read the arguments, but for the content of an environment."""
        if self.prefix:
            source.has_sign(self.prefix)
        return [_take(argument, source) for argument in self.arguments if argument.kind != "b"]

    def takes_content(self) -> bool:
        """Whether the content of the environment is its last argument."""
        return bool(self.arguments) and self.arguments[-1].kind == "b"


def latex_arguments(count: str | None, default: str | None) -> tuple[Argument, ...]:
    """The arguments of `\\newcommand`: a number, of which the first may be optional."""
    total = int(count) if count and count.strip().isdecimal() and len(count.strip()) == 1 else 0
    arguments = [Argument("m")] * total
    if default is not None and total:
        arguments[0] = Argument("o", default)
    return tuple(arguments)


def xargs_arguments(count: str | None, defaults: str | None) -> tuple[Argument, ...]:
    """The arguments of `\\newcommandx`: a number, and the defaults of optional ones, such as `1=morning, 3=north`."""
    arguments = list(latex_arguments(count, None))
    for match in _NUMBERED_DEFAULT.finditer(defaults or ""):
        number = int(match[1])
        if number <= len(arguments):
            arguments[number - 1] = Argument("o", match[2] if match[2] is not None else match[3].strip())
    return tuple(arguments)


def xparse_arguments(types: str) -> tuple[Argument, ...]:
    """The arguments that a text such as `s O{x} m` of xparse describes."""
    arguments = []
    for match in _ARGUMENT_TYPES.finditer(types):
        if kind := match["kind"]:
            arguments.append(Argument("m" if kind == "v" else kind))
        elif match["default"]:
            arguments.append(Argument("o", match["standard"]))
        elif match["sign"]:
            arguments.append(Argument("s", opening=match["sign"]))
        elif match["pair"]:
            paired = match["paired"]
            default = NO_VALUE if paired is None else paired
            arguments.append(Argument("d", default, match["open"], match["close"]))
    return tuple(arguments)


def take_def(source: LatexSource) -> Macro:
    """Read the parameters and the body of `\\def`, behind the name of the macro."""
    match = source.take(_DEF_PARAMETERS)
    prefix, *pieces = re.split(r"#[1-9]", match[0] if match is not None else "")
    prefix = prefix.strip() if not pieces else prefix.lstrip()
    arguments = tuple(Argument("u", "", closing=piece) if piece else Argument("m") for piece in pieces)
    return Macro(arguments, source.group() or "", prefix=prefix)


def filled(body: str, arguments: Sequence[str]) -> str:
    """A body with its arguments in their places."""
    parts: list[str] = []
    end = 0
    for match in _PARAMETER.finditer(body):
        before = body[end : match.start()]
        parts.append(before)
        end = match.end()
        if match[1] == "#":
            parts.append("#")
            continue
        number = int(match[1])
        argument = arguments[number - 1] if number <= len(arguments) else ""
        if argument[:1].isalpha() and _CONTROL_WORD_AT_END.search(before):
            parts.append(" ")
        parts.append(argument)
    parts.append(body[end:])
    return "".join(parts)


def _take(argument: Argument, source: LatexSource) -> str:
    if argument.kind == "m":
        return source.argument()
    if argument.kind == "o":
        optional = source.optional()
        return argument.default if optional is None else optional
    if argument.kind == "s":
        return TRUE if source.has_sign(argument.opening) else FALSE
    if argument.kind == "u":
        return source.take_delimited(argument.closing)
    if source.has_sign(argument.opening):
        return source.take_delimited(argument.closing)
    return argument.default
