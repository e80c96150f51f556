// The head of the page: what is looked at, since when, and how to go.

import { Component, data, html, repeat } from "./view.js";

const THEMES = ["auto", "light", "dark"];

function span(seconds) {
  const [days, hours, minutes] = [seconds / 86400, (seconds / 3600) % 24, (seconds / 60) % 60].map(Math.floor);
  return days ? `${days} d ${hours} h` : hours ? `${hours} h ${minutes} min` : `${minutes} min`;
}

export class About extends Component {
  constructor() {
    super();
    this.state = { about: null, reached: true, theme: localStorage.getItem("theme") ?? "auto" };
  }

  componentDidMount() {
    this.wear(this.state.theme);
    this.stop = repeat(async () => {
      try {
        this.setState({ about: await data("about"), reached: true });
      } catch {
        this.setState({ reached: false });
      }
    }, 10);
  }

  wear(theme) {
    document.documentElement.dataset.theme = theme;
    localStorage.setItem("theme", theme);
    this.setState({ theme });
    dispatchEvent(new Event("theme"));
  }

  render(_, { about, reached, theme }) {
    const server = about?.server ?? {};
    const since = about ? (Date.parse(server.serverTime) - Date.parse(server.startedTime)) / 1000 : 0;
    return html`<header class="head">
      <a class="brand" href="#/"><img src="/console/static/icon.svg" alt="" width="30" height="30" /><span>Croupier</span></a>
      <span class=${reached ? "live on" : "live off"} role="status">${reached ? "live" : "no answer"}</span>
      <span class="facts">${about && html`${server.version} · ${server.store} · ${server.evaluator} · up ${span(since)}`}</span>
      <button type="button" class="quiet" onClick=${() => this.wear(THEMES[(THEMES.indexOf(theme) + 1) % 3])}
        aria-label=${`Colours: ${theme}. Change`}>${{ auto: "◐", light: "☀", dark: "☾" }[theme]}</button>
      ${about?.caller.known && html`<form method="post" action="/console/logout"><button class="quiet">Sign out</button></form>`}
    </header>`;
  }
}
