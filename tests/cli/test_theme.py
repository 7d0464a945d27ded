"""Colours: every theme, every depth, themes of one's own, and what is told apart by whom (P09, P10, P11)."""

from __future__ import annotations

import itertools
import re
from pathlib import Path

import pytest
from prompt_toolkit.output import ColorDepth

from cli.manner import Manner, manner_of
from cli.theme import ASCII, COLOURS, DEPTHS, HIGH_CONTRAST, STYLES, THEMES, UNICODE, colour_depth, glyphs, theme_of
from protocol.errors import Damaged, Usage
from tests.cli.test_screen import Rig, with_screen

GOLDEN = Path(__file__).parent / "golden"
CARDS = [*COLOURS, "wild", *(f"on-{name}" for name in (*COLOURS, "wild"))]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("depth", DEPTHS.values(), ids=DEPTHS)
def test_every_theme_has_every_style_at_every_depth(theme: object, depth: ColorDepth) -> None:
    table = theme.table(depth)  # type: ignore[attr-defined]
    assert set(table) == set(STYLES)
    assert theme.style(depth).style_rules  # type: ignore[attr-defined]


def test_the_standard_theme_uses_the_sixteen_colours_of_the_terminal() -> None:
    """P10: no fixed shade that the player's own palette cannot make readable."""
    assert not [value for value in STYLES.values() if "#" in value]
    for theme in THEMES.values():
        table = theme.table(ColorDepth.DEPTH_4_BIT)
        faint = [name for name, value in table.items() if "brightblack" in value]
        assert not faint, "bright black is the ground itself on some palettes, so what is written in it is not there"


def rgb(style: str, ground: bool = False) -> tuple[float, float, float]:
    found = re.search(r"bg:#(\w{6})" if ground else r"(?<!:)#(\w{6})", style)
    assert found is not None, style
    r, g, b = bytes.fromhex(found.group(1))
    return r / 255, g / 255, b / 255


def linear(colour: tuple[float, float, float]) -> tuple[float, float, float]:
    r, g, b = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return r, g, b


def luminance(colour: tuple[float, float, float]) -> float:
    """Relative luminance of WCAG 2.1."""
    r, g, b = linear(colour)
    return 0.2126 * r + 0.7152 * g + 0.0722 * b


