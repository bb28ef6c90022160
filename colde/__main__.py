"""Entry point: `colde`, or `python -m colde`. It imports nothing that is slow, so that Ctrl-C is heard at once."""

from __future__ import annotations

import gc
import sys

GARBAGE_THRESHOLD = 50_000
"""Objects between two collections of cyclic garbage: with Python's 700, a comparison of two short texts collects 500
times, for a tenth of its time."""


def main() -> int:
    """Run the command line and return its exit status."""
    gc.set_threshold(GARBAGE_THRESHOLD)
    try:
        from colde.meta_kernels import defer_meta_kernels

        defer_meta_kernels()
        from colde.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("colde: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
