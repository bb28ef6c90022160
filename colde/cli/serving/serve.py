"""`colde serve`: the HTTP service."""

from __future__ import annotations

import logging
from pathlib import Path

import click

from colde.cli.options import Settings, common_options, location_parameter
from colde.errors import MissingExtraError


@click.command()
@click.option("--host", default="127.0.0.1", show_default=True, help="The address to listen on.")
@click.option("--port", type=click.IntRange(1, 65535), default=8600, show_default=True)
@click.option(
    "--index", type=location_parameter, metavar="DIR", help="The index that /search searches, or its URI."
)
@click.option(
    "--limit-seconds",
    type=click.FloatRange(1),
    default=600,
    show_default=True,
    help="Longest time of one request.",
)
@click.option(
    "--limit-body-seconds",
    type=click.FloatRange(1),
    default=60,
    show_default=True,
    help="Longest time until a request has arrived completely.",
)
@click.option(
    "--limit-mb", type=click.IntRange(1), default=100, show_default=True, help="Largest size of one request."
)
@click.option(
    "--limit-total-mb",
    type=click.IntRange(1),
    default=256,
    show_default=True,
    help="Largest size of all requests together that are being processed.",
)
@click.option(
    "--limit-requests",
    type=click.IntRange(1),
    default=60,
    show_default=True,
    help="Most requests of one client per minute.",
)
@click.option(
    "--allow-origin",
    "origins",
    multiple=True,
    metavar="ORIGIN",
    help="A web page that may use the service from a browser, such as https://notes.example; may be repeated.",
)
@click.option(
    "--workers",
    type=click.IntRange(0, 64),
    default=1,
    show_default=True,
    help="Number of worker processes; each loads the models. With 0, the service itself does the work.",
)
@common_options
def serve(
    settings: Settings,
    host: str,
    port: int,
    index: Path | str | None,
    limit_seconds: float,
    limit_body_seconds: float,
    limit_mb: int,
    limit_total_mb: int,
    limit_requests: int,
    origins: tuple[str, ...],
    workers: int,
) -> None:
    """Serve reading, comparing, what-if and searching over HTTP, for other programs; docs/guides/server.md.

    The service has no users and no passwords. To offer it beyond this machine, put it behind a server that
    has them.

    \b
    Example:
      colde serve --port 8600 --index papers.index
    """
    try:
        import uvicorn

        from colde.serve.routes import create_app
        from colde.serve.timed_connections import timed_connections
    except ImportError as error:
        raise MissingExtraError(
            f"{error.name} is not installed, which serving needs: pip install 'colde-explorer[serve]'"
        ) from None
    from colde.encoders.memory import use_one_heap
    from colde.ingest.reading_limits import MEBIBYTE
    from colde.serve.cross_site import is_loopback
    from colde.serve.rate_limits import ServeLimits

    use_one_heap()
    limits = ServeLimits(
        body=limit_mb * MEBIBYTE,
        total=limit_total_mb * MEBIBYTE,
        seconds=limit_seconds,
        body_seconds=limit_body_seconds,
        per_minute=limit_requests,
    )
    logging.basicConfig(format="%(message)s", level=logging.WARNING if settings.quiet else logging.INFO)
    logging.getLogger("httpx").setLevel(logging.WARNING)
    uvicorn.run(
        create_app(index, limits, local=is_loopback(host), origins=origins, workers=workers),
        host=host,
        port=port,
        access_log=False,
        log_level="warning",
        server_header=False,
        http=timed_connections(limit_body_seconds),
    )
