"""What fails beside the rules, as callers are told of it."""

from __future__ import annotations

import grpc
import pytest

from croupier.adapters.rpc.refusals import code_of, refusal_of
from croupier.room.failures import ServerSilent, StoreAway


@pytest.mark.parametrize("failure", [StoreAway("the database"), ServerSilent("node")])
def test_what_the_store_or_another_server_does_not_say_may_be_asked_again(failure: Exception) -> None:
    refusal = refusal_of(failure)
    assert (refusal.reason, refusal.facts) == ("STORE_UNAVAILABLE", {})
    assert code_of(refusal) is grpc.StatusCode.UNAVAILABLE
