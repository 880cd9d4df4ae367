// What is wider than its place can be scrolled with the keyboard, too.

export function reach_scrolled() {
  for (const each of document.querySelectorAll(".table, pre")) {
    if (each.scrollWidth > each.clientWidth) each.tabIndex = 0;
  }
}
