"""Rendering of the HTML reports. The templates escape every value that is not markup made here.

The content security policy of a page allows its style sheets and its script by their hashes, and no request.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, Any

from colde.report import formatting
from colde.report.linked_view import script, style
from colde.report.maps.map_names import map_title
from colde.report.wording.verdict_bar import score_position
from colde.results.verdicts import verdict_words

if TYPE_CHECKING:
    from jinja2 import Environment
    from markupsafe import Markup

FILTERS = (
    formatting.clean,
    formatting.long_date,
    formatting.number_or_dash,
    formatting.quote,
    formatting.sentence_case,
    formatting.shorten,
    verdict_words.percent_or_dash,
    map_title,
    score_position,
)
"""Functions that the templates use by name."""

MAX_PIECE = 1_000_000
"""Characters of JSON that are escaped at once: a map of a large comparison has hundreds of millions."""


def html_page(
    template: str, css: str = "", own_script: str = "report.js", *, linked_view: bool = True, **values: Any
) -> Iterator[str]:
    """Yield the pieces of a page.

    Args:
        template: its file in `templates/`.
        css: style sheet of this page; then it also shows pictures, and comparisons in frames, whose style it allows.
        own_script: file in `templates/` that starts the view of this page.
        linked_view: whether the page holds the script of the linked view.
        values: what the template names.
    """
    from markupsafe import Markup

    page_style = style() + template_file("report.css")
    page_script = (script() if linked_view else "") + template_file(own_script)
    styles = [page_style + css, page_style] if css else [page_style]
    style_hashes = " ".join(f"'{content_hash(text)}'" for text in styles)
    policy = (
        f"default-src 'none'; {'img-src data:; ' if css else ''}script-src '{content_hash(page_script)}'; "
        f"style-src {style_hashes}; base-uri 'none'; form-action 'none'"
    )
    page = _environment().get_template(template)
    yield from page.generate(policy=policy, style=Markup(styles[0]), script=Markup(page_script), **values)


def html_part(template: str, **values: Any) -> str:
    """A part of a page, without style and script; arguments as in `html_page`."""
    return _environment().get_template(template).render(**values)


def json_in_html(pieces: Iterable[str]) -> Iterator[Markup]:
    """Yield JSON that no HTML parser can take for markup: no `<` is left in it."""
    from markupsafe import Markup

    for piece in pieces:
        for start in range(0, len(piece), MAX_PIECE):
            yield Markup(piece[start : start + MAX_PIECE].replace("<", "\\u003c"))


def content_hash(text: str) -> str:
    """The hash by which a content security policy allows a script or a style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("colde.report"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters |= {function.__name__: function for function in FILTERS}
    return made


def template_file(name: str) -> str:
    """The text of a file beside the templates."""
    return files("colde.report").joinpath("templates", name).read_text(encoding="utf-8")
