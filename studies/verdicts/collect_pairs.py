"""Labelled pairs of many kinds of documents, for `fit_unknown_kinds`.

    python -m studies.verdicts.collect_pairs ../shared CLONES runs/verdicts

Writes documents.json and pairs.json. Labels come from the sources, and stand before anything is scored:

- related: graded so by people, versions of one licence, manual pages or proposals that name each other, texts of ours
- half: the two halves of one document
- reuse: a text that took passages from the other (PAN)
- genre: two documents of one kind with nothing else in common
- other: documents of two kinds
- graded, topic: between the two; they are measured, and fit nothing

CLONES holds clones of the public repositories in folders named OWNER+NAME, as for `studies.accuracy.kind_background`.
No text of them ships. own_texts.jsonl.gz and own_pairs.jsonl.gz hold texts of our own, of kinds that were missing.
"""

from __future__ import annotations

import gzip
import json
import random
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from colde import ingest
from colde.corpus.corpus_folder import read_pairs as read_corpus_pairs
from colde.corpus.corpus_folder import read_records
from colde.errors import ColdeError
from colde.judge.kind_detector import compared_text
from studies.accuracy.fit_document_kind import record_text
from studies.accuracy.kind_background import Git, joined_tokens
from studies.arguments import command_line
from studies.tables import read_lines, write_json

OWN = Path(__file__).parent
MANUALS = Path("/usr/share/man/man1")
LICENCES = Path("/usr/share/common-licenses")

GROUPS = {
    "semeval": "news", "bbc": "news", "gum-news": "news", "own-news": "news",
    "bills": "law", "licence": "law", "own-agreement": "law",
    "gum-court": "judgments", "judgment": "judgments", "own-judgment": "judgments",
    "policy": "rules", "handbook": "rules", "own-policy": "rules", "own-handbook": "rules",
    "gum-fiction": "literature", "gum-poetry": "literature", "gum-essay": "literature", "own-tale": "literature",
    "own-essay": "literature",
    "gum-conversation": "talk", "gum-interview": "talk", "gum-podcast": "talk", "gum-vlog": "talk",
    "gum-reddit": "talk",
    "gum-speech": "addresses", "gum-letter": "addresses", "gum-threat": "addresses",
    "gum-textbook": "learned", "gum-academic": "learned", "gum-bio": "learned",
    "gum-whow": "guidance", "gum-voyage": "guidance", "own-recipe": "guidance", "own-protocol": "guidance",
}  # fmt: skip
"""Group of a kind that is much like others; each other kind is a group of its own."""

NEWS = ("sport", "business", "politics", "tech", "entertainment")
FAMOUS = frozenset({20, 165, 721, 1155})
"""Proposals that too many others require."""
LENGTHS = (250, 800, 2_500)
"""Words to which documents of the corpora are cut, in turn."""


@dataclass(slots=True)
class Collected:
    """Documents by id, and pairs of them."""

    documents: dict[str, str] = field(default_factory=dict)
    pairs: list[dict[str, Any]] = field(default_factory=list)
    random: random.Random = field(default_factory=lambda: random.Random(7))

    def add(self, name: str, text: str, most: int = 1_500, fewest: int = 60) -> str | None:
        """Take a document, cut to so many words; None for one that is too short."""
        ends = [match.end() for match in re.finditer(r"\S+", text)]
        if len(ends) < fewest:
            return None
        self.documents[name] = text[: ends[min(most, len(ends)) - 1]].strip()
        return name

    def pair(self, kind: str, a: str | None, b: str | None, label: str, **more: Any) -> None:
        """Take a pair, if both documents are there."""
        if a in self.documents and b in self.documents and a != b:
            group = "two kinds" if label == "other" else GROUPS.get(kind, kind)
            self.pairs.append({"kind": kind, "group": group, "a": a, "b": b, "label": label, **more})

    def unrelated(
        self,
        kind: str,
        names: Sequence[str | None],
        count: int,
        alike: Callable[[str, str], bool] = lambda a, b: False,
    ) -> None:
        """Random pairs of these documents, without those that may be related."""
        there = [name for name in names if name is not None]
        drawn: set[tuple[str, str]] = set()
        for _ in range(20 * count if len(there) > 2 else 0):
            a, b = sorted(self.random.sample(there, 2))
            if len(drawn) < count and (a, b) not in drawn and not alike(a, b):
                drawn.add((a, b))
                self.pair(kind, a, b, "genre")

    def halves(self, kind: str, names: Sequence[str | None], count: int, fewest: int = 400) -> None:
        """Halves of some of the longer documents, cut at the end of a sentence."""
        long = [n for n in names if n is not None and len(self.documents[n].split()) >= fewest]
        self.random.shuffle(long)
        for name in long[:count]:
            text = self.documents[name]
            middle = len(text) // 2
            end = next((m.end() for m in re.finditer(r"[.!?]\s", text) if m.end() >= middle), middle)
            self.pair(kind, self.add(f"{name}#1", text[:end]), self.add(f"{name}#2", text[end:]), "half")


