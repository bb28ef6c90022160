"""What the reading process gives up; where the system cannot take it away, the test says so by skipping."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from colde.errors import ReadingStopped
from colde.ingest import Limits, read
from colde.ingest.formats import FORMATS
from colde.ingest.sandbox import process_pool, seccomp
from colde.ingest.sandbox.process_pool import ReaderPool
from tests.patience import PATIENCE

pytestmark = pytest.mark.slow

ROOT = Path(__file__).resolve().parents[3]
PROSE = b"A heap keeps its smallest entry at the root. " * 5

TRY = """
import os, sys
from pathlib import Path
from colde.ingest.sandbox.confinement import confine, limit_time
got = confine(2**28, 20.0, os.getppid())
sys.stdout.write(" ".join(sorted(got)) + "\\n")
try:
    {attempt}
except (OSError, MemoryError, RuntimeError, ValueError) as error:
    sys.stdout.write("refused " + type(error).__name__)
else:
    sys.stdout.write("done")
"""

ATTEMPTS = {
    "read a file of the user": ("files", "open({secret!r}).read()"),
    "list a folder of the user": ("files", "os.listdir({folder!r})"),
    "read the memory of the parent": ("files", "open(f'/proc/{{os.getppid()}}/mem', 'rb')"),
    "read its own environment": ("files", "open('/proc/self/environ').read()"),
    "write a file": ("files", "open({folder!r} + '/new', 'w')"),
    "remove a file": ("files", "os.remove({secret!r})"),
    "change a file": ("calls", "os.chmod({secret!r}, 0o777)"),
    "open a connection": ("calls", "__import__('socket').socket()"),
    "look up a name": ("calls", "__import__('socket').getaddrinfo('localhost', 80)"),
    "start a program": ("calls", "__import__('subprocess').run([sys.executable, '-c', ''])"),
    "fork": ("calls", "os.fork()"),
    "start a thread": ("calls", "__import__('threading').Thread(target=print).start()"),
    "signal the parent": ("calls", "os.kill(os.getppid(), 0)"),
    "take more memory": ("limits", "bytearray(2**29)"),
    "raise the limit of memory": ("limits", "__import__('resource').setrlimit(9, (2**40, 2**40))"),
    "raise the limit of time": ("limits", "__import__('resource').setrlimit(0, (10**6, 10**6))"),
    "open many files": ("limits", "[os.open('/dev/null', os.O_RDONLY) for _ in range(100)]"),
}
ALLOWED = {
    "import a package": "import " + ", ".join(name for row in FORMATS for name in row.libraries),
    "ask for less time": "limit_time(5.0)",
    "say something": "sys.stdout.flush()",
}

HOSTILE_READER = """
import os, sys
from colde.ingest import parsing
from colde.ingest.sandbox import fork_server

def parse(data, name, password, limits, *allow):
    what = data.decode()
    if what == "stay":
        while True:
            pass
    if what == "swell":
        kept = [bytearray(2**20) for _ in range(2**20)]
    if what == "abort":
        os.abort()
    if what == "lie":
        os.write(1, b"x" * 99)
        for fd in range(3, 64):
            try:
                os.write(fd, b"x" * 99)
            except OSError:
                pass
    return original(data, name, password, limits, *allow)

