"""What clients asked and were told, kept as it happens, and held against the service's own history of it.

Recording knows no bots, and checking no server: whoever plays hands its calls through a Recorder, and the checks read
operations, events and ledger entries, wherever those come from.
"""