def wild(into: Collected, shared: Path) -> None:
    """News graded from 1 (one story) to 4, and sections of bills graded from 0 to 4 (one section)."""
    related: dict[str, Callable[[float], bool]] = {"semeval": lambda g: g <= 2, "bills": lambda g: g >= 3}
    genre: dict[str, Callable[[float], bool]] = {"semeval": lambda g: g >= 3, "bills": lambda g: g <= 1}
    for name in related:
        for line in _gzip_lines(shared / "wild" / f"{name}.documents.jsonl.gz"):
            into.add(f"{name}:{line['id']}", line["text"], 3_000, 20)
        for line in read_lines(shared / "wild" / f"{name}.pairs.jsonl"):
            grade = line["grade"]
            label = "related" if related[name](grade) else "genre" if genre[name](grade) else "graded"
            into.pair(name, f"{name}:{line['a']}", f"{name}:{line['b']}", label, grade=grade)


def pan(into: Collected, shared: Path, count: int = 14, longest: int = 9_000) -> None:
    """Web pages: with reuse, of one topic without it, and of two topics."""
    texts = {line["id"]: line["text"] for line in _gzip_lines(shared / "pan" / "train.documents.jsonl.gz")}
    lines = read_lines(shared / "pan" / "train.pairs.jsonl")
    into.random.shuffle(lines)
    taken: dict[str, int] = {}
    known = set()
    for line in lines:
        names = [f"pan:{line[side]}" for side in ("a", "b")]
        short = all(len(texts[line[side]]) <= longest for side in ("a", "b"))
        if short and taken.setdefault(line["kind"], 0) < count:
            taken[line["kind"]] += 1
            a, b = (into.add(name, texts[name[4:]]) for name in names)
            into.pair("pan", a, b, "topic" if line["kind"] == "no-plagiarism" else "reuse")
            known.add(frozenset(names))
    pages = [name for name in into.documents if name.startswith("pan:")]
    into.unrelated("pan", pages, 2 * count, lambda a, b: frozenset((a, b)) in known)


def repositories(into: Collected, clones: Path) -> None:
    """News, genres of GUM, policies, pages of a handbook, judgments and memoranda: unrelated pairs, and halves."""
    news = _Clone(clones, "suraj-deshmukh+BBC-Dataset-News-Classification")
    for section in NEWS:
        names = news.take(into, f"bbc:{section}", rf"data_files/{section}/", 16, most=600)
        into.unrelated("bbc", names, 14)
        into.halves("bbc", names, 6, 300)
    gum = _Clone(clones, "amir-zeldes+gum")
    for kind in sorted(k for k in GROUPS if k.startswith("gum-")):
        pattern = rf"^rst/gdtb/pdtb/raw/00/\w+?_{kind[4:]}_"
        names = gum.take(into, kind, pattern, 12, clean=joined_tokens, most=1_200)
        into.unrelated(kind, names, 14)
        into.halves(kind, names, 6)
    policies = [
        *_Clone(clones, "Automattic+legalmattic").take(
            into, "policy", r"(Policy|Terms|Guidelines).*\.md$", 25
        ),
        *_Clone(clones, "basecamp+policies").take(into, "policy", r"\.md$", 25),
    ]
    into.unrelated("policy", policies, 14, lambda a, b: Path(a).name.lower() == Path(b).name.lower())
    into.halves("policy", policies, 14)
    court = _Clone(clones, "nationalarchives+tna-judgments-parser")
    others = {
        "handbook": _Clone(clones, "18F+handbook").take(
            into,
            "handbook",
            r"^pages/.*\.md$",
            40,
            clean=lambda t: re.sub(r"(?s)^---.*?---", "", t),
            most=1_200,
        ),
        "judgment": court.take(into, "judgment", r"^test/judgments/test\d+\.docx", 26, most=2_000),
        "memorandum": court.take(into, "memorandum", r"^test/leg/em/.*\.docx", 18, most=2_000),
    }
    for kind, names in others.items():
        into.unrelated(kind, names, 18)
        into.halves(kind, names, 14)


