"""What a LaTeX document declares: macros, environments, switches, and environments that are hidden or hold code."""

from __future__ import annotations

import re
from collections.abc import Callable

from colde.ingest.latex.latex_conditions import Switches
from colde.ingest.latex.latex_definitions import (
    Argument,
    Macro,
    latex_arguments,
    take_def,
    xargs_arguments,
    xparse_arguments,
)
from colde.ingest.latex.latex_packages import CODE_ENVIRONMENTS, KEPT_MACROS, PACKAGE_MACROS
from colde.ingest.latex.latex_scopes import Scopes
from colde.ingest.latex.latex_source import LatexSource
from colde.text.word_lists.stop_words import words

_MAX_BODY = 100_000  # characters of a macro that adds to itself
_NAME = re.compile(
    r"\s*\\csname\s*([^\\{}]*?)\s*\\endcsname|\s*\{\s*\\([a-zA-Z@]+|.)\s*\}|\s*\\([a-zA-Z@]+|.)", re.DOTALL
)
_LET = re.compile(r"\s*\\([a-zA-Z@]+|.)\s*=?\s?(\\(?:[a-zA-Z@]+|.)|[^\\{}%])", re.DOTALL)
_SWITCH = re.compile(r"\s*\{?\s*\\if([a-zA-Z@]+)\s*\}?")
_COMMENT_ENVIRONMENTS = ("comment",)
_NEW_COMMANDS = {
    "newcommand": True, "renewcommand": True, "providecommand": False, "DeclareRobustCommand": True,
    "newrobustcmd": True, "renewrobustcmd": True, "providerobustcmd": False,
}  # fmt: skip
"""Macros that define others, and whether they replace a definition."""
_NEW_XARGS_COMMANDS = {
    f"{name}x": replaces for name, replaces in _NEW_COMMANDS.items() if not name.endswith("robustcmd")
}
_NEW_DOCUMENT_COMMANDS = {
    f"{verb}{kind}DocumentCommand": verb != "Provide"
    for verb in ("New", "Renew", "Provide", "Declare")
    for kind in ("", "Expandable")
}
_NEW_ENVIRONMENTS = {"newenvironment": True, "renewenvironment": True, "provideenvironment": False}
_NEW_DOCUMENT_ENVIRONMENTS = {
    f"{verb}DocumentEnvironment": verb != "Provide" for verb in ("New", "Renew", "Provide", "Declare")
}
_GLOBAL = words("gdef xdef newif provideif newboolean newbool newtoggle providebool providetoggle")
_OPERATORS = words("DeclareMathOperator")
_HIDING, _SHOWING = words("excludecomment excludeversion"), words("includecomment includeversion")
_CODE_DEFINITIONS = words(
    "lstnewenvironment DefineVerbatimEnvironment newverbatim newminted NewTCBListing newtcblisting"
)


