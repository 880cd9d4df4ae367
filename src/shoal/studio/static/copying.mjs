// Buttons that copy lines.

export function listen_to_copying(page) {
  page.addEventListener("click", async (event) => {
    const button = event.target.closest("[data-copy]");
    if (!button) return;
    const lines = document.getElementById(button.dataset.copy);
    try {
      await navigator.clipboard.writeText(lines.innerText);
      button.textContent = "Copied";
    } catch {
      getSelection().selectAllChildren(lines);
      button.textContent = "Chosen: press Ctrl+C";
    }
  });
}
