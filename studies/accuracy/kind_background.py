"""Texts of other kinds than those that have profiles, collected from public repositories for `fit_document_kind`.

    .venv/bin/python -m studies.accuracy.kind_background CLONES OUTPUT

CLONES holds clones of the repositories of `SOURCES`, in folders named OWNER+NAME (a bare clone may stand in a folder
`repo` of it). OUTPUT becomes a JSON-lines file with `genre`, `source` and `text` of each document. No text of it ships.
"""

from __future__ import annotations

import io
import json
import re
import subprocess
import zipfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path, PurePosixPath

import numpy as np

from colde import ingest
from colde.errors import ColdeError
from colde.judge.kind_detector import compared_text
from studies.arguments import command_line

MOST = 120  # documents of a genre from one source
FEWEST_WORDS = 150
LARGEST = 600_000  # bytes of a file


@dataclass(frozen=True, slots=True)
class Source:
    """Files of a repository that are texts of one genre.

    Attributes:
        files: regular expression of their paths, or of the members of `archive`.
        archive: a zip file of the repository that holds them.
        clean: makes plain text of a file; by default the file is read as the program reads it.
        joined: small files are joined into documents of this many.
        cut: books are cut into documents of this many words; 0 leaves a file as it is.
    """

    genre: str
    repository: str
    files: str
    archive: str = ""
    clean: Callable[[str], str] | None = None
    joined: int = 1
    cut: int = 0


def joined_tokens(text: str) -> str:
    """Text of tokens between spaces, some of them with a tag behind a slash or an underscore."""
    text = re.sub(r"(?<=\S)[/_][A-Za-z0-9$*.,:;'`()+-]+(?=\s|$)", "", text)
    text = text.replace("``", '"').replace("''", '"')
    text = re.sub(r" (n't|'s|'re|'ve|'ll|'m|'d)\b", r"\1", text)
    text = re.sub(r" ([.,:;?!)\]%])", r"\1", text)
    return re.sub(r"([(\[$]) ", r"\1", text)


def without_markup(text: str) -> str:
    """Text of SGML without tags and entities."""
    return re.sub(r"[ \t]+", " ", re.sub(r"<[^>]*>|&\w+;", " ", text))


def without_keys(text: str) -> str:
    """The clauses of a CommonAccord file, whose lines are `Key=Text` with {references}."""
    lines = (re.sub(r"^[\w.]*=", "", line) for line in text.splitlines())
    return "\n\n".join(re.sub(r"<[^>]*>|\{[^}]*\}", "it", line) for line in lines if len(line) > 40)


_NLTK = "nltk+nltk_data"
_GUM = "amir-zeldes+gum"
_BOOKS = (
    "GITenberg+The-Pianoforte-SonataIts-Origin-and-Development_17074",
    "GITenberg+Critical-and-Historical-Essays--13-Lectures-delivered-at-Columbia-University_16351",
    "GITenberg+How-to-Listen-to-Music-7th-ed.Hints-and-Suggestions-to-Untaught-Lovers-of-the-Art_17474",
    "GITenberg+Charles-Dickens-and-Music_16595",
)
_BROWN = {
    "news": "c[abc]",
    "essay": "c[dg]",
    "hobbies": "c[ef]",
    "government": "ch",
    "fiction": "c[klmnpr]",
    "learned": "cj",
}
_GUM_GENRES = {
    "fiction": "fiction",
    "news": "news",
    "conversation": "conversation|interview|podcast|vlog",
    "forum": "reddit|esports",
    "speech": "speech",
    "letter": "letter|threat",
    "travel": "voyage",
    "how-to": "whow",
    "essay": "essay",
    "judgment": "court",
    "contract": "legal",
}
SOURCES = (
    *(Source(g, _NLTK, rf"brown/{f}\d\d$", "brown", joined_tokens) for g, f in _BROWN.items()),
    *(
        Source(g, _GUM, rf"^rst/gdtb/pdtb/raw/00/\w+?_({f})_", "", joined_tokens)
        for g, f in _GUM_GENRES.items()
    ),
    Source("leaflet", _NLTK, r"pil/.*\.sgml", "pil", without_markup),
    Source("review", _NLTK, r"movie_reviews/.*\.txt", "movie_reviews", joined_tokens, joined=2),
    Source("speech", _NLTK, r"state_union/.*\.txt", "state_union", str),
    Source("speech", _NLTK, r"inaugural/.*\.txt", "inaugural", str),
    Source(
        "letter",
        _NLTK,
        r"masc_tagged/written/(enron|lists|\d+).*\.txt",
        "masc_tagged",
        joined_tokens,
        joined=3,
    ),
    Source("news", _NLTK, r"masc_tagged/written/(wsj|NYT|20).*\.txt", "masc_tagged", joined_tokens, joined=2),
    Source(
        "news", "suraj-deshmukh+BBC-Dataset-News-Classification", r"data_files/(business|politics)/", joined=2
    ),
    Source("news", "suraj-deshmukh+BBC-Dataset-News-Classification", r"data_files/(sport|tech|ent\w+)/"),
    Source("blog", "18F+18f.gsa.gov", r"^content/posts/.*\.md"),
    Source("manual", "git+git", r"^Documentation/(git|gitformat|howto/).*\.(adoc|txt)"),
    Source("software documentation", "pallets+flask", r"^docs/.*\.rst"),
    Source("software documentation", "sqlalchemy+sqlalchemy", r"^doc/build/(orm|core|tutorial)/.*\.rst"),
    Source("software documentation", "prometheus+docs", r"^docs/.*\.md"),
    Source(
        "software documentation",
        "pypa+packaging.python.org",
        r"^source/(guides|discussions|tutorials)/.*\.rst",
    ),
    Source("minutes", "tc39+notes", r"^meetings/.*\.md"),
    Source("policy", "OpenTermsArchive+contrib-versions", r"Policy.*\.md"),
    Source("policy", "github+site-policy", r"^Policies/.*\.md"),
    Source("policy", "Automattic+legalmattic", r"\.(md|txt)"),
    Source("terms", "OpenTermsArchive+contrib-versions", r"(Terms|Conditions|Agreement).*\.md"),
    Source("contract", "CommonAccord+Cmacc-Org", r"^Doc/[GF]/.*\.(md|txt)", "", without_keys),
    Source("contract", "accordproject+cicero-template-library", r"sample.*\.md"),
    Source("judgment", "nationalarchives+tna-judgments-parser", r"^test/judgments/.*\.docx"),
    Source("explanatory memorandum", "nationalarchives+tna-judgments-parser", r"^test/leg/.*\.docx"),
    Source("science news", _NLTK, r"abc/science.txt", "abc", str, cut=700),
    Source("farm news", _NLTK, r"abc/rural.txt", "abc", str, cut=700),
    Source("guidance", "w3c+wcag", r"^understanding/.*\.html"),
    *(Source("treatise", book, r"^\d+(-0)?\.txt$", "", str, cut=2_000) for book in _BOOKS),
    Source("patent", "Dicklesworthstone+classic-patents.com", r"^public/patents/transcripts/.*\.txt"),
)
PROPOSALS = (
    Source("eips", "ethereum+EIPs", r"^EIPS/.*\.md"),
    Source("bips", "bitcoin+bips", r"^bip-\d+\.(md|mediawiki)"),
    Source("rfcs", "rust-lang+rfcs", r"^text/.*\.md"),
)
"""Proposals of other communities: never used to fit."""


