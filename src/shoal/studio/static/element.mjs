// An element with its attributes and parts; texts become text, never markup.

export function element(name, attributes = {}, parts = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, "");
    else if (value !== false && value !== null && value !== undefined) made.setAttribute(key, value);
  }
  made.append(...parts);
  return made;
}
