"""What the cards without a dealer cost: `python -m bench.deck [--json]`.

Every time is CPU time of this process (other programs do not count), the best of a few runs. Set-up is the real
thing for every peer: each shuffles and proves every deck in its turn on what the one before sent. Verification is
measured once, at the peer that checks the proofs of all others, because it is the same work at every peer. The wall
time of a set-up is computed from that as if each peer had a core of its own and the network took no time: one
after the other shuffles and proves, decoding and hashing of what came before fall into the waiting, and after the
last proof all verify everything merged.
"""

from __future__ import annotations

import argparse
import json
import secrets
import time
from collections.abc import Callable, Sequence
from typing import Any, TypeVar

from protocol.group import Point, Q, group
from protocol.proofs.batch import Batch
from protocol.proofs.dleq import ShareProof, check_shares, prove_shares, shares_bytes, shares_from_bytes
from protocol.proofs.encoding import CARD_BYTES, Card, deck_bytes, deck_from_bytes, some
from protocol.proofs.membership import MemberProof, check_member, prove_member
from protocol.proofs.shuffle import ShuffleProof, check_shuffle, prove_shuffle, shuffle
from protocol.proofs.transcript import Context, Nonces

T = TypeVar("T")

SIZES = (47, 52, 112)
PEERS = (2, 4, 10)
DECK_SETS = {"A": (47, 47, 47, 47, 32), "B": (112,)}  # four hero decks and one of dangers; one common deck
HAND = 7
KINDS = 54
ATTESTED = 10

# milliseconds and bytes on two x86-64 cores under CPython 3.11: what a table should feel at most
SHUFFLE_TARGETS = {47: (5.2, 20.8, 15.6), 52: (5.6, 23.0, 17.2), 112: (12.2, 49.4, 28.8)}
WALL_TARGETS = {("A", 4): 500.0, ("A", 10): 1200.0, ("B", 4): 250.0, ("B", 10): 600.0}
REFERENCE_WALL_TARGETS = {("B", 4): 2500.0}
CPU_TARGETS = {("A", 10): 300.0, ("B", 10): 150.0}
TWO_CORE_TARGETS = {("A", 10): 1600.0, ("B", 10): 900.0}
BYTE_TARGETS = {"A": 37_280, "B": 18_472}
DEAL_TARGETS = {4: 10.0, 10: 45.0}
DRAW_TARGETS = {4: 2.0, 10: 4.0}
PLAY_TARGET = 1.0
MEMBER_TARGETS = (110.0, 50.0)


def timed(work: Callable[..., T], *arguments: Any, runs: int = 1) -> tuple[T, float]:
    """What `work` returns, and the least CPU milliseconds of that many runs, or of as many as fit in half a second."""
    best = float("inf")
    begin = time.process_time()
    for _ in range(runs):
        start = time.process_time()
        result = work(*arguments)
        now = time.process_time()
        best = min(best, 1000 * (now - start))
        if now - begin > 0.5:
            break
    return result, best


