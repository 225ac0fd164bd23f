"use strict";

(() => {
  const aside = document.querySelector("#aside");
  if (window.matchMedia("(max-width: 63.99rem)").matches) aside.open = false;
  spca.tables(() => new Set())();

  /* The table of methods has a permalink for each row and for its filter. */
  const box = [...document.querySelectorAll("[data-table]")]
    .find((one) => one.querySelector(".search") && one.querySelector('tbody tr:not([data-method=""])'));
  if (!box) return;
  for (const row of box.querySelectorAll("tbody tr")) if (row.dataset.method) row.id = `row-${row.dataset.method}`;
  const input = box.querySelector("[data-filter]");
  const wanted = new URLSearchParams(window.location.search).get("q");
  if (input && wanted) {
    input.value = wanted;
    input.dispatchEvent(new Event("input"));
  }
  if (input) {
    input.addEventListener("input", () => {
      const query = input.value ? `?q=${encodeURIComponent(input.value)}` : window.location.pathname;
      try { window.history.replaceState(null, "", query + window.location.hash); } catch { /* a file that forbids it */ }
    });
  }
  const row = document.getElementById(decodeURIComponent(window.location.hash.slice(1)));
  if (row) row.scrollIntoView({ block: "center" });
})();
