"""The pure rules of one hand and one table: no clock, randomness, I/O, asyncio, protobuf or float."""
