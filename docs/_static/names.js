// The theme leaves what opens a branch of the sidebar without a name.
document.addEventListener("DOMContentLoaded", () => {
  for (const opener of document.querySelectorAll("nav summary:not([aria-label])")) {
    opener.setAttribute("aria-label", `pages below ${opener.closest("li")?.querySelector("a")?.innerText ?? "this"}`);
  }
});
