// Points of a study: curves over an axis, a field of colours over two, and a table of all.

// Where the values of an axis stand, left to right. Numbers stand where they are, names without a number behind the last
// one; without two numbers all stand one beside the other.
function axisPlaces(axis, logarithmic) {
  const known = axis.numbers.filter(v => v !== null);
  if (known.length < 2) return {places: axis.names.map((n, i) => i), numeric: false, log: false, canLog: false};
  const high = Math.max(...known), low = Math.min(...known), log = logarithmic && low > 0;
  let behind = 0;
  const step = log ? (high / low) ** (1 / known.length) : (high - low) / known.length || 1;
  const places = axis.numbers.map(v => v !== null ? v : (++behind, log ? high * step ** behind : high + step * behind));
  return {places, numeric: true, log, canLog: low > 0};
}

function drawPoints(box, spec) {
  const {axes, columns} = spec, free = spec.combined === "product";
  const varying = axes.map((a, i) => i).filter(i => axes[i].names.length > 1);
  if (varying.length > 0 && columns.length > 0) drawChosen();
  box.append(make("h4", {}, "All points"));
  const shownAxes = varying.length > 0 ? varying : axes.map((a, i) => i);
  drawTable(box, {
    columns: [{label: "point", unit: "number"}, ...shownAxes.map(i => ({label: axes[i].scale.label, unit: axes[i].scale.unit})), ...columns],
    rows: spec.points.map(([number, at, figures]) => [number, ...shownAxes.map(i => axes[i].names[at[i]]), ...figures]),
  }, "All points");

  function drawChosen() {
    const state = {figure: 0, over: varying[0], by: varying.length > 1 ? varying[1] : -1, fixed: axes.map(() => 0)};
    const logX = axes.map(a => a.scale.log), logY = columns.map(c => c.log);
    // What is not drawn stands at its value in the middle, where most questions are.
    axes.forEach((a, i) => state.fixed[i] = Math.floor((a.names.length - 1) / 2));
    const controls = make("div", {class: "controls"}), chart = make("div", {}), map = make("div", {});
    box.append(controls, chart, map);

    const others = () => varying.filter(i => i !== state.over && i !== state.by);
    const matches = at => !free || others().every(i => at[i] === state.fixed[i]);

    function drawControls() {
      controls.replaceChildren(choice("Show", columns.map(c => c.label), state.figure, i => change({figure: i})),
        choice("over", varying.map(i => axes[i].scale.label), varying.indexOf(state.over), i => {
          const over = varying[i];
          change({over, by: over === state.by ? state.over : state.by});
        }));
      if (axisPlaces(axes[state.over], true).canLog)
        controls.append(switchOf("Logarithmic, horizontal", logX[state.over], on => {
          logX[state.over] = on;
          draw();
        }));
      if (!free || varying.length < 2) return;
      const candidates = varying.filter(i => i !== state.over);
      controls.append(choice("a curve for each", candidates.map(i => axes[i].scale.label), candidates.indexOf(state.by), i => change({by: candidates[i]})));
      for (const i of others())
        controls.append(choice(axes[i].scale.label, axes[i].names, state.fixed[i], v => {
          state.fixed[i] = v;
          draw();
        }));
    }
    function change(news) {
      Object.assign(state, news);
      drawControls();
      draw();
    }

    function draw() {
      const over = axes[state.over], {places, numeric, log} = axisPlaces(over, logX[state.over]), column = columns[state.figure];
      const by = free && state.by >= 0 ? axes[state.by] : null;
      const curves = (by ? by.names : [column.label]).map(name => ({name,
        style: spec.combined === "sampled" ? "points" : "line", x: [], y: [], names: []}));
      const chosen = spec.points.filter(([, at, figures]) => matches(at) && figures[state.figure] !== null);
      for (const [number, at, figures] of chosen) {
        const curve = curves[by ? at[state.by] : 0];
        curve.x.push(places[at[state.over]]);
        curve.y.push(figures[state.figure]);
        curve.names.push(`point ${number}${by ? `, ${by.scale.label} = ${curve.name}` : ""}`);
      }
      for (const curve of curves) {  // by place: the names of an axis may be in any order
        const order = curve.x.map((x, i) => i).sort((a, b) => curve.x[a] - curve.x[b]);
        for (const key of ["x", "y", "names"]) curve[key] = order.map(i => curve[key][i]);
      }
      const few = !numeric || (spec.combined !== "sampled" && over.names.length <= 40);
      const ticks = few ? places.map((p, i) => [p, over.names[i]]).sort((a, b) => a[0] - b[0]) : null;
      chart.replaceChildren();
      drawChart(chart, {x: {...over.scale, log}, y: {...column, log: logY[state.figure]}, curves, diagonal: false, ticks, fixed: true,
        heading: by ? by.scale.label : "",
        switched: (axis, on) => logY[state.figure] = on, rising: by !== null && by.numbers.filter(v => v !== null).length > 2});
      map.replaceChildren();
      if (by && by.names.length > 1 && over.names.length > 1) drawField(over, by, column, chosen);
    }

    function drawField(over, by, column, chosen) {
      const values = new Array(over.names.length * by.names.length).fill(null);
      for (const [, at, figures] of chosen) values[at[state.by] * over.names.length + at[state.over]] = figures[state.figure];
      map.append(make("h4", {}, `Both axes: ${column.label}`));
      drawMatrix(map, {from: by.scale.label, to: over.scale.label, rows: by.names, columns: over.names, value: column,
        low_is_bad: column.more_is_better, values});
    }
    drawControls();
    draw();
  }
}
