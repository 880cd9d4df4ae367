// The page of the policy: the form and the text, each of which shows what the other one wrote.
import { refresh } from "./fragment.mjs";
import { hush, tell } from "./notice.mjs";
import { PolicyStore } from "./policy_store.mjs";
import { PolicyText } from "./policy_text.mjs";
import { listen_to_form } from "./policy_form.mjs";
import { listen_to_taxonomies } from "./taxonomy_dialog.mjs";
import { differs, on_state } from "./state.mjs";

const store = new PolicyStore();
let text = null;

async function shown(policy, { is_typed = false } = {}) {
  if (!is_typed) text.write(policy.text);
  await refresh("form", "text-state", "saved");
}

async function change(work, options) {
  hush();
  try {
    await shown(await work(), options);
  } catch (refusal) {
    if (!refusal.lines) throw refusal;
    if (refusal.status === 409) await shown(await store.read());
    tell(refusal.lines);
  }
}

function started() {
  text = new PolicyText(document.getElementById("text"), document.getElementById("lines"));
  store.revision = Number(document.getElementById("policy").dataset.revision);
  text.on_typed((typed) => change(() => store.put_text(typed), { is_typed: true }));
  listen_to_form(document.getElementById("policy"), (edits) => change(() => store.edit(edits)));
  listen_to_taxonomies(document.getElementById("policy"), store, change);
  document.getElementById("save").addEventListener("click", () => change(() => store.save()));
}

if (document.getElementById("text")) started();

on_state(async (now, before) => {
  const is_elsewhere = text && now.policy && now.policy.revision > store.revision && !store.is_busy;
  if (is_elsewhere) await change(() => store.read());
  else if (!text && now.policy && differs(now, before, (state) => state.policy)) location.reload();
});
