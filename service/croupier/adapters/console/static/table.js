// One table as it moves: the felt, what happened, and the hands that have ended.

import { Felt } from "./felt.js";
import { after, fromTable } from "./state.js";
import { Component, data, html } from "./view.js";
import { chips, gameOf, handNumber, houseOf, line, nameOf, stakesOf, stateOf, structureOf, unitOf } from "./words.js";

const MOST_LINES = 80;
const ENDED = {
  STREAM_END_REASON_TABLE_CLOSED: "The table is closed.", STREAM_END_REASON_TABLE_HALTED: "The table is halted: an operator must look at it.",
};
const REFUSED = {
  TABLE_UNKNOWN: "There is no such table.", FIELD_MALFORMED: "There is no such table.", FIELD_TOO_LONG: "There is no such table.",
  TABLE_MOVING: "the table is moving to another server",
  TOO_MANY_STREAMS: "too many tables are watched at once: close some; trying again", RATE_EXCEEDED: "too much is asked for; trying again",
};
/** Statuses of refusals that do not pass. */
const FINAL = [400, 403, 404];
const seconds = (span) => Number((span ?? "0s").slice(0, -1));

export class TableView extends Component {
  constructor() {
    super();
    this.state = { table: null, lines: [], hands: null, status: "connecting", said: "", left: 0, action: "" };
    this.number = 0;
  }

  componentDidMount() {
    this.open();
    this.speaking = setInterval(() => this.speak(), 1500);
    document.addEventListener("visibilitychange", this.seen = () => this.look());
  }

  componentWillUnmount() {
    document.removeEventListener("visibilitychange", this.seen);
    clearInterval(this.speaking);
    clearTimeout(this.loading);
    this.close();
  }

  /** A stream takes one of the six connections that a browser makes to a host: a page that nobody sees holds none. */
  look() {
    if (document.hidden) this.close();
    else if (!this.over) {
      if (this.state.table) this.setState({ status: "reconnecting" });
      this.open();
    }
  }

  close() {
    clearTimeout(this.reopening);
    this.source?.close();
    this.source = null;
  }

  open() {
    if (document.hidden) return;
    this.close();
    const source = (this.source = new EventSource(`/console/data/tables/${encodeURIComponent(this.props.tableId)}/events`));
    source.onmessage = (message) => this.take(JSON.parse(message.data));
    source.addEventListener("refused", (message) => {
      source.close();
      this.refused(JSON.parse(message.data));
    });
    source.onerror = async () => {
      if (!this.over) this.setState({ status: "reconnecting" });
      if (source.readyState !== EventSource.CLOSED) return;
      await data("about").catch(() => {}); // leads to the form where the credential has ended
      if (source === this.source) this.reopening = setTimeout(() => this.open(), 5000);
    };
  }

  refused({ reason, text, status }) {
    this.setState({ status: REFUSED[reason] ?? text });
    this.over = FINAL.includes(status);
    if (!this.over) this.reopening = setTimeout(() => this.open(), 5000);
  }

  take({ snapshot, events, end }) {
    if (snapshot) this.begin(fromTable(snapshot));
    else if (events && this.state.table) this.follow(events);
    else if (end && ENDED[end.reason]) {
      this.over = true;
      this.close();
      this.setState({ status: "over", said: ENDED[end.reason] });
    }
  }

  begin(table) {
    const missed = this.state.lines.length && table.sequence > this.state.table.sequence;
    if (this.state.status !== "live") this.loadHands(0);
    this.show(table, missed ? [{ key: ++this.number, text: "… what happened meanwhile was not seen", kind: "missed" }] : []);
  }

  follow({ events = [], nextDecision = null }) {
    let table = this.state.table;
    const before = table.sequence;
    const lines = [];
    for (const event of events) {
      if (Number(event.sequence) <= before) continue;
      table = after(table, event);
      const text = line(event, table);
      if (text) lines.push({ key: ++this.number, text, kind: Object.keys(event)[2] });
    }
    if (table.sequence > before || !events.length) this.show({ ...table, decision: nextDecision }, lines);
    if (events.some((event) => event.handEnded)) this.loadHands();
  }

  show(table, lines) {
    const decision = table.decision;
    document.title = `${nameOf(table.options, this.props.tableId)} · Croupier`;
    this.setState({
      table, status: "live", lines: [...lines.reverse(), ...this.state.lines].slice(0, MOST_LINES),
      left: seconds(decision?.timeRemaining), action: decision ? `${decision.handId} ${decision.actionSequence}` : "",
    });
  }

  /** Not every line is read out: whoever listens hears where things stand now and then. */
  speak() {
    const last = this.state.lines[0]?.text ?? "";
    if (last !== this.spoken) this.setState({ said: (this.spoken = last) });
  }

  /** However fast hands end, they are asked for once in a while: in `wait` milliseconds. */
  loadHands(wait = 1500) {
    if (this.loading) return;
    this.loading = setTimeout(async () => {
      const page = await data(`tables/${encodeURIComponent(this.props.tableId)}/hands`).catch(() => null);
      this.loading = 0;
      if (page) this.setState({ hands: page.hands ?? [] });
      else if (this.source && !this.over) this.loadHands(5000);
    }, wait);
  }

  render({ tableId }, { table, lines, hands, status, said, left, action }) {
    if (!table) return html`<p class="wait" role="status">${status === "connecting" ? "Looking in…" : status} <a href="#/">Back to the floor</a></p>`;
    const { options } = table;
    return html`<div class="table">
      <div class="title"><a class="back" href="#/" aria-label="Back to the floor">←</a>
        <h1>${nameOf(options, tableId)}</h1>
        <p><span>${gameOf(options)} ${structureOf(options)}</span> <span>${stakesOf(options)} ${unitOf(options.currency)}</span> <span>${houseOf(options)}</span>
          ${table.handId && html` <span>hand ${handNumber(table.handId)}</span>`}</p>
        <span class=${`state ${stateOf(table.table)}`}>${stateOf(table.table)}</span>
        ${status !== "live" && html`<span class="live off" role="status">${status === "over" ? said : status}</span>`}</div>
      <${Felt} key=${tableId} state=${table} acting=${table.decision?.seatNumber ?? 0} left=${left} whole=${seconds(options.actionTime)} action=${action} />
      <p class="hidden" aria-live="polite">${said}</p>
      <section class="log" aria-label="What happened"><h2>What happened</h2>
        <ol tabindex="0">${lines.map((one) => html`<li key=${one.key} class=${one.kind}>${one.text}</li>`)}</ol></section>
      <section class="hands" aria-label="Finished hands"><h2>Finished hands</h2>
        ${hands?.length ? html`<ol>${hands.map((hand) => html`<${Ended} key=${hand.handId} hand=${hand} tableId=${tableId} />`)}</ol>`
          : html`<p class="none">${hands ? "None yet." : "Looking in…"}</p>`}</section>
    </div>`;
  }
}

function Ended({ hand, tableId }) {
  const pot = (hand.pots ?? []).reduce((sum, one) => sum + Number(one.amount ?? 0), 0);
  const best = [...(hand.seats ?? [])].sort((a, b) => Number(b.net ?? 0) - Number(a.net ?? 0))[0];
  return html`<li><a href=${`#/tables/${encodeURIComponent(tableId)}/hands/${hand.handNumber}`}>
    <b>#${hand.handNumber}</b> <span class="who">${hand.damaged ? "damaged" : hand.voided ? "void" : best?.playerId}</span>
    <span class="gain">${best && !hand.voided ? `+${chips(best.net)}` : ""}</span> <small>pot ${chips(pot)}</small></a></li>`;
}
