"""Typesetting by Typst with packaged fonts: PDF and PNG files without a browser and without fonts of the system.

Texts reach a template as JSON and are set as they are: no text is read as markup.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from colde.errors import MissingExtraError
from colde.packaged_files import FONTS, check
from colde.report.html.html_page import template_file

if TYPE_CHECKING:
    import typst

MISSING_EXTRA = (
    "PDF reports and PNG images need the typesetting program Typst and its fonts, which are not installed: "
    "pip install 'colde-explorer[reports]'"
)
ARABIC_FONT = "IBM Plex Sans Arabic"
"""Its letters are one glyph each, so that Arabic can be searched in a PDF; those of Noto Sans Arabic are several."""
PIXELS_PER_INCH = 144.0

_NOT_DISPLAYED = re.compile(r'the text `"(.*?)"` could not be displayed', re.DOTALL)
_ESCAPED = re.compile(r"\\u\{([0-9a-f]+)\}")
_CJK_FONTS = {"ja": "JP", "ko": "KR"}


def can_typeset() -> bool:
    """Whether Typst and its fonts are installed."""
    try:
        _typst()
    except MissingExtraError:
        return False
    return True


def _typst() -> tuple[Any, tuple[Path, ...]]:
    """The library, and the folders of the fonts.

    Raises:
        MissingExtraError: one of them is not installed.
    """
    try:
        import fontpkg_ibm_plex_sans_arabic
        import manimgx_fonts
        import manimgx_fonts_cjk
        import typst
    except ImportError:
        raise MissingExtraError(MISSING_EXTRA) from None
    packages = (fontpkg_ibm_plex_sans_arabic, manimgx_fonts, manimgx_fonts_cjk)
    return typst, tuple(Path(str(package.__path__[0])) for package in packages)


@cache
def _fonts() -> typst.Fonts:
    library, folders = _typst()
    for font in FONTS:
        check(font)
    fonts: typst.Fonts = library.Fonts(
        include_system_fonts=False, font_paths=[str(folder) for folder in folders]
    )
    return fonts


def typeset(
    templates: Sequence[str],
    content: Mapping[str, Any],
    *,
    form: Literal["pdf", "png"],
    languages: Iterable[str | None] = (),
) -> bytes:
    """A file of a template and its content.

    Args:
        templates: files in `templates/`, joined. They read `content`, and replace the characters in `content.missing`,
            which no packaged font has.
        content: JSON values.
        languages: of the texts, which decide about the shape of Chinese characters.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    library, _ = _typst()
    values = {
        **content,
        "missing": sorted(missing_characters(content)),
        "fonts": ["Noto Sans", f"Noto Sans CJK {_cjk_form(languages)}", ARABIC_FONT],
    }
    made = library.compile(
        "".join(map(template_file, templates)).encode(),
        font_paths=_fonts(),
        ignore_system_fonts=True,
        sys_inputs={"content": json.dumps(values, ensure_ascii=False)},
        format=form,
        ppi=PIXELS_PER_INCH,
    )
    return bytes(made)


def _cjk_form(languages: Iterable[str | None]) -> str:
    return next((_CJK_FONTS[code] for code in languages if code in _CJK_FONTS), "SC")


def missing_characters(content: Mapping[str, Any]) -> frozenset[str]:
    """The characters of a content that no packaged font has.

    As PDF/A, Typst refuses a document with such characters, and names them.

    Raises:
        MissingExtraError: Typst or its fonts are not installed.
    """
    characters = frozenset(c for text in _texts(content) for c in text if not c.isascii())
    if not characters:
        return frozenset()
    library, _ = _typst()
    try:
        library.compile(
            template_file("characters.typ").encode(),
            font_paths=_fonts(),
            ignore_system_fonts=True,
            sys_inputs={"content": json.dumps(sorted(characters))},
            format="pdf",
            pdf_standards="a-2u",
        )
    except library.TypstError as error:
        named = (_ESCAPED.sub(_unescape, text) for text in _NOT_DISPLAYED.findall(error.diagnostic))
        return characters & frozenset("".join(named))
    return frozenset()


def _unescape(match: re.Match[str]) -> str:
    return chr(int(match[1], 16))


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for part in value.values():
            yield from _texts(part)
    elif isinstance(value, Sequence):
        for part in value:
            yield from _texts(part)
