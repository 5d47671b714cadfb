// Tables that are sorted by their headings and, on the first page, filtered. Without scripts they are whole and in the
// order of the ids.
"use strict";
(() => {
  const text = (cell) => cell.dataset.v ?? cell.textContent;
  const compare = (a, b) => {
    const x = Number(a), y = Number(b);
    return a !== "" && b !== "" && !Number.isNaN(x) && !Number.isNaN(y) ? x - y : a.localeCompare(b, "en");
  };

  function sort(table, column, heading) {
    const descending = heading.getAttribute("aria-sort") === "ascending";
    for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
    heading.setAttribute("aria-sort", descending ? "descending" : "ascending");
    const body = table.tBodies[0];
    const rows = [...body.rows].map((row, at) => ({ row, at, key: text(row.cells[column]) }));
    rows.sort((a, b) => (descending ? compare(b.key, a.key) : compare(a.key, b.key)) || a.at - b.at);
    body.append(...rows.map(({ row }) => row));
  }

  for (const table of document.querySelectorAll("table.sortable"))
    [...table.tHead.rows[0].cells].forEach((heading, column) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = heading.textContent;
      button.addEventListener("click", () => sort(table, column, heading));
      heading.replaceChildren(button);
    });

  const form = document.querySelector("form.filters");
  const claims = document.getElementById("claims");
  if (!form || !claims) return;
  const field = (id) => document.getElementById(id);
  function filter() {
    const words = field("find").value.toLowerCase().split(/\s+/).filter(Boolean);
    const family = field("family").value, verdict = field("verdict").value, outcome = field("outcome").value;
    let shown = 0;
    for (const row of claims.tBodies[0].rows) {
      const [claim, policy, verdicts, , result] = [...row.cells].map((cell) => cell.textContent);
      const names = `${claim} ${policy}`.toLowerCase();
      row.hidden = !(words.every((word) => names.includes(word)) && (!family || claim.startsWith(`${family}.`)) &&
                     (!verdict || verdicts.includes(verdict)) &&
                     (!outcome || (outcome === "not as expected" ? !["as expected", "no expectation"].includes(result)
                                                               : result === outcome)));
      if (!row.hidden) ++shown;
    }
    field("shown").value = `${shown} of ${claims.tBodies[0].rows.length} rows`;
  }
  form.hidden = false;
  form.addEventListener("input", filter);
  form.addEventListener("submit", (event) => event.preventDefault());
  filter();
})();
