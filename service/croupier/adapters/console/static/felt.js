// The felt: seats around it, cards, bets, pots, the button, who is to act and for how long.

import { potOf } from "./state.js";
import { Component, html } from "./view.js";
import { DONE, cardInWords, chips, rankOf, seatStateOf, streetOf, suitOf } from "./words.js";

const HELD = {
  GAME_OMAHA: 4, GAME_OMAHA_HI_LO: 4, GAME_FIVE_CARD_OMAHA: 5, GAME_SIX_CARD_OMAHA: 6, GAME_FIVE_CARD_DRAW: 5,
};

/** Where a seat is: its middle in percent of the felt, at a share of the way out from the centre. */
function place(seat, count, out = 1) {
  const angle = Math.PI / 2 + ((seat - 0.5) * 2 * Math.PI) / count;
  return { "--x": `${50 + 43 * out * Math.cos(angle)}%`, "--y": `${50 + 40 * out * Math.sin(angle)}%` };
}

export function Card({ card }) {
  if (!card) return html`<span class="card back" aria-hidden="true"></span>`;
  return html`<span class=${`card ${card[1]}`} role="img" aria-label=${cardInWords(card)}><b>${rankOf(card)}</b><i>${suitOf(card)}</i></span>`;
}

/** A felt in one state; `acting` is the seat that is to act, or was; `left` and `whole` are seconds of its clock. */
export function Felt({ state, acting, left, whole, action }) {
  const count = state.options.seatCount ?? 6;
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  const draw = state.options.game === "GAME_FIVE_CARD_DRAW";
  const won = state.awards.length > 0;
  return html`<div class=${`felt of${count}`} role="group" aria-label="The felt">
    <div class="cloth"></div>
    <div class="middle">
      <p class="street">${streetOf(state.street) || (state.handId ? "" : "between hands")}</p>
      ${!draw && html`<div class="board" role="group" aria-label=${state.board.length ? "Board" : "No board yet"}>
        ${Array.from({ length: 5 }, (_, index) => state.board[index]
          ? html`<${Card} key=${state.board[index]} card=${state.board[index]} />` : html`<span class="card slot" key=${index}></span>`)}</div>`}
      <p class="total" aria-label=${`Pot ${chips(potOf(state))}`}>${won && !potOf(state) ? html`<span class="dim">paid out</span>` : html`<small>pot</small> ${chips(potOf(state))}`}</p>
      ${state.pots.length > 1 && html`<ul class="pots" aria-label="Pots">${state.pots.map((pot, index) => html`
        <li key=${index} title=${`Seats ${pot.eligible.join(", ")}`}><span>${index ? `side ${index}` : "main"}</span> ${chips(pot.amount)}</li>`)}</ul>`}
    </div>
    <ol class="seats">${numbers.map((at) => html`<${Seat} key=${at} at=${at} count=${count} seat=${state.seats[at]} state=${state}
      acts=${acting === at} left=${left} whole=${whole} action=${action} />`)}</ol>
    ${numbers.map((at) => state.seats[at]?.bet ? html`<span class="bet" key=${`bet${at}`} style=${place(at, count, 0.66)} aria-hidden="true"><i></i>${chips(state.seats[at].bet)}</span>` : null)}
    ${state.button > 0 && html`<span class="button" style=${place(state.button - 0.28, count, 0.73)} role="img" aria-label=${`The button is at seat ${state.button}`}>D</span>`}
  </div>`;
}

function Seat({ at, count, seat, state, acts, left, whole, action }) {
  if (!seat) {
    return html`<li class="seat free" style=${place(at, count)} aria-label=${`Seat ${at}, free`}><span class="plate"><span class="dim">${at}</span></span></li>`;
  }
  const classes = ["seat", acts && "acts", seat.folded && "folded", seat.won > 0 && "won", !seat.inHand && "idle"].filter(Boolean).join(" ");
  const backs = seat.inHand && !seat.folded && state.handId ? state.holeCount || HELD[state.options.game] || 2 : 0;
  const cards = seat.cards.length ? seat.cards : Array.from({ length: state.result ? 0 : backs }, () => "");
  return html`<li class=${classes} style=${place(at, count)} aria-label=${told(at, seat, acts)}>
    <span class=${`cards k${cards.length}`}>${cards.map((card, index) => html`<${Card} key=${card || index} card=${card} />`)}</span>
    <span class="plate">
      <span class="name" title=${seat.player}>${seat.player}</span>
      <span class="stack">${chips(seat.stack)}</span>
      ${acts && left > 0 && html`<${Clock} key=${action} left=${left} whole=${whole} />`}
    </span>
    ${badge(seat)}
    ${seat.words && html`<span class="made">${seat.words}</span>`}
  </li>`;
}

function badge(seat) {
  if (seat.won > 0) return html`<span class="badge gain">+${chips(seat.won)}</span>`;
  if (seat.allIn && !seat.folded) return html`<span class="badge all">all in</span>`;
  if (seat.last) return html`<span class=${`badge ${seat.last}`}>${DONE[seat.last]}${seat.drawn && seat.last === "drew" ? ` ${seat.drawn}` : ""}</span>`;
  if (!seat.inHand && seat.state && seat.state !== "SEAT_STATE_PLAYING") return html`<span class="badge quiet">${seatStateOf(seat.state)}</span>`;
  return null;
}

function told(at, seat, acts) {
  const parts = [`Seat ${at}`, seat.player, `${chips(seat.stack)} behind`];
  if (seat.bet) parts.push(`bet ${chips(seat.bet)}`);
  if (seat.folded) parts.push("folded");
  if (seat.allIn && !seat.folded) parts.push("all in");
  if (!seat.inHand) parts.push(seatStateOf(seat.state));
  if (seat.won) parts.push(`wins ${chips(seat.won)}`);
  if (acts) parts.push("to act");
  return parts.join(", ");
}

/** Runs down by itself; a new one is made for every decision. */
class Clock extends Component {
  shouldComponentUpdate() { return false; }

  render({ left, whole }) {
    const span = Math.max(left, whole || left);
    return html`<span class="clock" style=${{ "--span": `${span}s`, "--gone": `${left - span}s` }} aria-hidden="true"></span>`;
  }
}
