// A table as its events make it: from a snapshot, or from the hand's start, one event after the other. Pure.

const number = (value) => Number(value ?? 0);
const IN_CHIPS = { called: 1, betMade: 1, raised: 1, blindPosted: 1 };
const DEAD = { BLIND_KIND_DEAD: 1, BLIND_KIND_ANTE: 1, BLIND_KIND_TABLE_ANTE: 1 };

/** The one thing that an event tells: its name and its content. */
export function kindOf(event) {
  for (const name in event) if (name !== "sequence" && name !== "eventTime") return [name, event[name]];
  return ["", {}];
}

/** What the page draws, from a Table of the contract. */
export function fromTable(table) {
  const seats = {};
  for (const seat of table.seats ?? []) {
    seats[seat.seatNumber] = {
      ...blank(seat.playerId), state: seat.state ?? "", stack: number(seat.stack), present: true,
    };
  }
  const hand = table.hand;
  for (const one of hand?.seats ?? []) {
    const seat = (seats[one.seatNumber] ??= blank(one.playerId));
    Object.assign(seat, {
      inHand: true, bet: number(one.streetBet), contribution: number(one.contribution), folded: !!one.folded,
      allIn: !!one.allIn, cards: one.holeCards ?? [], drawn: one.drawnCount ?? 0,
    });
  }
  return {
    sequence: number(table.sequence), options: table.options ?? {}, table: table.state ?? "", seats,
    handId: hand?.handId ?? "", street: hand?.street ?? "", board: hand?.board ?? [],
    pots: (hand?.pots ?? []).map((pot) => ({ amount: number(pot.amount), eligible: pot.eligibleSeats ?? [] })),
    button: table.buttonSeat ?? 0, decision: table.nextDecision ?? null, awards: [], result: null, holeCount: 0,
    waiting: (table.waitingList ?? []).map((one) => one.playerId),
  };
}

const blank = (player) => ({
  player, state: "", stack: 0, bet: 0, contribution: 0, folded: false, allIn: false, cards: [], drawn: 0,
  inHand: false, present: false, last: "", won: 0, words: "",
});

/** The table at the start of a settled hand, before its first event. */
export function fromRecord(record) {
  const seats = {};
  for (const one of record.seats ?? []) {
    seats[one.seatNumber] = { ...blank(one.playerId), stack: number(one.startingStack), present: true };
  }
  return { ...fromTable({ options: record.options, buttonSeat: record.buttonSeat }), seats };
}

/** The state after one event; the one before is left as it was. */
export function after(state, event) {
  const [kind, what] = kindOf(event);
  const next = { ...state, sequence: number(event.sequence) || state.sequence, seats: { ...state.seats } };
  const at = (seat) => (next.seats[seat] = { ...(next.seats[seat] ?? blank("")) });
  if (kind in IN_CHIPS) pay(next, at(what.seatNumber), kind, what);
  else APPLY[kind]?.(next, what, at);
  return next;
}

function pay(next, seat, kind, what) {
  const paid = number(what.paid);
  seat.stack -= paid;
  seat.contribution += paid;
  seat.bet = number(what.streetBet);
  seat.allIn = !!what.allIn;
  seat.last = kind;
  if (!DEAD[what.kind] || !paid) return;
  const everybody = Object.keys(next.seats).filter((one) => next.seats[one].inHand).map(Number);
  const [main = { amount: 0, eligible: everybody }, ...sides] = next.pots;
  next.pots = [{ ...main, amount: main.amount + paid }, ...sides];
}

