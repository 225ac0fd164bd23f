"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text, wanted) => wanted.every((word) => text.toLowerCase().includes(word));

  /* Methods: what is chosen, or all; and of these what the filter leaves. */

  const chips = all("[data-chip]");
  const methods = chips.map((chip) => chip.dataset.chip);
  const chosen = new Set();
  const charts = [];
  const tables = [];
  const filter = one("#method-filter");

  const matches = (method) => holds(method, words(filter.value));
  const shown = (method) => (chosen.size === 0 || chosen.has(method)) && matches(method);
  const hidden = () => methods.filter((method) => !shown(method));

  function toggle(method) {
    if (!chosen.delete(method)) chosen.add(method);
    update();
  }

  function update() {
    for (const chip of chips) {
      chip.hidden = !matches(chip.dataset.chip);
      chip.setAttribute("aria-pressed", String(chosen.has(chip.dataset.chip)));
    }
    const away = hidden();
    one("#method-count").value = `${methods.length - away.length} of ${methods.length} shown`;
    one("#all-methods").hidden = away.length === 0;
    for (const view of charts) view.signal("hidden", away).runAsync();
    for (const narrow of tables) narrow();
  }

  for (const chip of chips) chip.addEventListener("click", () => toggle(chip.dataset.chip));
  filter.addEventListener("input", update);
  one("#all-methods").addEventListener("click", () => {
    chosen.clear();
    filter.value = "";
    update();
  });

  /* Tables */

  const NOTHING = "—";

  function compare(a, b, column, sign) {
    const [x, y] = [a, b].map((row) => row.cells[column]);
    const rank = (cell) => (cell.dataset.number !== undefined ? 0 : cell.textContent === NOTHING ? 2 : 1);
    if (rank(x) !== rank(y)) return rank(x) - rank(y);
    if (rank(x) === 0) return sign * (Number(x.dataset.number) - Number(y.dataset.number));
    return sign * x.textContent.localeCompare(y.textContent, "en", { numeric: true });
  }

  function enliven(box) {
    const body = one("tbody", box);
    const original = [...body.rows];
    const headings = all("th", box);
    const input = one("[data-filter]", box);
    const count = one(".count", box);

    function sort(column) {
      const now = headings[column].getAttribute("aria-sort");
      const next = { none: "ascending", ascending: "descending", descending: "none" }[now];
      for (const heading of headings) heading.setAttribute("aria-sort", "none");
      headings[column].setAttribute("aria-sort", next);
      const sign = next === "descending" ? -1 : 1;
      const rows = next === "none" ? original : [...original].sort((a, b) => compare(a, b, column, sign));
      body.append(...rows);
    }

    function narrow() {
      const wanted = words(input ? input.value : "");
      const away = new Set(hidden());
      for (const row of original) row.hidden = away.has(row.dataset.method) || !holds(row.textContent, wanted);
      const left = original.filter((row) => !row.hidden).length;
      if (count) count.value = left === original.length ? `${left} rows` : `${left} of ${original.length} rows`;
    }

    headings.forEach((heading, column) => one("button", heading).addEventListener("click", () => sort(column)));
    if (input) input.addEventListener("input", narrow);
    tables.push(narrow);
  }

  all("[data-table]").forEach(enliven);

  /* Figures */

  function methodOf(item) {
    const datum = (item && item.datum) || {};
    return [datum.method, datum.row, datum.value].find((name) => methods.includes(name));
  }

  async function draw(place) {
    const spec = JSON.parse(one(`[data-spec="${place.dataset.chart}"]`).textContent);
    const options = { mode: "vega-lite", renderer: "svg", actions: false };
    const { view } = await window.vegaEmbed(place, spec, options);
    view.addEventListener("click", (event, item) => {
      const method = methodOf(item);
      if (method !== undefined) toggle(method);
    });
    view.signal("hidden", hidden()).runAsync();
    charts.push(view);
    place.dataset.drawn = "yes";
  }

  if (window.matchMedia("(max-width: 63.99rem)").matches) one("#aside").open = false;
  window.addEventListener("beforeprint", () => all("main details").forEach((part) => (part.open = true)));
  update();
  all("[data-chart]").reduce((before, place) => before.then(() => draw(place)), Promise.resolve());
})();
