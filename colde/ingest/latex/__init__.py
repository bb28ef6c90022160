"""LaTeX by pylatexenc: sections, paragraphs, lists, captions, notes and references, without the preamble."""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from colde.ingest.files.character_encoding import decode
from colde.ingest.files.zip_archive import damaged
from colde.ingest.latex.latex_macros import expand_macros
from colde.ingest.latex.latex_packages import CODE_ENVIRONMENTS, LEVELS, SKIPPED_MACROS
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.layout_tables import table_text
from colde.ingest.shared.line_end_hyphens import join_broken_lines
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document, ReadWarning, Role
from colde.text.word_lists.stop_words import words

SUFFIXES = (".tex", ".latex", ".ltx")
_BEGINNING = re.compile(rb"(?:\s|%[^\n]*\n)*+\\(?:documentclass|documentstyle)\b")
_ENVIRONMENT_ROLES: dict[str, Role] = {
    "thebibliography": "references", "tabular": "table", "tabularx": "table", "longtable": "table", "array": "table",
    "tabular*": "table", "tabulary": "table", "xltabular": "table", "tabu": "table",
}  # fmt: skip
_EQUATIONS = words("equation align gather multline eqnarray displaymath flalign alignat math subequations")
_SKIPPED_ENVIRONMENTS = words("tikzpicture comment picture pgfpicture forest CCSXML titlepage lrbox axis")
_THEOREMS = words(
    "theorem lemma proposition corollary definition remark example proof claim conjecture assumption exercise problem "
    "axiom observation"
)
"""Environments whose options are a name or a title."""
_ROW_ENDS = ("\\", "tabularnewline", "endhead", "endfirsthead", "endfoot", "endlastfoot")
_RULES = words("hline toprule midrule bottomrule noalign caption label")
_BOX_TITLE = re.compile(r"(?:^|,)\s*(?:frame)?title\s*=\s*(?:\{(.*?)\}|([^,{}]*))\s*(?:,|$)")
_NEW_THEOREM = re.compile(r"\\newtheorem\*?\s*\{([^{}]+)\}")
_PARAGRAPH_END = re.compile(r"\n[ \t]*\n\s*")
_LOOK_AHEAD = 8  # levels of a group in which parts such as notes and paragraphs are looked for
_MAX_DEPTH = 200  # environments and groups inside each other


