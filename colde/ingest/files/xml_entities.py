"""Entities that an XML document declares, put in the place of their references: text, markup, and entities in them.

The parser refuses documents whose entities grow or refer to themselves. Files that entities name are never opened.
"""

from __future__ import annotations

import copy
import html
from typing import Any

_MAX_DEPTH = 20  # entities in entities
_MAX_SIZE = 5_000_000  # characters that all entities of a document stand for


def expand_entities(root: Any) -> None:
    """Replace references to entities by what they stand for: the document's declarations, else HTML's characters.

    Others, such as those of a file that is not read, become a space.

    Raises:
        ValueError: for entities that stand for too much text.
    """
    from lxml import etree

    declarations = root.getroottree().docinfo.internalDTD
    if declarations is None:
        return
    contents = {entity.name: entity.content for entity in declarations.iterentities() if entity.content}
    expander = _Expander(contents)
    for parent in {reference.getparent() for reference in root.iter(etree.Entity)}:
        expander.expand_in(parent, _MAX_DEPTH)


class _Expander:
    def __init__(self, contents: dict[str, str]) -> None:
        self._contents = contents
        self._size = 0

    def expand_in(self, parent: Any, depth: int) -> None:
        """Expand the references that stand directly in an element, in linear time."""
        from lxml import etree

        holder = None  # the element whose tail is being collected; None for the text before the first one
        pieces = [parent.text or ""]

        def keep() -> None:
            if holder is None:
                parent.text = "".join(pieces)
            else:
                holder.tail = "".join(pieces)

        for child in list(parent):
            tail = child.tail or ""
            if child.tag is not etree.Entity:
                keep()
                holder, pieces = child, [tail]
                continue
            content = self._content(child, depth)
            pieces.append(content if isinstance(content, str) else content.text or "")
            for element in () if isinstance(content, str) else list(content):
                keep()
                child.addprevious(element)
                holder, pieces = element, [element.tail or ""]
            pieces.append(tail)
            parent.remove(child)
        keep()

    def _content(self, reference: Any, depth: int) -> Any:
        """The text that an entity stands for, or an element that holds its markup."""
        name = reference.name
        content = self._contents.get(name)
        if content is None:
            character = html.unescape(f"&{name};")
            return " " if character.startswith("&") else character
        self._size += len(content)
        if self._size > _MAX_SIZE or not depth:
            raise ValueError(f"entity amplification by {name}")
        if not set("&<").intersection(content):
            return content
        fragment = _parse(content, reference.getparent().nsmap)
        if fragment is None:
            return " "
        from lxml import etree

        for parent in {inner.getparent() for inner in fragment.iter(etree.Entity)}:
            self.expand_in(parent, depth - 1)
        return copy.copy(fragment) if len(fragment) else fragment.text or ""


def _parse(content: str, namespaces: dict[str | None, str]) -> Any:
    """The markup of an entity in an element, with the namespaces of the place where it stands."""
    from lxml import etree

    declared = "".join(
        f' xmlns{":" + prefix if prefix else ""}="{html.escape(uri)}"'
        for prefix, uri in namespaces.items()
        if prefix != "xml"
    )
    parser = etree.XMLParser(
        resolve_entities=False, no_network=True, load_dtd=False, remove_comments=True, remove_pis=True
    )
    try:
        return etree.fromstring(f'<!DOCTYPE x SYSTEM "x"><x{declared}>{content}</x>', parser)
    except etree.XMLSyntaxError:
        return None
