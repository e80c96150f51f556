"""What a server comes to over many hands: whether it grows or slows, and what an action costs."""