def proposals(into: Collected, clones: Path, count: int = 60) -> None:
    """Ethereum Improvement Proposals: one requires the other, or nothing links them."""
    clone = _Clone(clones, "ethereum+EIPs")
    required: dict[int, set[int]] = {}
    for name, read in clone.git.files(r"^EIPS/eip-\d+\.md"):
        head = re.match(r"---\n(.*?)\n---\n(.*)", read().decode("utf-8", "replace"), re.S)
        if head is None or len(head[2].split()) < 300:
            continue
        number = int(re.findall(r"\d+", name)[-1])
        requires = re.search(r"(?m)^requires:(.*)$", head[1])
        required[number] = {int(n) for n in re.findall(r"\d+", requires[1])} if requires else set()
        into.add(f"eip:{number}", re.sub(r"\[?EIP-?\d+\]?(\([^)]*\))?", "it", head[2]), 1_200)
    links = [(a, b) for a, wanted in required.items() for b in wanted & required.keys() - FAMOUS]
    into.random.shuffle(links)
    for a, b in links[:count]:
        into.pair("eips", f"eip:{a}", f"eip:{b}", "related")

    def linked(a: str, b: str) -> bool:
        one, other = int(a[4:]), int(b[4:])
        return other in required[one] or one in required[other] or bool(required[one] & required[other])

    into.unrelated("eips", [f"eip:{n}" for n in required], count, linked)


def licences(into: Collected) -> None:
    """Licences of Debian: versions of one are related, of two families not."""
    names = sorted(path.name for path in LICENCES.iterdir() if not path.is_symlink())
    for name in names:
        into.add(f"licence:{name}", (LICENCES / name).read_text(encoding="utf-8", errors="replace"))
    for number, one in enumerate(names):
        for other in names[number + 1 :]:
            families = {re.split(r"-\d|-", name)[0] for name in (one, other)}
            if len(families) == 2 and families <= {"GPL", "LGPL", "GFDL"}:
                continue
            label = "related" if len(families) == 1 else "genre"
            into.pair("licence", f"licence:{one}", f"licence:{other}", label)


def manuals(into: Collected, count: int = 20) -> None:
    """Manual pages: one names the other under SEE ALSO, or nothing links them."""
    names = sorted(path.name for path in MANUALS.glob("[a-z]*.1.gz") if 1_500 < path.stat().st_size < 9_000)
    into.random.shuffle(names)
    seen: dict[str, set[str]] = {}
    for name in names[:260]:
        page = subprocess.run(
            ["man", "-l", str(MANUALS / name)],
            capture_output=True,
            check=False,
            env={"MANWIDTH": "200", "PATH": "/usr/bin:/bin"},
        ).stdout.decode("utf-8", "replace")
        links = re.search(r"(?ms)^SEE ALSO\n(.*?)(?=^\S|\Z)", page)
        stem = name.removesuffix(".1.gz")
        seen[stem] = set(re.findall(r"([\w.+-]+)\s*\(1\)", links[1])) if links else set()
        body = re.sub(r"(?ms)^(SEE ALSO|AUTHORS?|REPORTING BUGS|COPYRIGHT|NAME)\n.*?(?=^\S|\Z)", "", page)
        into.add(f"man:{stem}", body, 1_200, 120)
    linked = [(a, b) for a, wanted in seen.items() for b in sorted(wanted & seen.keys()) if a != b]
    for a, b in linked[:count]:
        into.pair("man", f"man:{a}", f"man:{b}", "related")
    pages = [name for name in into.documents if name.startswith("man:")]
    into.unrelated(
        "man", pages, count, lambda a, b: b[4:] in seen[a[4:]] or a[4:] in seen[b[4:]] or a[4:8] == b[4:8]
    )


