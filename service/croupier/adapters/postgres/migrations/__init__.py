"""The store's schema, version by version, as Alembic runs it. Each version is plain SQL."""
