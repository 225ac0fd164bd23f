const versions = [];
// The line above is written by tools/versions.py where sites of several versions lie beside each other.
document.addEventListener("DOMContentLoaded", () => {
  const root = new URL(document.documentElement.dataset.content_root || "./", location.href);
  const here = root.pathname.split("/").at(-2);
  if (versions.length < 2) return;
  const menu = document.createElement("select");
  menu.className = "versions";
  menu.setAttribute("aria-label", "version of this site");
  for (const name of versions) menu.add(new Option(name, name, name === here, name === here));
  menu.addEventListener("change", () => location.assign(new URL(`../${menu.value}/index.html`, root)));
  document.querySelector(".navbar-header-items__start")?.append(menu);
});
