"""The TLS contexts of an identity, made once: loading our key takes longer than all else that a greeting computes."""

import ssl
import tempfile
from pathlib import Path
from typing import Final
from weakref import WeakKeyDictionary

from protocol.identity import Identity

MAX_ANCHORS: Final = 64
"""Certificates that a context trusts before another takes its place: strangers show ever new ones (C45)."""


class _Context:
    """A context of one identity, for the one side of a greeting, and the certificates that it trusts so far."""

    def __init__(self, identity: Identity, server: bool) -> None:
        self.anchors: set[bytes] = set()
        self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER if server else ssl.PROTOCOL_TLS_CLIENT)
        self.tls.minimum_version = ssl.TLSVersion.TLSv1_3
        self.tls.check_hostname = False  # keys count here, not names
        self.tls.verify_mode = ssl.CERT_REQUIRED
        self.tls.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
        if server:
            self.tls.num_tickets = 0
        pem, password = identity.tls_chain
        with tempfile.TemporaryDirectory(prefix="p2puno-") as folder:
            file = Path(folder, "chain.pem")
            file.write_bytes(pem)
            self.tls.load_cert_chain(file, password=password)

    def trust(self, certificate: bytes) -> None:
        """Take a certificate among the trusted ones.

        :raises ssl.SSLError: OpenSSL wants more of it
        """
        if certificate not in self.anchors:
            self.tls.load_verify_locations(cadata=certificate)
            self.anchors.add(certificate)


_contexts: WeakKeyDictionary[Identity, dict[bool, _Context]] = WeakKeyDictionary()


def context_for(identity: Identity, server: bool, certificate: bytes) -> ssl.SSLContext:
    """A context for a greeting with whoever shows this certificate, DER; it may trust others, too, so the caller must
    look at which one was proved.

    :raises ssl.SSLError: it is no certificate for OpenSSL
    """
    sides = _contexts.setdefault(identity, {})
    context = sides.get(server)
    if context is None or len(context.anchors) >= MAX_ANCHORS:
        context = sides[server] = _Context(identity, server)
    context.trust(certificate)
    return context.tls
