"""The shell: one command per file, each a few lines over ``run``."""

from __future__ import annotations

import os
import signal
import sys
from types import FrameType
from typing import Annotated

import typer

from shoal.cli import assess, compare, demo, init, link, protect, reproduce, som, streams, verify
from shoal.cli.console import complain
from shoal.errors import EngineError, ShoalError, SourceError

app = typer.Typer(
    name="shoal",
    help="Publish microdata with proof: a table and a policy in, a proven release out.\n\n"
    "Exit codes: 0 done and proven, 1 a requirement does not hold, 2 bad input or policy.",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo.demo)
app.command()(init.init)
app.command()(protect.protect)
app.command()(verify.verify)
app.command()(assess.assess)
app.command()(compare.compare)
app.command()(link.link)
app.command()(som.som)
app.command()(reproduce.reproduce)

INTERRUPTED = 130  # what shells say after Ctrl-C
STOPPED = "stopped. Nothing was released."


def _show_version(wanted: bool) -> None:
    if wanted:
        from shoal import __version__

        typer.echo(f"shoal {__version__}")
        raise typer.Exit


@app.callback()
def shoal(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and exit.")
    ] = False,
) -> None:
    """Exit codes: 0 done and proven, 1 a requirement does not hold, 2 bad input or policy."""


def main() -> None:
    """What runs when somebody types ``shoal``."""
    signal.signal(signal.SIGTERM, _stop)  # clean up as after Ctrl-C
    try:
        streams.prepare()
        app()
    except ShoalError as error:
        complain(str(error))
        sys.exit(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        complain(STOPPED)
        sys.exit(INTERRUPTED)
    except SystemExit as left:
        if left.code == INTERRUPTED:  # typer leaves so, without a word
            complain(STOPPED)
        raise
    except BrokenPipeError:
        sys.exit(INTERRUPTED)
    except MemoryError:
        complain(str(EngineError.none_left("memory")))
        sys.exit(EngineError.exit_code)
    except OSError as error:
        is_of_stdout = streams.is_of_stdout(error)
        complain(str(SourceError.not_shown(error) if is_of_stdout else SourceError.of_the_system(error)))
        sys.exit(SourceError.exit_code)
    except Exception as error:
        if "SHOAL_TRACEBACK" in os.environ:
            raise
        complain(str(ShoalError.unforeseen(error)))
        sys.exit(ShoalError.exit_code)


def _stop(signum: int, frame: FrameType | None) -> None:
    raise KeyboardInterrupt
