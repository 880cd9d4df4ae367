// The form of the policy: every control knows the table and the key that it writes.
import { items_of } from "./list_text.mjs";
import { tell } from "./notice.mjs";

export function listen_to_form(page, edit) {
  document.addEventListener("change", (event) => changed(event.target, edit));
  page.addEventListener("click", (event) => clicked(event.target.closest("button"), edit));
  page.addEventListener("submit", (event) => submitted(event, edit));
}

function changed(control, edit) {
  if (control.id === "new-requirement") return show_new(control.value);
  if ("method" in control.dataset) return edit([method_edit(control)]);
  if (!control.dataset.table || control.closest("form.new")) return null;
  const read = value_of(control);
  if (read.wrong) return tell([read.wrong]);
  return edit([{ table: JSON.parse(control.dataset.table), content: { [control.dataset.key]: read.value }, new: false }]);
}

function clicked(button, edit) {
  if (button?.dataset.remove) edit([{ table: JSON.parse(button.dataset.remove), content: null, new: false }]);
  if (button?.dataset.settings) open_settings(button.dataset.settings);
}

function submitted(event, edit) {
  const form = event.target.closest("form.new");
  if (!form) return;
  event.preventDefault();
  const content = { name: form.dataset.requirement };
  for (const control of form.querySelectorAll("[data-key]")) {
    const read = value_of(control);
    if (read.wrong || read.value === null) return tell([read.wrong ?? `Say what ${control.dataset.key} is.`]);
    content[control.dataset.key] = read.value;
  }
  edit([{ table: ["requirements"], content, new: true }]);
}

// Another method has other keys: those of the last one go.
function method_edit(control) {
  const keys = JSON.parse(control.dataset.keys).filter((key) => key !== "name");
  const content = Object.fromEntries(keys.map((key) => [key, null]));
  return { table: ["method"], content: { ...content, name: control.value }, new: false };
}

function show_new(name) {
  for (const form of document.querySelectorAll("form.new")) form.hidden = form.dataset.requirement !== name;
}

function open_settings(column) {
  const filled = [...document.querySelectorAll("template[data-column]")].find((each) => each.dataset.column === column);
  const dialog = document.getElementById("settings");
  dialog.replaceChildren(filled.content.cloneNode(true));
  dialog.showModal();
}

export function value_of(control) {
  const text = control.value.trim();
  if (!text) return { value: null };
  switch (control.dataset.type) {
    case "integer":
    case "number":
      return number_of(text, control.dataset.type, control.dataset.key);
    case "boolean":
      return { value: text === "true" };
    case "list":
      return { value: items_of(text) };
    default:
      return { value: text };
  }
}

function number_of(text, type, key) {
  const value = Number(text);
  const fits = type === "integer" ? Number.isInteger(value) : Number.isFinite(value);
  return fits ? { value } : { wrong: `${key}: write ${type === "integer" ? "a whole number" : "a number"}, such as 5.` };
}
