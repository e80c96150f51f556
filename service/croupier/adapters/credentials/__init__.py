"""Credentials: tokens and certificates, verified by files that are reread when they change."""
