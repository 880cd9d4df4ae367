// A list as text: items between commas. One in double quotes is a text as it is, with its commas.

const ITEM = /\s*"(?:[^"\\]|\\.)*"|[^,]+/g;

export const items_of = (text) => [...text.matchAll(ITEM)].map(([item]) => item.trim()).filter(Boolean).map(item_of);

function item_of(item) {
  if (/^".*"$/.test(item)) return item.slice(1, -1).replace(/\\(.)/g, "$1");
  return Number.isFinite(Number(item)) ? Number(item) : item;
}
