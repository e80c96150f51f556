"""Hands that were really played: read from files, played through the engine, compared with the record."""
