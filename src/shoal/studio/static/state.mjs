// The state of Studio, as every tab is told of it. It begins with that of the page.

const listeners = [];
const at_end = [];
let latest = JSON.parse(document.getElementById("state").textContent);
const stream = new SharedWorker("/static/events.mjs", { type: "module" });

stream.port.addEventListener("message", ({ data: { state, end } }) => {
  if (end) return at_end.forEach((listener) => listener());
  const before = latest;
  latest = state;
  return listeners.forEach((listener) => listener(state, before));
});
stream.port.start();

export function on_state(listener) {
  listeners.push(listener);
  listener(latest, latest);
}

export const on_end = (listener) => at_end.push(listener);

// Whether a part of the state differs, by its JSON.
export const differs = (now, before, part) => JSON.stringify(part(now)) !== JSON.stringify(part(before));