def corpora(into: Collected, shared: Path, count: int = 12) -> None:
    """Validation pairs of the corpora, of three lengths."""
    for name in ("acl", "wiki", "peps", "textbooks"):
        folder = shared / "corpora" / name
        texts = {record: record_text(value) for record, value in read_records(folder)}
        pairs = list(read_corpus_pairs(folder / "valid.tsv"))
        into.random.shuffle(pairs)
        for label, meaning in ((1, "related"), (0, "genre")):
            for number, pair in enumerate([p for p in pairs if p.label == label][:count]):
                most = LENGTHS[number % len(LENGTHS)]
                a, b = (into.add(f"{name}:{d}/{most}", texts[d], most) for d in (pair.source, pair.target))
                into.pair(name, a, b, meaning)


def own_texts(into: Collected) -> None:
    """Our own texts, six of each kind."""
    for line in _gzip_lines(OWN / "own_texts.jsonl.gz"):
        into.add(f"own:{line['id']}", f"{line['title']}\n\n{line['text']}")
    for line in _gzip_lines(OWN / "own_pairs.jsonl.gz"):
        kind = f"own-{line['a'].split('/')[0]}"
        into.pair(kind, f"own:{line['a']}", f"own:{line['b']}", line["label"])


def two_kinds(into: Collected, count: int = 200) -> None:
    """Documents of two groups."""
    groups: dict[str, set[str]] = {}
    for pair in into.pairs:
        if pair["label"] != "other":
            groups.setdefault(pair["group"], set()).update((pair["a"], pair["b"]))
    for _ in range(count):
        one, other = into.random.sample(sorted(groups), 2)
        a, b = (into.random.choice(sorted(groups[group])) for group in (one, other))
        into.pair(f"{one}, {other}", a, b, "other")


class _Clone:
    """A clone of a public repository."""

    def __init__(self, clones: Path, name: str) -> None:
        folder = clones / name
        self.git = Git(folder / "repo" if (folder / "repo").is_dir() else folder)

    def take(
        self,
        into: Collected,
        kind: str,
        pattern: str,
        count: int,
        *,
        clean: Callable[[str], str] = str,
        most: int = 1_500,
    ) -> list[str | None]:
        """Some of the files that match, as documents."""
        files = self.git.files(pattern)
        into.random.shuffle(files)
        return [
            into.add(f"{kind}/{name}", clean(_text(name, read())), most, 150) for name, read in files[:count]
        ]


def _text(name: str, data: bytes) -> str:
    """The text of a file; empty for a .docx that cannot be read."""
    if not name.endswith(".docx"):
        return data.decode("utf-8", "replace")
    try:
        return compared_text(ingest.read(data, name="x.docx"))
    except ColdeError:
        return ""


def _gzip_lines(path: Path) -> Iterator[dict[str, Any]]:
    with gzip.open(path, "rt", encoding="utf-8") as lines:
        yield from map(json.loads, lines)


def main() -> None:
    parser = command_line(__doc__)
    for name, text in (
        ("shared", "folder of the material"),
        ("clones", "folder of the clones"),
        ("output", "folder"),
    ):
        parser.add_argument(name, type=Path, help=text)
    options = parser.parse_args()
    into = Collected()
    wild(into, options.shared)
    pan(into, options.shared)
    repositories(into, options.clones)
    proposals(into, options.clones)
    licences(into)
    manuals(into)
    corpora(into, options.shared)
    own_texts(into)
    two_kinds(into)
    used = {pair[side] for pair in into.pairs for side in ("a", "b")}
    options.output.mkdir(parents=True, exist_ok=True)
    write_json(options.output / "documents.json", {n: t for n, t in into.documents.items() if n in used})
    write_json(options.output / "pairs.json", into.pairs)
    print(len(used), "documents,", len(into.pairs), "pairs")


if __name__ == "__main__":
    main()
