// A piece of work as an element: what it does, how far it is, and what came of it. While it goes on, only the parts that
// change are written anew, so that its button can be pressed.
import { element } from "./element.mjs";

const OPEN = new Set(["waiting", "running"]);
const WORDS = { waiting: "waiting", running: "running", done: "done", failed: "failed", canceled: "canceled", dead: "its process died" };

export const open_job = (jobs) => jobs.find((job) => job.status === "running") ?? jobs.find((job) => job.status === "waiting");

export function progress_line() {
  const bar = element("progress", { "aria-label": "Progress" });
  return element("div", { class: "progress" }, [element("span", { class: "what" }), bar]);
}

export function show_progress(line, job) {
  const stage = job.stages.findLast((each) => each.total > 0) ?? job.stages.at(-1);
  line.querySelector(".what").textContent = job.stages.map((each) => each.what).join(": ") || WORDS[job.status];
  const bar = line.querySelector("progress");
  if (stage?.total) [bar.max, bar.value] = [stage.total, stage.done];
  else bar.removeAttribute("value");
}

export function job_item(job) {
  const item = element("li", { class: "job", id: `job-${job.id}`, "data-status": job.status }, [
    element("div", { class: "job-head" }, [element("span", {}, head(job)), ...actions(job)]),
    ...(OPEN.has(job.status) ? [progress_line()] : []),
    ...(job.error ? [problems(job.error.lines)] : []),
    ...(job.result?.lines ? [list("ul", "forecast", job.result.lines)] : []),
    element("details", { id: `log-${job.id}`, open: OPEN.has(job.status), hidden: true }, [element("summary", {}, ["Log"]), list("ol", "log", [])]),
  ]);
  show_job(item, job);
  return item;
}

export function show_job(item, job) {
  const [line, log] = [item.querySelector(".progress"), item.querySelector(".log")];
  if (line) show_progress(line, job);
  log.append(...job.log.slice(log.childElementCount).map((text) => element("li", {}, [text])));
  log.parentElement.hidden = !job.log.length;
}

function head(job) {
  const seconds = job.seconds === null || OPEN.has(job.status) ? [] : [element("span", { class: "quiet" }, [` ${job.seconds.toFixed(1)} s`])];
  return [element("b", {}, [job.title]), " ", element("span", { class: `tag ${job.status}` }, [WORDS[job.status]]), ...seconds];
}

function actions(job) {
  if (OPEN.has(job.status)) return [element("button", { type: "button", "data-cancel": job.id, id: `cancel-${job.id}` }, ["Cancel"])];
  if (job.kind === "protect" && job.status === "done") return [element("a", { class: "button primary", href: `/result/${job.run}` }, ["See the result"])];
  if (job.kind === "grid" && job.status === "done") return [element("a", { class: "button primary", href: "/compare" }, ["Compare"])];
  return [];
}

const list = (kind, name, lines) => element(kind, { class: name }, lines.map((line) => element("li", {}, [line])));

function problems([first, ...others]) {
  return element("div", { class: "problems" }, [element("p", {}, [first]), ...(others.length ? [list("ul", "", others)] : [])]);
}
