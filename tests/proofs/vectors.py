"""Golden bytes of the group and of every proof, for this code on both backends and for any second implementation.

`python -m tests.proofs.vectors` prints what the backend in use gives; vectors.json is what it must be.
"""

from __future__ import annotations

import hashlib
import json

from protocol.group import group
from protocol.proofs.encoding import deck_bytes, points_bytes
from protocol.proofs.shuffle import shuffle
from protocol.proofs.transcript import Transcript
from tests.proofs.table import CTX, DECK, HELD, X, Y, examples, nonces, x


def vectors() -> dict[str, str]:
    """Names and hexadecimal bytes."""
    transcript = Transcript()
    transcript.put("greeting", b"one", b"", b"two")
    first = transcript.chal("c")
    stream = nonces().stream(transcript)
    found = {
        "sid": CTX.sid.hex(),
        "nonce secret": hashlib.sha512(b"0").hexdigest(),
        "secret key x": f"{x:064x}",
        "key X": X.encoded.hex(),
        "joint key Y": Y.encoded.hex(),
        "h2g()": group.h2g().encoded.hex(),
        "h2g(h, 1)": group.h2g(b"h", (1).to_bytes(4, "big")).encoded.hex(),
        "h2g(card, test, 00)": group.h2g(b"card", b"test", b"\0").encoded.hex(),
        "1234567·h2g()": group.mulv(group.h2g(), 1234567).encoded.hex(),
        "first challenge": f"{first:064x}",
        "second challenge": f"{transcript.chal('c'):064x}",
        "weights": "".join(f"{weight:032x}" for weight in transcript.weights("w", 3)),
        "nonce": f"{stream.scalar():064x}",
        "permutation of 10": bytes(stream.permutation(10)).hex(),
        "held card": deck_bytes([HELD]).hex(),
        "deck of 5": deck_bytes(DECK).hex(),
        "deck of 5, shuffled": deck_bytes(shuffle(CTX, nonces(), Y, DECK)[0]).hex(),
    }
    for name, example in examples().items():
        found[f"proof {name}"] = example.proof.to_bytes().hex()
        if "D" in example.statement:
            found[f"cards of {name}"] = points_bytes(example.statement["a"]).hex()
            found[f"shares of {name}"] = points_bytes(example.statement["D"]).hex()
        if "new" in example.statement:
            found[f"card of {name}"] = deck_bytes([example.statement["new"]]).hex()
    return found


if __name__ == "__main__":
    print(json.dumps(vectors(), indent=1, ensure_ascii=False))
