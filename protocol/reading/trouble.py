"""How reading comes to a halt: an entry that is wrong, or a table that cannot go on."""


class Wrong(ValueError):
    """What an entry says cannot stand; the message is the reason for which its author is blamed."""


class Stuck(Exception):
    """The table cannot go on from what the file holds, and nobody is to blame by that alone."""
