"""The rulings on going out, winning, leaving, absence and the call UNO, by number."""

from __future__ import annotations

import random

import pytest

from p2puno.bots import random_legal
from p2puno.dealer import OpenDealer
from p2puno.engine import new_game
from p2puno.happenings import What
from p2puno.match import Match
from p2puno.moves import Burn, Draw, IllegalMove, Keep, Order, Pick, Play, Swap
from p2puno.needs import Ask, Attest, Decide, Mix, Open, Over, Said, Say, Show, Window
from p2puno.outcome import Ending, Outcome
from p2puno.rules import Rules
from p2puno.ultimate.engine import UltimateGame
from p2puno.view import view
from tests.ultimate.table import ALL, DC, Table, start, told, walk


def test_r48_r54_who_takes_the_last_card_is_out_and_cannot_play_it():
    table = Table("superman", "hulk", "thor", sizes={0: 1}, decks={0: "R5"})
    out = table.go("draw")
    assert told(out, What.OUT)[0].seat == 0
    assert table.need.seat == 1
    assert table.need.ask is Ask.TURN


def test_r48_a_penalty_can_put_out_and_the_rest_of_the_play_lapses():
    table = Table("superman", "hulk", "thor", hands=["WHV R1"], sizes={0: 2})
    out = table.go("WHV>R", "catch 2")
    assert told(out, What.OUT)[0].seat == 0
    assert table.burned() == [0, 0, 0]
    assert table.need.seat == 1


def test_r49_enemy_and_items_go_to_the_discard_and_the_hand_stays_unseen():
    table = Table("superman", "hulk", "shuri", sizes={0: 1}, enemies={0: "zod"}, items={0: "kinetic_force_shield"},
                  location="metropolis")  # fmt: skip
    table.go("draw")
    assert table.spent() == ["zod", "kinetic_force_shield"]
    assert table.location() == "metropolis"
    hidden = table.game.hands[0]
    assert len(hidden) == 3
    assert all(view(table.game, 1).face_of(slot) == -1 for slot in hidden)


def test_r50_as_soon_as_one_player_is_left_that_player_wins_before_the_own_share():
    table = Table("hulk", "superman", "thor", hands=["R1 R2 R4"], danger="rampage", sizes={0: 1, 1: 1, 2: 1})
    table.go("R1")
    assert table.outcome == Outcome(Ending.LAST_STANDING, 2, 0, ((), (), ()))
    assert table.decks() == [0, 0, 1]


def test_r51_the_started_step_is_finished_the_later_ones_lapse():
    table = Table("hulk", "superman", "thor", hands=["R1 R2 R4"], danger="rampage", sizes={0: 1})
    out = table.go("R1")
    assert table.burned() == [1, 1, 1]
    assert len(told(out, What.DANGER)) == 1, "no second card: its owner is out"
    assert table.need.seat == 1


def test_r52_lost_and_extra_turns_of_who_is_out_vanish():
    table = Table("hulk", "superman", "thor", hands=["WU R2 R4"], sizes={0: 3})
    table.game.lost = 1
    table.go("WU>R")
    assert (table.game.lost, table.game.extra) == (0, 0)
    assert table.need.seat == 1


def test_r53_the_last_card_wins_at_once_without_effect_battle_or_danger():
    table = Table("superman", "aquaman", hands=["WHV"], enemies={0: "zod"})
    table.go("WHV>R")
    assert table.outcome == Outcome(Ending.EMPTY_HAND, 0, 0, ((), ()))
    assert table.burned() == [0, 0]
    assert table.enemy(0) == "zod"


def test_r53_a_hand_that_an_effect_empties_is_looked_at_when_all_is_done():
    table = Table("thor", "superman", hands=["R1 B4"], danger="malekith")
    table.go("R1!", "burn B4")
    assert table.counts()[0] == 1, "Malekith burns the last card, then adds one: no win"


