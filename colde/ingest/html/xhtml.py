"""Pages written as XML (XHTML): their empty elements and character data as HTML writes them.

Only these differ for a reader of text. A page that is not well-formed is read all the same.
"""

from __future__ import annotations

import re

from colde.text.word_lists.stop_words import words

_SUFFIXES = (".xhtml", ".xht")
_XML_DECLARATION = re.compile(r"\s*<\?xml\b[^>]{0,200}\?>", re.IGNORECASE)
_ROOT = re.compile(
    r"<(?:\w+:)?html\b[^>]{0,2000}\bxmlns(?::\w+)?\s*=\s*[\"']http://www\.w3\.org/1999/xhtml", re.I
)
_DOCTYPE = re.compile(r"<!DOCTYPE\s+html\s+PUBLIC\s+[\"']-//W3C//DTD XHTML", re.IGNORECASE)
_INSPECTED = 5000  # characters at the beginning
_PREFIX = re.compile(r"\bxmlns:(\w+)\s*=\s*[\"']http://www\.w3\.org/1999/xhtml[\"']")
_PIECE = re.compile(
    r"<!--.*?(?:-->|\Z)|<\?.*?(?:\?>|\Z)|<!\[CDATA\[(?P<data>.*?)(?:\]\]>|\Z)"
    r"|<(?P<end>/?)(?P<name>[A-Za-z_][\w.:-]*+)(?P<attributes>(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?)(?P<empty>/?)>",
    re.DOTALL,
)
_SUBSET = re.compile(r"<!DOCTYPE\b[^<>\[]*\[((?:[^\]\"']|\"[^\"]*\"|'[^']*')*)\]\s*>", re.IGNORECASE)
_ENTITY = re.compile(r"<!ENTITY\s+([\w.-]+)\s+[\"']([^\"'<]{0,200})[\"']\s*>")
_REFERENCE = re.compile(r"&([\w.-]+);")
_VOID = words("area base br col embed hr img input link meta param source track wbr")


def is_xhtml(text: str, name: str) -> bool:
    """Whether a page is XML: by the name of its file, its XML declaration, or its document type and namespace."""
    head = text[:_INSPECTED]
    return (
        name.lower().endswith(_SUFFIXES)
        or _XML_DECLARATION.match(head) is not None
        or (_ROOT.search(head) is not None and _DOCTYPE.search(head) is not None)
    )


def as_html(text: str) -> str:
    """An XHTML page as HTML: `<title/>` gets an end tag, character data becomes text, prefixes of names go.

    The page's own short entities are replaced by their text.
    """
    if subset := _SUBSET.search(text[:_INSPECTED]):
        entities = {name: value for name, value in _ENTITY.findall(subset[1]) if "&" not in value}
        text = text[: subset.start()] + _REFERENCE.sub(
            lambda m: entities.get(m[1], m[0]), text[subset.end() :]
        )
    prefix = _PREFIX.search(text[:_INSPECTED])
    removed = f"{prefix[1]}:" if prefix else ""

    def replaced(match: re.Match[str]) -> str:
        if match["data"] is not None:
            return match["data"].replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        if match["name"] is None:
            return match[0] if match[0].startswith("<!--") else ""
        name = match["name"].removeprefix(removed)
        closed = match["empty"] and name.lower() not in _VOID
        return f"<{match['end']}{name}{match['attributes']}>" + (f"</{name}>" if closed else "")

    return _PIECE.sub(replaced, text)