const APPLY = {
  handStarted(next, what, at) {
    for (const number of Object.keys(next.seats)) {
      const seat = at(number);
      Object.assign(seat, { ...blank(seat.player), state: seat.state, stack: seat.stack, present: seat.present });
    }
    for (const one of what.seats ?? []) {
      Object.assign(at(one.seatNumber), {
        player: one.playerId, stack: number(one.stack), inHand: true, present: true, state: "SEAT_STATE_PLAYING",
      });
    }
    Object.assign(next, {
      handId: what.handId, button: what.buttonSeat ?? 0, board: [], pots: [], awards: [], result: null, street: "",
      decision: null, holeCount: 0,
    });
  },
  holeCardsDealt(next, what) {
    next.holeCount = Math.max(0, ...(what.seats ?? []).map((one) => one.cardCount ?? 0));
    next.street ||= /DRAW/.test(next.options.game ?? "") ? "STREET_PREDRAW" : "STREET_PREFLOP";
  },
  folded(_, what, at) { Object.assign(at(what.seatNumber), { folded: true, last: "folded" }); },
  checked(_, what, at) { at(what.seatNumber).last = "checked"; },
  cardsDrawn(_, what, at) {
    Object.assign(at(what.seatNumber), { drawn: what.count ?? 0, last: what.count ? "drew" : "stood" });
  },
  streetDealt(next, what, at) {
    next.street = what.street;
    next.board = [...next.board, ...(what.cards ?? [])];
    close(next, at);
  },
  uncalledBetReturned(_, what, at) {
    const seat = at(what.seatNumber);
    const amount = number(what.amount);
    seat.stack += amount;
    seat.bet = Math.max(0, seat.bet - amount);
    seat.contribution -= amount;
  },
  holeCardsShown(_, what, at) {
    const words = [what.description, what.lowDescription].filter(Boolean).join("; ");
    Object.assign(at(what.seatNumber), { cards: what.holeCards ?? [], words });
  },
  cardsShown(next, what, at) {
    if (what.handId === next.handId) at(what.seatNumber).cards = what.cards ?? [];
  },
  potAwarded(next, what, at) {
    if (!next.awards.length) close(next, at);
    next.awards = [...next.awards, what];
    for (const one of what.awards ?? []) {
      const seat = at(one.seatNumber);
      seat.won += number(one.amount);
      seat.stack += number(one.amount);
    }
    next.pots = next.pots.filter((_, index) => index < (what.potIndex ?? 0));
  },
  handVoided(next, what, at) {
    for (const one of what.returns ?? []) at(one.seatNumber).stack += number(one.amount);
    for (const seat of Object.keys(next.seats)) Object.assign(at(seat), { bet: 0 });
    next.pots = [];
    next.voided = true;
  },
  handEnded(next, what, at) {
    for (const one of what.results ?? []) at(one.seatNumber).stack = number(one.stack);
    for (const seat of Object.keys(next.seats)) at(seat).bet = 0;
    Object.assign(next, { pots: [], decision: null, result: what });
  },
  seatReserved(_, what, at) {
    Object.assign(at(what.seatNumber), { ...blank(what.playerId), state: "SEAT_STATE_RESERVED", present: true });
  },
  boughtIn(_, what, at) {
    Object.assign(at(what.seatNumber), {
      player: what.playerId, stack: number(what.amount), state: what.state ?? "", present: true,
    });
  },
  rebought(_, what, at) { at(what.seatNumber).stack += number(what.amount); },
  leaveQueued(_, what, at) { at(what.seatNumber).state = "SEAT_STATE_CASHING_OUT"; },
  playerLeft(next, what) { delete next.seats[what.seatNumber]; },
  satOut(_, what, at) { at(what.seatNumber).state = "SEAT_STATE_SITTING_OUT"; },
  sitOutQueued(_, what, at) { at(what.seatNumber).state = "SEAT_STATE_SITTING_OUT"; },
  satIn(_, what, at) { at(what.seatNumber).state = what.state ?? ""; },
  buttonPassed(_, what, at) { for (const seat of what.seats ?? []) at(seat).state = "SEAT_STATE_PLAYING"; },
  tablePaused(next) { next.table = "TABLE_STATE_PAUSED"; },
  tableResumed(next) { next.table = "TABLE_STATE_OPEN"; },
  tableClosing(next) { next.table = "TABLE_STATE_CLOSING"; },
  tableClosed(next) { next.table = "TABLE_STATE_CLOSED"; },
  waitingListJoined(next, what) { next.waiting = [...next.waiting, what.playerId]; },
  waitingListLeft(next, what) { next.waiting = next.waiting.filter((one) => one !== what.playerId); },
};

/** The street is over: its bets go into the pots, level by level of those who are all in. */
function close(next, at) {
  const playing = Object.entries(next.seats).filter(([, seat]) => seat.inHand);
  next.pots = gathered(next.pots, playing);
  for (const [number, seat] of playing) if (seat.bet || seat.last) Object.assign(at(number), { bet: 0, last: "" });
}

/** Pots with the street's bets in them. */
export function gathered(pots, playing) {
  const live = playing.filter(([, seat]) => !seat.folded).map(([number]) => Number(number));
  const bets = playing.map(([, seat]) => seat.bet);
  const made = [];
  const put = (amount, eligible) => {
    const last = made[made.length - 1];
    if (last && last.eligible.length === eligible.length) last.amount += amount;
    else if (amount) made.push({ amount, eligible });
  };
  for (const pot of pots) put(pot.amount, pot.eligible.filter((seat) => live.includes(seat)));
  const levels = playing.filter(([, seat]) => !seat.folded).map(([, seat]) => seat.bet);
  let below = 0;
  for (const level of [...new Set(levels)].sort((a, b) => a - b)) {
    const amount = bets.reduce((sum, bet) => sum + Math.max(0, Math.min(bet, level) - below), 0);
    const eligible = playing.filter(([, seat]) => !seat.folded && seat.bet >= level).map(([at]) => Number(at));
    if (level) put(amount, eligible);
    below = level;
  }
  const over = bets.reduce((sum, bet) => sum + Math.max(0, bet - below), 0);
  if (over) made.length ? (made[made.length - 1].amount += over) : made.push({ amount: over, eligible: live });
  return made;
}

/** All chips in the hand in play. */
export const potOf = (state) =>
  state.pots.reduce((sum, pot) => sum + pot.amount, 0) +
  Object.values(state.seats).reduce((sum, seat) => sum + seat.bet, 0);