def contrast(one: tuple[float, float, float], other: tuple[float, float, float]) -> float:
    """Contrast ratio of WCAG 2.1, from 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def test_high_contrast_reaches_seven_to_one_for_every_card() -> None:
    """WCAG 2.1, success criterion 1.4.6 (AAA)."""
    table = HIGH_CONTRAST.table(ColorDepth.DEPTH_24_BIT)
    ground = rgb(table["ground"], ground=True)
    for name in CARDS:
        under = rgb(table[name], ground=True) if name.startswith("on-") else ground
        assert contrast(rgb(table[name]), under) >= 7, name


# Viénot, Brettel and Mollon 1999, "Digital video colourmaps for checking the legibility of displays by dichromats":
# red and green as one who lacks the red or the green receptor sees them, in linear RGB.
_LACKING = {
    "protan": ((0.11238, 0.88762, 0.0), (0.11238, 0.88762, 0.0), (0.00401, -0.00401, 1.0)),
    "deutan": ((0.29275, 0.70725, 0.0), (0.29275, 0.70725, 0.0), (-0.02234, 0.02234, 1.0)),
}


@pytest.mark.parametrize("kind", _LACKING)
def test_the_four_colours_stay_apart_for_the_colour_blind(kind: str) -> None:
    """In the `colour-blind` theme every two colours differ clearly to who cannot tell red from green."""
    table = THEMES["colour-blind"].table(ColorDepth.DEPTH_24_BIT)
    seen = {}
    for name in COLOURS:
        light = linear(rgb(table[f"on-{name}"], ground=True))
        seen[name] = [sum(m * c for m, c in zip(row, light, strict=True)) for row in _LACKING[kind]]
    for one, other in itertools.combinations(COLOURS, 2):
        difference = max(abs(a - b) for a, b in zip(seen[one], seen[other], strict=True))
        assert difference > 0.1, (kind, one, other, difference)


def codes(raw: str) -> set[str]:
    """The colour codes in a stream: the numbers of every SGR sequence that sets one."""
    found = re.findall(r"\x1b\[([0-9;]*)m", raw)
    return {code for code in found if re.search(r"(^|;)(3[0-8]|4[0-8]|9[0-7]|10[0-7])(;|$)", code)}


@pytest.mark.parametrize("depth", DEPTHS)
def test_golden_colours_at_every_depth(depth: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """P11: the same table with no, 16, 256 and all colours: what each cell of the pile and the hand looks like.

    To renew a golden file after a change that is meant, delete it and run this twice.
    """
    monkeypatch.delenv("NO_COLOR", raising=False)

    runs: list[str] = []

    async def test(rig: Rig) -> None:
        await rig.shows("Enter: ")
        screen = rig.terminal.screen
        for y in range(1, screen.lines):  # the title counts the seconds
            # Blanks are left out: which of them a terminal has been sent depends on what stood there before.
            cells = [cell for x in range(screen.columns) if (cell := screen.buffer[y][x]).data != " "]
            for (fg, bg, bold), run in itertools.groupby(cells, lambda c: (c.fg, c.bg, c.bold)):
                text = "".join(cell.data for cell in run)
                runs.append(f"{y:2} {fg:13} {bg:13} {'bold' * bold:4} {text}")

    rig = with_screen(test, seats=3, seed=1, manner=Manner(colours=depth, motion=False))
    shown = "\n".join(line.rstrip() for line in runs) + "\n"
    path = GOLDEN / f"colours-{depth}.txt"
    if not path.exists():
        path.write_text(shown, encoding="utf-8")
        pytest.fail(f"{path.name} was missing and has been written: look at it")
    assert shown == path.read_text(encoding="utf-8")
    used = codes(rig.terminal.raw)
    assert bool(used) == (depth != "none")
    assert any("8;2;" in code for code in used) == (depth == "24bit")
    assert any("8;5;" in code for code in used) == (depth == "256")


def test_option_before_no_color_before_settings(monkeypatch: pytest.MonkeyPatch) -> None:
    """P09."""
    monkeypatch.setenv("NO_COLOR", "1")
    assert colour_depth(manner_of({}, {"colours": "24bit"}).colours) is ColorDepth.DEPTH_1_BIT
    assert colour_depth(manner_of({"colours": "16"}).colours) is ColorDepth.DEPTH_4_BIT
    monkeypatch.setenv("NO_COLOR", "")
    assert colour_depth(manner_of({}, {"colours": "24bit"}).colours) is ColorDepth.DEPTH_24_BIT
    assert colour_depth(manner_of({}).colours) is ColorDepth.DEPTH_4_BIT
    with pytest.raises(Usage, match="'purple'"):
        manner_of({}, {"colours": "purple"})


def test_a_theme_of_ones_own_says_what_differs_from_its_base(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text('base = "high-contrast"\n[styles]\ntitle = "bold"\n[rich]\nred = "#ff0000"\n', "utf-8")
    theme = theme_of(str(file))
    assert theme.name == "mine"
    assert theme.table(ColorDepth.DEPTH_4_BIT)["title"] == "bold"
    assert theme.table(ColorDepth.DEPTH_4_BIT)["red"] == HIGH_CONTRAST.table(ColorDepth.DEPTH_4_BIT)["red"]
    assert theme.table(ColorDepth.DEPTH_24_BIT)["red"] == "#ff0000"


@pytest.mark.parametrize(
    ("text", "what"),
    [
        ("[styles]\nred = 3\n", "hold texts"),
        ('[styles]\npurple = "bold"\n', "'purple' is no style"),
        ('[styles]\nred = "bald"\n', "bald"),
        ('base = "mine"\n', "its base is 'mine'"),
        ('colour = "red"\n', "'colour', which means nothing"),
        ("[styles\n", "is no theme"),
        ("styles = 1\n", "hold texts"),
    ],
)
def test_a_file_that_is_no_theme_is_told_with_what_is_wrong(tmp_path: Path, text: str, what: str) -> None:
    file = tmp_path / "bad.toml"
    file.write_text(text, "utf-8")
    with pytest.raises(Damaged, match=re.escape(what)):
        theme_of(str(file))


def test_a_theme_that_there_is_not_is_answered_with_the_list() -> None:
    with pytest.raises(Usage) as caught:
        theme_of("neon")
    assert "colour-blind" in caught.value.hint


@pytest.mark.parametrize(
    ("variables", "ascii_only", "expected"),
    [
        ({"LANG": "de_DE.UTF-8"}, False, UNICODE),
        ({"LANG": "de_DE.UTF-8"}, True, ASCII),
        ({"LANG": "ja_JP.UTF-8"}, False, ASCII),
        ({"LANG": "de_DE.UTF-8", "LC_ALL": "zh_CN.UTF-8"}, False, ASCII),
        ({"LANG": "de_DE.UTF-8", "TERM": "linux"}, False, ASCII),
    ],
)
def test_frames_are_of_known_width_on_every_terminal(
    variables: dict[str, str], ascii_only: bool, expected: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """P06, P07, P13."""
    for name in ("LC_ALL", "LC_CTYPE", "LANG", "TERM"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)

    class Utf8:
        encoding = "utf-8"

    monkeypatch.setattr("cli.theme.sys.stdout", Utf8())
    assert glyphs(ascii_only) == expected


def test_a_stream_that_is_not_utf_8_gets_ascii(monkeypatch: pytest.MonkeyPatch) -> None:
    class Latin:
        encoding = "iso-8859-1"

    monkeypatch.setattr("cli.theme.sys.stdout", Latin())
    monkeypatch.setenv("TERM", "xterm")
    assert glyphs() == ASCII
