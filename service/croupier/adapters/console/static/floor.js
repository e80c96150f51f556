// The floor: figures of the last hour, and every table in a line.

import { Charts } from "./charts.js";
import { Component, data, html, repeat } from "./view.js";
import { chips, compact, gameOf, houseOf, nameOf, stakesOf, stateOf, streetOf, structureOf, unitOf } from "./words.js";

const COLUMNS = [
  ["Table", (row) => nameOf(row.options, row.tableId).toLowerCase()],
  ["Game", (row) => gameOf(row.options) + structureOf(row.options)],
  ["Stakes", (row) => Number(row.options.stakes?.bigBlind ?? row.options.stakes?.minBet ?? 0)],
  ["Players", (row) => row.takenSeatCount ?? 0],
  ["Pot", (row) => row.pot ?? 0],
  ["State", (row) => row.state],
  ["Hands/h", (row) => row.handsPerHour ?? -1],
];

export class Floor extends Component {
  constructor() {
    super();
    this.state = { rows: null, next: "", tokens: [""], points: [], shared: false, by: 0, down: false, filter: "", found: null, wrong: "" };
  }

  componentDidMount() {
    document.title = "Floor · Croupier";
    this.stops = [repeat(() => this.read(), 2), repeat(() => this.grow(), 5)];
  }

  componentWillUnmount() {
    clearTimeout(this.typing);
    for (const stop of this.stops) stop();
  }

  /** A page of the tables, or those of all that are searched for. */
  query() {
    const { filter, tokens } = this.state;
    return filter.trim() ? `find=${encodeURIComponent(filter)}` : `token=${encodeURIComponent(tokens.at(-1))}`;
  }

  async read() {
    const query = this.query();
    try {
      const page = await data(`floor?${query}`);
      if (query !== this.query()) return;
      this.setState({ rows: page.tables, next: page.nextPageToken ?? "", found: page.found ?? null, shared: page.shared, wrong: "" });
    } catch (failure) {
      this.setState({ wrong: failure.message });
    }
  }

  async grow() {
    const last = this.state.points.at(-1)?.time ?? 0;
    const { points } = await data(`series?after=${last}`);
    if (points.length) this.setState({ points: [...this.state.points, ...points].slice(-720) });
  }

  find(filter) {
    clearTimeout(this.typing);
    this.typing = setTimeout(() => this.read(), 250);
    this.setState({ filter });
  }

  page(tokens) { this.setState({ tokens, rows: null }, () => this.read()); }

  render(_, { rows, points, shared, next, tokens, filter, found, wrong }) {
    const shown = rows ?? [];
    return html`<div class="floor">
      <h1 class="hidden">The floor</h1>
      <${Tiles} points=${points} />
      ${shared && html`<p class="dim">Figures are this server’s alone; the tables are those of all servers.</p>`}
      <section class="tables" aria-label="Tables">
        <div class="bar"><h2>Tables</h2>
          <label class="find"><span class="hidden">Find tables</span>
            <input type="search" placeholder="Find in all tables…" maxlength="64" value=${filter} onInput=${(event) => this.find(event.target.value)} /></label></div>
        ${wrong && html`<p class="wrong" role="alert">${wrong}</p>`}
        ${this.list(shown)}
        ${rows && !shown.length && html`<p class="none">${found === 0 ? "No table is called that." : "No table is open. CreateTable opens one."}</p>`}
        ${found > shown.length && html`<p class="dim" role="status">The oldest ${chips(shown.length)} of ${chips(found)} that were found.</p>`}
        <div class="bar pages">
          ${found === null && tokens.length > 1 && html`<button type="button" onClick=${() => this.page(tokens.slice(0, -1))}>Older tables</button>`}
          ${next && html`<button type="button" onClick=${() => this.page([...tokens, next])}>Newer tables</button>`}
        </div>
      </section>
      <${Charts} points=${points} />
    </div>`;
  }

  list(shown) {
    const { by, down } = this.state;
    const key = COLUMNS[by][1];
    const sorted = [...shown].sort((a, b) => {
      const [x, y] = [key(a), key(b)];
      return (x < y ? -1 : x > y ? 1 : a.tableId < b.tableId ? -1 : 1) * (down ? -1 : 1);
    });
    return html`<table class="list">
      <thead><tr>${COLUMNS.map(([title], index) => html`<th scope="col" key=${title} class=${index > 1 && index !== 5 ? "n" : ""}
        aria-sort=${index === by ? (down ? "descending" : "ascending") : "none"}>
        <button type="button" onClick=${() => this.setState({ by: index, down: index === by ? !down : index > 1 })}>${title}</button></th>`)}</tr></thead>
      <tbody>${sorted.map((row) => html`<${Row} key=${row.tableId} row=${row} />`)}</tbody>
    </table>`;
  }
}

function Row({ row }) {
  const { options } = row;
  const seats = Array.from({ length: options.seatCount ?? 0 }, (_, seat) => seat < (row.takenSeatCount ?? 0));
  return html`<tr>
    <th scope="row" data-label="Table"><a href=${`#/tables/${encodeURIComponent(row.tableId)}`}>${nameOf(options, row.tableId)}</a>
      <small>${houseOf(options)}</small></th>
    <td data-label="Game">${gameOf(options)} <small>${structureOf(options)}</small></td>
    <td data-label="Stakes" class="n">${stakesOf(options)} <small>${unitOf(options.currency)}</small></td>
    <td data-label="Players" class="n"><span class="pips" aria-hidden="true">${seats.map((taken) => html`<i class=${taken ? "taken" : ""}></i>`)}</span>
      <span>${row.takenSeatCount ?? 0}<span class="dim">/${options.seatCount}</span></span></td>
    <td data-label="Pot" class="n">${row.pot ? html`<b class="pot">${chips(row.pot)}</b>` : html`<span class="dim">–</span>`}
      ${" "}${row.street && html`<small>${streetOf(row.street)}</small>`}</td>
    <td data-label="State"><span class=${`state ${stateOf(row.state)}`}>${stateOf(row.state)}</span></td>
    <td data-label="Hands/h" class="n">${row.handsPerHour == null ? html`<span class="dim">–</span>` : compact(row.handsPerHour)}</td>
  </tr>`;
}

function Tiles({ points }) {
  const last = points.at(-1);
  const rake = Object.entries(last?.rake ?? {}).filter(([, amount]) => amount).sort((a, b) => b[1] - a[1]);
  const tile = (title, value, unit) => html`<div class="tile"><dt>${title}</dt><dd>${value} ${unit && html`<small>${unit}</small>`}</dd></div>`;
  return html`<dl class="tiles" aria-label="The service now">
    ${tile("Open tables", last ? compact(last.tables) : "–")}
    ${tile("Seats taken", last ? compact(last.seats) : "–")}
    ${tile("Hands", last ? compact(last.hands) : "–", "/h")}
    ${tile("Actions", last ? compact(last.actions) : "–", "/s")}
    ${tile("Answer, p99", last?.p99 == null ? "–" : last.p99 < 10 ? last.p99.toFixed(1) : Math.round(last.p99), "ms")}
    ${tile("Rake since start", rake.length ? compact(rake[0][1]) : "–", unitOf(rake[0]?.[0]))}
  </dl>`;
}
