"""The whole room on a simulated clock, network, store and wallet: a seed is a scenario, faults included."""
