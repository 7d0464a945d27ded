"""Honest tables: everybody ends with the same state, nobody is accused, and a stranger reads the same from every
journal, whatever the links do."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from p2puno.needs import Say
from p2puno.rules import Rules
from protocol import events as tell
from protocol.deck import Held, Stock
from protocol.events import Phase
from protocol.group import group
from protocol.messages import Carry, decode_frame, open_entry
from protocol.node import Node
from protocol.payloads import Speak
from protocol.verdict import Verdict
from tests.protocol.readings import audit
from tests.protocol.simulator import Simulation

WILD_BOTS = {"forgets": True, "wanders": True}


def check(table: Simulation, folder: Path) -> Verdict:
    """All that must be true at the end of an honest table; returns what the journals say."""
    first = table.peers[0].node.table
    (over,) = table.peers[0].heard(tell.MatchOver)
    for peer in table.peers:
        assert not peer.heard(tell.Accused)
        assert not peer.heard(tell.Abandoned)
        assert peer.heard(tell.MatchOver) == [over]
        assert peer.node.table.phase is Phase.CLOSED
        assert peer.node.table.state() == first.state()
        assert peer.node.table.row == first.row
        assert sorted(peer.journal) == sorted(table.peers[0].journal)  # only the order may differ
    verdicts = [audit(table.write(seat, folder / f"{seat}.p2puno")) for seat in (0, len(table.peers) - 1)]
    for verdict in verdicts:
        assert (verdict.exit_code, verdict.problem) == (0, "")
        assert (verdict.winner, verdict.scores) == (over.winner, over.scores)
        assert verdict.hands == verdicts[0].hands
        assert verdict.state_hash == first.state().hex()
        assert verdict.steps == first.number
    return verdicts[0]


@pytest.mark.parametrize("players", [2, 4, 10])
def test_sensible_players(players: int, tmp_path: Path) -> None:
    table = Simulation(1, players, Rules.make("batman", hand_size=5))
    table.run()
    check(table, tmp_path)


@pytest.mark.parametrize(
    ("seed", "players", "options"),
    [
        (2, 3, {"challenge_shows": "all", "signal_skips": True}),
        (5, 3, {"uno_penalty": 0, "play_after_draw": False}),
        (3, 4, {"challenge": False}),
        (1, 3, {"hands": 3, "starter": "2"}),
        (7, 2, {"score_target": 100, "hand_size": 9}),
    ],
)
def test_options_with_players_that_forget(seed: int, players: int, options: dict[str, Any], tmp_path: Path) -> None:
    """Forgotten calls make UNO windows; random players challenge and play wrong Wild Draw Fours."""
    table = Simulation(seed, players, Rules.make("batman", **{"hand_size": 5, **options}), "random", {"forgets": True})
    table.run()
    verdict = check(table, tmp_path)
    if options.get("hands") == 3:
        assert len(verdict.hands) == 3
        assert [event.hand for event in table.peers[1].heard(tell.HandOver)] == [1, 2, 3]
    if "score_target" in options:
        assert max(verdict.scores) >= 100


def test_players_that_wander(tmp_path: Path) -> None:
    """Who draws although a card fits gets a huge hand."""
    table = Simulation(5, 2, Rules.make("batman", hand_size=5), "random", WILD_BOTS)
    table.run()
    check(table, tmp_path)


def test_all_kinds_of_steps_occur() -> None:
    """The tables above would show little if nobody was ever challenged, caught or hit by a Bat Signal."""
    seen: set[str] = set()
    for seed in range(12):
        table = Simulation(seed, 3, Rules.make("batman", hand_size=5), "random", {"forgets": True})
        kinds = seen

        class Watched(Node):
            def _learn(self, done: Any, kinds: set[str] = kinds) -> None:
                kinds.add(done.step.what)
                super()._learn(done)

        table.peers[0].node.__class__ = Watched
        table.run()
        if seen >= {"attestation", "uno window", "mixing hands", "shuffle", "shares", "move"}:
            return
    raise AssertionError(f"only {seen} occurred")


def test_same_seed_same_trace() -> None:
    tables = [Simulation(seed, 2, delay=0.3, twice=0.2, burst=0.1) for seed in (5, 5, 6)]
    for table in tables:
        table.run()
    assert tables[0].trace == tables[1].trace
    assert tables[0].trace != tables[2].trace
    assert tables[0].peers[1].journal == tables[1].peers[1].journal


@pytest.mark.parametrize(
    "weather",
    [{"delay": 2.0}, {"twice": 0.5, "delay": 0.5}, {"burst": 1.5}, {"burst": 0.3, "twice": 0.3, "delay": 1.0}],
)
def test_late_repeated_and_bunched_frames(weather: dict[str, float], tmp_path: Path) -> None:
    """Frames of different links overtake each other by seconds."""
    table = Simulation(21, 3, Rules.make("batman", hand_size=5), "random", {"forgets": True}, **weather)  # type: ignore[arg-type]
    table.run()
    check(table, tmp_path)


def test_links_that_break_and_heal(tmp_path: Path) -> None:
    """What was on its way is lost with the link; the heads that are told on the new one bring it back."""
    table = Simulation(31, 4, Rules.make("batman", hand_size=5), "random", {"forgets": True})
    dice = random.Random(7)
    time = 0.0
    for _ in range(60):
        time += dice.random()
        a, b = dice.sample(range(4), 2)
        table.at(time, lambda a=a, b=b: table.cut(a, b))  # type: ignore[misc]
        table.at(time + 3 * dice.random(), lambda a=a, b=b: table.link(a, b))  # type: ignore[misc]
    table.run()
    check(table, tmp_path)


def test_a_pair_that_never_has_a_link(tmp_path: Path) -> None:
    """What one pair cannot bring across comes by the others: whoever stands still tells how far it knows all chains.
    The missing link counts as an absence, though, so the table must be done within the grace or move on."""
    rules = Rules.make("batman", hand_size=5, grace_seconds=600)
    table = Simulation(41, 3, rules, unlinked=frozenset({(0, 1)}))
    table.run()
    check(table, tmp_path)


def test_who_has_no_link_in_the_last_moment_hears_the_result(tmp_path: Path) -> None:
    """Whoever has ended the table waits a moment for a seat that lost its link, and not for one that is gone."""
    table = Simulation(7, 3, Rules.make("batman", hand_size=5))
    table.start()
    table.run_until(lambda: any(peer.node.table.closed for peer in table.peers))
    cut_off = next(seat for seat, peer in enumerate(table.peers) if not peer.node.table.closed)
    others = [seat for seat in range(3) if seat != cut_off]
    for seat in others:
        table.cut(seat, cut_off)
    back_at = table.now + 1.0
    table.at(back_at, lambda: None)
    table.run_until(lambda: table.now >= back_at)
    for seat in others:
        table.link(seat, cut_off)
    table.run_until(lambda: all(peer.closed for peer in table.peers))
    assert all(peer.heard(tell.MatchOver) for peer in table.peers)
    for seat in range(3):
        assert audit(table.write(seat, tmp_path / f"{seat}.p2puno")).exit_code == 0


def test_somebody_who_never_comes_is_no_cheat() -> None:
    """C06, C19: silence is absence."""
    table = Simulation(1, 3, unlinked=frozenset({(0, 2), (1, 2)}))
    table.run()
    for seat in (0, 1):
        peer = table.peers[seat]
        assert not peer.heard(tell.Accused)
        assert [event.waiting for event in peer.heard(tell.Abandoned)] == [(2,)]


def test_no_secret_leaves_a_node(tmp_path: Path) -> None:
    """Keys, nonces and the bytes they come from occur in no frame and no journal; a face that only one seat knows can
    be read from neither: it would need that seat's key."""
    frames: list[bytes] = []
    drawn: list[bytes] = []

    def overhear(sender: int, receiver: int, frame: bytes) -> list[bytes]:
        frames.append(frame)
        return [frame]

    class Marked(Node):
        """Notes what it draws; the entropy and the opening of the commitment are revealed on purpose."""

        def __init__(self, identity: Any, charter: Any, random_bytes: Any) -> None:
            def draw(size: int) -> bytes:
                data: bytes = random_bytes(size)
                if size == 64:
                    drawn.append(data)
                return data

            super().__init__(identity, charter, draw)

    table = Simulation(3, 3, tamper=overhear, nodes=dict.fromkeys(range(3), Marked))
    table.start()
    table.run_until(lambda: table.peers[0].node.turns >= 5)
    secrets = list(drawn)
    for peer, identity in zip(table.peers, table.identities, strict=True):
        keeper = peer.node._keeper
        assert keeper is not None
        secrets += [keeper._x.to_bytes(32, "big"), keeper._nonces._secret, identity._key.private_bytes_raw()]
        assert len(keeper._kept) == 2
        secrets += [share.to_bytes(32, "big") for share in keeper._kept.values() if share is not None]
        secrets += [keeper._box(0, dealer) for dealer in range(3)]
        secrets.append(keeper._scalar("escrow 0 1").to_bytes(32, "big"))
    public = b"".join(frames) + table.write(0, tmp_path / "0.p2puno").read_bytes()
    assert len(drawn) == 3
    assert len(frames) > 50
    for secret in secrets:
        for piece in (secret[:16], secret[-16:], secret[:16][::-1], secret.hex().encode()[:24]):
            assert piece not in public
    # What seat 0 holds reads as a face with its own key alone.
    cards, own = table.peers[1].node.table.cards, table.peers[1].node._keeper
    assert cards is not None
    assert own is not None
    held = [form for form in cards.forms if isinstance(form, Held) and form.seat == 0]
    stock = [form for form in cards.forms if isinstance(form, Stock)]
    assert held
    assert stock
    for form in (*held, *stock[:10]):
        assert cards.faces.face(group.sub(form.b, group.mul(form.a, own._x))) is None
    seen = table.peers[1].node.view()
    assert seen is not None
    assert set(table.peers[1].node.table.game.known[1]) != {-1}  # type: ignore[union-attr]
    hidden = table.peers[0].node.table.game.hands[0]  # type: ignore[union-attr]
    assert all(table.peers[1].node.table.game.known[1][slot] == -1 for slot in hidden)  # type: ignore[union-attr]


