"""The lobby: where one comes in, finds tables, opens some, and is back when a table is over.

`model` and `form` hold what is seen and what a key means, `draw` makes rows of it, `lines` says the same line by line;
`screen` and `program` carry both to a terminal and to the tables.
"""
