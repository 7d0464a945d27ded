"""Before the first cards: who sits where with which hero and who is ready, then what all make together."""