def test_c30_the_own_call_ends_the_window() -> None:
    """R61: the call of whoever forgot settles a window at once; nobody's program catches after having seen it."""
    for seed in range(12):
        frames: list[bytes] = []
        table = Simulation(seed, 3, Rules.make("batman", hand_size=5), "random", {"forgets": True}, pace=0.05)
        table.tamper = lambda sender, receiver, frame, frames=frames: (frames.append(frame), [frame])[1]  # type: ignore[misc]
        table.run()
        said: dict[int, dict[int, str]] = {}
        for frame in frames:
            message = decode_frame(frame)
            if isinstance(message, Carry):
                body = open_entry(message.entry).body
                if isinstance(body.payload, Speak):
                    said.setdefault(body.step, {})[body.seat] = body.payload.word
        if any(Say.CALL in words.values() for words in said.values()):
            assert not any(peer.heard(tell.Accused) for peer in table.peers)
            assert all(len(words) == 3 for words in said.values())
            return
    raise AssertionError("nobody called in a window")


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(40))
def test_many_honest_tables(seed: int, tmp_path: Path) -> None:
    dice = random.Random(seed)
    players = dice.randint(2, 6)
    options: dict[str, Any] = {
        "hand_size": dice.randint(5, 9),
        "challenge_shows": dice.choice(("challenger", "all")),
        "signal_skips": dice.random() < 0.5,
        "uno_penalty": dice.randint(0, 4),
        "hands": dice.randint(1, 2),
    }
    random_bot = {"forgets": True, "wanders": players == 2 and dice.random() < 0.3}
    bots: dict[str, Any] = dice.choice(({}, {"bot": "random", "bot_options": random_bot}))
    weather = {"delay": dice.choice((0.01, 1.0)), "twice": dice.choice((0.0, 0.3)), "burst": dice.choice((0.0, 0.5))}
    table = Simulation(seed, players, Rules.make("batman", **options), **bots, **weather)
    time = 0.0
    for _ in range(dice.choice((0, 40))):
        time += 2 * dice.random()
        a, b = dice.sample(range(players), 2)
        table.at(time, lambda a=a, b=b: table.cut(a, b))  # type: ignore[misc]
        table.at(time + 5 * dice.random(), lambda a=a, b=b: table.link(a, b))  # type: ignore[misc]
    table.run(1e6)
    check(table, tmp_path)
