"use strict";

(() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const { words, holds } = spca;

  /* Methods: what is chosen, or all; and of these what the filter leaves. */

  const chips = all("[data-chip]");
  const methods = chips.map((chip) => chip.dataset.chip);
  const chosen = new Set();
  const charts = [];
  const filter = one("#method-filter");

  const narrowTables = spca.tables(() => new Set(hidden()));
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
    narrowTables();
  }

  for (const chip of chips) chip.addEventListener("click", () => toggle(chip.dataset.chip));
  filter.addEventListener("input", update);
  one("#all-methods").addEventListener("click", () => {
    chosen.clear();
    filter.value = "";
    update();
  });

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
