// A table that is sorted by its headings and filtered by a text.

const ROWS_AT_ONCE = 50;

// table: {columns: [{label, unit, setting}], rows: [[number | text | null]]}
function drawTable(box, table, title) {
  let rows = table.rows, most = ROWS_AT_ONCE, sorted = -1, rising = true, wanted = "";
  const numeric = table.columns.map((c, i) => table.rows.some(row => typeof row[i] === "number"));
  const units = table.columns.map((c, i) => columnUnit(table.rows.map(row => row[i]).filter(v => typeof v === "number"), c.unit, c.setting));
  const cell = (v, i) => typeof v === "number" ? units[i].text(v) : v === null ? "–" : v;

  const count = make("span", {class: "count", role: "status"});
  const filter = make("input", {type: "search", oninput: () => {
    wanted = filter.value.trim().toLowerCase();
    most = ROWS_AT_ONCE;
    update();
  }});
  const body = make("tbody", {});
  const more = make("button", {type: "button", onclick: () => {
    most += 10 * ROWS_AT_ONCE;
    update();
  }});

  const headings = table.columns.map((column, i) => {
    const button = make("button", {type: "button", onclick: () => {
      rising = sorted === i ? !rising : true;
      sorted = i;
      headings.forEach((h, k) => h.setAttribute("aria-sort", k !== i ? "none" : rising ? "ascending" : "descending"));
      update();
    }}, units[i].name ? `${column.label} [${units[i].name}]` : column.label);
    return make("th", {scope: "col", class: numeric[i] ? "number" : null, "aria-sort": "none"}, button);
  });

  function compare(a, b) {
    const [x, y] = [a[sorted], b[sorted]];
    if (x === null || y === null) return (x === null) - (y === null);  // what is missing comes last
    const order = typeof x === "number" && typeof y === "number" ? x - y : String(x).localeCompare(String(y), "en", {numeric: true});
    return rising ? order : -order;
  }
  function update() {
    rows = wanted ? table.rows.filter(row => row.some((v, i) => cell(v, i).toLowerCase().includes(wanted))) : table.rows;
    if (sorted >= 0) rows = [...rows].sort(compare);
    body.replaceChildren(...rows.slice(0, most).map(row => make("tr", {}, ...row.map((v, i) =>
      make("td", {class: numeric[i] ? "number" : String(v).length > 40 ? "long" : null}, cell(v, i))))));
    const left = rows.length - Math.min(most, rows.length);
    more.hidden = left === 0;
    more.textContent = `Show ${Math.min(left, 10 * ROWS_AT_ONCE)} more`;
    count.textContent = wanted ? `${rows.length} of ${table.rows.length} rows` : `${rows.length} rows`;
  }
  update();
  if (table.rows.length > 8) box.append(make("div", {class: "controls"}, make("label", {class: "control"}, "Rows with ", filter), count));
  box.append(make("div", {class: "scroll", tabindex: 0, role: "region", "aria-label": title || "Table"},
    make("table", {}, make("thead", {}, make("tr", {}, ...headings)), body)), more);
}
