"""The help of the full screen: first the keys, then how the game goes and what the signs mean."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from cli.canvas import Piece, Row
from cli.language import N_, _
from cli.setup.draw import help_rows
from cli.setup.model import Setup
from cli.table.chooser import SIGNS, Chooser
from cli.table.look import Look
from cli.text import cut

HELP: Final = (
    N_("left right, 1-9, click   choose a card; 0 is the tenth; up down, Home End"),
    N_("Enter                    play it; so does a second click"),
    N_("click                    the keys in the last line are buttons"),
    N_("r y g b  w               to that colour, to a Wild; on a Wild: its colour"),
    N_("d                        draw a card"),
    N_("k                        keep the card just drawn"),
    N_("u                        call UNO with the play that leaves"),
    N_("                         one card; or at once if you forgot"),
    N_("c  p                     catch who forgot UNO; pass"),
    N_("c  a                     challenge a Wild Draw Four; accept"),
    N_("i                        what a card says: yours, the top card, Enemies,"),
    N_("                         Items, the Location, powers, what is burnt; i goes on"),
    N_("l  PgUp PgDn  wheel      the log on the whole screen; back and forth in it"),
    N_("t  p  m                  talk to all; a quick phrase; hear somebody no more"),
    N_("Esc                      take back what is not played yet"),
    N_("Ctrl-L                   draw the screen anew"),
    N_("q  Ctrl-C                leave the table (q asks once)"),
    "",
    N_("In a list: arrows, numbers and letters choose, Enter takes it, Esc goes one"),
    N_("question back. Nothing is sent before the last Enter."),
)
HELP_COMPACT: Final = (
    N_("left right 1-9   choose"),
    N_("Enter            play it, take it"),
    N_("r y g b w        to a colour; name it"),
    N_("d / k            draw / keep the card"),
    N_("u                UNO, at two cards"),
    N_("c / p            catch / pass"),
    N_("c / a            challenge / accept"),
    N_("i                what a card says"),
    N_("l PgUp PgDn      the log"),
    N_("t / p / m        talk / phrase / mute"),
    N_("Esc              take back, go back"),
    N_("Ctrl-L / q       draw anew / leave"),
)
HELP_WATCHING: Final = (
    N_("i                what a card says"),
    N_("l PgUp PgDn      the log"),
    N_("Ctrl-L           draw the screen anew"),
    N_("q                watch no longer"),
    "",
    N_("You have no seat: nothing can be played."),
    N_("Hidden cards are hidden from you, too."),
)
GOAL: Final = (
    N_("Whoever plays the last card wins. A card fits by the colour in force, by the"),
    N_("number or sign of the top card; a Wild fits on anything and names a colour."),
    "",
    N_("R Y G B  W               red, yellow, green, blue; a Wild"),
    N_("+2  R  S  W4             Draw Two, Reverse, Skip, Wild Draw Four"),
    N_("ok, or ^ beside a card   it can be played now;  [ ] it is chosen"),
    N_(">                        acts now;  >> << which way play goes"),
    N_("UNO                      has one card left, and called it"),
    N_("UNO?                     has one card left and did not call: catch it"),
    N_("off, out                 no link to that player; no longer in the game"),
)
"""How the game goes, and the signs of every game."""
SIGNS_CLASSIC: Final = (
    N_("40 p, pts                points of this match"),
    N_("WS                       the Wild of this game: i tells what it does"),
)
SIGNS_HEROES: Final = (
    N_("cards, deck, burnt       in the hand, to come, on the Burn Pile; whose deck"),
    N_("                         runs dry is out, and the last one left wins"),
    N_("R5*                      a star: the Danger icon, which flips a Danger card"),
    N_("fresh                    an Enemy that cannot be beaten before the next turn"),
    N_("WBTO                     a Wild of a hero: i tells what it does"),
    N_("(house)                  a text of our own, as the printed one is not known"),
)
GOAL_COMPACT: Final = (
    N_("ok ^      fits: colour, number, sign"),
    N_("[ ]       is chosen"),
    N_(">  >> <<  acts now; which way it goes"),
    N_("!  ?!     UNO; UNO was not called"),
    N_("W W4      Wild, Wild Draw Four"),
    N_("R S       Reverse, Skip"),
)
SIGNS_HEROES_COMPACT: Final = (
    N_("6/33/4    hand, deck, burnt"),
    N_("x @ i2    Enemy, Location, Items"),
    N_("*         flips a Danger card"),
    N_("house     a text of our own"),
)


def help_page(look: Look, setup: Setup, chooser: Chooser, columns: int, height: int, full: bool) -> list[Row]:
    """The open page of the help, in at most `height` rows."""
    lines: Sequence[str] = HELP_WATCHING if chooser.watching else HELP if full else HELP_COMPACT
    if chooser.help == SIGNS and full:
        lines = (*GOAL, *(SIGNS_HEROES if look.heroes else SIGNS_CLASSIC))
    elif chooser.help == SIGNS:
        lines = (*GOAL_COMPACT, *(SIGNS_HEROES_COMPACT if look.heroes else ()))
    elif setup.gathering:
        lines = help_rows(setup, full)
    blank: list[Row] = [[]] if height > len(lines) else []
    return [*blank, *([Piece("", f" {cut(_(line), columns - 2)}")] for line in lines[: max(0, height)])]
