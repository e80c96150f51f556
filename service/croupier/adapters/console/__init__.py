"""The console: a page for people who look after the service, showing what a watcher may see. It changes nothing."""

from croupier.adapters.console.console import Console, Parts
from croupier.adapters.console.visitors import Visitors

__all__ = ["Console", "Parts", "Visitors"]
