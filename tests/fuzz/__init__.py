"""Bytes from strangers against everything that reads them: only errors of our own, and memory in proportion.

targets.py    what is tried, with seeds, the errors that may come and the memory that may be taken
samples.py    messages, packs and texts that are right, to begin from
mutate.py     changes of bytes, for hypothesis and for runs without atheris
__main__.py   `python -m tests.fuzz`: each target for some seconds, guided by coverage where atheris is installed
"""
