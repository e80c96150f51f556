"""Where the sites that hands were recorded at differ from one another without being wrong; plain data."""

from __future__ import annotations

from typing import Final, NamedTuple


class SiteWays(NamedTuple):
    """What a site does in its own way.

    `cap_lifts_heads_up`: in fixed limit the cap falls away while two are betting (R-B3).
    `odd_chips_wander`: the odd chip of a tie does not always go to the first winner left of the button.
    `stakes_untrue`: some histories name other stakes than were posted: a level went up meanwhile, or the ante is in it.
    `blinds_turned`: heads-up the button has the big blind.
    `draws_unsaid`: some histories leave a draw out, so that only the hands before and after it tell it.
    """

    cap_lifts_heads_up: bool = False
    odd_chips_wander: bool = False
    stakes_untrue: bool = False
    blinds_turned: bool = False
    draws_unsaid: bool = False


# The research bots of the ACPC play four bets a street heads-up too, by their protocol. Casino tournaments
# keep the cap until two are left in the whole event (TDA 48). The online rooms publish no such rule for two
# left in a hand, and no recorded street passes four bets: they are played as capped.
_ORDINARY: Final = SiteWays()

_SITES: Final = {
    "bovada": _ORDINARY._replace(odd_chips_wander=True),
    "cake": _ORDINARY._replace(stakes_untrue=True),
    "entraction": _ORDINARY._replace(blinds_turned=True),
    "ggpoker": _ORDINARY._replace(stakes_untrue=True),
    "merge": _ORDINARY._replace(stakes_untrue=True),
    "microgaming": _ORDINARY._replace(stakes_untrue=True),
    "ongame": _ORDINARY._replace(odd_chips_wander=True, draws_unsaid=True),
    "pkr": _ORDINARY._replace(odd_chips_wander=True),
    "winamax": _ORDINARY._replace(odd_chips_wander=True),
    "winning": _ORDINARY._replace(stakes_untrue=True),
}


def ways_of(site: str) -> SiteWays:
    """The ways of a site by the name that records give it."""
    return _SITES.get(site, _ORDINARY)
