// Amounts, cards, rules and events in words.

import { kindOf } from "./state.js";

const whole = new Intl.NumberFormat("en");
const short = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });
export const chips = (value) => whole.format(Number(value ?? 0));
export const compact = (value) => (Math.abs(value) < 10000 ? whole.format(Math.round(value)) : short.format(value));

const SUITS = { c: ["♣", "clubs"], d: ["♦", "diamonds"], h: ["♥", "hearts"], s: ["♠", "spades"] };
const RANKS = { T: "10", J: "jack", Q: "queen", K: "king", A: "ace" };
export const suitOf = (card) => SUITS[card[1]][0];
export const rankOf = (card) => (card[0] === "T" ? "10" : card[0]);
export const cardInWords = (card) => `${RANKS[card[0]] ?? card[0]} of ${SUITS[card[1]][1]}`;

const GAMES = {
  GAME_HOLDEM: "Hold’em", GAME_OMAHA: "Omaha", GAME_OMAHA_HI_LO: "Omaha Hi-Lo", GAME_FIVE_CARD_DRAW: "Five-card draw",
  GAME_FIVE_CARD_OMAHA: "Five-card Omaha", GAME_SIX_CARD_OMAHA: "Six-card Omaha",
};
const plain = (name, prefix) => (name ?? "").replace(prefix, "").toLowerCase().replaceAll("_", " ");
export const gameOf = (options) => GAMES[options.game] ?? plain(options.game, "GAME_");
/** What players hold to by a rule of the table's, and by custom alone. */
const HELD_TO = {
  ALL_IN_RULE_ALL_IN_OR_FOLD: ", all in or fold",
  ALL_IN_RULE_ALL_IN_OR_ALL_IN: ", all in or all in (by custom until five times the buy-in)",
};
export const structureOf = (options) => plain(options.structure, "BET_STRUCTURE_") + (HELD_TO[options.allInRule] ?? "");
export const stateOf = (state) => plain(state, "TABLE_STATE_");
export const seatStateOf = (state) => plain(state, "SEAT_STATE_");
export const streetOf = (street) => plain(street, "STREET_");
export const houseOf = (options) => plain(options.houseId, "").replace(/(^| )[a-z]/g, (one) => one.toUpperCase());
/** The blinds; where nobody posts any, what may be bet. */
export const stakesOf = ({ stakes = {}, structure }) => {
  const { smallBlind, bigBlind, minBet, bigBet } = stakes;
  if (Number(bigBlind ?? 0)) return `${chips(smallBlind)} / ${chips(bigBlind)}`;
  if (!Number(bigBet ?? 0)) return `bets from ${chips(minBet)}`;
  return `bets ${chips(minBet)}${structure === "BET_STRUCTURE_SPREAD_LIMIT" ? "–" : " / "}${chips(bigBet)}`;
};
const DIVIDED = new Set(Intl.supportedValuesOf("currency"));
/** What amounts count: the currency's smallest unit, which is another than the currency where that is money of the world. */
export const unitOf = (currency) => (DIVIDED.has(currency) ? `${currency}, smallest unit` : currency ?? "");
export const nameOf = (options, tableId) => options.name || `Table ${tableId.slice(0, 8)}`;
export const handNumber = (handId) => (handId ?? "").split("/").pop();

export const DONE = {
  folded: "folds", checked: "checks", called: "calls", betMade: "bets", raised: "raises", blindPosted: "posts",
  drew: "draws", stood: "stands pat",
};
const CAUSES = { ACTION_CAUSE_TIME_OUT: " (time ran out)", ACTION_CAUSE_DISMISSED: " (dismissed)" };

/** An event as one line; empty for what is not worth one. */
export function line(event, state) {
  const [kind, what] = kindOf(event);
  const who = what.playerId || state.seats[what.seatNumber]?.player || `Seat ${what.seatNumber}`;
  const allIn = what.allIn ? " and is all in" : "";
  const name = (seat) => state.seats[seat]?.player || `Seat ${seat}`;
  switch (kind) {
    case "handStarted": return `Hand ${handNumber(what.handId)} begins`;
    case "blindPosted": return `${who} posts ${plain(what.kind, "BLIND_KIND_")} ${chips(what.paid)}${allIn}`;
    case "folded": case "checked": return `${who} ${DONE[kind]}${CAUSES[what.cause] ?? ""}`;
    case "called": return `${who} calls ${chips(what.paid)}${allIn}${CAUSES[what.cause] ?? ""}`;
    case "betMade": return `${who} bets ${chips(what.streetBet)}${allIn}`;
    case "raised": return `${who} raises to ${chips(what.streetBet)}${allIn}`;
    case "cardsDrawn": return what.count ? `${who} draws ${what.count}` : `${who} stands pat`;
    case "streetDealt": return `${streetOf(what.street)}: ${(what.cards ?? []).map((one) => rankOf(one) + suitOf(one)).join(" ")}`;
    case "uncalledBetReturned": return `${chips(what.amount)} return to ${who}`;
    case "holeCardsShown": case "cardsShown": {
      const cards = (what.holeCards ?? what.cards ?? []).map((one) => rankOf(one) + suitOf(one)).join(" ");
      return `${who} shows ${cards}${what.description ? `: ${what.description}` : ""}`;
    }
    case "potAwarded":
      return (what.awards ?? []).map((one) => `${name(one.seatNumber)} wins ${chips(one.amount)}${what.potIndex ? ` of side pot ${what.potIndex}` : ""}`).join(", ");
    case "handEnded": return Number(what.rake ?? 0) ? `Rake ${chips(what.rake)}` : "Hand over";
    case "handVoided": return "The hand is void: everybody gets back what they put in";
    case "boughtIn": return `${who} buys in with ${chips(what.amount)}`;
    case "rebought": return `${who} adds ${chips(what.amount)}`;
    case "playerLeft": return `${who} leaves with ${chips(what.returned)}`;
    case "satOut": return `${who} sits out`;
    case "satIn": return `${who} is back`;
    case "tablePaused": return "The table is paused";
    case "tableResumed": return "The table is open again";
    case "tableClosing": return "The table is closing";
    case "tableClosed": return "The table is closed";
    default: return "";
  }
}
