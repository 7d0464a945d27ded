"""How the four games are played, in a few paragraphs each."""

from __future__ import annotations

from typing import Final

from cli.language import N_

_CLASSIC: Final = (
    N_(
        "Everybody gets a hand. On your turn play one card that matches the top card in colour, number or symbol, or a "
        "Wild; or take one card, which may be played at once if it fits. Whoever has played the last card wins the "
        "hand."
    ),
    N_(
        "Draw Two: the next player draws 2 and loses the turn. Skip: the next player loses the turn. Reverse: the "
        "direction turns, and of two players the other one loses the turn. Wild: you name the colour."
    ),
    N_(
        "Wild Draw Four: name a colour, the next player draws 4 and loses the turn. It is right only if you hold no "
        "card of the colour in force and no other Wild. The next player may challenge: if it was wrong you draw 4, "
        "else they draw 6."
    ),
)
_HEROES: Final = (
    N_(
        "Everybody plays a hero with a deck of 47 cards, a power and eight Danger cards, and is dealt from the own "
        "deck. There is no card on the pile at first: the first player plays any card."
    ),
    N_(
        "On your turn play a card that matches in colour, number or symbol, or a Wild, which also does what it says; "
        "or add one card from your deck. Whoever has played the last card wins. Whose deck runs dry is out; the last "
        "one left wins."
    ),
    N_(
        "Add n: take n cards from your deck to your hand. Draw n: the same, and lose the next turn. Burn n: put n "
        "cards from your deck face up on your Burn Pile. Recover n: put n cards from there under your deck."
    ),
    N_(
        "A card with the Danger icon (*) flips a Danger card. An Enemy attacks who flipped it until a card with one of "
        "its icons beats it, but never in the turn in which it came. An Event acts once. A Location acts on everybody "
        "until another one comes. An Item stays with its player, three at most."
    ),
    N_("Cards marked `house` are of our own design, because the printed cards are not publicly known."),
)
_UNO: Final = N_(
    "UNO: call it with the play that leaves one card. Who forgets can be caught for a moment and takes cards."
)

HOW: Final = {
    "batman": (
        *_CLASSIC,
        N_(
            "Bat Signal (Wild): the next player draws, one by one, until a Batman (1), Robin (2), Batgirl (3) or "
            "Nightwing (4) comes, and keeps all of it."
        ),
        _UNO,
    ),
    "dbz": (
        *_CLASSIC,
        N_(
            "Shenron's Wish (Wild): flip the top card of the draw pile and name a colour. If the card bears a Dragon "
            "Ball (which ones do is our own choice), wish: the next player draws 2; or the direction turns; or a "
            "player loses the next turn; or you play another card of the colour you named, or a Wild."
        ),
        _UNO,
    ),
    "dc": (*_HEROES, _UNO),
    "marvel": (*_HEROES, _UNO),
}
"""Paragraphs by game."""
