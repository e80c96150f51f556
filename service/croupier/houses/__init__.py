"""House rules as data: one TOML file a house beside this, and what a table's creator may pick from it."""
