"""XML parts of documents by lxml: nothing is fetched, no entity is expanded that could grow."""

from __future__ import annotations

import html
from collections.abc import Iterator
from typing import Any

from colde.ingest.zip_archive import damaged


def parse_xml(data: bytes, name: str, part: str = "") -> Any:
    """The root element of an XML document, or of a part of a document in an archive.

    Raises:
        ReadError: `corrupt` for what is no XML.
    """
    from lxml import etree

    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        root = etree.fromstring(data, parser)
    except (etree.XMLSyntaxError, ValueError) as error:
        raise damaged(name, f"{f'the part {part}' if part else 'the file'} is not well-formed XML") from error
    if root is None:
        raise damaged(name, "there is no XML in it")
    return root


def local_name(element: Any) -> str:
    """The name of an element without its namespace; `&` for an entity that was not expanded."""
    tag = element.tag
    return str(tag).rpartition("}")[2] if isinstance(tag, str) else "&"


def attribute(element: Any, name: str) -> str:
    """The value of an attribute in whatever namespace; empty where there is none."""
    value = element.get(name)
    if value is None:
        value = next((v for k, v in element.attrib.items() if k.rpartition("}")[2] == name), "")
    return str(value)


def entity_text(entity: Any) -> str:
    """What an entity stands for: the plain text that the document declares, else HTML's character; else a space."""
    declared = entity.getroottree().docinfo.internalDTD
    for one in declared.iterentities() if declared is not None else ():
        if one.name == entity.name and one.content is not None and not set("&<").intersection(one.content):
            return str(one.content)
    character = html.unescape(str(entity.text))
    return " " if character.startswith("&") else character


def plain_text(element: Any) -> str:
    """All text in an element on one line."""
    from lxml import etree

    pieces = []
    for event, node in etree.iterwalk(element, events=("start", "end")):
        if event == "start":
            pieces.append(entity_text(node) if local_name(node) == "&" else node.text or "")
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
            yield entity_text(child) if local_name(child) == "&" else child
            if child.tail:
                yield child.tail
