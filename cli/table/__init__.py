"""Presenters of a table: views and happenings in, plain data and a player's words out; no terminal in here."""