def accepts(data: bytes, name: str) -> bool:
    """Whether a text begins as LaTeX documents do."""
    return _BEGINNING.match(data[:20_000]) is not None


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read the body of a LaTeX document. Other files that it includes are not read; a warning names them."""
    from pylatexenc.latexwalker import LatexWalker

    from colde.ingest.latex.latex_text import OWN_SIGNS, syntax

    decoded = decode(data, name)
    expanded, warnings = expand_macros(decoded.text.translate(OWN_SIGNS), name)
    source = join_broken_lines(expanded)
    walker = LatexWalker(source, latex_context=syntax(), tolerant_parsing=True)
    nodes, _, _ = walker.get_latex_nodes()
    reader = _Reader(name, source, _THEOREMS.union(_NEW_THEOREM.findall(decoded.text)))
    titles = [n for n in _all_nodes(nodes) if _macro(n) == "title"]
    title = reader.argument(titles[0]) if titles else ""
    body = next((n for n in nodes if _environment(n) == "document"), None)
    reader.walk(nodes if body is None else body.nodelist)
    reader.flush()
    warnings = (*decoded.warnings, *warnings)
    if reader.included:
        files = ", ".join(dict.fromkeys(reader.included))
        warnings = (
            *warnings,
            ReadWarning(f"other files that the document includes were not read: {files[:200]}"),
        )
    return document_from_blocks(
        reader.blocks, name=name, format="latex", title=title, title_in_text=True, warnings=warnings
    )


class _Reader:
    def __init__(self, name: str, source: str, theorems: frozenset[str]) -> None:
        self._name = name
        self._theorems = theorems
        self.blocks: list[Block] = []
        self.included: list[str] = []
        self._source = source
        self._inline: list[Any] = []
        self._notes: list[str] = []
        self._role: Role | None = None
        self._quotations = 0
        self._depth = 0

    def walk(self, nodes: Iterable[Any]) -> None:
        """Read nodes in order."""
        self._depth += 1
        if self._depth > _MAX_DEPTH:
            raise damaged(self._name, "elements are nested too deeply")
        for node in nodes:
            macro, environment = _macro(node), _environment(node)
            if macro:
                self._take_macro(macro, node)
            elif environment:
                self._take_environment(environment.rstrip("*"), node)
            elif hasattr(node, "displaytype") and node.displaytype == "display":
                self._add(_text([node]), "equation")
            elif hasattr(node, "chars"):
                self._take_characters(node)
            elif hasattr(node, "nodelist") and _has_structure(node.nodelist):
                self.walk(node.nodelist)
            elif not hasattr(node, "comment"):
                self._inline.append(node)
        self._depth -= 1

    def flush(self) -> None:
        """End the current paragraph, and put its notes behind it."""
        text, self._inline = _text(self._inline), []
        if text:
            self.blocks.append(Block(text, role=self._role, quoted=self._quotations > 0))
        notes, self._notes = self._notes, []
        self.blocks.extend(Block(note, role="footnote") for note in notes if note)

    def argument(self, node: Any) -> str:
        """The text of the last argument of a macro that is in braces; notes in it are kept for their place."""
        arguments = [a for a in _arguments(node) if a is not None][-1:]
        self._notes.extend(
            _text([a for a in _arguments(n) if a is not None][-1:])
            for n in _all_nodes(arguments)
            if _macro(n) == "footnote"
        )
        return _text(arguments)

    def _add(self, text: str, role: Role | None) -> None:
        self.flush()
        if text:
            self.blocks.append(Block(text, role=role))

    def _take_characters(self, node: Any) -> None:
        first, *others = _PARAGRAPH_END.split(node.chars)
        self._inline.append(first)
        for part in others:
            self.flush()
            self._inline.append(part)

    def _take_macro(self, macro: str, node: Any) -> None:
        macro = macro.rstrip("*")
        if macro in LEVELS:
            self.flush()
            self.blocks.append(Block(self.argument(node), LEVELS[macro]))
        elif macro in ("footnote", "footnotetext", "endnote"):
            self._notes.append(self.argument(node))
        elif macro in ("caption", "captionof"):
            self._add(self.argument(node), "caption")
        elif macro in ("item", "bibitem"):
            self.flush()
            self._inline.extend(a for a in _arguments(node)[:1] if a is not None and macro == "item")
        elif macro in ("par", "newpage", "clearpage", "bigskip", "medskip"):
            self.flush()
        elif macro in ("input", "include", "subfile"):
            self.included.append(self.argument(node) or "a file")
        elif macro not in SKIPPED_MACROS:
            self._take_text_macro(node)

    def _take_text_macro(self, node: Any) -> None:
        """A macro that changes how text looks; what it holds may be headings and paragraphs, too."""
        arguments = [a for a in _arguments(node) if a is not None]
        if _has_structure(arguments):
            self.walk(arguments)
        else:
            self._inline.append(node)

    def _take_environment(self, name: str, node: Any) -> None:
        if name in _SKIPPED_ENVIRONMENTS:
            return
        self.flush()
        if name in CODE_ENVIRONMENTS:
            self._add(_verbatim(self._source, node), self._role)
        elif name in _EQUATIONS:
            self._add(_text([node]), "equation")
        elif name in _ENVIRONMENT_ROLES and name != "thebibliography":
            self._add(_table(node.nodelist), "table")
        else:
            if name == "abstract":
                self.blocks.append(Block("Abstract", LEVELS["section"]))
            role, self._role = self._role, _ENVIRONMENT_ROLES.get(name, self._role)
            self._quotations += name in ("quote", "quotation")
            self._take_options(name, node)
            self.walk(node.nodelist)
            self.flush()
            self._quotations -= name in ("quote", "quotation")
            self._role = role

    def _take_options(self, name: str, node: Any) -> None:
        """The name of a theorem and the title of a box are text; other options of environments are settings."""
        options = next((a for a in _arguments(node) if a is not None), None)
        if options is None or not hasattr(options, "nodelist") or options.delimiters[0] != "[":
            return
        if name in self._theorems:
            self._inline.extend(("(", options, ") "))
        elif title := _BOX_TITLE.search(options.latex_verbatim()[1:-1]):
            self._add(_text([title[1] or title[2]]), self._role)


def _macro(node: Any) -> str:
    return str(getattr(node, "macroname", "") or "")


def _environment(node: Any) -> str:
    return str(getattr(node, "environmentname", "") or "")


def _arguments(node: Any) -> Sequence[Any]:
    arguments = getattr(node, "nodeargd", None)
    return (arguments.argnlist or ()) if arguments is not None else ()


def _all_nodes(nodes: Iterable[Any], depth: int = _MAX_DEPTH) -> Iterator[Any]:
    """All nodes, with those in groups, environments and arguments."""
    stack = [(node, depth) for node in reversed(list(nodes))]
    while stack:
        node, levels = stack.pop()
        if node is not None:
            yield node
            if levels > 1:
                inner = [*(getattr(node, "nodelist", None) or ()), *_arguments(node)]
                stack.extend((part, levels - 1) for part in reversed(inner))


def _has_structure(nodes: Iterable[Any]) -> bool:
    """Whether headings, notes, captions or paragraphs are among the nodes, at any depth."""
    marks = {*LEVELS, "footnote", "caption", "item", "par"}
    return any(
        _macro(n).rstrip("*") in marks or _environment(n) or "\n\n" in getattr(n, "chars", "")
        for n in _all_nodes(nodes, _LOOK_AHEAD)
    )


def _text(nodes: Sequence[Any]) -> str:
    """The text of nodes on one line; strings among them are text already."""
    from colde.ingest.latex.latex_text import text_of

    return text_of(nodes)


def _table(nodes: Sequence[Any]) -> str:
    rows: list[list[list[Any]]] = [[[]]]
    for node in nodes:
        if _macro(node) in _ROW_ENDS:
            rows.append([[]])
        elif getattr(node, "specials_chars", "") == "&":
            rows[-1].append([])
        elif _macro(node) not in _RULES:
            rows[-1][-1].append(node)
    lines = table_text(map(_text, cells) for cells in rows).split("\n")
    # A head is written twice, again for the second page.
    return "\n".join(line for line, _ in itertools.groupby(lines))


def _verbatim(source: str, node: Any) -> str:
    """The lines of code of an environment."""
    text = source[node.pos : node.pos + node.len]
    inner = re.sub(r"\A\\begin\{[^}]*\}(?:\[[^\]]*\])?|\\end\{[^}]*\}\Z", "", text)
    return inner.expandtabs(4).strip("\n")
