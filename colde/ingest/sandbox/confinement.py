"""What a process gives up for good before it looks at a file of somebody else's.

`confine` is called in the child that reads or draws one file. Resource limits are hard, so that they cannot be
raised again. On Linux come: no new privileges, no capabilities, an end with the parent, no file but those that
Python and its packages need (Landlock), and no network, no other process and no signal to one (a filter of system
calls). What the system does not offer is left out; `confine` returns what holds.
"""

from __future__ import annotations

import ctypes
import math
import os
import signal
import struct
import sys
import sysconfig
from collections.abc import Iterable
from pathlib import Path

from colde.ingest.sandbox import seccomp

_MAX_OPEN_FILES = 64  # open files of a reading process

_PR_SET_PDEATHSIG, _PR_SET_NO_NEW_PRIVS = 1, 38
_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446  # Landlock; the same numbers on every processor
_READ_FILE, _READ_DIR = 1 << 2, 1 << 3
_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}  # Landlock's version: how many rights over files it knows
_LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache")
_FONTS = ("/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/X11/fonts")  # for PDFs that bring none
_OTHER_FILES = ("/dev/null", "/dev/urandom", "/etc/mime.types", "/usr/share/zoneinfo")
_PACKAGE = Path(__file__).resolve().parents[2]


def confine(memory: int, seconds: float, parent: int) -> frozenset[str]:
    """Give up everything that reading a file does not need. There is no way back.

    Args:
        memory: bytes of address space on top of what the process has now.
        seconds: the most processor time that can be asked for with `limit_time`.
        parent: the process that ends this one by its own end.

    Returns:
        What holds from now on, of `limits` `privileges` `files` `calls`.
    """
    restrictions = set()
    if sys.platform == "linux":
        _libc().prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended before that
            os._exit(1)
    if _limit(memory, seconds):
        restrictions.add("limits")
    if sys.platform == "linux":
        if _drop_privileges():
            restrictions.add("privileges")
            if _restrict_files(readable()):
                restrictions.add("files")
            if seccomp.install(_libc()):
                restrictions.add("calls")
    return frozenset(restrictions)


def limit_time(seconds: float) -> None:
    """Let the system end this process once it has used that much processor time since its start.

    May be called again with more, up to what `confine` was told. The parent's clock ends a child too, but counts
    what other programs take of the machine.
    """
    try:
        import resource
    except ImportError:  # Windows has no such limits; the parent still watches time and size
        return
    hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
    wanted = math.ceil(seconds)
    resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard < 0 else min(wanted, hard), hard))


def readable() -> list[Path]:
    """What the process may read: the standard library, installed packages, shared libraries, fonts.

    Of the folders on Python's path those that hold the reader's own files are left out: the current folder, the home
    and what is above it, and a checkout of this project but for its package.
    """
    candidates = {Path(path) for path in (*_LIBRARIES, *_FONTS, *_OTHER_FILES)}
    candidates |= {
        Path(path) for name, path in sysconfig.get_paths().items() if name.endswith(("lib", "stdlib"))
    }
    candidates |= {Path(base) / "lib" for base in (sys.prefix, sys.base_prefix)}
    candidates |= {Path(path) for path in os.environ.get("LD_LIBRARY_PATH", "").split(os.pathsep) if path}
    candidates |= {Path(path) for path in sys.path if path}
    there = {path.resolve() for path in (*candidates, _PACKAGE) if path.exists()}
    return sorted(path for path in there if not _is_user_file(path))


def _is_user_file(path: Path) -> bool:
    checkout = [_PACKAGE.parent] if (_PACKAGE.parent / "pyproject.toml").exists() else []
    try:
        private_folders = [Path.home().resolve(), *checkout]
    except RuntimeError:  # a user without a home
        private_folders = checkout
    return path == Path.cwd() or any(
        private_folder.is_relative_to(path) for private_folder in private_folders
    )


def _limit(memory: int, seconds: float) -> bool:
    try:
        import resource
    except ImportError:
        return False
    limits = {
        resource.RLIMIT_CORE: 0,
        resource.RLIMIT_FSIZE: 0,
        resource.RLIMIT_NOFILE: _MAX_OPEN_FILES,
        resource.RLIMIT_NPROC: 0,  # does not bind root; the filter of system calls does
        resource.RLIMIT_CPU: math.ceil(seconds),
        resource.RLIMIT_AS: _mapped_bytes() + memory,
    }
    for what, value in limits.items():
        hard = resource.getrlimit(what)[1]
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(what, (value, value))
        except (OSError, ValueError):  # macOS refuses a limit of address space
            if what != resource.RLIMIT_AS:
                raise
    return True


def _mapped_bytes() -> int:
    try:
        return int(Path("/proc/self/statm").read_text("ascii").split()[0]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**30


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _drop_privileges() -> bool:
    """No program started from here gains rights, and those of root beyond its own files are dropped."""
    libc = _libc()
    if libc.prctl(_PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0:
        return False
    header = struct.pack("=Ii", 0x20080522, 0)  # version 3, this process
    return bool(libc.capset(header, bytes(24)) == 0)


def _restrict_files(paths: Iterable[Path]) -> bool:
    """Landlock: reading beneath these paths, nothing else; from version 4 no TCP, from 6 no foreign signals."""
    libc = _libc()
    version = libc.syscall(_CREATE_RULESET, None, 0, 1)
    if version < 1:
        return False
    rights = _RIGHTS[max(known for known in _RIGHTS if known <= version)]
    wanted = struct.pack("=QQQ", (1 << rights) - 1, 3, 3)[: 24 if version >= 6 else 16 if version >= 4 else 8]
    rules = libc.syscall(_CREATE_RULESET, wanted, len(wanted), 0)
    if rules < 0:
        return False
    try:
        for path in paths:
            try:
                descriptor = os.open(path, os.O_PATH | os.O_CLOEXEC)
            except OSError:
                continue
            allowed = _READ_FILE | _READ_DIR if path.is_dir() else _READ_FILE
            libc.syscall(_ADD_RULE, rules, 1, struct.pack("=Qi", allowed, descriptor), 0)
            os.close(descriptor)
        return bool(libc.syscall(_RESTRICT_SELF, rules, 0) == 0)
    finally:
        os.close(rules)
