"""A Word document that declares entities is refused, wherever in the part and in whatever encoding it does so."""

from __future__ import annotations

import io
import zipfile

import docx
import pytest

import colde
from colde.errors import ReadError


def with_prolog(prolog: str, encoding: str = "utf-8") -> bytes:
    """A Word document whose main part begins with `prolog`."""
    usual = io.BytesIO()
    document = docx.Document()
    document.add_paragraph("The keeper wound the clock and trimmed the lamp before the fog came in.")
    document.save(usual)
    changed = io.BytesIO()
    with zipfile.ZipFile(usual) as old, zipfile.ZipFile(changed, "w") as new:
        for part in old.infolist():
            data = old.read(part)
            if part.filename == "word/document.xml":
                body = data.decode("utf-8").partition("?>")[2]
                data = (f'<?xml version="1.0" encoding="{encoding}"?>{prolog}{body}').encode(encoding)
            new.writestr(part.filename, data)
    return changed.getvalue()


DOCTYPE = '<!DOCTYPE x [<!ENTITY lamp "swallowed">]>'


@pytest.mark.parametrize(
    "prolog", [DOCTYPE, f"<!--{'long ' * 4_000}-->{DOCTYPE}", f"<?note {'x' * 9_000}?>{DOCTYPE}"]
)
@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-le", "utf-32"])
def test_declared_entities_are_refused(prolog: str, encoding: str) -> None:
    with pytest.raises(ReadError, match=r"declares XML entities|corrupt"):
        colde.read(with_prolog(prolog, encoding), name="x.docx", sandbox=False)


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16"])
def test_a_comment_is_no_declaration(encoding: str) -> None:
    data = with_prolog(f"<!-- {DOCTYPE.replace('--', '')} {'long ' * 4_000} -->", encoding)
    assert "trimmed the lamp" in colde.read(data, name="x.docx", sandbox=False).text
