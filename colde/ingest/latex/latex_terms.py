"""Terms and abbreviations that LaTeX documents declare once and name by a key (glossaries, acronym, acro)."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from colde.ingest.latex.latex_source import LatexSource

_FIELD = re.compile(r"\s*([a-z-]+)\s*=\s*(?:\{((?:[^{}]|\{(?:[^{}]|\{[^{}]*\})*\})*+)\}|([^,{}]*))\s*(?:,|$)")
_NAMED = re.compile(
    r"(?P<start>gls|Gls|GLS|ac|Ac|acr|Acr)(?P<form>short|long|full|xtrshort|xtrlong|text|name|first|s|l|f|desc)?(?P<plural>pl|p)?"
)
_FORMS = {"s": "short", "l": "long", "f": "full", "xtrshort": "short", "xtrlong": "long"}


@dataclass(frozen=True, slots=True)
class _Term:
    name: str
    long: str = ""
    plural: str = ""


class Terms:
    """The terms of a document. An abbreviation is written out where it stands first, as the packages do."""

    def __init__(self) -> None:
        self._terms: dict[str, _Term] = {}
        self._named: set[str] = set()
        self._declare: dict[str, Callable[[LatexSource], None]] = {
            "newacronym": self._new_acronym, "newabbreviation": self._new_acronym, "newacro": self._new_acro,
            "acrodef": self._new_acro, "acro": self._new_acro, "newglossaryentry": self._new_entry,
            "longnewglossaryentry": self._new_long_entry, "DeclareAcronym": self._new_entry,
        }  # fmt: skip

    def take(self, macro: str, source: LatexSource) -> str | None:
        """What a macro that declares or names a term stands for; None for other macros."""
        if macro in self._declare:
            self._declare[macro](source)
            return ""
        match = _NAMED.fullmatch(macro)
        if match is None or not self._terms:
            return None
        source.has_sign("*")
        source.optional()
        key = source.argument().strip()
        term = self._terms.get(key)
        if term is None:
            return key
        text = self._text(term, key, _FORMS.get(match["form"] or "", match["form"]), bool(match["plural"]))
        return text[:1].upper() + text[1:] if match["start"][0] == "G" or match["start"][0] == "A" else text

    def _text(self, term: _Term, key: str, form: str | None, plural: bool) -> str:
        short = (term.plural or f"{term.name}s") if plural else term.name
        long = f"{term.long}s" if plural and term.long else term.long
        first = key not in self._named
        if form is None:
            self._named.add(key)
        if form == "long":
            return long or short
        if long and (form in ("full", "first") or (form is None and first)):
            return f"{long} ({short})"
        return short

    def _new_acronym(self, source: LatexSource) -> None:
        source.optional()
        key, short, long = (source.argument().strip() for _ in range(3))
        self._terms[key] = _Term(short, long)

    def _new_acro(self, source: LatexSource) -> None:
        key = source.argument().strip()
        short = source.optional()
        self._terms[key] = _Term(short or key, source.argument().strip())

    def _new_entry(self, source: LatexSource) -> None:
        key, fields = source.argument().strip(), source.argument()
        values = {
            match[1]: (match[2] if match[2] is not None else match[3]).strip()
            for match in _FIELD.finditer(fields)
        }
        name = values.get("short") or values.get("text") or values.get("name") or key
        self._terms[key] = _Term(name, values.get("long", ""), values.get("plural", ""))

    def _new_long_entry(self, source: LatexSource) -> None:
        self._new_entry(source)
        source.argument()
