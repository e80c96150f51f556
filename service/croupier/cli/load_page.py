"""Look and plots of the report that `croupier load --html` writes: its style and its script."""

from __future__ import annotations

from typing import Final

STYLE: Final = """
main { max-width: 1500px; display: grid; gap: 1.4rem; }
header { display: flex; flex-wrap: wrap; gap: 0.6rem 1.2rem; align-items: baseline; }
.verdict { font-weight: 700; color: var(--good); }
.verdict.bad, .missed { color: var(--bad); }
.met { color: var(--good); }
.tiles { display: grid; grid-template-columns: repeat(auto-fit, minmax(9rem, 1fr)); gap: 0.8rem; }
.tiles div, figure, section { background: var(--panel); padding: 0.8rem 1rem; }
.tiles div, figure, section { border: 1px solid var(--line); border-radius: 10px; }
.tiles dt { color: var(--dim); font-size: 0.85rem; }
.tiles dd { font-size: 1.5rem; font-weight: 600; }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 30rem), 1fr)); gap: 1rem; }
figure, section { min-width: 0; }
figcaption { margin-bottom: 0.4rem; }
.chart { height: 300px; }
section { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; margin-top: 0.5rem; }
th { text-align: left; font-weight: 600; color: var(--dim); }
th, td { padding: 0.25rem 0.8rem 0.25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
td.number, th.number { text-align: right; }
td { overflow-wrap: anywhere; }
td.number { white-space: nowrap; overflow-wrap: normal; }
.wrongs { list-style: square; padding-left: 1.2rem; color: var(--bad); overflow-wrap: anywhere; }
.u-legend { color: var(--ink); font-size: 0.85rem; }
.u-legend th { color: var(--ink); font-weight: 400; }
.u-legend th, .u-legend td { border: 0; padding: 0 0.2rem; }
.u-legend.u-inline { width: 100%; margin: 0; }
.u-legend.u-inline .u-value { width: 5.5em; }
"""
"""After the console's colours and type, which it builds on."""

SCRIPT: Final = """
"use strict";
const told = JSON.parse(document.getElementById("figures").textContent);
const color = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();
const plots = [];

const rounded = (value) => String(Number(value.toPrecision(3)));
const short = (value) => (value == null ? "" : value >= 1000 ? Math.round(value).toLocaleString("en") : rounded(value));
const ms = (value) => (value == null ? "" : value >= 1000 ? `${short(value / 1000)} s` : `${short(value)} ms`);
const seconds = (value) => (value == null ? "" : `${short(value)} s`);
const share = (value) => (value == null ? "" : `${Number((100 - 100 / value).toFixed(7))} %`);
const power = (value) => Math.abs(Math.log10(value) - Math.round(Math.log10(value))) < 1e-9;
const shares = (most) => [1, 2, ...Array.from({ length: 9 }, (_, n) => 10 ** (n + 1))].filter((one) => one <= most);

function shade(plot) {
  const { left, top, width, height } = plot.bbox;
  plot.ctx.fillStyle = color("--raised");
  for (const edges of told.unmeasured) {
    const [from, to] = edges.map((at) => Math.min(left + width, Math.max(left, plot.valToPos(at, "x", true))));
    plot.ctx.fillRect(from, top, to - from, height);
  }
}

function axes(x, y, curve, log, most) {
  const grid = { stroke: color("--line"), width: 1 };
  const axis = { stroke: color("--dim"), grid, ticks: { show: false }, font: "11px system-ui" };
  const bottom = { ...axis, size: 26, space: 50, values: (_, all) => all.map(x) };
  const left = { ...axis, size: 64, space: 28, values: (_, all) => all.map(y) };
  const every = (_, all) => all;
  if (curve) Object.assign(bottom, { splits: () => shares(most), filter: every });
  if (log) Object.assign(left, { values: (_, all) => all.map((one) => (power(one) ? y(one) : "")), filter: every });
  return [bottom, left];
}

function draw(id, data, lines, { x = seconds, y = short, curve = false, log = false } = {}) {
  const place = document.getElementById(id);
  const size = () => ({ width: Math.max(220, place.clientWidth), height: 250 });
  const most = Math.max(10, data[0].at(-1));
  const points = { show: data[0].length < 3 };
  const plot = new uPlot({
    ...size(),
    scales: {
      x: curve ? { time: false, distr: 3, range: [1, most] } : { time: false },
      y: log ? { distr: 3 } : { range: (_, __, top) => [0, top > 0 ? top * 1.1 : 1] },
    },
    hooks: curve ? {} : { drawClear: [shade] },
    axes: axes(x, y, curve, log, most),
    series: [
      { label: curve ? "share" : "after", value: (_, value) => x(value) },
      ...lines.map(([label, ink]) => ({ label, stroke: color(ink), width: 2, points, value: (_, value) => y(value) })),
    ],
  }, data, place);
  plots.push([plot, size]);
}

function drawCurve({ share: at, due, sent }) {
  if (!at.length) return;
  const how = { x: share, y: ms, curve: true, log: true };
  if (sent.length) draw("curve", [at, due, sent], [["from its time", "--warm"], ["from sending", "--cool"]], how);
  else draw("curve", [at, due], [["latency", "--warm"]], how);
}

function drawTimes({ at, rate, due_rate, p50_ms, p99_ms, max_ms, wrong, late, waiting }) {
  if (!at.length) return;
  const open = due_rate.some((one) => one);
  if (open) draw("rate", [at, rate, due_rate], [["answered", "--good"], ["due", "--gold"]]);
  else draw("rate", [at, rate], [["answered", "--good"]]);
  const inks = [["p50", "--good"], ["p99", "--warm"], ["longest", "--bad"]];
  draw("times", [at, p50_ms, p99_ms, max_ms], inks, { y: ms, log: true });
  draw("faults", [at, wrong, late, waiting], [["wrong", "--bad"], ["late", "--warm"], ["waiting", "--cool"]]);
}

function drawAll() {
  for (const [plot] of plots.splice(0)) plot.destroy();
  drawCurve(told.curve);
  drawTimes(told.points);
}

drawAll();
matchMedia("(prefers-color-scheme: light)").addEventListener("change", drawAll);
addEventListener("resize", () => { for (const [plot, size] of plots) plot.setSize(size()); });
"""
