// Charts of the report, drawn by Vega with its interpreter of expressions: a page that forbids `eval` allows it.
import { element } from "./element.mjs";

const seen = new IntersectionObserver(drawn_when_seen, { rootMargin: "400px" });
let library = null;

export function draw_charts() {
  for (const place of document.querySelectorAll(".chart:not([data-drawn])")) {
    place.dataset.drawn = "waiting";
    reserve(place);
    seen.observe(place);
  }
}

function drawn_when_seen(entries) {
  for (const { target, isIntersecting } of entries) {
    if (!isIntersecting) continue;
    seen.unobserve(target);
    draw(target).catch((reason) => said(target, reason));
  }
}

async function draw(place) {
  library ??= import(document.querySelector("meta[name=vega]").content);
  await library;
  const options = { ast: true, renderer: "svg", actions: false, defaultStyle: false, hover: true, tooltip: show_tip };
  const canvas = element("div", { class: "canvas", "aria-hidden": "true" });
  place.append(canvas);
  const { view } = await window.vegaEmbed(canvas, fitted(spec_of(place), place.clientWidth), options);
  view.addEventListener("click", (_, item) => chosen(place, item));
  place.style.minHeight = "";
  place.dataset.drawn = "yes";
}

const spec_of = (place) => JSON.parse(place.querySelector("script").textContent);

// A chart that may be narrower is as wide as its place, so that its text stays legible.
function fitted(spec, width) {
  const may_be_narrower = spec.autosize?.type === "fit-x" && width > 0;
  return may_be_narrower ? { ...spec, width: Math.min(spec.width, width) } : spec;
}

function reserve(place) {
  const { height } = spec_of(place);
  if (typeof height === "number") place.style.minHeight = `${height}px`;
}

function said(place, reason) {
  place.dataset.drawn = "no";
  place.append(element("p", { class: "note" }, ["This chart could not be drawn; its figures are listed below it."]));
  console.warn(reason);
}

function chosen(place, item) {
  const number = item?.datum?.number;
  if (number) place.dispatchEvent(new CustomEvent("chosen", { bubbles: true, detail: number }));
}

// The text of a mark beside the pointer.
function show_tip(_, event, __, text) {
  const tip = document.getElementById("tip") ?? document.body.appendChild(element("div", { id: "tip", "aria-hidden": "true" }));
  tip.hidden = !text;
  if (!text) return;
  tip.textContent = text;
  const left = Math.min(event.clientX + 12, document.documentElement.clientWidth - tip.offsetWidth - 8);
  tip.style.left = `${Math.max(8, left)}px`;
  tip.style.top = `${event.clientY + 16}px`;
}