def test_r53_out_of_turn_and_first_from_the_active_player_on():
    """No pack can leave a hand empty (its own steps add again), so two hands are emptied here by hand."""
    table = Table("superman", "thor", "hulk", turn=1, hands=["R1 R2", "R2 R4 R6", "R1 R2"])
    game = table.game
    for seat in (0, 2):
        game.burns[seat], game.hands[seat] = game.hands[seat], []
        for slot in game.burns[seat]:
            game.public[slot] = table.dealer.truth[slot]
    game.emptied = True
    table.go("R2")
    assert table.outcome.winner == 2
    assert table.outcome.ending is Ending.EMPTY_HAND


@pytest.mark.parametrize("seed", range(24))
def test_r56_any_seat_can_leave_at_any_need_and_the_others_go_on(seed):
    """Ten steps apart, at every kind of need; the rest of the hand is played out."""
    dice = random.Random(seed)
    rules = Rules.make("marvel", heroes=dice.sample(ALL, 3 + seed % 2), ask_optional=True)
    for steps, (game, dealer, _) in enumerate(walk(rules, seed, dice, steps=400)):
        if steps % 5 or isinstance(game.need, Over):
            continue
        for seat in (seat for seat in range(game.players) if game.plays(seat)):
            twin, other, bot = game.copy(), dealer.copy(random.Random(1)), random_legal(random.Random(seed + steps))
            told_out = twin.leave(seat)
            assert told_out[0].what is What.LEFT
            with pytest.raises(ValueError, match="not in the hand"):
                twin.leave(seat)
            other.check(twin)
            for _ in range(60):
                need = twin.need
                if isinstance(need, Decide):
                    assert need.seat != seat
                    assert not (need.ask is Ask.TARGET and seat in need.options)
                    twin.apply(bot(view(twin, need.seat)))
                elif isinstance(need, Window):
                    assert seat not in need.seats
                    twin.apply(twin.default(need))
                elif isinstance(need, Over):
                    break
                else:
                    assert not isinstance(need, Open | Mix | Show | Attest) or seat not in named_in(twin, need)
                    other.serve(twin)
                    other.check(twin)


def named_in(game, need):
    """The seats whose cards a need opens, mixes, shows or attests."""
    match need:
        case Open(to):
            return {game.owner_of(slot) for slot, _ in to}
        case Mix(hands):
            return {seat for seat, _ in hands}
        case Show(seat=seat, to=to):
            return {seat, to}
    return {need.seat}


def test_r56_of_two_players_the_one_who_leaves_forfeits():
    table = Table("superman", "hulk")
    table.game.leave(0)
    assert table.outcome == Outcome(Ending.FORFEIT, 1, 0, ((), ()))


def test_r56_the_choice_of_a_seat_that_left_falls_to_the_only_one_that_is_left():
    table = Table("superman", "hulk", "thor", hands=["WHV R1 R2"])
    table.go("WHV>R")
    table.log += table.game.leave(1)
    table._settle()
    assert table.burned() == [0, 0, 6]


def test_r57_defaults_by_public_facts():
    table = Table("superman", "green_lantern", "hulk", hands=["WHV R1 R2"])
    game = table.game
    assert game.default(game.need) == Draw()
    table.go("WHV>B")
    assert game.default(game.need) == Pick(1), "the first of the public options"
    table.go("pick 1")
    assert game.default(game.need) == Pick(0), "no cost is paid"
    game.apply(game.default(game.need))
    game.apply(game.default(game.need))
    table._settle()
    assert game.default(game.need) == Keep()
    need = Decide(0, Ask.COLOUR, options=(0, 1, 2, 3))
    assert game.default(need) == Pick(3), "the colour stays"
    assert game.default(Decide(0, Ask.ORDER, options=(4, 5))) == Order((4, 5))
    assert game.default(Decide(0, Ask.SWAP, slot=3)) == Swap()
    assert game.default(Decide(0, Ask.MAY, options=(1, 0))) == Pick(1)
    for hidden in Decide(0, Ask.BURN, count=1), Attest(0, (1,), (2,), all_outside=True), Show(0, (1,), 1):
        with pytest.raises(LookupError):
            game.default(hidden)