original, parsing.parse = parsing.parse, parse
fork_server.main()
"""


def attempt(code: str, home: Path) -> tuple[set[str], str]:
    done = subprocess.run(
        [sys.executable, "-c", TRY.format(attempt=code)],
        capture_output=True,
        text=True,
        cwd=home,
        env=process_pool.environment() | {"PYTHONPATH": str(ROOT), "HOME": str(home)},
        timeout=PATIENCE,
    )
    got, _, said = done.stdout.partition("\n")
    return set(got.split()), said


@pytest.mark.skipif(sys.platform != "linux", reason="Linux alone takes these away")
@pytest.mark.parametrize("what", ATTEMPTS)
def test_the_child_cannot(what: str, tmp_path: Path) -> None:
    secret = tmp_path / "secret.txt"
    secret.write_text("my diary", encoding="utf-8")
    needs, code = ATTEMPTS[what]
    got, said = attempt(code.format(secret=str(secret), folder=str(tmp_path)), tmp_path)
    if needs not in got:
        pytest.skip(f"this system offers no {needs}: {what} is not prevented")
    assert said.startswith("refused")
    assert secret.read_text(encoding="utf-8") == "my diary"


@pytest.mark.parametrize("what", ALLOWED)
def test_the_child_can(what: str, tmp_path: Path) -> None:
    assert attempt(ALLOWED[what], tmp_path)[1] == "done"


@pytest.mark.parametrize("machine", ["x86_64", "aarch64"])
def test_the_filter_is_whole(machine: str) -> None:
    """Every jump ends inside the program, and its last word is a return."""
    program = seccomp.filter_for(machine, 4711)
    steps = [program[i : i + 8] for i in range(0, len(program), 8)]
    assert len(program) % 8 == 0 and len(steps) < 4096
    assert all(i + 1 + max(step[2], step[3]) < len(steps) for i, step in enumerate(steps) if step[0] != 6)
    assert steps[-1][0] == 6


@pytest.fixture(scope="module")
def hostile_reader() -> Iterator[ReaderPool]:
    """Children in which a file takes over the reader."""
    pool = ReaderPool()
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(process_pool, "_pool", pool)
        patched.setattr(process_pool, "COMMAND", (sys.executable, "-P", "-c", HOSTILE_READER))
        yield pool
    pool.close()


@pytest.mark.skipif(sys.platform != "linux", reason="limits of Linux")
@pytest.mark.parametrize(
    ("what", "reason"),
    [("stay", "too_large"), ("swell", "too_large"), ("abort", "corrupt"), ("lie", "corrupt")],
)
def test_a_file_that_takes_over_its_reader_harms_no_other(
    what: str, reason: str, hostile_reader: ReaderPool
) -> None:
    limits = Limits(seconds=30.0, base_seconds=1.0, memory=2**28)
    assert read(PROSE, name="before.txt", limits=limits, sandbox=True).words() > 20
    process = hostile_reader.idle[-1].process.pid
    with pytest.raises(ReadingStopped) as caught:
        read(what.encode(), name="x.txt", limits=limits, sandbox=True)
    assert caught.value.reason == reason
    assert read(PROSE, name="after.txt", limits=limits, sandbox=True).words() > 20
    assert hostile_reader.idle[-1].process.pid == process  # the one that forks never saw it


@pytest.mark.skipif(sys.platform != "linux", reason="needs /proc")
def test_no_child_outlives_the_program() -> None:
    """A program that is killed while a file is being read leaves nothing behind."""
    code = (
        "import sys, threading, time; from colde.ingest import sandbox, read, Limits\n"
        "from colde.ingest.sandbox import process_pool\n"
        f"process_pool.COMMAND = (sys.executable, '-P', '-c', {HOSTILE_READER!r})\n"
        "sandbox.warm_up(); child = process_pool.shared_pool().idle[-1].process.pid\n"
        "limits = Limits(seconds=300.0, base_seconds=200.0)\n"
        "stay = lambda: read(b'stay', name='x.txt', limits=limits, sandbox=True)\n"
        "threading.Thread(target=stay, daemon=True).start()\n"
        "from pathlib import Path; forks = Path(f'/proc/{child}/task/{child}/children')\n"
        "while not forks.read_text(): time.sleep(0.05)\n"
        "print(child, forks.read_text(), flush=True); time.sleep(300)\n"
    )
    program = subprocess.Popen(
        [sys.executable, "-c", code],
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    assert program.stdout is not None
    numbers = [int(number) for number in program.stdout.readline().split()]
    program.kill()
    program.wait()
    program.stdout.close()
    assert len(numbers) == 2
    for _ in range(600):
        if not any(_runs(number) for number in numbers):
            return
        __import__("time").sleep(0.1)
    pytest.fail("a reading process is still there")


def _runs(process: int) -> bool:
    try:
        state = Path(f"/proc/{process}/stat").read_text("ascii").rsplit(")", 1)[1].split()[0]
    except OSError:
        return False
    return state not in "ZX"
