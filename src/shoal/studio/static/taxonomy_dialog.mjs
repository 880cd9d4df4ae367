// A taxonomy drawn as a tree and edited in a dialog.
import { post } from "./api.mjs";
import { element } from "./element.mjs";
import { doing } from "./notice.mjs";
import { TaxonomyTree } from "./taxonomy_tree.mjs";

const HOW_TO_EDIT =
  "What a method may release in place of the values below it. Rename a group in its box; choose values, or groups, of one level to put them under another group.";
const TOO_MANY = "There are too many values to draw: the first ones are shown, and the tree can be changed in its file only.";
const BY_A_RULE = "A rule of the policy makes this tree from the values; it is changed in the text.";

const TOP = "*";

export function listen_to_taxonomies(page, store, change) {
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-taxonomy]");
    if (button) doing(button, () => open(button.dataset.taxonomy, store, change));
  });
}

async function open(column, store, change) {
  const found = await post("/api/taxonomy", { column });
  const [tree, dialog] = [TaxonomyTree.of(found.root), document.getElementById("taxonomy")];
  const show = (at) => shown(dialog, content(column, found, tree), at);
  dialog.onclick = (event) => {
    const action = event.target.closest("[data-do]")?.dataset.do;
    if (action === "group") [group(dialog, tree), show("#group-name")];
    if (action === "level") [tree.add_level(), show("[data-do=level]")];
    if (action === "save") [dialog.close(), change(() => store.put_taxonomy(column, tree.paths))];
    if (action === "cancel") dialog.close();
  };
  dialog.onchange = (event) => {
    const { rename, level } = event.target.dataset;
    const name = event.target.value.trim();
    if (rename === undefined || !name) return;
    tree.rename(Number(level), rename, name);
    show(`[data-rename="${CSS.escape(name)}"]`);
  };
  show();
  dialog.showModal();
}

// The dialog anew, where it was, with the focus where it is expected.
function shown(dialog, parts, focused) {
  const top = dialog.querySelector(".tree")?.scrollTop ?? 0;
  dialog.replaceChildren(...parts);
  dialog.querySelector(".tree").scrollTop = top;
  if (focused) dialog.querySelector(focused)?.focus({ preventScroll: true });
}

function group(dialog, tree) {
  const boxes = [...dialog.querySelectorAll("input[type=checkbox]:checked")];
  const name = dialog.querySelector("#group-name").value.trim();
  if (!boxes.length || !name) return;
  const level = Math.max(...boxes.map((box) => Number(box.dataset.level)));
  tree.group(level, boxes.filter((box) => Number(box.dataset.level) === level).map((box) => box.value), name);
}

function content(column, found, tree) {
  const words = found.editable ? HOW_TO_EDIT : found.cut ? TOO_MANY : BY_A_RULE;
  return [
    element("h2", { id: "taxonomy-title", class: "first" }, [`Taxonomy of ${column}`]),
    element("p", {}, [words]),
    element("div", { class: "tree", tabindex: "0", role: "region", "aria-label": `Tree of ${column}` }, [
      element("ul", {}, [branch(tree.root, tree.height, found.editable)]),
    ]),
    ...(!found.editable ? [] : [tools(tree)]),
    element("p", { class: "actions" }, [
      ...(!found.editable ? [] : [button("save", "Save the taxonomy", "primary")]),
      button("cancel", "Close"),
    ]),
  ];
}

const button = (action, words, kind = "") => element("button", { type: "button", "data-do": action, class: kind }, [words]);

function tools(tree) {
  const names = tree.group_names.map((name) => element("option", { value: name }));
  return element("div", { class: "tree-tools" }, [
    element("div", { class: "field" }, [
      element("label", { for: "group-name" }, ["Put what is chosen under"]),
      element("input", { id: "group-name", type: "text", list: "group-names", autocomplete: "off" }),
      element("datalist", { id: "group-names" }, names),
    ]),
    button("group", "Group"),
    button("level", "Add a level below the top"),
  ]);
}

function branch(node, level, is_editable) {
  const parts = node.parts.map((part) => branch(part, level - 1, is_editable));
  const line = element("div", { class: "node" }, is_editable && node.text !== TOP ? editable(node, level) : [words_of(node)]);
  return element("li", {}, [line, ...(parts.length ? [element("ul", {}, parts)] : [])]);
}

const words_of = (node) => element("span", {}, [node.text === TOP ? "* (everything)" : node.text]);

function editable(node, level) {
  const box = { type: "checkbox", value: node.text, "data-level": level };
  if (level === 0) return [element("label", {}, [element("input", box), ` ${node.text}`])];
  const name = { type: "text", class: "name", value: node.text, size: Math.max(6, node.text.length) };
  return [
    element("input", { ...box, "aria-label": `Choose ${node.text}` }),
    element("input", { ...name, "data-rename": node.text, "data-level": level, "aria-label": `Name of the group ${node.text}` }),
  ];
}
