// The page of the data: a file is opened by its path or as a copy, and what Studio finds in it appears.
import { ask, post } from "./api.mjs";
import { element } from "./element.mjs";
import { refresh } from "./fragment.mjs";
import { doing } from "./notice.mjs";
import { on_state } from "./state.mjs";

const UNITS = ["bytes", "kB", "MB", "GB", "TB"];
const folder = document.getElementById("folder");

const open = (path) => post("/api/open", { path }).then(() => location.assign("/data"));

async function browse(path) {
  const { path: here, parent, folders, files } = await post("/api/folder", { path });
  const ups = parent === null ? [] : [entry("Folder above", { "data-folder": parent })];
  const downs = folders.map((name) => entry(`${name}/`, { "data-folder": joined(here, name) }));
  const found = files.map((file) => entry(file.name, { "data-file": joined(here, file.name), disabled: !file.readable }, size_of(file)));
  const none = found.length ? [] : [element("li", { class: "quiet" }, ["No table that Shoal can read is here."])];
  folder.replaceChildren(element("p", { class: "quiet here" }, [here]), element("ul", {}, [...ups, ...downs, ...found, ...none]));
}

const joined = (here, name) => `${here.replace(/\/$/, "")}/${name}`;

const entry = (name, attributes, note = "") =>
  element("li", {}, [element("button", { type: "button", class: "entry", ...attributes }, [element("span", {}, [name]), element("span", { class: "quiet" }, [note])])]);

function size_of(file) {
  const at = Math.min(UNITS.length - 1, Math.floor(Math.log10(Math.max(file.size, 1)) / 3));
  return `${(file.size / 1000 ** at).toFixed(at ? 1 : 0)} ${UNITS[at]}`;
}

folder.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.folder) doing(button, () => browse(button.dataset.folder));
  if (button?.dataset.file) doing(button, () => open(button.dataset.file));
});

document.getElementById("path-form").addEventListener("submit", (event) => {
  event.preventDefault();
  doing(event.submitter, () => open(document.getElementById("path").value));
});

document.getElementById("upload").addEventListener("change", (event) => {
  const [file] = event.target.files;
  const name = { "X-File-Name": encodeURIComponent(file.name) };
  doing(event.target, () => ask("POST", "/api/upload", file, name).then(() => location.assign("/data")));
});

document.addEventListener("click", (event) => {
  if (event.target.id === "close") doing(event.target, () => post("/api/close").then(() => location.assign("/data")));
});

const opening = document.getElementById("opening");
const first_look = () => opening.open && !folder.childElementCount && doing(opening, () => browse(null));
opening.addEventListener("toggle", first_look);
first_look();

const LOOKS = new Set(["propose", "profile"]);
const looks_done = (state) => state.jobs.filter((job) => LOOKS.has(job.kind) && job.status === "done").length;
let n_shown = null;
on_state((now, before) => {
  if (now.file?.path !== before.file?.path) location.reload();
  n_shown ??= document.querySelector("#profile .report") ? looks_done(now) : 0;
  if (looks_done(now) > n_shown) refresh("data");
  n_shown = Math.max(n_shown, looks_done(now));
});
