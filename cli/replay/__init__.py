"""Tables of the past, shown again: what a journal says, step by step. Nothing can be played here (P20)."""
