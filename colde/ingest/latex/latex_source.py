"""The source of a LaTeX document as tokens: what is left to read, and arguments as macros take them."""

from __future__ import annotations

import re
from dataclasses import dataclass

_AT_IS_LETTER = re.compile(r"\\(?:[a-zA-Z@]+|.|\Z)|%[^\n]*(?:\n[ \t]*)?|[{}]|[^\\%{}]+", re.DOTALL)
_AT_IS_SIGN = re.compile(_AT_IS_LETTER.pattern.replace("a-zA-Z@", "a-zA-Z"), re.DOTALL)
_BLANK = re.compile(r"(?:%[^\n]*(?:\n[ \t]*)?|[ \t])*+(?:\n[ \t]*)?(?:%[^\n]*(?:\n[ \t]*)?|[ \t])*+(?!\n)")
"""What may stand before an argument: blanks, comments, one line end."""
_BRACES = re.compile(r"\\.|[{}]|%[^\n]*", re.DOTALL)
_INNER = r"(?:[^\[\]{}\\]|\\.|\{(?:[^{}\\]|\\.|\{(?:[^{}\\]|\\.|\{[^{}]*\})*+\})*+\})"
_BRACKETS = re.compile(rf"\[((?:{_INNER}|\[{_INNER}*+\])*+)\]", re.DOTALL)
_ONE_TOKEN = re.compile(r"\\(?:[a-zA-Z@]+|.)|[^\\{}%\s]", re.DOTALL)
_MAX_DELIMITED = 5000  # characters of an argument that ends with a sign or a word


@dataclass(slots=True)
class _Frame:
    """A text of which a part has been read: the document, or what a macro stands for."""

    text: str
    position: int = 0


class LatexSource:
    """What is left to read of a document; what macros stand for is put in front of it."""

    def __init__(self, text: str) -> None:
        self._frames = [_Frame(text)]
        self._token = _AT_IS_SIGN

    @property
    def position(self) -> int:
        """How far the document itself has been read."""
        return self._frames[0].position

    @property
    def depth(self) -> int:
        """How many macros are being expanded inside each other."""
        return len(self._frames) - 1

    def drop_macros(self) -> None:
        """Leave out what is left of the macros that are being expanded."""
        del self._frames[1:]

    def let_at_be_letter(self, is_letter: bool) -> None:
        """Whether `@` belongs to the names of macros in the document itself; in what they stand for, it does."""
        self._token = _AT_IS_LETTER if is_letter else _AT_IS_SIGN

    def push(self, text: str) -> None:
        """Put a text in front of what is left."""
        self._top()
        self._frames.append(_Frame(text))

    def next_token(self) -> str:
        """A macro with its backslash, a brace, or a piece of text; empty at the end. Comments are left out."""
        while True:
            frame = self._top()
            pattern = self._token if len(self._frames) == 1 else _AT_IS_LETTER
            match = pattern.match(frame.text, frame.position)
            if match is None:
                return ""
            frame.position = match.end()
            if not match[0].startswith("%"):
                return match[0]
            if frame.text.startswith("\n", match.end()) and match[0].endswith("\n"):
                return "\n"  # the blank line behind a comment ends a paragraph

    def next_sign(self) -> str:
        """The next character, which stays unread."""
        frame = self._top()
        return frame.text[frame.position : frame.position + 1]

    def take(self, pattern: re.Pattern[str]) -> re.Match[str] | None:
        """Read what a pattern matches at the place that was reached."""
        frame = self._top()
        match = pattern.match(frame.text, frame.position)
        if match is not None:
            frame.position = match.end()
        return match

    def take_until(self, end: str) -> str:
        """Read as it stands what comes before a text, and that text; everything where it does not follow."""
        frame = self._top()
        at = frame.text.find(end, frame.position)
        stop = len(frame.text) if at < 0 else at
        piece = frame.text[frame.position : stop]
        frame.position = stop if at < 0 else at + len(end)
        return piece

    def take_delimited(self, end: str) -> str:
        """Read an argument that ends with a sign or a word; empty where that does not follow soon."""
        self._skip_blank("")
        frame = self._top()
        at = frame.text.find(end, frame.position, frame.position + _MAX_DELIMITED)
        return self.take_until(end) if at >= 0 else ""

    def group(self) -> str | None:
        """Read a group in braces, without these; None where none follows."""
        self._skip_blank("{")
        frame = self._top()
        if not frame.text.startswith("{", frame.position):
            return None
        start, depth = frame.position + 1, 0
        for match in _BRACES.finditer(frame.text, frame.position):
            depth += {"{": 1, "}": -1}.get(match[0], 0)
            if depth == 0 and match[0] == "}":
                frame.position = match.end()
                return frame.text[start : match.start()]
        frame.position = len(frame.text)
        return frame.text[start:]

    def argument(self) -> str:
        """Read an argument: a group, or one macro or sign; empty where none follows."""
        group = self.group()
        if group is not None:
            return group
        self._skip_blank("")
        match = self.take(_ONE_TOKEN)
        return match[0] if match is not None else ""

    def optional(self) -> str | None:
        """Read an argument in square brackets, without these; None where none follows."""
        self._skip_blank("[")
        match = self.take(_BRACKETS)
        return match[1] if match is not None else None

    def has_sign(self, sign: str) -> bool:
        """Read a sign such as the star of a macro; whether it follows."""
        frame = self._top()
        if not frame.text.startswith(sign, frame.position):
            return False
        frame.position += len(sign)
        return True

    def _top(self) -> _Frame:
        """The text that is read; those that have been read to their end are put away."""
        while len(self._frames) > 1 and self._frames[-1].position >= len(self._frames[-1].text):
            self._frames.pop()
        return self._frames[-1]

    def _skip_blank(self, before: str) -> None:
        """Skip blanks where this sign follows them."""
        frame = self._top()
        match = _BLANK.match(frame.text, frame.position)
        if match is not None and frame.text.startswith(before, match.end()):
            frame.position = match.end()
