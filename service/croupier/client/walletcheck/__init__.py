"""Scripts that any wallet must pass which serves WalletService; `run` plays them and tells what was found."""

from croupier.client.walletcheck.probe import Unreachable, Wanted
from croupier.client.walletcheck.run import SCRIPTS, Finding, run
from croupier.client.walletcheck.script import Script

__all__ = ["SCRIPTS", "Finding", "Script", "Unreachable", "Wanted", "run"]
