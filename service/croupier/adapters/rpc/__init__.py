"""The contract over gRPC: requests checked, answers and events put into croupier.v1's words."""
