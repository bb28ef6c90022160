"""Parts that every HTML report has: its policy and head, its style and script, tables, JSON inside HTML.

The content security policy allows exactly one script and one style sheet, by their hashes, and no request.
"""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable
from importlib.resources import files

from colde.report.linked_view import script, style


def page_head(title: str, css: str, *, framed: bool = False) -> str:
    """Everything up to the body of a report: its policy allows this style, the script of a comparison and no request.

    Args:
        title: HTML, escaped.
        framed: the page shows a picture, and whole comparisons in frames, which have to meet its policy.
    """
    styles = " ".join(f"'{content_hash(text)}'" for text in ((css, page_style()) if framed else (css,)))
    policy = (
        f"default-src 'none'; {'img-src data:; ' if framed else ''}script-src '{content_hash(page_script())}'; "
        f"style-src {styles}; base-uri 'none'; form-action 'none'"
    )
    return f"""<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="{policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="generator" content="CoLDE Explorer">
<title>{title}</title>
<style>{css}</style>
</head>
<body>"""


def html_table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of ready cells; a heading that begins with # stands over numbers."""
    names = "".join(
        f'<th scope="col" class="number">{h[1:]}</th>' if h.startswith("#") else f'<th scope="col">{h}</th>'
        for h in head
    )
    body = "".join(f"<tr>{''.join(row)}</tr>" for row in rows)
    table = f"<table><thead><tr>{names}</tr></thead><tbody>{body}</tbody></table>"
    return f'<div class="wide" tabindex="0">{table}</div>'


def number_cell(text: str) -> str:
    return f'<td class="number">{text}</td>'


def json_in_html(text: str) -> str:
    """JSON that no HTML parser can take for markup: no `<` is left in it."""
    return text.replace("<", "\\u003c")


def page_style() -> str:
    """The style sheet of every report."""
    return style() + _file("report.css")


def page_script() -> str:
    """The script of a comparison's report."""
    return script() + _file("report.js")


def content_hash(text: str) -> str:
    """The hash by which a content security policy allows a script or a style sheet."""
    return "sha256-" + base64.b64encode(hashlib.sha256(text.encode()).digest()).decode("ascii")


def _file(name: str) -> str:
    return files("colde.report").joinpath(name).read_text(encoding="utf-8")
