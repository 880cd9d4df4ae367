// What is wider than its place can be scrolled with the keyboard, too.

export function reach_scrolled() {
  for (const each of document.querySelectorAll(".table, pre, .problems")) {
    if (each.scrollWidth > each.clientWidth || each.scrollHeight > each.clientHeight + 1) each.tabIndex = 0;
  }
}
