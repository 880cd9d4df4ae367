// The page of the comparison: a grid of settings, and the policy of a point.
import { get, post } from "./api.mjs";
import { refresh } from "./fragment.mjs";
import { grid_of, listen_to_grid } from "./grid.mjs";
import { doing, tell } from "./notice.mjs";
import { differs, on_state } from "./state.mjs";

document.addEventListener("submit", (event) => {
  if (event.target.id !== "grid-form") return;
  event.preventDefault();
  doing(event.submitter, () => try_grid(grid_of(event.target)));
});

document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-take]");
  if (button) doing(button, () => take(button.dataset.take));
});

document.addEventListener("chosen", (event) => {
  const place = document.querySelector(`[data-number="${event.detail}"]`);
  if (!place) return;
  place.querySelector("details").open = true;
  place.focus();
  place.scrollIntoView({ block: "center" });
});

async function try_grid(grid) {
  const { left_out } = await post("/api/jobs", { kind: "grid", grid });
  const n = left_out.length;
  if (n) tell([`${n === 1 ? "One combination is" : `${n} combinations are`} no policy and left out; the others are tried.`, ...left_out]);
}

async function take(run) {
  const { policy } = await get("/api/state");
  await post(`/api/runs/${run}/take`, { revision: policy.revision });
  location.assign("/policy");
}

listen_to_grid(document.getElementById("grid-form"));
on_state((now, before) => {
  if (differs(now, before, (state) => [state.runs, state.comparison?.status])) refresh("comparison", "runs");
});
