"""The bus between servers over NATS; imported where one is configured, nats-py need not be installed otherwise."""

from croupier.adapters.nats.bus import NatsBus
from croupier.adapters.nats.feed import NatsFeed
from croupier.adapters.nats.server import Server, ServerUnusable
from croupier.adapters.nats.stream import Stream
from croupier.adapters.nats.trial import TrialFailed, must_carry

__all__ = ["NatsBus", "NatsFeed", "Server", "ServerUnusable", "Stream", "TrialFailed", "must_carry"]
