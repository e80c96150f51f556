"""The evaluator against the reference on every hand there is, and on millions of deals: `python -m tests.census`."""
