// A finished hand, step by step.

import { Felt } from "./felt.js";
import { after, fromRecord, kindOf } from "./state.js";
import { Component, data, html } from "./view.js";
import { chips, gameOf, line, nameOf, stakesOf, structureOf, unitOf } from "./words.js";

const PACE = 900;

export class Replay extends Component {
  constructor() {
    super();
    this.state = { record: null, frames: [], step: 0, playing: false, wrong: "" };
    this.keys = (event) => this.pressed(event);
  }

  async componentDidMount() {
    addEventListener("keydown", this.keys);
    const { tableId, number } = this.props;
    document.title = `Hand ${number} · Croupier`;
    try {
      const { hand } = await data(`tables/${encodeURIComponent(tableId)}/hands/${encodeURIComponent(number)}`);
      this.setState({ record: hand, frames: framesOf(hand) });
    } catch (failure) {
      this.setState({ wrong: failure.reason === "HAND_UNKNOWN" ? "No such hand has ended here." : failure.message });
    }
  }

  componentWillUnmount() {
    removeEventListener("keydown", this.keys);
    clearInterval(this.timer);
  }

  go(step) {
    const last = this.state.frames.length - 1;
    this.setState({ step: Math.max(0, Math.min(last, step)) });
    if (step >= last) this.play(false);
  }

  play(playing) {
    clearInterval(this.timer);
    if (playing && this.state.step >= this.state.frames.length - 1) this.setState({ step: 0 });
    if (playing) this.timer = setInterval(() => this.go(this.state.step + 1), PACE);
    this.setState({ playing });
  }

  pressed(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const on = event.target.closest?.("input, button, a, select");
    const { step, frames, playing } = this.state;
    const keys = { ArrowRight: step + 1, ArrowLeft: step - 1, Home: 0, End: frames.length - 1 };
    if (event.key === " " && !on) this.play(!playing);
    else if (event.key in keys && event.target.type !== "range") this.go(keys[event.key]);
    else return;
    event.preventDefault();
  }

  render({ tableId, number }, { record, frames, step, playing, wrong }) {
    if (wrong) return html`<p class="wait wrong" role="alert">${wrong} <a href=${`#/tables/${encodeURIComponent(tableId)}`}>Back to the table</a></p>`;
    if (!record) return html`<p class="wait" role="status">Looking in…</p>`;
    const frame = frames[step];
    const { options } = record;
    const last = frames.length - 1;
    return html`<div class="table replay">
      <div class="title"><a class="back" href=${`#/tables/${encodeURIComponent(tableId)}`} aria-label="Back to the table">←</a>
        <h1>Hand ${number}</h1>
        <p><span>${nameOf(options, tableId)}</span> <span>${gameOf(options)} ${structureOf(options)}</span> <span>${stakesOf(options)} ${unitOf(options.currency)}</span>
          <span>rake ${chips(record.rake)}</span></p>
        ${record.voided && html`<span class="state halted">void</span>`}</div>
      <${Felt} state=${frame.state} acting=${frame.seat} left=${0} whole=${0} />
      <div class="controls" role="group" aria-label="Replay">
        <button type="button" onClick=${() => this.go(0)} aria-label="First step" disabled=${!step}>«</button>
        <button type="button" onClick=${() => this.go(step - 1)} aria-label="Step back" disabled=${!step}>‹</button>
        <button type="button" class="play" onClick=${() => this.play(!playing)} aria-label=${playing ? "Pause" : "Play"}>${playing ? "❚❚" : "▶"}</button>
        <button type="button" onClick=${() => this.go(step + 1)} aria-label="Step on" disabled=${step === last}>›</button>
        <button type="button" onClick=${() => this.go(last)} aria-label="Last step" disabled=${step === last}>»</button>
        <input type="range" min="0" max=${last} value=${step} onInput=${(event) => this.go(Number(event.target.value))}
          aria-label="Step" aria-valuetext=${`${step} of ${last}: ${frame.text}`} />
        <output>${step} / ${last}</output>
      </div>
      <p class="now" aria-live="polite">${frame.text || " "}</p>
      <section class="log steps" aria-label="Steps"><h2>Steps</h2>
        <ol>${frames.slice(1).map((one, index) => one.text && html`<li key=${index}>
          <button type="button" aria-current=${step === index + 1 ? "step" : "false"} onClick=${() => this.go(index + 1)}>${one.text}</button></li>`)}</ol></section>
    </div>`;
  }
}

/** What hands were turned up, in words, which a showdown before the river did not yet have. */
function inWords(state, record) {
  const seats = { ...state.seats };
  for (const one of record.seats ?? []) {
    const words = [one.description, one.lowDescription].filter(Boolean).join("; ");
    if (seats[one.seatNumber] && words) seats[one.seatNumber] = { ...seats[one.seatNumber], words };
  }
  return { ...state, seats };
}

/** The state after every event, with what it says in words and whose it is. */
function framesOf(record) {
  let state = fromRecord(record);
  const frames = [{ state, text: "Before the first card", seat: 0 }];
  for (const event of record.events ?? []) {
    state = after(state, event);
    if (event.handEnded) state = inWords(state, record);
    const text = line(event, state);
    if (text) frames.push({ state, text, seat: kindOf(event)[1].seatNumber ?? 0 });
    else frames[frames.length - 1] = { ...frames[frames.length - 1], state };
  }
  return frames;
}