def test_r57_an_absent_player_whose_card_must_be_played_plays_it():
    table = Table("superman", "hulk", hands=["R1 R2"], decks={0: "WHV"}, force_play=True)
    table.go("draw")
    play = table.game.default(table.game.need)
    assert isinstance(play, Play)
    table.game.apply(play)
    assert table.game.colour == 0


@pytest.mark.parametrize("seed", range(6))
def test_r57_a_hand_of_absent_players_ends(seed):
    """Everybody is absent: defaults only; what must be opened is opened, lowest place first."""
    rules = Rules.make("dc", heroes=random.Random(seed).sample(ALL, 3))
    game, dealer = start(rules, 3, 0, random.Random(seed))
    for _ in range(3000):
        need = game.need
        if isinstance(need, Over):
            break
        if isinstance(need, Decide) and need.ask is Ask.BURN:
            cards = [(slot, dealer.truth[slot]) for slot in game.hands[need.seat]]
            game.apply(Burn(tuple(c for c in cards if not need.options or c[1] in need.options)[: need.count]))
        elif isinstance(need, Decide | Window):
            game.apply(game.default(need))
        else:
            dealer.serve(game)
    assert isinstance(game.need, Over)


def test_r58_a_match_goes_to_the_first_to_so_many_games_without_points():
    match = Match(Rules.make("dc", heroes=DC, match_wins=2), 4, 0)
    for winner in (1, 0, 1):
        assert not match.over
        match.finish(Outcome(Ending.EMPTY_HAND, winner, 0, ((),) * 4))
    assert match.over
    assert match.winner == 1
    assert match.scores == [0, 0, 0, 0]


def test_r59_r60_r61_the_window_opens_before_the_effect_and_a_call_ends_it():
    table = Table("superman", "hulk", "thor", hands=["WHV R1"])
    table.go("WHV>R")
    assert table.need == Window((1, 2, 0), 0)
    assert table.burned() == [0, 0, 0]
    assert told(table.go("call"), What.CALLED)
    assert table.need.ask is Ask.TARGET
    table = Table("superman", "hulk", "thor", hands=["WHV R1"])
    table.go("WHV>R!")
    assert table.need.ask is Ask.TARGET, "the call rode on the play"


def test_r60_a_call_with_another_hand_size_does_nothing():
    table = Table("superman", "hulk", hands=["R1 R2 R4"])
    assert not told(table.go("R1!"), What.CALLED)


def test_r62_several_catches_are_one_and_the_penalty_is_an_option():
    table = Table("superman", "hulk", "thor", hands=["R4 R2"])
    table.go("R4", "catch 1 2")
    assert table.counts()[0] == 3
    table = Table("superman", "hulk", "thor", hands=["R4 R2"], uno_penalty=0)
    table.go("R4")
    assert table.need.seat == 1


def test_r63_a_seat_that_is_out_takes_no_part_in_the_window():
    table = Table("superman", "hulk", "thor", hands=["R1 R2"])
    table.game.leave(2)
    table.go("R1")
    assert table.need == Window((1, 0), 0)
    with pytest.raises(IllegalMove):
        table.game.apply(Said(((1, Say.CALL), (0, Say.SILENT))))


@pytest.mark.parametrize("away", [0, 1, 3])
def test_a_hand_without_a_seat_that_left_the_match(away):
    """R4, R56: its deck and its Danger cards take no part; who leads is the next seat if it was to lead."""
    rules, dice = Rules.make("dc", heroes=DC), random.Random(away)
    game = new_game(rules, 4, 0, away=[away])
    assert isinstance(game, UltimateGame)
    dealer, bot = OpenDealer(rules, 4, dice), random_legal(dice)
    own = {slot for slot in range(rules.slots) if game.owner_of(slot) == away}
    while not isinstance(game.need, Over):
        need = game.need
        if isinstance(need, Decide):
            assert need.seat != away
            game.apply(bot(view(game, need.seat)))
        elif isinstance(need, Window):
            game.apply(game.default(need))
        else:
            dealer.serve(game)
        dealer.check(game)
        assert set(game.decks[away]) == own
        assert len(game.aside) == 8
    assert game.need.outcome.winner != away
