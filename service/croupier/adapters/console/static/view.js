// What every part of the page is made with, and how it asks the service.

import { Component, h, render } from "./vendor/preact.mjs";
import htm from "./vendor/htm.mjs";

export const html = htm.bind(h);
export { Component, render };

/** Data by its name below /console/data/. Throws an error with a `reason`; goes to the form where it is missing. */
export async function data(name) {
  const answer = await fetch(`/console/data/${name}`, { headers: { accept: "application/json" } });
  if (answer.status === 401) location.assign("/console/login");
  const told = await answer.json().catch(() => ({}));
  if (!answer.ok) throw Object.assign(new Error(told.text ?? `HTTP ${answer.status}`), { reason: told.reason ?? "" });
  return told;
}

/** Calls `work` now and again and again, each time after the last has ended, while the page can be seen. */
export function repeat(work, seconds) {
  let timer = 0;
  let over = false;
  const turn = async () => {
    if (!document.hidden) await work().catch(() => {});
    if (!over) timer = setTimeout(turn, seconds * 1000);
  };
  turn();
  return () => { over = true; clearTimeout(timer); };
}
