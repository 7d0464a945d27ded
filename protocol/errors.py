"""What can go wrong for a user, one class each, with the exit code of the program.

::

    P2punoError            1   anything not named below
    ├── Usage              2   the command or an address was written wrongly
    ├── CheatProven        3   a journal holds a proof that somebody cheated
    ├── FileProblem        4
    │   ├── Damaged            one of our files, but broken
    │   ├── ForeignFile        not one of our files, or of a version unknown here
    │   └── InUse              a file that another process of ours is writing
    ├── NotSaid            1   a remark that is not sent to the others
    ├── Unfinished         5   a journal or table that has no end yet
    └── NetworkProblem     6
        ├── Unreachable        nobody answers at an address
        ├── PortTaken          our own port cannot be opened
        ├── NotP2puno          something else than p2puno answers
        └── Refused            the other side, or we, do not want this link

``message`` says what happened and ``hint`` what to do about it: both a lower-case sentence without a full stop,
shown as ``error: message`` and ``hint: hint``.
"""

from p2puno.said import said

# The names are what happened, as a sentence would say it ("port taken"), so no Error suffix.


class P2punoError(Exception):
    """Base of all errors that a user is meant to read.

    ``message``: str, what happened.  ``hint``: str, what to do ("" when there is nothing useful to say).
    ``exit_code``: int, what the program exits with when this error ends it.
    """

    exit_code = 1
    default_hint = ""

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = self.default_hint if hint is None else hint


class Usage(P2punoError):
    """The command line, or something typed, cannot be understood."""

    exit_code = 2
    default_hint = said("`p2puno --help` shows how it is written")


class CheatProven(P2punoError):
    """A journal proves that one of its authors cheated."""

    exit_code = 3
    default_hint = said("`p2puno verify` shows the step, the author and the evidence")


class FileProblem(P2punoError):
    """A file cannot be used."""

    exit_code = 4


class Damaged(FileProblem):
    """The file is one of ours, but its content is broken."""

    default_hint = said("take the file from a backup, or move it away to start anew")


class ForeignFile(FileProblem):
    """The file is not one of ours, or was made by a version or with packs unknown here."""

    default_hint = said("check the path, or update p2puno if the file was made by a newer version")


class InUse(FileProblem):
    """Another process has the table open."""

    default_hint = said("close the other p2puno that sits at this table, or wait until it has ended")


class NotSaid(P2punoError):
    """What was typed for the others is not sent to them."""


class Unfinished(P2punoError):
    """The table has not come to its end, so there is no result to show or verify."""

    exit_code = 5
    default_hint = said("take up the table again with its other players, or ask one of them for a longer journal")


class NetworkProblem(P2punoError):
    """A link cannot be made."""

    exit_code = 6


class Unreachable(NetworkProblem):
    """Nobody answers at the address."""

    default_hint = said("check the address, that p2puno runs there, and that no firewall stands between")


class PortTaken(NetworkProblem):
    """Our own port cannot be opened."""

    default_hint = said("choose another port with --port, or 0 to let the system choose one")


class NotP2puno(NetworkProblem):
    """Another kind of program answers at the address."""

    default_hint = said("check the port number, the other player's screen shows it")


class Refused(NetworkProblem):
    """One side does not accept the key of the other."""

    default_hint = said("ask the other player whether the table is open to you")
