"""A second, independent reading of journals."""