class Declarations:
    """The declarations of a document, in the order of its source.

    Attributes:
        macros: what macros stand for.
        environments: the same of environments.
        hidden: environments that are left out.
        code: environments whose content is no LaTeX.
        switches: the conditions of the document.
        scopes: the groups that are open, which end what is declared in them.
    """

    def __init__(self, source: LatexSource) -> None:
        self._source = source
        self.scopes = Scopes()
        self.macros: dict[str, Macro] = {}
        self.environments: dict[str, Macro] = {}
        self.hidden = set(_COMMENT_ENVIRONMENTS)
        self.code = set(CODE_ENVIRONMENTS)
        self.switches = Switches(self.is_defined, self.macros.get, self.scopes)
        self._handlers: dict[str, Callable[[str], None]] = {
            **dict.fromkeys(_NEW_COMMANDS, self._new_command),
            **dict.fromkeys(_NEW_XARGS_COMMANDS, self._new_xargs_command),
            **dict.fromkeys(_NEW_DOCUMENT_COMMANDS, self._new_document_command),
            **dict.fromkeys(_NEW_ENVIRONMENTS, self._new_environment),
            **dict.fromkeys(_NEW_DOCUMENT_ENVIRONMENTS, self._new_document_environment),
            **dict.fromkeys(("NewEnviron", "RenewEnviron"), self._new_environment_with_body),
            **dict.fromkeys(("def", "gdef", "edef", "xdef"), self._def),
            **dict.fromkeys(("let", "LetLtxMacro"), self._let),
            **dict.fromkeys(_OPERATORS, self._new_operator),
            "DeclarePairedDelimiter": self._new_pair_of_delimiters,
            **dict.fromkeys(("newif", "provideif"), self._new_switch),
            **dict.fromkeys(("newboolean", "newbool", "newtoggle", "providebool", "providetoggle"), self._new_boolean),
            **dict.fromkeys(("setboolean", "setbool", "settoggle"), self._set_boolean),
            **dict.fromkeys(("booltrue", "toggletrue"), lambda _: self._set_switch(True)),
            **dict.fromkeys(("boolfalse", "togglefalse"), lambda _: self._set_switch(False)),
            **dict.fromkeys(_HIDING, lambda _: self.hidden.add(self._source.argument())),
            **dict.fromkeys(_SHOWING, lambda _: self.hidden.discard(self._source.argument())),
            **dict.fromkeys(_CODE_DEFINITIONS, self._new_code_environment),
            "specialcomment": self._special_comment,
        }  # fmt: skip

    def take(self, macro: str) -> bool:
        """Read what a macro declares; False for other macros."""
        handler = self._handlers.get(macro)
        if handler is not None:
            self.scopes.is_global |= macro in _GLOBAL
            handler(macro)
        elif setting := self.switches.setting(macro):
            self.switches.set(*setting)
        else:
            return False
        self.scopes.is_global = False
        return True

    def is_defined(self, name: str) -> bool:
        """Whether the document, LaTeX or a known package defines a macro."""
        return name in self.macros or name in KEPT_MACROS or name in PACKAGE_MACROS

    def macro_name(self) -> str:
        """Read the name of a macro, which may stand in braces."""
        match = self._source.take(_NAME)
        return (match[1] or match[2] or match[3]) if match is not None else ""

    def define(self, name: str, macro: Macro, replaces: bool = True) -> None:
        """Keep a definition; macros that make the structure of a document stay what they are."""
        if name and name not in KEPT_MACROS and (replaces or not self.is_defined(name)):
            self.scopes.assign(self.macros, name, macro)

    def _new_command(self, how: str) -> None:
        self._source.has_sign("*")
        name = self.macro_name()
        arguments = latex_arguments(self._source.optional(), self._source.optional())
        self.define(name, Macro(arguments, self._source.argument()), _NEW_COMMANDS[how])

    def _new_xargs_command(self, how: str) -> None:
        self._source.has_sign("*")
        name = self.macro_name()
        arguments = xargs_arguments(self._source.optional(), self._source.optional())
        self.define(name, Macro(arguments, self._source.argument()), _NEW_XARGS_COMMANDS[how])

    def _new_document_command(self, how: str) -> None:
        name = self.macro_name()
        arguments = xparse_arguments(self._source.argument())
        self.define(name, Macro(arguments, self._source.argument()), _NEW_DOCUMENT_COMMANDS[how])

    def _new_environment(self, how: str) -> None:
        self._source.has_sign("*")
        name = self._source.argument().strip()
        arguments = latex_arguments(self._source.optional(), self._source.optional())
        macro = Macro(arguments, self._source.argument(), self._source.argument())
        if _NEW_ENVIRONMENTS[how] or name not in self.environments:
            self.scopes.assign(self.environments, name, macro)

    def _new_document_environment(self, how: str) -> None:
        name = self._source.argument().strip()
        arguments = xparse_arguments(self._source.argument())
        macro = Macro(arguments, self._source.argument(), self._source.argument())
        if _NEW_DOCUMENT_ENVIRONMENTS[how] or name not in self.environments:
            self.scopes.assign(self.environments, name, macro)

    def _new_environment_with_body(self, _how: str) -> None:
        """An environment of the package environ: `\\BODY` stands for its content."""
        name = self._source.argument().strip()
        arguments = (
            *latex_arguments(self._source.optional(), self._source.optional()),
            *xparse_arguments("b"),
        )
        body = self._source.argument().replace("\\BODY", f"#{len(arguments)}")
        self.scopes.assign(self.environments, name, Macro(arguments, body, self._source.optional() or ""))

    def _new_code_environment(self, _how: str) -> None:
        self._source.optional()
        self.code.add(self._source.argument().strip())

    def _special_comment(self, _how: str) -> None:
        name = self._source.argument().strip()
        self.environments[name] = Macro((), self._source.argument(), self._source.argument())

    def _def(self, how: str) -> None:
        name = self.macro_name()
        macro = take_def(self._source)
        if how[0] in "ex" and f"\\{name}" in macro.body and name in self.macros:  # it adds to what it was
            body = re.sub(rf"\\{re.escape(name)}(?![a-zA-Z@])", lambda _: self.macros[name].body, macro.body)
            macro = Macro(macro.arguments, body[:_MAX_BODY], prefix=macro.prefix)
        self.define(name, macro)

    def _let(self, _how: str) -> None:
        match = self._source.take(_LET)
        if match is None:
            return
        name, other = match[1], match[2]
        if other[1:] in self.macros:
            self.define(name, self.macros[other[1:]])
        elif other[1:] in PACKAGE_MACROS:
            self.define(name, PACKAGE_MACROS[other[1:]])
        elif other != f"\\{name}":
            self.define(name, Macro((), other))

    def _new_operator(self, _how: str) -> None:
        self._source.has_sign("*")
        name = self.macro_name()
        self.define(name, Macro((), f"\\operatorname{{{self._source.argument()}}}"))

    def _new_pair_of_delimiters(self, _how: str) -> None:
        name = self.macro_name()
        left, right = self._source.argument(), self._source.argument()
        self.define(name, Macro((Argument("s"), Argument("o"), Argument("m")), f"{{{left}}}#3{{{right}}}"))

    def _new_switch(self, _how: str) -> None:
        match = self._source.take(_SWITCH)
        if match is not None:
            self.switches.set(match[1], False)

    def _new_boolean(self, _how: str) -> None:
        self.switches.set(self._source.argument().strip(), False)

    def _set_boolean(self, _how: str) -> None:
        name = self._source.argument().strip()
        self.switches.set(name, self._source.argument().strip().lower() == "true")

    def _set_switch(self, value: bool) -> None:
        self.switches.set(self._source.argument().strip(), value)
