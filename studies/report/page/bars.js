// Bars made of parts, as elements: they print sharply and can be read out.

function drawBars(box, spec) {
  const totals = spec.rows.map(row => row.values.reduce((sum, v) => sum + v, 0));
  const most = Math.max(...totals, 0);
  if (most === 0) {
    box.append(make("p", {class: "note"}, "There is nothing to draw."));
    return;
  }
  const used = spec.parts.map((name, i) => i).filter(i => spec.rows.some(row => row.values[i] > 0));
  const legend = make("ul", {class: "legend"}), rows = make("div", {class: "bars", role: "list"});
  rows.style.setProperty("--name", Math.min(Math.max(...spec.rows.map(row => row.name.length)), 28) + "ch");
  const coloured = [];
  const paint = (element, part) => coloured.push([element, part]);
  for (const i of used) {
    const mark = make("span", {class: "mark"});
    paint(mark, i);
    legend.append(make("li", {class: "plain"}, mark, spec.parts[i]));
  }
  spec.rows.forEach((row, r) => {
    const bar = make("div", {class: "bar"});
    for (const i of used) {
      if (row.values[i] <= 0) continue;
      const text = `${spec.parts[i]}: ${shown(row.values[i], spec.scale.unit)} (${(100 * row.values[i] / totals[r]).toFixed(1)} %)`;
      const part = make("span", {title: `${row.name}: ${text}`});
      part.style.width = 100 * row.values[i] / most + "%";
      paint(part, i);
      bar.append(part);
    }
    const told = used.filter(i => row.values[i] > 0).map(i => `${spec.parts[i]} ${shown(row.values[i], spec.scale.unit)}`).join(", ");
    rows.append(make("div", {class: "row", role: "listitem", "aria-label": `${row.name}: ${told}`},
      make("span", {class: "name"}, row.name), bar, make("span", {class: "total"}, shown(totals[r], spec.scale.unit))));
  });
  const axis = make("div", {class: "row axis", "aria-hidden": "true"}), scale = make("div", {class: "bar"});
  for (const v of steadyTicks(0, most)) {
    const tick = make("span", {class: "tick"}, tickText(v, spec.scale, most, false));
    tick.style.left = 100 * v / most + "%";
    scale.append(tick);
  }
  axis.append(make("span", {class: "name"}), scale, make("span", {class: "total"}, ""));
  rows.append(axis);
  box.append(legend, rows, make("p", {class: "axis-title"}, axisTitle(spec.scale, most, false)));

  const draw = () => {
    for (const [element, part] of coloured) element.style.background = stateColour(spec.parts[part]) || curveColour(part, spec.parts.length, false);
  };
  draw();
  redraws.set(rows, draw);
  box.append(folded("Numbers", inside => drawTable(inside, {
    columns: [{label: ""}, ...used.map(i => ({label: spec.parts[i], unit: spec.scale.unit})), {label: "together", unit: spec.scale.unit}],
    rows: spec.rows.map((row, r) => [row.name, ...used.map(i => row.values[i]), totals[r]]),
  }, "Numbers of the bars")));
}