class Peer:
    """One peer's secrets."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.nonces = Nonces(secrets.token_bytes(64))
        self.x = 1 + secrets.randbelow(Q - 1)
        self.X = group.mulg(self.x)


def context(peer: Peer, deck: str = "draw") -> Context:
    return Context(bytes(32), peer.seat, deck, 0, 1)


def faces(count: int) -> list[Point]:
    return [group.h2g(b"card", b"bench", bytes([k])) for k in range(count)]


def fresh_deck(count: int, key: Point) -> list[Card]:
    return [(group.G, some(group.add(face, key))) for face in faces(count)]


def held(key: Point, cards: Sequence[Point]) -> list[Card]:
    masks = [1 + secrets.randbelow(Q - 1) for _ in cards]
    return [(group.mulg(r), some(group.add(face, group.mulv(key, r)))) for r, face in zip(masks, cards, strict=True)]


def verified(batch: Batch) -> None:
    if not batch.verify():
        raise AssertionError("an honest proof was refused")


def bench_shuffle(count: int) -> dict[str, float]:
    peer = Peer(0)
    ctx, joint = context(peer), group.mulg(1 + secrets.randbelow(Q - 1))
    deck = fresh_deck(count, joint)
    (out, witness), shuffle_ms = timed(shuffle, ctx, peer.nonces, joint, deck, runs=5)
    proof, prove_ms = timed(prove_shuffle, ctx, peer.nonces, joint, deck, out, witness, runs=3)
    data = proof.to_bytes()

    def verify() -> None:
        batch = Batch()
        batch.add(0, check_shuffle(ctx, joint, deck, out, ShuffleProof.from_bytes(data, count)))
        verified(batch)

    return {"shuffle_ms": shuffle_ms, "prove_ms": prove_ms, "verify_ms": timed(verify, runs=5)[1]}


Decks = list[list[Card]]


def take_turn(peer: Peer, joint: Point, decks: Decks) -> tuple[Decks, list[bytes]]:
    """Shuffle and prove every deck: the new decks, and what goes over the wire for each."""
    result, entries = [], []
    for number, deck in enumerate(decks):
        ctx = context(peer, str(number))
        out, witness = shuffle(ctx, peer.nonces, joint, deck)
        proof = prove_shuffle(ctx, peer.nonces, joint, deck, out, witness)
        result.append(out)
        entries.append(deck_bytes(out) + proof.to_bytes())
    return result, entries


def read_turn(batch: Batch, peer: Peer, joint: Point, decks: Decks, entries: list[bytes]) -> Decks:
    """Decode and hash the turn of another peer; its equations go into the batch."""
    result = []
    for number, (deck, data) in enumerate(zip(decks, entries, strict=True)):
        size = len(deck)
        out = deck_from_bytes(data[: CARD_BYTES * size], size)
        proof = ShuffleProof.from_bytes(data[CARD_BYTES * size :], size)
        batch.add(peer.seat, check_shuffle(context(peer, str(number)), joint, deck, out, proof))
        result.append(out)
    return result


def bench_setup(sizes: Sequence[int], count: int) -> dict[str, float]:
    peers = [Peer(seat) for seat in range(count)]
    joint = some(group.sum(peer.X for peer in peers))
    (decks, entries), own_ms = timed(take_turn, peers[0], joint, [fresh_deck(size, joint) for size in sizes])
    read, batch = decks, Batch()  # seat 0 is the verifier: it knows its own decks
    reading_ms, last_ms = 0.0, 0.0
    for peer in peers[1:]:
        (decks, entries), ms = timed(take_turn, peer, joint, decks)
        own_ms += ms
        read, last_ms = timed(read_turn, batch, peer, joint, read, entries)
        reading_ms += last_ms
    _, merged_ms = timed(verified, batch)
    return {
        "cpu_ms_per_peer": own_ms / count + reading_ms + merged_ms,
        "wall_ms": own_ms + last_ms + merged_ms,
        "verify_ms": merged_ms,
        "bytes": sum(map(len, entries)),
    }


Sent = tuple[Peer, list[Point], bytes]


def give_shares(peer: Peer, a: list[Point]) -> Sent:
    """The message of one sender: its shares of the cards a, and their proof."""
    shares, proof = prove_shares(context(peer), peer.nonces, peer.x, peer.X, a)
    return peer, a, shares_bytes(shares) + proof.to_bytes()


def take_shares(messages: Sequence[Sent]) -> list[list[Point]]:
    """Verify the messages of all senders merged; the shares of each."""
    batch, taken = Batch(), []
    for peer, a, data in messages:
        shares = shares_from_bytes(data[: 33 * len(a)], len(a))
        batch.add(peer.seat, check_shares(context(peer), peer.X, a, shares, ShareProof.from_bytes(data[33 * len(a) :])))
        taken.append(shares)
    verified(batch)
    return taken


def open_card(card: Card, shares: Sequence[Point], x: int, known: dict[Point, int]) -> int:
    """The face of a card at its receiver, from the shares of all others."""
    without = group.sub(card[1], group.sum(shares))
    return known[some(group.sub(without, group.mul(card[0], x)))]


def bench_draw(count: int) -> dict[str, float]:
    """One card: the share of a sender, then verifying and opening at the receiver (seat 0)."""
    peers = [Peer(seat) for seat in range(count)]
    known = {face: k for k, face in enumerate(faces(KINDS))}
    card = held(some(group.sum(peer.X for peer in peers)), faces(1))[0]
    a = [card[0]]
    _, share_ms = timed(give_shares, peers[1], a, runs=20)
    messages = [give_shares(peer, a) for peer in peers[1:]]

    def receive() -> int:
        return open_card(card, [shares[0] for shares in take_shares(messages)], peers[0].x, known)

    face, receive_ms = timed(receive, runs=20)
    if face != 0:
        raise AssertionError("the card opened to another face")
    return {"share_ms": share_ms, "verify_ms": receive_ms, "bytes": len(messages[0][2])}


def bench_deal(count: int) -> dict[str, float]:
    """Seven cards to everybody: what seat 0 sends, verifies and opens."""
    peers = [Peer(seat) for seat in range(count)]
    joint = some(group.sum(peer.X for peer in peers))
    known = {face: k for k, face in enumerate(faces(HAND * count))}
    deck = held(joint, list(known))
    hands = [deck[HAND * seat : HAND * (seat + 1)] for seat in range(count)]

    def wanted(sender: Peer) -> list[Point]:
        return [a for seat, hand in enumerate(hands) if seat != sender.seat for a, _ in hand]

    _, share_ms = timed(give_shares, peers[0], wanted(peers[0]), runs=5)
    messages = [give_shares(peer, wanted(peer)) for peer in peers[1:]]

    def receive() -> list[int]:
        taken = take_shares(messages)  # seat 0's own cards are the first seven of every other sender
        return [open_card(card, [shares[k] for shares in taken], peers[0].x, known) for k, card in enumerate(hands[0])]

    opened, receive_ms = timed(receive, runs=5)
    if opened != list(range(HAND)):
        raise AssertionError("the hand opened to other faces")
    return {"share_ms": share_ms, "verify_ms": receive_ms, "bytes": len(messages[0][2])}


def bench_play() -> dict[str, float]:
    peer = Peer(0)
    a = [held(peer.X, faces(1))[0][0]]
    message, prove_ms = timed(give_shares, peer, a, runs=20)
    _, verify_ms = timed(take_shares, [message], runs=20)
    return {"prove_ms": prove_ms, "verify_ms": verify_ms, "bytes": len(message[2])}


def bench_membership() -> dict[str, float]:
    peer = Peer(0)
    allowed = faces(KINDS)
    cards = held(peer.X, allowed[:ATTESTED])
    ctx = context(peer)

    def prove() -> list[bytes]:
        return [
            prove_member(ctx, peer.nonces, peer.x, peer.X, card, allowed, k).to_bytes() for k, card in enumerate(cards)
        ]

    def verify() -> None:
        batch = Batch()
        for card, data in zip(cards, proofs, strict=True):
            batch.add(0, check_member(ctx, peer.X, card, allowed, MemberProof.from_bytes(data, KINDS)))
        verified(batch)

    proofs, prove_ms = timed(prove, runs=2)
    return {"prove_ms": prove_ms, "verify_ms": timed(verify, runs=2)[1], "bytes": sum(map(len, proofs))}


def measure() -> dict[str, Any]:
    """Everything, in the shape of the --json output; milliseconds and bytes."""
    bench_shuffle(max(SIZES))  # makes the generators and warms up
    return {
        "backend": group.NAME,
        "shuffle": {str(size): bench_shuffle(size) for size in SIZES},
        "setup": {
            name: {str(count): bench_setup(sizes, count) for count in PEERS} for name, sizes in DECK_SETS.items()
        },
        "deal": {str(count): bench_deal(count) for count in (4, 10)},
        "draw": {str(count): bench_draw(count) for count in (4, 10)},
        "play": bench_play(),
        "membership": bench_membership(),
    }


def line(what: str, measured: float, target: float | None, unit: str = "ms") -> str:
    shown = f"{what:50} {measured:9.{2 if unit == 'ms' else 0}f} {unit}"
    if target is None:
        return shown
    verdict = "ok" if measured <= target else "over"
    return f"{shown:66} target {target:7.6g}  {measured / target:5.2f}  {verdict}"


def report(results: dict[str, Any]) -> list[str]:
    """Measured beside target, with the ratio of both. The targets are those of the native group, but for one."""
    native = results["backend"] == "native"
    walls = WALL_TARGETS if native else REFERENCE_WALL_TARGETS

    def row(what: str, measured: float, target: float | None) -> None:
        lines.append(line(what, measured, target if native else None))

    lines = [f"group: {results['backend']}; CPU time, best of a few runs; last: measured / target"]
    for size, parts in SHUFFLE_TARGETS.items():
        for part, target in zip(("shuffle", "prove", "verify"), parts, strict=True):
            row(f"{part} {size} cards", results["shuffle"][str(size)][f"{part}_ms"], target)
    for name, by_count in results["setup"].items():
        for count in PEERS:
            found, key = by_count[str(count)], (name, count)
            what = f"set-up {name} ({'+'.join(map(str, DECK_SETS[name]))}), {count} peers"
            lines.append(line(f"{what}: wall", found["wall_ms"], walls.get(key)))
            row(f"{what}: CPU each", found["cpu_ms_per_peer"], CPU_TARGETS.get(key))
            if key in TWO_CORE_TARGETS:
                row(f"{what}: two cores", count * found["cpu_ms_per_peer"] / 2, TWO_CORE_TARGETS[key])
        lines.append(line(f"set-up {name}: sent to each peer", by_count["4"]["bytes"], BYTE_TARGETS[name], "bytes"))
    for what, by_peers in (("deal", DEAL_TARGETS), ("draw", DRAW_TARGETS)):
        for count, target in by_peers.items():
            found = results[what][str(count)]
            row(f"{what}, {count} peers: share", found["share_ms"], None)
            row(f"{what}, {count} peers: share, verify, open", found["share_ms"] + found["verify_ms"], target)
    play, member = results["play"], results["membership"]
    row("play a card: prove and verify", play["prove_ms"] + play["verify_ms"], PLAY_TARGET)
    lines.append(line("play a card: sent", play["bytes"], 131, "bytes"))
    for part, target in zip(("prove", "verify"), MEMBER_TARGETS, strict=True):
        row(f"{ATTESTED} cards, each one of {KINDS} kinds: {part}", member[f"{part}_ms"], target)
    return lines


def main() -> None:
    parser = argparse.ArgumentParser(description="Measure the deck protocol beside its targets.")
    parser.add_argument("--json", action="store_true", help="print one JSON object and nothing else")
    arguments = parser.parse_args()
    results = measure()
    if arguments.json:
        print(json.dumps(results))
    else:
        print("\n".join(report(results)))


if __name__ == "__main__":
    main()
