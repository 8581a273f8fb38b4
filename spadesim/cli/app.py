"""The command ``spadesim``: what it ends with, whatever happens.

Exit codes: 0 done, 1 the check of a strategy found something, or a fit no gain (or the reader of a pipe went
away), 2 a mistake in what was asked for, 70 a defect of spadesim itself, 130 stopped by Ctrl-C. A mistake is
one line on standard error, without a traceback unless ``SPADESIM_DEBUG=1``.
"""

import codecs
import os
import sys
from collections.abc import Sequence
from typing import Any

from spadesim.analysis.lines import LETTERS, visible
from spadesim.errors import UserError, suggest

PROGRAM = "spadesim"
OK, NO_READER, USAGE, DEFECT, INTERRUPTED = 0, 1, 2, 70, 130
IN_LETTERS = "spadesim_in_letters"
LOST = "The current folder no longer exists; change to another one."


def _in_letters(error: UnicodeError) -> tuple[str, int]:
    """What stands for signs that an encoding lacks: letters that look alike, and ? for all others."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    signs = error.object[error.start : error.end].translate(LETTERS)
    return "".join(sign if sign.isascii() else "?" for sign in signs), error.end


codecs.register_error(IN_LETTERS, _in_letters)


def main(arguments: Sequence[str] | None = None) -> int:
    """The exit code of a run of the command line.

    Parameters
    ----------
    arguments : sequence of str, optional
        What stands after the command's name; the running process's own when left out.
    """
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by whoever started us
            setattr(sys, name, open(os.devnull, "w"))  # noqa: SIM115
        elif hasattr(getattr(sys, name), "reconfigure"):
            getattr(sys, name).reconfigure(errors=IN_LETTERS)
    if os.environ.get("SPADESIM_DEBUG") == "1":
        return _run(arguments)
    try:
        return _run(arguments)
    except UserError as error:
        return _complain(LOST, USAGE) if _is_lost() else _complain(error.args[0], USAGE, error.excerpt)
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:
        return _give_up_pipe()
    except OSError as error:
        reason = f"{error.strerror or error}{f': {error.filename}' if error.filename else ''}."
        return _complain(LOST if _is_lost() else reason, USAGE)
    except Exception as error:
        if _lacks_memory(error):
            return _complain("There is not enough memory, of which a command needs some 300 MB.", USAGE)
        text = f"{type(error).__name__}: {error}".rstrip(": ")
        return _complain(f"a defect of {PROGRAM}: {text} (SPADESIM_DEBUG=1 shows where).", DEFECT)


def _run(arguments: Sequence[str] | None) -> int:
    # Imported here, so that Ctrl-C while they load is as quiet as later.
    import typer

    from spadesim.cli.commands import app

    # The base of all that typer says about a command line; its home has moved between releases.
    usage_problem: Any = typer.BadParameter.__mro__[2]
    try:
        code = app(args=arguments, prog_name=PROGRAM, standalone_mode=False)
        sys.stdout.flush()
    except typer.Abort:
        return INTERRUPTED
    except usage_problem as error:
        return _explain_usage(error)
    return code if isinstance(code, int) else OK


def _explain_usage(error: Any) -> int:
    """Say in one line what is wrong with a command line, and where it is explained."""
    context, kind = getattr(error, "ctx", None), type(error).__name__
    if kind == "NoArgsIsHelpError":
        print(error.ctx.get_help(), file=sys.stderr)  # noqa: T201
        return USAGE
    text = " ".join(error.format_message().split())
    if context is None:
        return _complain(f"{text} See {PROGRAM} --help.", USAGE)
    if kind == "NoSuchOption":
        known = [name for parameter in context.command.params for name in parameter.opts]
        text = f"There is no option {error.option_name}.{suggest(error.option_name, [*known, '--help'])}"
    elif text.startswith("No such command"):
        text = _no_command(text, list(context.command.commands))
    end = "" if text.endswith((".", "?")) else "."
    return _complain(f"{text}{end} See {context.command_path} --help.", USAGE)


def _no_command(text: str, known: list[str]) -> str:
    word = text.split("'")[1] if "'" in text else ""
    return f"There is no command '{word}'.{suggest(word, known)} Commands: {', '.join(known)}."


def _complain(text: str, code: int, excerpt: str = "") -> int:
    """Print one line on standard error, and lines that show the place; return the exit code."""
    print(visible(f"{PROGRAM}: error: {' '.join(text.split())}"), file=sys.stderr)  # noqa: T201
    if excerpt:
        print(visible(excerpt), file=sys.stderr)  # noqa: T201
    return code


def _is_lost() -> bool:
    """Whether the current folder was removed, where nearly everything fails and blames other things."""
    try:
        os.getcwd()
    except FileNotFoundError:
        return True
    return False


def _lacks_memory(error: Exception) -> bool:
    """Whether a limit of memory was met, by Python or while the system loaded a library."""
    signs = ("failed to map segment", "annot allocate memory", "cannot create shared object")
    return isinstance(error, MemoryError) or (
        isinstance(error, ImportError) and any(sign in str(error) for sign in signs)
    )


def _give_up_pipe() -> int:
    """Drop what is left to print, for Python would complain about it at its end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NO_READER
