"""Captions of figures and tables in a PDF, by a table of rules."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from colde.ingest.pdf.lines.body_style import BodyStyle
from colde.ingest.pdf.lines.text_lines import Line
from colde.ingest.pdf.lines.weighted_rules import Rule, add_up
from colde.text.document import Role

_LABEL = re.compile(
    r"(?:figure|fig\.?|table|tab\.|algorithm|listing|chart|exhibit|plate|scheme|diagram|abbildung|abb\.|tabelle|tableau)\s*"
    r"(?:[A-Z]\.?)?(?:\d+(?:[.\-]\d+)*|[IVX]+)(?:\s?\(?[a-z]\)?)?\s*(?P<mark>[:.\-–—|)]*)(?P<rest>.*)",
    re.IGNORECASE,
)
_MAX_LINES = 15  # of a caption


@dataclass(frozen=True, slots=True)
class Candidate:
    """A line that begins like a caption, "Figure 3: …".

    Attributes:
        mark, rest: the punctuation behind the number, and the text behind that.
        apart: whether the line is set apart from the text above.
        styled: whether it is smaller than body text, or bold or italic unlike it.
    """

    line: Line
    mark: str
    rest: str
    apart: bool
    styled: bool


@dataclass(frozen=True, slots=True)
class Continuation:
    """A line below a line of a caption; `first` is the first line of the caption."""

    first: Line
    previous: Line
    line: Line
    role: Role | None
    body: BodyStyle


REFUSALS: tuple[Rule[Candidate], ...] = (
    Rule(
        "sentence_reference", -1.0,
        lambda c, _: not c.mark and c.rest[:1].islower() and not (c.styled and c.apart),
        "\"Figure 3 shows …\" is the beginning of a sentence",
    ),
    Rule(
        "inside_text", -1.0, lambda c, _: not (c.apart or c.styled or c.mark.startswith((":", "|"))),
        "a reference to a figure can stand at the beginning of any line",
    ),
    Rule(
        "sentence", -1.0,
        lambda c, _: not c.mark and bool(c.rest) and not (c.apart and (c.styled or len(c.line.words) < 14)),
        "without punctuation behind the number, only a short or differently set line is a caption",
    ),
)  # fmt: skip
"""A line that begins like a caption is one where none of these rules applies: the sum of the weights is 0."""

ENDS: tuple[Rule[Continuation], ...] = (
    Rule("other_role", -1.0, lambda c, _: c.role is not None, "the line already belongs to something else"),
    Rule("other_column", -1.0, lambda c, _: not c.line.same_column(c.first), "captions stay in their column"),
    Rule(
        "other_size", -1.0, lambda c, _: not c.line.similar_size(c.first.size, 0.05),
        "a caption has one font size",
    ),
    Rule(
        "space_by_size", -1.0, lambda c, _: c.line.gap > 1.35 * 1.2 * c.first.size,
        "lines of a caption stand close to each other",
    ),
    Rule(
        "space_by_leading", -1.0, lambda c, _: c.line.gap > 1.25 * c.body.leading,
        "a gap wider than between lines of text ends a paragraph",
    ),
    Rule(
        "next_caption", -1.0, lambda c, _: bool(_LABEL.match(c.line.text)) and c.line.gap > c.body.leading,
        "another caption begins",
    ),
    Rule(
        "ended_early", -1.0,
        lambda c, _: c.previous.fits_in_room(c.line.words[0], 0.9) and c.previous.text[-1:] in '.!?)”"',
        "the sentence above ended although the next word would have fitted in",
    ),
)  # fmt: skip
"""A caption goes on in a line to which none of these rules applies."""


def mark_captions(lines: Sequence[Line], body: BodyStyle, roles: list[Role | None]) -> None:
    """Mark lines that begin with "Figure 3:" and the like, and the lines that continue them."""
    for i, line in enumerate(lines):
        if roles[i] is not None or not _is_caption(lines, body, roles, i):
            continue
        roles[i] = "caption"
        for j in range(i + 1, min(i + _MAX_LINES, len(lines))):
            following = Continuation(line, lines[j - 1], lines[j], roles[j], body)
            if add_up(ENDS, following) < 0.0:
                break
            roles[j] = "caption"


def _is_caption(lines: Sequence[Line], body: BodyStyle, roles: Sequence[Role | None], i: int) -> bool:
    line = lines[i]
    label = _LABEL.match(line.text)
    if label is None:
        return False
    first_in_column = i == 0 or not lines[i - 1].same_column(line)
    font = line.words[0].font
    candidate = Candidate(
        line=line,
        mark=label["mark"],
        rest=label["rest"].strip(),
        apart=first_in_column or line.gap > 1.2 * max(body.leading, line.size) or roles[i - 1] is not None,
        styled=line.size < 0.96 * body.size or font.bold != body.bold or font.italic,
    )
    return add_up(REFUSALS, candidate) >= 0.0
