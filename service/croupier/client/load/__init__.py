"""Bots that play random legal poker over real gRPC, and find the server out where it answers wrongly.

Owns the players, what is measured, and the check of the ledger at the end; the command line is elsewhere.
"""

from croupier.client.load.mix import TableKind
from croupier.client.load.plan import Plan
from croupier.client.load.report import Report
from croupier.client.load.run import run

__all__ = ["Plan", "Report", "TableKind", "run"]
