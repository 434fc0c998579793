"""The command line: the same core without a window."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator, Sequence
from typing import Annotated, Any

import typer

from core.cli.export import export
from core.cli.labels import labels
from core.cli.metrics import metrics
from core.cli.profile import profile
from core.cli.published import published
from core.cli.scoring import score
from core.cli.simulate import simulate
from core.cli.streams import write
from core.version import PROGRAM, __version__

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    help="Score clusterings from their contingency tables. Without a command the window opens, "
    "with FILE if one is named.",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def run(arguments: Sequence[str] | None = None) -> int:
    """Run a command.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands behind the name of the program; that of this process by default.

    Returns
    -------
    int
        0 done, 1 a user's mistake (one line on stderr each), 2 wrong usage, 130
        interrupted, 143 ended by another program.
    """
    try:
        with _ended_in_order():
            app(args=None if arguments is None else list(arguments))
    except SystemExit as end:
        code = end.code
        return code if isinstance(code, int) else int(code is not None)
    except KeyboardInterrupt:
        return 130
    return 0


@contextlib.contextmanager
def _ended_in_order() -> Iterator[None]:
    """Let who ends the program from outside find no half-written file beside the whole ones."""

    def end(number: int, _: object) -> None:
        raise SystemExit(128 + number)

    ends = [getattr(signal, name) for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    if threading.current_thread() is not threading.main_thread():
        ends = []
    # What the caller ignores, as nohup does, stays ignored.
    ends = [one for one in ends if signal.getsignal(one) is signal.SIG_DFL]
    for one in ends:
        signal.signal(one, end)
    try:
        yield
    finally:
        for one in ends:
            signal.signal(one, signal.SIG_DFL)


def commands() -> tuple[str, ...]:
    """Return the names of the commands."""
    return tuple(command.name or _name_of(command.callback) for command in app.registered_commands)


def _name_of(callback: Any) -> str:
    return str(callback.__name__).replace("_", "-")


def _show_version(value: bool) -> None:
    if value:
        write(f"{PROGRAM} {__version__}\n")
        raise typer.Exit


@app.callback()
def _program(
    version: Annotated[
        bool,
        typer.Option(
            "--version", callback=_show_version, is_eager=True, help="Show the version and exit."
        ),
    ] = False,
) -> None:
    pass


app.command()(score)
app.command()(export)
app.command()(labels)
app.command()(metrics)
app.command()(simulate)
app.command()(profile)
app.command()(published)
