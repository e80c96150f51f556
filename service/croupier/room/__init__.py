"""The application: one actor a table, its clock, its watchers and the cashier; the world is behind ports."""
