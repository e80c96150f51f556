"""A table's news made into what people read: a view in a terminal, or a line for each event."""

from croupier.client.watching.run import CannotWatch, Wanted, run

__all__ = ["CannotWatch", "Wanted", "run"]
