"""All commands of the shell."""

from __future__ import annotations

from typing import Annotated

import typer

from shoal.cli import (
    assess_command,
    compare_command,
    demo_command,
    init_command,
    link_command,
    mend_command,
    profile_command,
    protect_command,
    reproduce_command,
    som_command,
    studio_command,
    verify_command,
)
from shoal.engines.address_space import check_start

EXIT_CODES = (
    "Exit codes: 0 success, the release is proven; 1 a requirement does not hold or a release is incomplete; "
    "2 invalid input or policy, too little memory or disk space; 130 stopped by Ctrl-C; 143 stopped by SIGTERM."
)

app = typer.Typer(
    name="shoal",
    help="Publish microdata with proof: from a table and a policy, produce a release that is proven to satisfy the "
    f"policy.\n\n{EXIT_CODES}",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
app.command()(demo_command.demo)
app.command()(profile_command.profile)
app.command()(init_command.init)
app.command()(protect_command.protect)
app.command()(verify_command.verify)
app.command()(assess_command.assess)
app.command()(compare_command.compare)
app.command()(mend_command.mend)
app.command()(link_command.link)
app.command()(som_command.som)
app.command()(reproduce_command.reproduce)
app.command()(studio_command.studio)


def _show_version(context: typer.Context, is_requested: bool) -> None:
    if is_requested:
        from shoal import __version__
        from shoal.cli.about import about

        further = about() if context.params.get("verbose") else ()
        typer.echo("\n".join([f"shoal {__version__}", *further]))
        raise typer.Exit


@app.callback(help=EXIT_CODES)
def shoal(
    version: Annotated[
        bool, typer.Option("--version", callback=_show_version, help="Show the version and exit.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", is_eager=True, help="With --version: also what a bug report should say.")
    ] = False,
) -> None:
    """Runs before every command; nothing that takes long is imported yet."""
    check_start()
