// The page of the export: writes the files of a release to a folder.
import { post } from "./api.mjs";
import { element } from "./element.mjs";
import { doing } from "./notice.mjs";

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.id !== "export-form") return;
  event.preventDefault();
  document.getElementById("written").replaceChildren();
  const body = { run: Number(form.dataset.run), folder: form.folder.value, force: form.force.checked };
  doing(event.submitter, async () => said((await post("/api/export", body)).written));
});

function said(written) {
  const files = element("ul", {}, written.map((path) => element("li", {}, [path])));
  document.getElementById("written").replaceChildren(element("p", { class: "good" }, ["Written and proven:"]), files);
}
