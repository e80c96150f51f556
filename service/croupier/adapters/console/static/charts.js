// Rake and latency over the last hour, drawn by uPlot.

import { Component, html } from "./view.js";
import { compact, unitOf } from "./words.js";

const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const SCHEME = matchMedia("(prefers-color-scheme: light)");
const clock = (time) => new Date(time * 1000).toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit", second: time % 60 ? "2-digit" : undefined });
const ms = (value) => (value == null ? "–" : value < 10 ? value.toFixed(1) : String(Math.round(value)));

export class Charts extends Component {
  constructor() {
    super();
    this.state = { currency: "" };
  }

  render({ points }, { currency }) {
    const currencies = Object.entries(points.at(-1)?.rake ?? {}).filter(([, amount]) => amount).map(([name]) => name).sort();
    const chosen = currencies.includes(currency) ? currency : currencies[0] ?? "";
    const time = points.map((point) => point.time / 1000);
    return html`<section class="charts" aria-label="The last hour">
      <figure><figcaption><h2>Answer to an action <small>ms</small></h2><span class="key p50">half</span><span class="key p99">99 %</span></figcaption>
        <${Chart} label=${spoken(points)} inks=${["--good", "--warm"]} format=${ms}
          series=${[time, points.map((point) => point.p50), points.map((point) => point.p99)]} /></figure>
      <figure><figcaption><h2>Rake taken <small>${unitOf(chosen)}</small></h2>
        ${currencies.length > 1 && html`<select aria-label="Currency" onChange=${(event) => this.setState({ currency: event.target.value })}>
          ${currencies.map((name) => html`<option selected=${name === chosen}>${name}</option>`)}</select>`}</figcaption>
        <${Chart} label=${`Rake taken since the start: ${compact(points.at(-1)?.rake[chosen] ?? 0)} ${unitOf(chosen)}`} inks=${["--gold"]} filled format=${compact}
          series=${[time, points.map((point) => point.rake[chosen] ?? 0)]} /></figure>
      <figure><figcaption><h2>Hands <small>per hour</small></h2></figcaption>
        <${Chart} label=${`Hands per hour: ${compact(points.at(-1)?.hands ?? 0)}`} inks=${["--cool"]} filled format=${compact}
          series=${[time, points.map((point) => point.hands)]} /></figure>
    </section>`;
  }
}

function spoken(points) {
  const last = points.at(-1);
  return `Answer to an action: half within ${ms(last?.p50)} ms, 99 percent within ${ms(last?.p99)} ms`;
}

class Chart extends Component {
  componentDidMount() {
    this.redraw = () => this.make();
    addEventListener("theme", this.redraw);
    SCHEME.addEventListener("change", this.redraw);
    this.sizes = new ResizeObserver(() => this.plot?.setSize(this.size()));
    this.sizes.observe(this.place);
    this.make();
  }

  componentDidUpdate() { this.plot?.setData(this.props.series); }

  componentWillUnmount() {
    removeEventListener("theme", this.redraw);
    SCHEME.removeEventListener("change", this.redraw);
    this.sizes.disconnect();
    this.plot?.destroy();
  }

  size() { return { width: Math.max(200, this.place.clientWidth), height: Math.max(110, this.place.clientHeight) }; }

  make() {
    this.plot?.destroy();
    const { inks, filled, format, series } = this.props;
    const axis = { stroke: color("--dim"), grid: { stroke: color("--line"), width: 1 }, ticks: { show: false }, font: "11px system-ui" };
    this.plot = new uPlot({
      ...this.size(), legend: { show: false }, cursor: { show: false }, padding: [8, 8, 0, 0],
      scales: { y: { range: (_, __, most) => [0, most > 0 ? most * 1.1 : 1] } },
      axes: [{ ...axis, size: 24, space: 80, values: (_, times) => times.map(clock) }, { ...axis, size: 46, space: 30, values: (_, values) => values.map(format) }],
      series: [{}, ...inks.map((ink) => ({
        stroke: color(ink), width: 2, points: { show: false }, spanGaps: true, fill: filled ? `${color(ink)}26` : undefined,
      }))],
    }, series, this.place);
  }

  render({ label }) {
    return html`<div class="chart" role="img" aria-label=${label} ref=${(place) => { this.place = place ?? this.place; }}></div>`;
  }

  shouldComponentUpdate(next) {
    this.plot?.setData(next.series);
    return next.label !== this.props.label;
  }
}
