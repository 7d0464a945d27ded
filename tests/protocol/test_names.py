"""C44: text from strangers cannot draw on, reverse or flood a screen."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from wcwidth import wcswidth

from protocol.names import NAME_CELLS, clean


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("Ann", "Ann"),
        ("  Ann \t\n Lee  ", "Ann Lee"),
        ("Zoë", "Zoë"),
        ("Zoe\u0308", "Zoë"),
        ("Zoe\u200d\u0308", "Zoë"),
        ("日本", "日本"),
        ("ภูมิ", "ภูมิ"),
        ("דנה", "דנה"),
        ("🃏 Jo", "🃏 Jo"),
    ],
)
def test_ordinary_names_stay(raw: str, shown: str) -> None:
    assert clean(raw, NAME_CELLS) == shown


@pytest.mark.parametrize(
    ("raw", "shown"),
    [
        ("\x1b[31mred\x1b[0m", "red"),
        ("\x1b[2J\x1b[Hgone", "gone"),
        ("\x9b2Jgone", "gone"),
        ("\x1b]0;title\x07Ann", "]0;titleAnn"),
        ("bell\x07\x08\x7f", "bell"),
        ("Ann\r\nerror: you lost", "Ann error: you l"),
        ("\u202eevE", "evE"),
        ("\u2066\u2067\u2068A\u2069\u200e\u200f\u061c", "A"),
        ("A\u2028B\u2029C", "A B C"),
        ("\ue000\U000f0000\ud800A\U000e0041\uffff", "A"),
    ],
)
def test_escape_sequences_bidi_overrides_and_controls_go(raw: str, shown: str) -> None:
    assert clean(raw, NAME_CELLS) == shown


@pytest.mark.parametrize(
    "raw",
    [
        "",
        "   ",
        "\x1b[31m",
        "\u200b" * 5000,
        "\u0301" * 5000,
        "\u1160" * 5000,
        "\u3164",
        "\u2800",
        "\ufe0f\u034f",
        "\ufeff",
    ],
)
def test_a_name_that_shows_nothing_is_a_question_mark(raw: str) -> None:
    assert clean(raw, NAME_CELLS) == "?"


def test_stacks_of_marks_are_capped() -> None:
    assert clean("Z" + "\u0335\u0301" * 40 + "o", NAME_CELLS) == "\u0179\u0335\u0335o"
    assert clean("Z" + "\u0335" * 9 + "o", NAME_CELLS) == "Z\u0335\u0335o"
    assert clean(" \u0301A", NAME_CELLS) == "A"


def test_a_name_of_ten_thousand_letters_is_cut_by_cells_not_by_letters() -> None:
    assert clean("A" * 10_000, 16) == "A" * 16
    assert clean("日" * 10_000, 15) == "日" * 7
    assert clean("A日", 2) == "A"
    assert clean("日", 1) == "?"
    assert clean("A b", 2) == "A"


@given(
    st.text(max_size=80) | st.text("aZ \u0301\u0335\u200d\u1160\u1161\u1100\u11a8日\x1b[\u202e\ufe0f🃏", max_size=60),
    st.integers(1, 24),
)
def test_whatever_comes_in_is_one_harmless_line(raw: str, cells: int) -> None:
    shown = clean(raw, cells)
    assert shown
    assert 0 < wcswidth(shown) <= cells
    assert shown == unicodedata.normalize("NFC", shown)
    assert shown == " ".join(shown.split())
    assert not {unicodedata.category(c) for c in shown} & {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
    assert len(shown) <= 3 * cells
    assert clean(shown, cells) == shown
