"""Seeded tables in bad weather. `glass` must be put in place before anything that imports the group."""
