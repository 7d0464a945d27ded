"""What holds in every state that can be reached (conservation, liveness, secrecy, refusals, copies), seeded and by
hypothesis."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from itertools import product

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from p2puno.bots import random_legal, sensible
from p2puno.dealer import OpenDealer
from p2puno.engine import Game
from p2puno.moves import Accept, Challenge, Draw, Keep, Move, MoveError, Pick, Play, Wish, WishFor
from p2puno.needs import (
    ALL,
    Ask,
    Attest,
    Attested,
    Conceded,
    Decide,
    Give,
    Given,
    Mixed,
    Need,
    Open,
    Opened,
    Over,
    Said,
    Say,
    Shown,
    Shuffle,
    Shuffled,
    Window,
)
from p2puno.outcome import Ending
from p2puno.rules import Rules
from p2puno.view import View, check, legal, odds, view
from tests.engine.table import Table

OPTIONS = {
    "force_play": st.booleans(),
    "draw_until_playable": st.booleans(),
    "stacking": st.booleans(),
    "seven_zero": st.booleans(),
    "hand_size": st.integers(5, 9),
    "play_after_draw": st.booleans(),
    "challenge": st.booleans(),
    "challenge_shows": st.sampled_from(["challenger", "all"]),
    "draw_on_skipped": st.sampled_from(["cards", "ignore"]),
    "uno_penalty": st.integers(0, 4),
}
OWN = {"batman": "signal_skips", "dbz": "wish_draw_skips"}


def make_rules(variant: str, own: bool, options: dict[str, bool | int | str]) -> Rules:
    """Rules of a game with its own option and these; of options that do not go together the last ones give way."""
    chosen = dict(options)
    if chosen.get("force_play") or chosen.get("draw_until_playable"):
        chosen["play_after_draw"] = True
    if chosen.get("force_play"):
        chosen["draw_until_playable"] = False
    return Rules.make(variant, **{OWN[variant]: own}, **chosen)


TABLES = st.builds(
    lambda players, seed, variant, own, options: (players, seed, make_rules(variant, own, options)),
    st.integers(2, 10),
    st.integers(0, 2**32),
    st.sampled_from(["batman", "dbz"]),
    st.booleans(),
    st.fixed_dictionaries({}, optional=OPTIONS),
)
EVERYTHING = Rules.make("dbz", stacking=True, seven_zero=True, wish_draw_skips=True)


def walk(
    players: int, seed: int, rules: Rules, steps: int = 20_000, wanders: bool = False
) -> Iterator[tuple[Game, OpenDealer]]:
    """A hand by random moves; the game and its dealer at every need up to the end, or for so many steps."""
    dice = random.Random(seed)
    game, dealer = Game(rules, players, seed % players), OpenDealer(rules, players, dice)
    bot = random_legal(dice, forgets=True, wanders=wanders)
    for _ in range(steps):
        yield game, dealer
        need = game.need
        if isinstance(need, Decide):
            game.apply(bot(view(game, need.seat)))
        elif isinstance(need, Window):
            game.apply(Said(tuple((seat, bot.say(view(game, seat))) for seat in need.seats)))
        elif isinstance(need, Over):
            return
        else:
            dealer.serve(game)


@settings(max_examples=25, deadline=None)
@given(TABLES, st.booleans())
def test_cards_are_conserved_and_someone_can_always_go_on(table, wanders):
    """V19, V37, V42-V44: nothing is lost, doubled or invented; V17, V18: there is always a legal move."""
    for game, dealer in walk(*table, steps=400, wanders=wanders):
        dealer.check(game)
        need = game.need
        if isinstance(need, Decide):
            assert legal(view(game, need.seat))
            assert all(not legal(view(game, seat)) for seat in range(game.players) if seat != need.seat)
        elif isinstance(need, Open):
            assert need.to
        elif isinstance(need, Attest):
            assert need.slots
        elif isinstance(need, Give):
            assert need.gifts
        elif isinstance(need, Shuffle):
            assert all(slots for _, slots in need.piles)
        assert game.public[game.piles["discard"][-1]] == game.top if game.piles["discard"] else game.top == -1


@settings(max_examples=20, deadline=None)
@given(TABLES, st.booleans())
def test_v36_every_hand_comes_to_an_end_in_bounded_steps_whatever_is_played(table, wanders):
    """Between two of the 25 shuffles of R64 each turn takes a card, plays one, or brings R65 nearer."""
    last = None
    for game, _ in walk(*table, wanders=wanders):
        last = game
    assert last is not None
    assert isinstance(last.need, Over)
    outcome = last.need.outcome
    assert outcome.ending in (Ending.EMPTY_HAND, Ending.BLOCKED)
    if outcome.ending is Ending.EMPTY_HAND:
        assert outcome.hands[outcome.winner] == ()
        assert outcome.points == sum(last.rules.kinds[face].points for hand in outcome.hands for face in hand)


COMBINED = [
    dict(zip(("force_play", "draw_until_playable", "stacking", "seven_zero", "wish_draw_skips"), flags, strict=True))
    for flags in product((False, True), repeat=5)
    if not (flags[0] and flags[1])
]


@pytest.mark.parametrize("options", COMBINED, ids=lambda options: "+".join(k for k, on in options.items() if on) or "-")
def test_v17_every_option_and_every_combination_leaves_somebody_a_move_to_the_end(options):
    """The five options that change who must do what, each alone and with all others that go with it."""
    rules = Rules.make("dbz", **options)
    for seed, players in enumerate((2, 3, 6)):
        for steps, (game, dealer) in enumerate(walk(players, seed, rules, wanders=seed == 1)):
            if isinstance(game.need, Decide):
                assert legal(view(game, game.need.seat))
            if steps % 16 == 0:
                dealer.check(game)
        assert isinstance(game.need, Over)


def sayable(seen: View, rules: Rules) -> list[Move]:
    """Moves that could be said, right or wrong, with true faces and no calls."""
    cards = [(s, f, c) for s, f in seen.hand for c in ((-1, 0, 1, 2, 3) if rules.kinds[f].wild else (-1,))]
    said: list[Move] = [Draw(), Keep(), Challenge(), Accept(), *map(Pick, range(-1, seen.players + 1))]
    said += [Play(*card) for card in cards]
    if rules.variant == "dbz":
        for colour, wish in product(range(-1, 4), WishFor):
            said += [Wish(colour, wish, target) for target in range(-1, seen.players + 1)]
            said += [Wish(colour, wish, -1, *card) for card in cards]
    return said


@settings(max_examples=15, deadline=None)
@given(TABLES)
def test_what_is_legal_is_taken_and_what_is_not_is_refused(table):
    """legal(), check() and apply() agree on every play that could be said."""
    players, seed, rules = table
    for game, _ in walk(players, seed, rules, steps=150):
        need = game.need
        if not isinstance(need, Decide):
            continue
        seen = view(game, need.seat)
        listed = {replace(m, uno=False) if isinstance(m, Play | Wish) else m for m in legal(seen)}
        for move in sayable(seen, rules):
            try:
                check(seen, move)
                stands = True
            except MoveError:
                stands = False
            assert stands == (move in listed)
            if stands:
                game.copy().apply(move)


PHASES = [
    *(Draw(), Keep(), Challenge(), Accept(), Shuffled(), Mixed(), Given(), Conceded()),
    *(Wish(0), Wish(1, WishFor.DRAW), Wish(4), Wish(0, WishFor.SKIP, 99), Pick(1), Pick(-1), Shown()),
    *(Opened(()), Opened(((0, 0),)), Said(()), Said(((0, Say.CATCH), (1, Say.CATCH)))),
    *(Attested(()), Attested((True,)), Attested((True,) * 6)),
    *(Play(0, 0), Play(5, 52, 1), Play(5, 52), Play(200, 1), Play(3, 99), Play(3, -1), Play(2, 7, 3)),
    *("draw", None, 7),
]


def fits(need: Need, answer: object) -> bool:
    """Whether an answer of the list above is one for this need, plays aside."""
    match need, answer:
        case (Decide(ask=Ask.TURN), Draw()) | (Decide(ask=Ask.DRAWN), Keep()):
            return True
        case (Decide(ask=Ask.CHALLENGE), Challenge()) | (Shuffle(), Shuffled()) | (Give(), Given()):
            return True
        case (Decide(ask=Ask.CHALLENGE | Ask.STACK), Accept()):
            return True
        case (Decide(ask=Ask.STACK, options=faces), Challenge()):
            return len(faces) == 1
        case (Decide(ask=Ask.WISH, options=granted), Wish(0 | 1, wish, -1)):
            return bool(granted) == (wish == WishFor.DRAW)
        case (Decide(ask=Ask.HANDS, options=seats), Pick(seat)):
            return seat in seats
        case (Open(to), Opened(faces)):
            return [slot for slot, _ in faces] == [slot for slot, receiver in to if receiver == ALL]
        case (Attest(may_concede=concede), Conceded()):
            return concede
        case (Attest(slots=slots, all_outside=outside), Attested(inside)):
            return len(slots) == len(inside) and not (outside and any(inside))
    return type(need).__name__ == "Mix" and isinstance(answer, Mixed)


@pytest.mark.parametrize("rules", [Rules.make("batman"), EVERYTHING], ids=["batman", "dbz"])
@pytest.mark.parametrize("seed", range(8))
def test_v20_v40_every_phase_refuses_what_is_not_its_own_and_stays_as_it_was(seed, rules):
    refused = taken = 0
    for game, _ in walk(2 + seed % 4, seed, rules, steps=250):
        before = game.state_hash()
        private = repr((game.known, game.memory))
        for answer in PHASES:
            if isinstance(answer, Play):
                need = game.need
                if isinstance(need, Decide) and answer.slot in game.hands[need.seat]:
                    continue
            if fits(game.need, answer):
                game.copy().apply(answer)
                taken += 1
                continue
            with pytest.raises(MoveError):
                game.apply(answer)
            refused += 1
        assert game.state_hash() == before
        assert repr((game.known, game.memory)) == private
    assert refused > 400
    assert taken > 20


@settings(max_examples=10, deadline=None)
@given(TABLES)
def test_a_copy_is_independent(table):
    players, seed, rules = table
    for steps, (game, dealer) in enumerate(walk(players, seed, rules, steps=120)):
        if steps % 7:
            continue
        before, twin = game.state_hash(), game.copy()
        assert twin.state_hash() == before
        other = dealer.copy(random.Random(0))
        bot = random_legal(random.Random(1))
        for _ in range(25):
            if isinstance(twin.need, Decide):
                twin.apply(bot(view(twin, twin.need.seat)))
            elif isinstance(twin.need, Window):
                twin.apply(twin.default(twin.need))
            elif isinstance(twin.need, Over):
                break
            else:
                other.serve(twin)
        assert game.state_hash() == before
        dealer.check(game)


def everything(seen: View) -> dict[str, object]:
    """All that a view says."""
    names = [name for name in dir(View) if not name.startswith("_") and isinstance(getattr(View, name), property)]
    told: dict[str, object] = {name: getattr(seen, name) for name in names}
    told |= {"claim": seen.claim(), "legal": legal(seen), "odds": odds(seen)}
    told |= {
        "after": [seen.after(seat) for seat in range(seen.players)],
        "before": [seen.before(s) for s in range(seen.players)],
    }
    return told


@pytest.mark.parametrize("variant", ["batman", "dbz"])
@pytest.mark.parametrize("seed", range(6))
def test_a_view_says_nothing_that_its_seat_may_not_know(seed, variant):
    """A marker is planted in everything that is private to others: no view of this seat, and no hash, changes by it."""
    marker = 54
    rules = Rules.make(variant, challenge_shows="all" if seed % 2 else "challenger", seven_zero=variant == "dbz")
    for game, dealer in walk(2 + seed, seed, rules, steps=200):
        for seat in (*range(game.players), None):
            honest = everything(view(game, seat))
            marked = game.copy()
            for other in range(game.players):
                if other != seat:
                    marked.known[other] = [marker] * rules.slots
                    marked.memory[other, (other + 1) % game.players] = [marker] * 3
            assert everything(view(marked, seat)) == honest
            assert marked.state_hash() == game.state_hash()
        hidden = {slot for hand in game.hands for slot in hand} | set(game.piles["draw"])
        hidden -= {piece[2] for piece in game.agenda if piece[0] == "wish_play"}  # shown with the wish (R76)
        if not isinstance(game.need, Shuffle | Over):
            assert all(game.face(slot) == -1 for slot in hidden)
        dealer.check(game)


def test_a_watcher_sees_no_cards_and_has_no_moves():
    for game, _ in walk(3, 1, Rules.make("batman"), steps=80):
        seen = view(game, None)
        assert (seen.hand, seen.shown, legal(seen)) == ((), {}, [])


@pytest.mark.parametrize("rules", [Rules.make("batman"), EVERYTHING, Rules.make("dbz", force_play=True)])
def test_own_cards_are_known_whenever_the_seat_must_decide(rules):
    for game, _ in walk(4, 2, rules):
        if isinstance(game.need, Decide):
            assert all(face >= 0 for _, face in view(game, game.need.seat).hand)


@pytest.mark.parametrize("variant", ["batman", "dbz"])
@pytest.mark.parametrize("players", [2, 4, 10])
def test_the_sensible_player_always_finds_a_legal_move_and_calls_uno(players, variant):
    for seed in range(10):
        dice = random.Random(seed)
        options = {"stacking": seed % 3 == 1, "seven_zero": seed % 3 == 2, "force_play": seed == 4}
        rules = Rules.make(variant, challenge=seed % 2 == 0, draw_until_playable=seed == 5, **options)
        game, dealer = Game(rules, players, 0), OpenDealer(rules, players, dice)
        bot = sensible(dice)
        while not isinstance(game.need, Over):
            assert not isinstance(game.need, Window), "it never forgets the call"
            if isinstance(game.need, Decide):
                seen = view(game, game.need.seat)
                move = bot(seen)
                assert move in legal(seen)
                game.apply(move)
            else:
                dealer.serve(game)


def test_the_sensible_player_beats_random_ones():
    """The bar is 31 % against three that draw only if they must; measured at 41 %, here with a wide margin."""
    dice = random.Random(7)
    hero, other = sensible(dice), random_legal(dice)
    rules, won, hands = Rules.make("batman"), 0, 800
    for hand in range(hands):
        game, dealer = Game(rules, 4, hand // 4 % 4), OpenDealer(rules, 4, dice)
        while not isinstance(game.need, Over):
            if isinstance(game.need, Decide):
                seat = game.need.seat
                game.apply((hero if seat == hand % 4 else other)(view(game, seat)))
            else:
                dealer.serve(game)
        won += game.need.outcome.winner == hand % 4
    assert won / hands > 0.33


@pytest.mark.soak
@pytest.mark.parametrize("variant", ["batman", "dbz"])
@pytest.mark.parametrize("players", range(2, 11))
def test_twenty_thousand_hands(players, variant):
    """Every answer: no card too many or too few. Every twentieth hand: every card, every belief and the hash. Every
    other hand plays by the usual rules, the rest by all combinations of options."""
    for hand in range(20_000):
        options = {**COMBINED[hand // 2 % len(COMBINED)]} if hand % 2 else {}
        own = options.pop("wish_draw_skips", False)
        shows = "all" if hand // 64 % 2 else "challenger"
        rules = make_rules(variant, own, {**options, "challenge_shows": shows, "challenge": hand % 10 != 9})
        closely = hand % 20 == 0
        for game, dealer in walk(players, hand * 11 + players, rules, wanders=hand % 200 == 0):
            assert sum(map(len, game.hands)) + sum(map(len, game.piles.values())) == 112
            if closely:
                dealer.check(game)
                assert len(game.state_hash()) == 32
        dealer.check(game)
        assert isinstance(game.need, Over)


def test_v41_the_sensible_player_names_the_colour_it_holds_most():
    table = Table("W G1 G2 G3 B1", "Y1 Y2 Y3", top="R5")
    move = sensible(random.Random(1))(view(table.game, 0))
    assert isinstance(move, Play)
    assert move.colour == 2
