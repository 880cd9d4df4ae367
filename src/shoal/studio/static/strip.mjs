// One line on every page while work goes on.
import { element } from "./element.mjs";
import { open_job, progress_line, show_progress } from "./job.mjs";

export function show_strip(jobs) {
  const [strip, job] = [document.getElementById("strip"), open_job(jobs)];
  strip.hidden = !job || location.pathname === "/run";
  if (strip.hidden) return;
  if (!strip.childElementCount) strip.append(element("b"), progress_line(), element("a", { href: "/run" }, ["Show"]));
  strip.firstElementChild.textContent = job.title;
  show_progress(strip.querySelector(".progress"), job);
}
