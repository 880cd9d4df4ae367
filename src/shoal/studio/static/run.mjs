// The page that runs the policy: starts, shows and cancels work.
import { post } from "./api.mjs";
import { refresh } from "./fragment.mjs";
import { job_item, show_job } from "./job.mjs";
import { doing } from "./notice.mjs";
import { differs, on_state } from "./state.mjs";

document.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.start) doing(button, () => post("/api/jobs", { kind: button.dataset.start }));
  if (button?.dataset.cancel) doing(button, () => post(`/api/jobs/${button.dataset.cancel}/cancel`));
});

on_state((now, before) => {
  document.getElementById("jobs-section").hidden = !now.jobs.length;
  now.jobs.forEach(show);
  if (differs(now, before, (state) => [state.file, state.policy])) refresh("run");
});

function show(job) {
  const item = document.getElementById(`job-${job.id}`);
  if (!item) document.getElementById("jobs").prepend(job_item(job));
  else if (item.dataset.status === job.status) show_job(item, job);
  else item.replaceWith(job_item(job));
}
