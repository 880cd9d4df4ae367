// The state of Studio, as every tab is told of it. It begins with that of the page.

const listeners = [];
let latest = JSON.parse(document.getElementById("state").textContent);
const events = new EventSource("/api/events");

events.addEventListener("state", (event) => {
  const [before, now] = [latest, JSON.parse(event.data)];
  latest = now;
  for (const listener of listeners) listener(now, before);
});
events.addEventListener("end", () => events.close());

export function on_state(listener) {
  listeners.push(listener);
  listener(latest, latest);
}

export const on_end = (listener) => events.addEventListener("end", listener);

// Whether a part of the state differs, by its JSON.
export const differs = (now, before, part) => JSON.stringify(part(now)) !== JSON.stringify(part(before));
