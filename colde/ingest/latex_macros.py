"""LaTeX source with the macros of the document and of packages expanded, without what is switched off.

The reader then finds plain LaTeX. Limits on depth and size keep macros from growing without end.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from colde.errors import ReadError
from colde.ingest.latex_conditions import Switches
from colde.ingest.latex_definitions import Macro, filled, latex_arguments, take_def, xparse_arguments
from colde.ingest.latex_packages import CODE_ENVIRONMENTS, KEPT_MACROS, PACKAGE_MACROS, SETTINGS_WITH_NUMBER
from colde.ingest.latex_source import LatexSource
from colde.ingest.latex_terms import Terms
from colde.ingest.latex_units import Units
from colde.text.document import ReadWarning
from colde.text.stop_words import words

_MAX_DEPTH = 100  # macros that are expanded inside each other
_MAX_CHARACTERS = 5_000_000  # that all macros of a document stand for
_MAX_EXPANSIONS = 2000  # for one macro of the document, besides one for each character of its arguments
_ENVIRONMENT = re.compile(r"[ \t]*\{([^{}\n]{1,80})\}")
_NAME = re.compile(
    r"\s*\\csname\s*([^\\{}]*?)\s*\\endcsname|\s*\{\s*\\([a-zA-Z@]+|.)\s*\}|\s*\\([a-zA-Z@]+|.)", re.DOTALL
)
_LET = re.compile(r"\s*\\([a-zA-Z@]+|.)\s*=?\s?(\\(?:[a-zA-Z@]+|.)|[^\\{}%])", re.DOTALL)
_SWITCH = re.compile(r"\s*\{?\s*\\if([a-zA-Z@]+)\s*\}?")
_RAW_ARGUMENT = re.compile(r"\s*\{((?:[^{}\\]|\\.|\{[^{}]*\})*+)\}", re.DOTALL)
_DELIMITED = re.compile(
    r"\*?(?:\s*\[[^\]\n]*\])?([^a-zA-Z\s*\[])(.{0,500}?)\1|\*?\s*(?:\[[^\]\n]*\])?\{[^{}\n]*\}"
)
_SETTING = re.compile(
    r"\s*=?\s*[-+]?\d*[.,]?\d+\s*(?:pt|cm|mm|in|em|ex|bp|pc|sp|dd|cc|mu|fil+|\\[a-zA-Z]+)?"
    r"(?:\s*(?:plus|minus)\s*-?[\d.]+\s*[a-z]{2,4})*|\s*=\s*\\[a-zA-Z]+"
)
_COMMENT_ENVIRONMENTS = ("comment",)
_NEW_COMMANDS = {
    "newcommand": True, "renewcommand": True, "providecommand": False, "DeclareRobustCommand": True,
    "newrobustcmd": True, "renewrobustcmd": True, "providerobustcmd": False,
}  # fmt: skip
"""Macros that define others, and whether they replace a definition."""
_NEW_DOCUMENT_COMMANDS = {
    f"{verb}{kind}DocumentCommand": verb != "Provide"
    for verb in ("New", "Renew", "Provide", "Declare")
    for kind in ("", "Expandable")
}
_NEW_ENVIRONMENTS = {"newenvironment": True, "renewenvironment": True, "provideenvironment": False}
_NEW_DOCUMENT_ENVIRONMENTS = {
    f"{verb}DocumentEnvironment": verb != "Provide" for verb in ("New", "Renew", "Provide", "Declare")
}
_OPERATORS = words("DeclareMathOperator")
_HIDING, _SHOWING = words("excludecomment excludeversion"), words("includecomment includeversion")
_CODE_DEFINITIONS = words(
    "lstnewenvironment DefineVerbatimEnvironment newverbatim newminted NewTCBListing newtcblisting"
)
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
        self._macros: dict[str, Macro] = {}
        self._environments: dict[str, Macro] = {}
        self._open: list[_OpenEnvironment] = []
        self._hidden = set(_COMMENT_ENVIRONMENTS)
        self._code = set(CODE_ENVIRONMENTS)
        self._switches = Switches(self._is_defined, self._macros.get)
        self._terms, self._units = Terms(), Units()
        self._open_conditions = 0
        self._characters = 0
        self._last_position = self._output_before = 0
        self._expansions_left = _MAX_EXPANSIONS
        self.endless: list[str] = []  # macros that were left out, since they repeat themselves
        self._behind_word = False
        self._handlers = self._make_handlers()

    def run(self) -> str:
        """Read everything."""
        while token := self._source.next_token():
            if token[0] != "\\" or len(token) < 2:
                self._write(token)
            elif not self._take(token[1:]):
                break
        return "".join(self._output)

    def _write(self, token: str) -> None:
        """Write a token; the letter behind a macro must not become a part of its name."""
        if self._behind_word and token[0].isalpha():
            self._output.append(" ")
        self._output.append(token)
        self._behind_word = token[0] == "\\" and token[-1].isalpha()

    def _take(self, macro: str) -> bool:
        """Take a macro; False for the end of the document."""
        if macro in ("begin", "end"):
            return self._take_environment(macro)
        if macro == "endinput" and not self._source.depth:
            return False
        handler = self._handlers.get(macro)
        if macro in self.endless:
            return True
        if handler is not None:
            handler(macro)
        elif macro in ("else", "or", "fi"):
            self._end_branch(macro)
        elif self._switches.is_condition(macro):
            self._begin_branch(macro)
        elif setting := self._switches.setting(macro):
            self._switches.set(*setting)
        elif macro in self._macros:
            self._expand(self._macros[macro], macro)
        elif (text := self._package_text(macro)) is not None:
            self._put(text, macro)
        elif macro in SETTINGS_WITH_NUMBER:
            self._source.take(_SETTING)
        elif macro in PACKAGE_MACROS:
            self._expand(PACKAGE_MACROS[macro], macro)
        else:
            self._write(f"\\{macro}")
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

    def _begin_branch(self, macro: str) -> None:
        """Read a condition, and skip what does not hold."""
        chosen = self._switches.choose(macro, self._source)
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
        if name in self._hidden:
            self._source.take_until(end)
        elif plain in self._code:
            self._write(f"\\begin{{{name}}}{self._source.take_until(end)}{end}")
        elif name in self._environments:
            self._begin_environment(name, self._environments[name])
        else:
            self._write(f"\\begin{{{name}}}")
        return True

    def _begin_environment(self, name: str, macro: Macro) -> None:
        arguments = macro.take_arguments(self._source)
        if macro.takes_content():
            arguments.append(self._source.take_until(f"\\end{{{name}}}").strip())
            self._put(filled(macro.body, arguments) + filled(macro.end, arguments), name)
            return
        self._open.append(_OpenEnvironment(name, filled(macro.end, arguments)))
        self._put(filled(macro.body, arguments), name)

    def _end_environment(self, name: str) -> bool:
        if self._open and self._open[-1].name == name:
            self._put(self._open.pop().end, name)
            return True
        self._write(f"\\end{{{name}}}")
        return name != "document"

    # Definitions

    def _make_handlers(self) -> dict[str, Callable[[str], None]]:
        return {
            **dict.fromkeys(_NEW_COMMANDS, self._new_command),
            **dict.fromkeys(_NEW_DOCUMENT_COMMANDS, self._new_document_command),
            **dict.fromkeys(_NEW_ENVIRONMENTS, self._new_environment),
            **dict.fromkeys(_NEW_DOCUMENT_ENVIRONMENTS, self._new_document_environment),
            **dict.fromkeys(("NewEnviron", "RenewEnviron"), self._new_environment_with_body),
            **dict.fromkeys(("def", "gdef", "edef", "xdef"), self._def),
            **dict.fromkeys(("let", "LetLtxMacro"), self._let),
            **dict.fromkeys(_OPERATORS, self._new_operator),
            **dict.fromkeys(("newif", "provideif"), self._new_switch),
            **dict.fromkeys(("newboolean", "newbool", "newtoggle", "providebool", "providetoggle"), self._new_boolean),
            **dict.fromkeys(("setboolean", "setbool", "settoggle"), self._set_boolean),
            **dict.fromkeys(("booltrue", "toggletrue"), lambda _: self._set_switch(True)),
            **dict.fromkeys(("boolfalse", "togglefalse"), lambda _: self._set_switch(False)),
            **dict.fromkeys(_HIDING, lambda _: self._hidden.add(self._source.argument())),
            **dict.fromkeys(_SHOWING, lambda _: self._hidden.discard(self._source.argument())),
            **dict.fromkeys(_CODE_DEFINITIONS, self._new_code_environment),
            **dict.fromkeys(_VERBATIM_MACROS, self._verbatim),
            **dict.fromkeys(_ADDRESSES, self._address),
            "specialcomment": self._special_comment,
            "csname": self._named_macro,
            "makeatletter": lambda _: self._source.let_at_be_letter(True),
            "makeatother": lambda _: self._source.let_at_be_letter(False),
        }  # fmt: skip

    def _is_defined(self, name: str) -> bool:
        return name in self._macros or name in KEPT_MACROS or name in PACKAGE_MACROS

    def _macro_name(self) -> str:
        match = self._source.take(_NAME)
        return (match[1] or match[2] or match[3]) if match is not None else ""

    def _define(self, name: str, macro: Macro, replaces: bool = True) -> None:
        """Keep a definition; macros that make the structure of a document stay what they are."""
        if name and name not in KEPT_MACROS and (replaces or not self._is_defined(name)):
            self._macros[name] = macro

    def _new_command(self, how: str) -> None:
        self._source.has_sign("*")
        name = self._macro_name()
        arguments = latex_arguments(self._source.optional(), self._source.optional())
        self._define(name, Macro(arguments, self._source.argument()), _NEW_COMMANDS[how])

    def _new_document_command(self, how: str) -> None:
        name = self._macro_name()
        arguments = xparse_arguments(self._source.argument())
        self._define(name, Macro(arguments, self._source.argument()), _NEW_DOCUMENT_COMMANDS[how])

    def _new_environment(self, how: str) -> None:
        self._source.has_sign("*")
        name = self._source.argument().strip()
        arguments = latex_arguments(self._source.optional(), self._source.optional())
        macro = Macro(arguments, self._source.argument(), self._source.argument())
        if _NEW_ENVIRONMENTS[how] or name not in self._environments:
            self._environments[name] = macro

    def _new_document_environment(self, how: str) -> None:
        name = self._source.argument().strip()
        arguments = xparse_arguments(self._source.argument())
        macro = Macro(arguments, self._source.argument(), self._source.argument())
        if _NEW_DOCUMENT_ENVIRONMENTS[how] or name not in self._environments:
            self._environments[name] = macro

    def _new_environment_with_body(self, _how: str) -> None:
        """An environment of the package environ: `\\BODY` stands for its content."""
        name = self._source.argument().strip()
        arguments = (
            *latex_arguments(self._source.optional(), self._source.optional()),
            *xparse_arguments("b"),
        )
        body = self._source.argument().replace("\\BODY", f"#{len(arguments)}")
        self._environments[name] = Macro(arguments, body, self._source.optional() or "")

    def _new_code_environment(self, _how: str) -> None:
        self._source.optional()
        self._code.add(self._source.argument().strip())

    def _special_comment(self, _how: str) -> None:
        name = self._source.argument().strip()
        self._environments[name] = Macro((), self._source.argument(), self._source.argument())

    def _def(self, how: str) -> None:
        name = self._macro_name()
        macro = take_def(self._source)
        if how[0] in "ex" and f"\\{name}" in macro.body and name in self._macros:  # it adds to what it was
            body = re.sub(rf"\\{re.escape(name)}(?![a-zA-Z@])", lambda _: self._macros[name].body, macro.body)
            macro = Macro(macro.arguments, body, prefix=macro.prefix)
        self._define(name, macro)

    def _let(self, _how: str) -> None:
        match = self._source.take(_LET)
        if match is None:
            return
        name, other = match[1], match[2]
        if other[1:] in self._macros:
            self._define(name, self._macros[other[1:]])
        elif other[1:] in PACKAGE_MACROS:
            self._define(name, PACKAGE_MACROS[other[1:]])
        elif other != f"\\{name}":
            self._define(name, Macro((), other))

    def _new_operator(self, _how: str) -> None:
        self._source.has_sign("*")
        name = self._macro_name()
        self._define(name, Macro((), f"\\operatorname{{{self._source.argument()}}}"))

    def _new_switch(self, _how: str) -> None:
        match = self._source.take(_SWITCH)
        if match is not None:
            self._switches.set(match[1], False)

    def _new_boolean(self, _how: str) -> None:
        self._switches.set(self._source.argument().strip(), False)

    def _set_boolean(self, _how: str) -> None:
        name = self._source.argument().strip()
        self._switches.set(name, self._source.argument().strip().lower() == "true")

    def _set_switch(self, value: bool) -> None:
        self._switches.set(self._source.argument().strip(), value)

    def _named_macro(self, _how: str) -> None:
        name = self._source.take_until("\\endcsname").strip()
        if name in self._macros:
            self._expand(self._macros[name], name)

    # What stands as it is

    def _verbatim(self, macro: str) -> None:
        if macro == "mintinline":
            self._source.optional()
            self._source.group()
        match = self._source.take(_DELIMITED)
        self._write(
            f"\\{macro if macro != 'mintinline' else 'lstinline'}{match[0] if match is not None else ''}"
        )

    def _address(self, macro: str) -> None:
        """The address of a link may contain signs that begin comments elsewhere."""
        self._source.optional()
        match = self._source.take(_RAW_ARGUMENT)
        address = re.sub(r"(?<!\\)([%#&_~^$])", r"\\\1", match[1]) if match is not None else ""
        if macro == "href":
            self._put(self._source.argument(), macro)
        else:
            self._write(f"\\url{{{address}}}")
