"""Addresses as people type them."""

import pytest

from protocol.errors import Usage
from protocol.net.address import DEFAULT_PORT, format_address, parse_address


@pytest.mark.parametrize(
    ("text", "address"),
    [
        ("192.168.1.5", ("192.168.1.5", DEFAULT_PORT)),
        ("192.168.1.5:9000", ("192.168.1.5", 9000)),
        ("  ann.local:1 ", ("ann.local", 1)),
        ("localhost", ("localhost", DEFAULT_PORT)),
        ("::1", ("::1", DEFAULT_PORT)),
        ("fe80::1%eth0", ("fe80::1%eth0", DEFAULT_PORT)),
        ("[::1]", ("::1", DEFAULT_PORT)),
        ("[fe80::1%eth0]:65535", ("fe80::1%eth0", 65535)),
        ('"[fe80::1]:4242"', ("fe80::1", 4242)),
    ],
)
def test_what_people_type(text: str, address: tuple[str, int]) -> None:
    assert parse_address(text) == address
    assert parse_address(format_address(*address)) == address


def test_the_default_port_is_the_callers() -> None:
    assert parse_address("ann", 77) == ("ann", 77)
    assert parse_address("[::1]", 77) == ("::1", 77)


@pytest.mark.parametrize(
    "text",
    [
        *("", ":", ":80", "ann:", "ann:0", "ann:65536", "ann:-1", "ann:٣", "ann:80x", "ann:000080", "1:2:3", "[::1"),
        *("[ann]:80", "[::1]80", "[]", "ann lee:80", "an\x1bn", "http://ann", "user@ann", "[[::1]]"),
    ],
)
def test_what_cannot_be_an_address_is_a_usage_error(text: str) -> None:
    with pytest.raises(Usage) as caught:
        parse_address(text)
    assert caught.value.hint
    assert caught.value.message.isprintable()
