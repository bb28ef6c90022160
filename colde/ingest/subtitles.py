"""Subtitles (SubRip, WebVTT, SBV, SubStation Alpha, MicroDVD, LRC): what is said, joined into paragraphs."""

from __future__ import annotations

import html
import itertools
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from colde.ingest.files.character_encoding import decode
from colde.ingest.files.zip_archive import damaged
from colde.ingest.reading_limits import Reading
from colde.ingest.shared.blocks import Block
from colde.ingest.shared.outline import document_from_blocks
from colde.text.document import Document

SUFFIXES = (".srt", ".vtt", ".sbv", ".ass", ".ssa", ".sub", ".lrc")
_TIME = r"(?:(\d{1,3}):)?(\d{1,3}):(\d{1,5})(?:[.,:](\d{1,3}))?"
_TIMES = re.compile(rf"\s*{_TIME}\s*(?:-{{1,2}}>|,)\s*{_TIME}(?:\s.*)?$")
_TIME_ALONE = re.compile(rf"\s*{_TIME}\s*$")
_DIALOGUE_FIELDS = (
    "layer",
    "start",
    "end",
    "style",
    "name",
    "marginl",
    "marginr",
    "marginv",
    "effect",
    "text",
)
"""What a line of SubStation Alpha holds, in this order, where its `Format:` line says nothing else."""
_REMARK = re.compile(r"\{[^{}\\]*\}")  # of SubStation Alpha: braces hold settings, or what is not shown
_ESCAPE = re.compile(r"\\([Nnh])")
_ESCAPED = {"N": "\n", "n": "\n", "h": " "}
_DRAWING = re.compile(r"\\p(\d{1,3})")
_FRAMES = re.compile(r"\{(\d{1,7})\}\{(\d{1,7})\}(.*)$")
_FRAMES_PER_SECOND = 25
_TIMED_LINE = re.compile(r"(?:\[(\d{1,3}):(\d{2}(?:[.:]\d{1,3})?)\])+(.*)$")
_IN_FILE = re.compile(rf"^\s*{_TIME}\s*-{{1,2}}>\s*{_TIME}", re.MULTILINE)
_NOT_SAID = re.compile(r"(?:WEBVTT|NOTE|STYLE|REGION)\b")
_TAG = re.compile(r"<[^<>]{0,200}>|\{(?:\\|[a-zA-Z]:)[^{}]{0,200}\}")
_SPEAKER = re.compile(r"<v(?:\.[^\s<>]*)?\s+([^<>]{1,100})>")
_CHANGE = re.compile(r"(?:[-–—]\s*|>>+\s*)(?=\S)")
_PAUSE = 3.0  # seconds between subtitles, from which a paragraph ends with a sentence
_LONG = 900  # characters of a paragraph, from which it ends with a sentence
_ENDS_SENTENCE = re.compile(r"[.!?…。！？؟।][\"'”’»)\]]*$")
_MIN_REPEATED_SHARE = 0.5  # of captions that roll up, which begin with the end of the one before
_MIN_REPEATED_WORDS = 3  # of a line that captions repeat in part


@dataclass(frozen=True, slots=True)
class _Cue:
    start: float
    end: float
    lines: tuple[str, ...]
    speaker: str = ""


def accepts(data: bytes, name: str) -> bool:
    """Whether a text has times of subtitles near its beginning, whatever it is called."""
    head = data[:2000].decode("utf-8", "ignore").lstrip("\ufeff")
    if head.startswith("WEBVTT"):
        return _IN_FILE.search(data.decode("utf-8", "ignore")) is not None
    return len(_IN_FILE.findall(head)) >= 2


def convert(data: bytes, name: str, reading: Reading) -> Document:
    """Read subtitles: their text without numbers, times and styles. A paragraph ends at a pause or a new speaker.

    Raises:
        ReadError: `corrupt` where no subtitle has a time.
    """
    decoded = decode(data, name)
    cues = _without_repeats(_cues(decoded.text.split("\n")))
    if not cues:
        raise damaged(name, "there is no subtitle with a time in it")
    blocks = [Block(paragraph) for paragraph in _paragraphs(cues)]
    return document_from_blocks(blocks, name=name, format="subtitles", warnings=decoded.warnings)


def _cues(lines: Sequence[str]) -> Iterator[_Cue]:
    begins = [i for i, line in enumerate(lines) if _TIMES.match(line)]
    for begin, after in itertools.pairwise([*begins, len(lines)]):
        match = _TIMES.match(lines[begin])
        assert match is not None
        text = "\n".join(_own_lines(lines[begin + 1 : after], is_last=after == len(lines)))
        speaker = _SPEAKER.search(text)
        shown = _shown_lines(text)
        yield _Cue(_seconds(match, 1), _seconds(match, 5), shown, speaker[1] if speaker else "")
    if not begins:
        fields: Sequence[str] = _DIALOGUE_FIELDS
        for line in lines:
            kind, _, values = line.partition(":")
            if kind == "Format":
                names = [name.strip().lower() for name in values.split(",")]
                fields = names if names[-1] == "text" else fields
            elif cue := _dialogue(values, fields) if kind == "Dialogue" else _cue_of_line(line):
                yield cue


def _dialogue(values: str, fields: Sequence[str]) -> _Cue | None:
    """The subtitle of a line of SubStation Alpha, whose text may hold commas; None where it has no times."""
    by_name = dict(zip(fields, values.split(",", len(fields) - 1), strict=False))
    begin, end = (_TIME_ALONE.match(by_name.get(name, "")) for name in ("start", "end"))
    if begin is None or end is None:
        return None
    text = _ESCAPE.sub(lambda escape: _ESCAPED[escape[1]], _REMARK.sub("", by_name.get("text", "")))
    return _Cue(_seconds(begin, 1), _seconds(end, 1), _shown_lines(text))


