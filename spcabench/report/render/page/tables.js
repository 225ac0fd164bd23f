"use strict";

/* Tables that are sorted by their headings and filtered by words; a page may hide the rows of some methods, too. */

const spca = (() => {
  const all = (selector, root = document) => [...root.querySelectorAll(selector)];
  const one = (selector, root = document) => root.querySelector(selector);
  const words = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);
  const holds = (text, wanted) => wanted.every((word) => text.toLowerCase().includes(word));

  const NOTHING = "—";

  function compare(a, b, column, sign) {
    const [x, y] = [a, b].map((row) => row.cells[column]);
    const rank = (cell) => (cell.dataset.number !== undefined ? 0 : cell.textContent === NOTHING ? 2 : 1);
    if (rank(x) !== rank(y)) return rank(x) - rank(y);
    if (rank(x) === 0) return sign * (Number(x.dataset.number) - Number(y.dataset.number));
    return sign * x.textContent.localeCompare(y.textContent, "en", { numeric: true });
  }

  function enliven(box, away) {
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
      const gone = away();
      for (const row of original) row.hidden = gone.has(row.dataset.method) || !holds(row.textContent, wanted);
      const left = original.filter((row) => !row.hidden).length;
      if (count) count.value = left === original.length ? `${left} rows` : `${left} of ${original.length} rows`;
    }

    const whole = one("[data-all]", box);
    if (whole) whole.addEventListener("click", () => whole.setAttribute("aria-pressed", box.classList.toggle("all")));
    headings.forEach((heading, column) => one("button", heading).addEventListener("click", () => sort(column)));
    if (input) input.addEventListener("input", narrow);
    return narrow;
  }

  function tables(away) {
    const narrows = all("[data-table]").map((box) => enliven(box, away));
    return () => narrows.forEach((narrow) => narrow());
  }

  return { words, holds, tables };
})();
