"""Proof of the books: what a store holds is checked against itself, from its rows alone. It changes nothing."""
