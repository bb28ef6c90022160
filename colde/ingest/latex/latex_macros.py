"""LaTeX source with the macros of the document and of packages expanded, without what is switched off.

The reader then finds plain LaTeX. Limits on depth and size keep macros from growing without end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from colde.errors import ReadError
from colde.ingest.latex.latex_declarations import Declarations
from colde.ingest.latex.latex_definitions import Macro, filled
from colde.ingest.latex.latex_packages import (
    OVERLAID,
    PACKAGE_MACROS,
    SETTINGS_WITH_NUMBER,
    TITLED_ENVIRONMENTS,
    WITHOUT_ARGUMENTS,
)
from colde.ingest.latex.latex_source import LatexSource
from colde.ingest.latex.latex_terms import Terms
from colde.ingest.latex.latex_units import Units
from colde.text.document import ReadWarning
from colde.text.word_lists.stop_words import words

_MAX_DEPTH = 100  # macros that are expanded inside each other
_MAX_CHARACTERS = 5_000_000  # that all macros of a document stand for
_MAX_EXPANSIONS = 2000  # for one macro of the document, besides one for each character of its arguments
_ENVIRONMENT = re.compile(r"[ \t]*\{([^{}\n]{1,80})\}")
_RAW_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})*+)\}", re.DOTALL)
_DELIMITED = re.compile(
    r"\*?\s*(?:\[[^\]\n]*\])?(?:\{((?:[^{}\n]|\{[^{}\n]*\})*)\}|([^a-zA-Z\s*\[{])(.{0,500}?)\2)"
)
_SETTING = re.compile(
    r"\s*=?\s*[-+]?\d*[.,]?\d+\s*(?:pt|cm|mm|in|em|ex|bp|pc|sp|dd|cc|mu|fil+|\\[a-zA-Z]+)?"
    r"(?:\s*(?:plus|minus)\s*-?[\d.]+\s*[a-z]{2,4})*|\s*=\s*\\[a-zA-Z]+"
)
_OVERLAY = re.compile(r"<[\d\-+,|.a-z:@ ]{1,40}>")
_VERBATIM_MACROS = words("verb lstinline Verb path mintinline")
_ADDRESSES = words("url href nolinkurl hyperurl")


def expand_macros(text: str, name: str) -> tuple[str, tuple[ReadWarning, ...]]:
    """The source without definitions and comments, with macros expanded, up to the end of the document.

    A warning names macros that repeat themselves without end.

    Raises:
        ReadError: `too_large` for macros that grow beyond every document.
    """
    expander = _Expander(text, name)
    source = expander.run()
    if not expander.endless:
        return source, ()
    names = ", ".join(f"\\{name}" for name in dict.fromkeys(expander.endless))
    return source, (ReadWarning(f"macros that repeat themselves without end were left out: {names[:200]}"),)


@dataclass(frozen=True, slots=True)
class _OpenEnvironment:
    name: str
    end: str


class _Expander:
    def __init__(self, text: str, name: str) -> None:
        self._source = LatexSource(text)
        self._name = name
        self._output: list[str] = []
        self._declared = Declarations(self._source)
        self._open: list[_OpenEnvironment] = []
        self._switches = self._declared.switches
        self._terms, self._units = Terms(), Units()
        self._open_conditions = 0
        self._characters = 0
        self._last_position = self._output_before = 0
        self._expansions_left = _MAX_EXPANSIONS
        self.endless: list[str] = []  # macros that were left out, since they repeat themselves
        self._behind_word = False
        self._behind_macro = False  # a group would be an argument
        self._handlers: dict[str, Callable[[str], object]] = {
            **dict.fromkeys(_VERBATIM_MACROS, self._verbatim),
            **dict.fromkeys(_ADDRESSES, self._address),
            "csname": self._named_macro,
            "futurelet": self._look_ahead,
            "unless": self._begin_unless,
            "bgroup": lambda _: self._declared.scopes.begin("{"),
            "egroup": lambda _: self._declared.scopes.end("{"),
            "begingroup": lambda _: self._declared.scopes.begin("begingroup"),
            "endgroup": lambda _: self._declared.scopes.end("begingroup"),
            "global": self._make_global,
            "makeatletter": lambda _: self._source.let_at_be_letter(True),
            "makeatother": lambda _: self._source.let_at_be_letter(False),
        }

    def run(self) -> str:
        """Read everything."""
        while token := self._source.next_token():
            if token[0] != "\\" or len(token) < 2:
                self._follow_groups(token)
                self._write(token)
            elif not self._take(token[1:]):
                break
        return "".join(self._output)

    def _follow_groups(self, token: str) -> None:
        """Declarations end with their group; braces behind a macro that is not known may be its argument."""
        if token == "{":
            self._declared.scopes.begin("{", ends_declarations=not self._behind_macro)
            self._behind_macro = False
        elif token == "}":
            self._behind_macro = self._declared.scopes.end("{")
        elif self._behind_macro:
            self._behind_macro = not token.strip(" *") or (token[0] == "[" and token[-1] == "]")

    def _write(self, token: str) -> None:
        """Write a token; the letter behind a macro must not become a part of its name."""
        if self._behind_word and token[:1].isalpha():
            self._output.append(" ")
        self._output.append(token)
        self._behind_word = token[:1] == "\\" and token[-1].isalpha()

    def _take(self, macro: str) -> bool:
        """Take a macro; False for the end of the document."""
        if macro in ("begin", "end"):
            return self._take_environment(macro)
        if macro == "endinput" and not self._source.depth:
            return False
        handler = self._handlers.get(macro)
        if macro in self.endless:
            return True
        if macro in OVERLAID:
            self._source.take(_OVERLAY)
        if handler is not None:
            handler(macro)
        elif self._declared.take(macro):
            pass
        elif macro in ("else", "or", "fi"):
            self._end_branch(macro)
        elif self._switches.is_condition(macro):
            self._begin_branch(macro)
        elif macro in self._declared.macros:
            self._expand(self._declared.macros[macro], macro)
        elif (text := self._package_text(macro)) is not None:
            self._put(text, macro)
        elif macro in SETTINGS_WITH_NUMBER:
            self._source.take(_SETTING)
        elif macro in PACKAGE_MACROS:
            self._expand(PACKAGE_MACROS[macro], macro)
        else:
            self._write(f"\\{macro}")
            self._behind_macro = macro[-1].isalpha() and macro not in WITHOUT_ARGUMENTS
        return True

    def _package_text(self, macro: str) -> str | None:
        """What a macro of a package that needs more than its arguments stands for."""
        for package in (self._switches, self._units, self._terms):
            text = package.take(macro, self._source)
            if text is not None:
                return text
        return None

    def _expand(self, macro: Macro, name: str) -> None:
        self._put(filled(macro.body, macro.take_arguments(self._source)), name)

    def _put(self, text: str, name: str) -> None:
        """Read next what a macro stands for. One that repeats itself without end is left out from then on."""
        if step := self._source.position - self._last_position:
            self._last_position += step
            self._expansions_left = _MAX_EXPANSIONS + step
            self._output_before = len(self._output)
        self._expansions_left -= 1
        self._characters += len(text)
        if self._characters > _MAX_CHARACTERS:
            what = f"its macros, such as \\{name[:40]}, stand for more than {_MAX_CHARACTERS:,} characters"
            raise ReadError(self._name, "too_large", what, "expand them, or split the file")
        if self._expansions_left < 0 or self._source.depth > _MAX_DEPTH:
            self.endless.append(name)
            self._source.drop_macros()
            del self._output[self._output_before :]
        else:
            self._source.push(text)

    # Passages that are switched off

    def _begin_unless(self, _how: str) -> None:
        """`\\unless\\ifx`: what is read is the branch for the other case."""
        macro = self._source.next_token()[1:]
        if self._switches.is_condition(macro):
            self._begin_branch(macro, negated=True)

    def _begin_branch(self, macro: str, *, negated: bool = False) -> None:
        """Read a condition, and skip what does not hold."""
        chosen = self._switches.choose(macro, self._source) ^ negated
        skipped, separator = (int(chosen), "or") if macro == "ifcase" else (int(not chosen), "else")
        ended = self._skip(skipped, separator)
        self._open_conditions += not ended

    def _end_branch(self, macro: str) -> None:
        """The branch that was read ends; what stands for the other case is skipped."""
        if self._open_conditions:
            self._open_conditions -= 1
            if macro != "fi":
                self._skip(1, "")

    def _skip(self, branches: int, separator: str) -> bool:
        """Skip branches, each with the macro that ends it; whether the condition has ended."""
        depth = 1
        while branches and (token := self._source.next_token()):
            macro = token[1:]
            if token[0] != "\\":
                continue
            if macro == "fi":
                depth -= 1
                if not depth:
                    return True
            elif depth == 1 and macro == separator:
                branches -= 1
            elif depth == 1 and macro == "else" and separator:
                return False
            elif self._switches.is_condition(macro):
                depth += 1
        return bool(branches)

    # Environments

    def _take_environment(self, macro: str) -> bool:
        match = self._source.take(_ENVIRONMENT)
        if match is None:
            self._write(f"\\{macro}")
            return True
        name = match[1]
        if macro == "end":
            return self._end_environment(name)
        end = f"\\end{{{name}}}"
        plain = name.rstrip("*")
        if name in self._declared.hidden:
            self._source.take_until(end)
        elif plain in self._declared.code:
            self._write(f"\\begin{{{name}}}{self._source.take_until(end)}{end}")
        elif name in self._declared.environments:
            self._begin_environment(name, self._declared.environments[name])
        else:
            self._write(f"\\begin{{{name}}}")
            if name != "document":
                self._declared.scopes.begin(name)
            if name in TITLED_ENVIRONMENTS:
                self._take_title(TITLED_ENVIRONMENTS[name])
        return True

    def _take_title(self, heading: str) -> None:
        """The title of a slide or of a block of it, behind its options."""
        while self._source.take(_OVERLAY) or self._source.optional() is not None:
            pass
        if title := self._source.group():
            self._source.push(f"\\{heading}{{{title}}}")

    def _begin_environment(self, name: str, macro: Macro) -> None:
        arguments = macro.take_arguments(self._source)
        if macro.takes_content():
            arguments.append(self._source.take_until(f"\\end{{{name}}}").strip())
            self._put(filled(macro.body, arguments) + filled(macro.end, arguments), name)
            return
        self._declared.scopes.begin("begingroup")
        self._open.append(_OpenEnvironment(name, filled(macro.end, arguments) + "\\endgroup"))
        self._put(filled(macro.body, arguments), name)

    def _end_environment(self, name: str) -> bool:
        if self._open and self._open[-1].name == name:
            self._put(self._open.pop().end, name)
            return True
        self._write(f"\\end{{{name}}}")
        self._declared.scopes.end(name)
        return name != "document"

    def _make_global(self, _how: str) -> None:
        self._declared.scopes.is_global = True

    def _named_macro(self, _how: str) -> None:
        name = self._source.take_until("\\endcsname").strip()
        if name in self._declared.macros:
            self._expand(self._declared.macros[name], name)

    def _look_ahead(self, _how: str) -> None:
        """`\\futurelet\\next\\macro`: the macro decides by the character behind it."""
        name, macro = self._declared.macro_name(), self._declared.macro_name()
        self._declared.define(name, Macro((), self._source.next_sign()))
        self._put(f"\\{macro}", macro)

    # What stands as it is

    def _verbatim(self, macro: str) -> None:
        if macro == "mintinline":
            self._source.optional()
            self._source.group()
        match = self._source.take(_DELIMITED)
        code = (match[1] or match[3] or "") if match is not None else ""
        sign = next((sign for sign in "|!+=" if sign not in code), "")
        self._write(f"\\verb{sign}{code}{sign}" if sign else "")

    def _address(self, macro: str) -> None:
        """The address of a link may contain signs that begin comments elsewhere."""
        self._source.optional()
        match = self._source.take(_RAW_ARGUMENT)
        address = re.sub(r"(?<!\\)([%#&_~^$])", r"\\\1", match[1]) if match is not None else ""
        if macro == "href":
            self._put(self._source.argument(), macro)
        else:
            self._write(f"\\url{{{address}}}")
