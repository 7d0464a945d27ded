"""What is wrong with an entry of another seat: its author cheated, or knows another course of the table."""


class Cheat(Exception):
    """A seat did what no honest seat can do; the entries that show it are in the journal."""

    def __init__(self, seat: int, reason: str, step: int) -> None:
        super().__init__(reason)
        self.seat = seat
        self.reason = reason
        self.step = step


class OtherRow(Exception):
    """An entry builds on another row than ours: no offence by itself, somebody must have said two things (C16, C35)."""
