// The lines of a grid of settings: a key of the policy and the values to try.
import { items_of } from "./list_text.mjs";

export function listen_to_grid(form) {
  if (!form) return;
  add_line(form);
  form.querySelector("#grid-more").addEventListener("click", () => add_line(form));
  form.addEventListener("click", (event) => event.target.closest("[data-drop]")?.closest(".grid-line").remove());
  for (const kind of ["input", "change", "click"]) form.addEventListener(kind, () => say_number(form));
  form.addEventListener("change", (event) => say_now(event.target.closest(".grid-line")));
}

export function grid_of(form) {
  return Object.fromEntries(lines_of(form).map(([key, values]) => [key, values]));
}

const lines_of = (form) =>
  [...form.querySelectorAll(".grid-line")]
    .map((line) => [line.querySelector("select").value, values_of(line)])
    .filter(([, values]) => values.length);

// Those that are checked where there is a choice of names, else those that are written.
function values_of(line) {
  if (line.querySelector(".choices").hidden) return items_of(line.querySelector(".written input").value);
  return [...line.querySelectorAll(".choices :checked")].map((box) => box.value);
}

function add_line(form) {
  const line = form.querySelector("#grid-line").content.firstElementChild.cloneNode(true);
  const at = form.querySelectorAll(".grid-line").length;
  const chosen = new Set([...form.querySelectorAll(".grid-line select")].map((each) => each.value));
  for (const control of line.querySelectorAll(".field > select, .field > input")) {
    control.id = `grid-${control.localName}-${at}`;
    control.previousElementSibling.htmlFor = control.id;
  }
  const free = [...line.querySelectorAll("option")].find((option) => !chosen.has(option.value));
  if (free) line.querySelector("select").value = free.value;
  form.querySelector("#grid").append(line);
  say_now(line);
}

function say_now(line) {
  const option = line?.querySelector("select").selectedOptions[0];
  if (!option) return;
  const is_chosen = option.value === "method.name";
  line.querySelector(".choices").hidden = !is_chosen;
  line.querySelector(".written").hidden = is_chosen;
  for (const now of line.querySelectorAll(".now")) now.textContent = `now ${option.dataset.now}`;
}

function say_number(form) {
  const n = lines_of(form).reduce((product, [, values]) => product * values.length, 1);
  const words = lines_of(form).length ? `${n} ${n === 1 ? "release" : "releases"}` : "";
  form.querySelector("#grid-count").textContent = words;
}
