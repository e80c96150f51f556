// The page's frame: which view stands in it, by the address's fragment.

import { About } from "./about.js";
import { Floor } from "./floor.js";
import { Replay } from "./replay.js";
import { TableView } from "./table.js";
import { Component, html, render } from "./view.js";

const route = () => location.hash.replace(/^#\/?/, "").split("/").map(decoded);

/** A part of the address, as it stands where it is no escaped text. */
function decoded(part) {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

class App extends Component {
  constructor() {
    super();
    this.state = { route: route() };
  }

  componentDidMount() {
    addEventListener("hashchange", () => {
      this.setState({ route: route() }, () => document.getElementById("main")?.focus());
    });
  }

  render(_, { route: [part, tableId, hands, number] }) {
    let view = html`<${Floor} />`;
    if (part === "tables" && hands === "hands" && number) {
      view = html`<${Replay} key=${`${tableId}/${number}`} tableId=${tableId} number=${number} />`;
    } else if (part === "tables" && tableId) view = html`<${TableView} key=${tableId} tableId=${tableId} />`;
    return html`
      <a class="skip" href="#main" onClick=${skip}>Skip to the content</a>
      <${About} />
      <main id="main" tabindex="-1">${view}</main>`;
  }
}

function skip(event) {
  event.preventDefault();
  document.getElementById("main").focus();
}

const place = document.getElementById("app");
place.replaceChildren();
render(html`<${App} />`, place);
