"""What one player alone may know, as croupier.v1 messages; who hears of it is decided elsewhere."""

from __future__ import annotations

from google.protobuf.timestamp_pb2 import Timestamp

from croupier.engine.table_events import AdvanceAction, AdvanceActionSet, Preferences, PreferencesSet
from croupier.room.subscriptions import PrivatePart
from croupier.room.views import OwnView
from croupier.v1 import event_pb2, table_pb2


def own_state(view: OwnView) -> table_pb2.OwnState:
    """What the viewer alone may know of a table."""
    return table_pb2.OwnState(
        private_sequence=view.private_sequence,
        advance_action=advance_action(view.advance) if view.advance is not None else None,
        preferences=preferences(view.preferences),
    )


def advance_action(action: AdvanceAction | None) -> table_pb2.AdvanceAction:
    """What will be done at the next turn; of no kind for nothing."""
    if action is None:
        return table_pb2.AdvanceAction()
    kind = table_pb2.AdvanceActionKind.Value(f"ADVANCE_ACTION_KIND_{action.kind.name}")
    return table_pb2.AdvanceAction(kind=kind, call_amount=action.call_amount)


def preferences(preferred: Preferences) -> table_pb2.Preferences:
    """What a player prefers."""
    return table_pb2.Preferences(
        show_losing_hands=preferred.show_losing_hands, sit_out_next_blind=preferred.sit_out_next_blind
    )


def private_events(part: PrivatePart, when: Timestamp) -> list[event_pb2.PrivateEvent]:
    """What one player alone hears of a record."""
    return [_event(event, when) for event in part.events]


def _event(event: AdvanceActionSet | PreferencesSet, when: Timestamp) -> event_pb2.PrivateEvent:
    told = event_pb2.PrivateEvent(private_sequence=event.private_sequence, event_time=when)
    if isinstance(event, AdvanceActionSet):
        told.advance_action_set.CopyFrom(advance_action(event.action))
    else:
        told.preferences_set.CopyFrom(preferences(event.preferences))
    return told
