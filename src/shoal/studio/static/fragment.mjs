// Parts of this page as the server writes them now. What is being typed in them, and where, stays.
import { Refusal } from "./api.mjs";
import { draw_charts } from "./chart.mjs";
import { reach_scrolled } from "./scrolling.mjs";

let last = Promise.resolve();

// One after the other, so that an older answer never comes last.
export function refresh(...ids) {
  const made = last.then(() => read_again(ids));
  last = made.catch(() => undefined);
  return made;
}

async function read_again(ids) {
  const answer = await fetch(location.pathname).catch(() => null);
  if (!answer?.ok) throw new Refusal(answer?.status ?? 0, ["The page could not be read again.", "Reload it."]);
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [typed, opened] = [typing(), opened_details()];
  for (const id of ids) {
    const [now, before] = [page.getElementById(id), document.getElementById(id)];
    if (now && before) before.replaceChildren(...document.adoptNode(now).childNodes);
  }
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  if (typed) go_on(typed);
  draw_charts();
  reach_scrolled();
}

const opened_details = () => [...document.querySelectorAll("details[open][id]")].map((each) => each.id);

function typing() {
  const at = document.activeElement;
  if (!at?.id || at === document.body) return null;
  const is_changed = at.tagName === "INPUT" && at.type === "text" && at.value !== at.defaultValue;
  return { id: at.id, value: is_changed ? at.value : null };
}

function go_on({ id, value }) {
  if (document.activeElement?.id === id) return;
  const at = document.getElementById(id) ?? document.getElementById("main");
  if (value !== null && at.id === id) at.value = value;
  at.focus({ preventScroll: true });
}
