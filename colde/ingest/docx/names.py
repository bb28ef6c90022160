"""Names in the XML of Word documents, and how a switch such as bold is read."""

from __future__ import annotations

from functools import cache
from typing import Any

WORD_NAMESPACE = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
W = f"{{{WORD_NAMESPACE}}}"
COMPATIBILITY = "{http://schemas.openxmlformats.org/markup-compatibility/2006}"
DRAWING = "{http://schemas.openxmlformats.org/drawingml/2006/main}"
DIAGRAM = "{http://schemas.openxmlformats.org/drawingml/2006/diagram}"
CHART = "{http://schemas.openxmlformats.org/drawingml/2006/chart}"
NEW_CHART = "{http://schemas.microsoft.com/office/drawing/2014/chartex}"
"""Charts that Word 2016 brought, such as waterfalls and maps."""
WORD_ART = "{urn:schemas-microsoft-com:vml}textpath"
DELETED = frozenset((W + "del", W + "moveFrom"))
"""What a tracked change deletes."""
RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"


def value(parent: Any, path: str) -> str:
    """The attribute `w:val` of the element at a path such as `pPr/pStyle`; empty where there is none."""
    element = child(parent, path)
    return str(element.get(W + "val") or "") if element is not None else ""


def child(parent: Any, path: str) -> Any:
    """The element at a path of names without prefix; None where there is none."""
    return parent.find(_qualified(path)) if parent is not None else None


@cache
def _qualified(path: str) -> str:
    return "/".join(W + name for name in path.split("/"))


def switch(properties: Any, name: str) -> bool | None:
    """Whether properties switch something on, such as bold (`b`); None where they do not say."""
    element = child(properties, name)
    return None if element is None else element.get(W + "val") not in ("0", "false", "none", "off")


def is_replaced(element: Any) -> bool:
    """Whether an element is the form for old programs of one that is there, too."""
    return element.tag == COMPATIBILITY + "Fallback" and any(
        sibling.tag == COMPATIBILITY + "Choice" for sibling in element.itersiblings(preceding=True)
    )