def _cue_of_line(line: str) -> _Cue | None:
    """The subtitle of a line that holds its times and its text; None for any other line."""
    if match := _FRAMES.match(line.strip()):
        begin, end = (int(match[i]) / _FRAMES_PER_SECOND for i in (1, 2))
        return _Cue(begin, end, _shown_lines(match[3].replace("|", "\n")))
    if match := _TIMED_LINE.match(line.strip()):
        begin = 60.0 * int(match[1]) + float(match[2].replace(":", "."))
        return _Cue(begin, begin, _shown_lines(match[3]))
    return None


def _shown_lines(text: str) -> tuple[str, ...]:
    """The lines of a subtitle as they are shown: without tags, and without drawings, which `{\\p1}` begins."""
    shown: list[str] = []
    end = 0
    draws = False
    for tag in _TAG.finditer(text):
        if not draws:
            shown.append(text[end : tag.start()])
        end = tag.end()
        if scales := _DRAWING.findall(tag[0]):
            draws = int(scales[-1]) > 0
    if not draws:
        shown.append(text[end:])
    lines = (" ".join(html.unescape(line).split()) for line in "".join(shown).split("\n"))
    return tuple(filter(None, lines))


def _own_lines(lines: Sequence[str], *, is_last: bool) -> list[str]:
    """The lines of a subtitle, of those up to the next times: without the name of the next one, remarks and styles."""
    kept = [line.strip() for line in lines]
    if not is_last and _is_name(kept):
        kept.pop()
    runs = [list(run) for filled, run in itertools.groupby(kept, bool) if filled]
    first = runs[:1] if kept and kept[0] else []
    return [line for run in runs if run in first or not _NOT_SAID.match(run[0]) for line in run]


def _is_name(lines: Sequence[str]) -> bool:
    """Whether the last line is the number of the next subtitle, or its name after a blank line."""
    last = lines[-1] if lines else ""
    return last.isdecimal() or (bool(last) and len(lines) > 1 and not lines[-2])


def _seconds(match: re.Match[str], first: int) -> float:
    hours, minutes, seconds, parts = (match[first + i] or "0" for i in range(4))
    return 3600.0 * int(hours) + 60 * int(minutes) + int(seconds) + float(f"0.{parts}")


def _without_repeats(cues: Iterable[_Cue]) -> list[_Cue]:
    """The subtitles without the words that stay on the screen from the one before, where captions roll up.

    Two subtitles with the same text at the same time are layers of one.
    """
    cues = [cue for cue, _ in itertools.groupby(cue for cue in cues if cue.lines)]
    repeated = [0, *itertools.starmap(_repeated_words, itertools.pairwise(cues))]
    if sum(map(bool, repeated)) < max(2, _MIN_REPEATED_SHARE * (len(cues) - 1)):
        return cues
    rest = (replace(cue, lines=_without_words(cue.lines, n)) for cue, n in zip(cues, repeated, strict=True))
    return [cue for cue in rest if cue.lines]


def _repeated_words(before: _Cue, cue: _Cue) -> int:
    """How many words with which the subtitle before ends begin this one; 0 for less than a line and a few words."""
    shown, words = " ".join(before.lines).split(), " ".join(cue.lines).split()
    count = _overlap(shown, words)
    least = min(_MIN_REPEATED_WORDS, len(before.lines[-1].split()), len(words))
    return count if count >= least else 0


def _overlap(before: Sequence[str], after: Sequence[str]) -> int:
    """The length of the longest end of one sequence that begins the other, in linear time (Knuth, Morris, Pratt)."""
    joined = [*after, None, *before]
    borders = [0] * len(joined)  # of each beginning of `joined`: its longest end that begins it, too
    for i in range(1, len(joined)):
        border = borders[i - 1]
        while border and joined[i] != joined[border]:
            border = borders[border - 1]
        borders[i] = border + (joined[i] == joined[border])
    return borders[-1]


def _without_words(lines: Sequence[str], count: int) -> tuple[str, ...]:
    """The lines without this number of words at the beginning."""
    kept = []
    for line in lines:
        words = line.split()
        kept.append(" ".join(words[count:]))
        count = max(0, count - len(words))
    return tuple(filter(None, kept))


def joined_lines(lines: Iterable[str]) -> list[str]:
    """Paragraphs of what is shown at one time after the other, where the times are not known."""
    return list(_paragraphs(_without_repeats(_Cue(i, i, (line,)) for i, line in enumerate(lines))))


def _paragraphs(cues: Sequence[_Cue]) -> Iterator[str]:
    paragraph: list[str] = []
    before, speaker = cues[0], ""
    for cue in cues:
        closed = bool(paragraph) and _ENDS_SENTENCE.search(paragraph[-1]) is not None
        long = sum(map(len, paragraph)) > _LONG
        changes = bool(cue.speaker and speaker) and cue.speaker != speaker
        if paragraph and (changes or (closed and (long or cue.start - before.end >= _PAUSE))):
            yield " ".join(paragraph)
            paragraph = []
        for line in cue.lines:
            if change := _CHANGE.match(line):
                if paragraph:
                    yield " ".join(paragraph)
                    paragraph = []
                line = line[change.end() :]
            paragraph.append(line)
        before, speaker = cue, cue.speaker or speaker
    if paragraph:
        yield " ".join(paragraph)