def main() -> None:
    parser = command_line(__doc__)
    parser.add_argument("clones", type=Path)
    parser.add_argument("output", type=Path)
    arguments = parser.parse_args()
    with arguments.output.open("w", encoding="utf-8") as out:
        for source in (*SOURCES, *PROPOSALS):
            count = 0
            for text in texts(arguments.clones, source):
                entry = {"genre": source.genre, "source": source.repository, "text": text}
                out.write(json.dumps(entry, ensure_ascii=False) + "\n")
                count += 1
            print(source.genre, source.repository, count, flush=True)


def texts(clones: Path, source: Source) -> Iterator[str]:
    """The texts of a source: at most `MOST`, drawn at random."""
    clone = clones / source.repository
    git = Git(clone / "repo" if (clone / "repo").is_dir() else clone)
    files = _members(git, source) if source.archive else git.files(source.files)
    chosen = [files[i] for i in np.random.default_rng(0).permutation(len(files))[: MOST * source.joined * 2]]
    texts = [text for name, data in chosen if (text := _text(name, data(), source))]
    step = source.joined
    joined = ["\n\n".join(texts[i : i + step]) for i in range(0, len(texts), step)]
    if source.cut:
        joined = [piece for text in joined for piece in _pieces(text, source.cut)]
    yield from [text for text in joined if len(text.split()) >= FEWEST_WORDS][:MOST]


def _pieces(text: str, words: int) -> Iterator[str]:
    starts = [match.start() for match in re.finditer(r"\S+", text)][::words]
    yield from (text[i:j] for i, j in pairwise([*starts, len(text)]))


File = tuple[str, Callable[[], bytes]]
"""Name of a file, and how to get its bytes."""


class Git:
    """The files of a clone's newest commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def read(self, path: str) -> bytes:
        """The bytes of a file; empty where the clone lacks it."""
        command = ["git", "-C", str(self.folder), "show", f"HEAD:{path}"]
        return subprocess.run(command, capture_output=True, check=False).stdout

    def files(self, pattern: str) -> list[File]:
        """Files whose path matches."""
        command = ["git", "-C", str(self.folder), "ls-tree", "-r", "-z", "--name-only", "HEAD"]
        listing = subprocess.run(command, capture_output=True, check=True).stdout.decode("utf-8", "replace")
        names = [name for name in listing.split("\0") if re.search(pattern, name)]
        return [(name, lambda name=name: self.read(name)) for name in names]


def _members(git: Git, source: Source) -> list[File]:
    archive = zipfile.ZipFile(io.BytesIO(git.read(f"packages/corpora/{source.archive}.zip")))
    names = [name for name in archive.namelist() if re.search(source.files, name)]
    return [(name, lambda name=name: archive.read(name)) for name in names]


def _text(name: str, data: bytes, source: Source) -> str:
    """The text of a file as the program compares it; empty where it cannot be read."""
    if not data or (len(data) > LARGEST and not source.cut):
        return ""
    path = PurePosixPath(name)
    if source.clean is not None:
        return source.clean(data.decode("utf-8", "replace"))
    known = path.name if path.suffix in {".md", ".rst", ".docx", ".txt", ".html"} else f"{path.stem}.txt"
    try:
        return compared_text(ingest.read(data, name=known))
    except ColdeError:
        return ""


if __name__ == "__main__":
    main()
