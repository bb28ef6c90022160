"""XML parts of documents by lxml: nothing is fetched, and no entity can grow."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from colde.errors import ReadError
from colde.ingest.files.xml_entities import expand_entities
from colde.ingest.files.zip_archive import damaged

_TOO_DEEP, _TOO_MUCH = "Excessive depth", "entity amplification"
"""In messages of the parser, and of the expansion of entities."""


def parse_xml(data: bytes, name: str, part: str = "") -> Any:
    """The root element of an XML document, or of a part of a document in an archive.

    Raises:
        ReadError: `corrupt` for what is no XML, `too_large` for entities that grow.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
        if root is None:
            raise damaged(name, "there is no XML in it")
        expand_entities(root)
    except (etree.XMLSyntaxError, ValueError) as error:
        if _TOO_MUCH in str(error):
            raise ReadError(name, "too_large", "its entities stand for too much text", "split it") from error
        too_deep = _TOO_DEEP in str(error)
        what = "has elements that are nested too deeply" if too_deep else "is not well-formed XML"
        raise damaged(name, f"{f'the part {part}' if part else 'the file'} {what}") from error
    return root


def local_name(element: Any) -> str:
    """The name of an element without its namespace."""
    return str(element.tag).rpartition("}")[2]


def attribute(element: Any, name: str) -> str:
    """The value of an attribute in whatever namespace; empty where there is none."""
    value = element.get(name)
    if value is None:  # `attrib.items()` takes quadratic time
        value = next((element.get(key) for key in element.attrib if key.rpartition("}")[2] == name), "")
    return str(value)


def plain_text(element: Any) -> str:
    """All text in an element on one line."""
    from lxml import etree

    pieces = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            pieces.append(node.text or "")
        elif node is not element:
            pieces.append(node.tail or "")
    return " ".join("".join(pieces).split())


class XmlMathTree:
    """How `mathml.formula_text` looks at the elements of lxml."""

    def name(self, node: Any) -> str:
        """The name of an element without its namespace."""
        return local_name(node)

    def attribute(self, node: Any, name: str) -> str:
        """The value of an attribute; empty where there is none."""
        return attribute(node, name)

    def content(self, node: Any) -> Iterator[Any]:
        """The texts and the elements in an element."""
        if node.text:
            yield node.text
        for child in node:
            yield child
            if child.tail:
                yield child.tail
