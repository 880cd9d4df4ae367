// A taxonomy drawn as a tree and edited in a dialog.
import { post } from "./api.mjs";
import { element } from "./element.mjs";
import { doing } from "./notice.mjs";
import { TaxonomyTree } from "./taxonomy_tree.mjs";

export function listen_to_taxonomies(page, store, change) {
  page.addEventListener("click", (event) => {
    const button = event.target.closest("[data-taxonomy]");
    if (button) doing(button, () => open(button.dataset.taxonomy, store, change));
  });
}

async function open(column, store, change) {
  const found = await post("/api/taxonomy", { column });
  const [tree, dialog] = [TaxonomyTree.of(found.root), document.getElementById("taxonomy")];
  const show = () => dialog.replaceChildren(...content(column, found, tree));
  dialog.onclick = (event) => {
    const action = event.target.closest("[data-do]")?.dataset.do;
    if (action === "group") [group(dialog, tree), show()];
    if (action === "level") [tree.add_level(), show()];
    if (action === "save") [dialog.close(), change(() => store.put_taxonomy(column, tree.paths))];
    if (action === "cancel") dialog.close();
  };
  dialog.onchange = (event) => {
    if (!("rename" in event.target.dataset)) return;
    tree.rename(Number(event.target.dataset.level), event.target.dataset.rename, event.target.value.trim());
    show();
  };
  show();
  dialog.showModal();
}

function group(dialog, tree) {
  const boxes = [...dialog.querySelectorAll("input[type=checkbox]:checked")];
  const name = dialog.querySelector("#group-name").value.trim();
  if (!boxes.length || !name) return;
  const level = Math.max(...boxes.map((box) => Number(box.dataset.level)));
  tree.group(level, boxes.filter((box) => Number(box.dataset.level) === level).map((box) => box.value), name);
}

function content(column, found, tree) {
  const words = found.cut
    ? "There are too many values to draw: the first ones are shown, and it can be changed in its file only."
    : "Values that a method may release in place of those below them. Rename a group in its box; choose values or groups of one level to put them under another one.";
  return [
    element("h2", { id: "taxonomy-title", class: "first" }, [`Taxonomy of ${column}`]),
    element("p", {}, [words]),
    element("div", { class: "tree", tabindex: "0", role: "region", "aria-label": `Tree of ${column}` }, [
      element("ul", {}, [branch(tree.root, tree.height, !found.cut)]),
    ]),
    ...(found.cut ? [] : [tools(tree)]),
    element("p", { class: "actions" }, [
      ...(found.cut ? [] : [button("save", "Save the taxonomy", "primary")]),
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
  const line = level > 0 && node.text !== "*" && is_editable ? [box(node, level), name_of(node, level)] : [is_editable && level === 0 ? value(node) : element("span", {}, [node.text === "*" ? "* (everything)" : node.text])];
  return element("li", {}, [element("div", { class: "node" }, line), ...(parts.length ? [element("ul", {}, parts)] : [])]);
}

const box = (node, level) => element("input", { type: "checkbox", value: node.text, "data-level": level, "aria-label": `Choose ${node.text}` });

const name_of = (node, level) =>
  element("input", { type: "text", class: "name", value: node.text, "data-rename": node.text, "data-level": level, "aria-label": `Name of the group ${node.text}`, size: Math.max(6, node.text.length) });

const value = (node) => element("label", {}, [element("input", { type: "checkbox", value: node.text, "data-level": 0 }), ` ${node.text}`]);
