"""Tables of the past: what became of each, kept in a small index beside the journals."""
