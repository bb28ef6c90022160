"""Entry point: `colde`, or `python -m colde`. It imports nothing, so that Ctrl-C is heard at once."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the command line and return its exit status."""
    try:
        from colde.cli import main

        return main()
    except KeyboardInterrupt:
        sys.stderr.write("colde: interrupted\n")
        return 130


if __name__ == "__main__":
    sys.exit(main())
