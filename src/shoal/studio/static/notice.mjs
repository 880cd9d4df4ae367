// What went wrong, at the top of the page, until the next thing is done.
import { element } from "./element.mjs";

const place = () => document.getElementById("notice");

export function tell(lines) {
  const [first, ...others] = lines;
  const list = others.length ? [element("ul", {}, others.map((line) => element("li", {}, [line])))] : [];
  place().replaceChildren(element("p", {}, [first]), ...list);
  place().hidden = false;
  place().scrollIntoView({ block: "nearest" });
}

export function hush() {
  place().hidden = true;
}

// Does what a control asks for: one thing at a time, and a refusal is told.
export async function doing(control, work) {
  hush();
  control.disabled = true;
  try {
    return await work();
  } catch (refusal) {
    if (!refusal.lines) throw refusal;
    tell(refusal.lines);
    return null;
  } finally {
    control.disabled = false;
  }
}
