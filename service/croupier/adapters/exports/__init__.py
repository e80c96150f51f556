"""Settled hands in public formats, as one viewer may know them: what a record does not hold is told as unknown."""
