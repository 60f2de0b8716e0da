// Points of a study: curves over an axis, a field of colours over two, and a table of all. Several workloads stand side by
// side, each on its own: no line and no colour goes from one to another.

// Where the values of an axis stand, left to right. Numbers stand where they are, names without a number behind the last
// one; without two numbers all stand one beside the other.
function axisPlaces(axis, logarithmic) {
  const known = axis.numbers.filter(v => v !== null);
  if (known.length < 2) return {places: axis.names.map((n, i) => i), numeric: false, log: false, canLog: false};
  const high = Math.max(...known), low = Math.min(...known), log = logarithmic && low > 0;
  let behind = 0;
  const step = log ? (high / low) ** (1 / known.length) : (high - low) / known.length || 1;
  const places = axis.numbers.map(v => v !== null ? v : (++behind, log ? high * step ** behind : high + step * behind));
  return {places, numeric: true, log, canLog: low > 0, high};
}

// Names of an axis for a field: numbers with few digits.
const shortNames = axis => axis.names.map((name, i) => axis.numbers[i] === null ? name : shown(axis.numbers[i], axis.scale.unit, 3));

// Ticks at the values where these are few and round, such as 1, 2, 4, 8; else null: at round numbers.
function valueTicks(axis, places) {
  const round = axis.numbers.every(v => v === null || v === 0 || Number.isInteger(Math.log2(v)) || Number(v.toPrecision(2)) === v);
  return round && axis.names.length <= 10 ? places.map((p, i) => [p, axis.names[i]]).sort((a, b) => a[0] - b[0]) : null;
}

function drawPoints(box, spec) {
  const {axes, columns} = spec, free = spec.combined === "product";
  const varying = axes.map((a, i) => i).filter(i => axes[i].names.length > 1);
  const choices = varying.filter(i => !axes[i].of_workloads);
  // Of one application, run times over a number of its own, such as its ranks, make a curve.
  const alone = choices.length === 0 && varying.length === 1 && axisPlaces(axes[varying[0]], true).numeric;
  const along = alone ? varying : choices, apart = varying.filter(i => !along.includes(i));
  if (along.length > 0 && columns.length > 0) drawChosen();
  box.append(make("h4", {}, "All points"));
  const shownAxes = varying.length > 0 ? varying : axes.map((a, i) => i);
  drawTable(box, {
    columns: [{label: "point", unit: "number"}, ...shownAxes.map(i => ({label: axes[i].scale.label, unit: axes[i].scale.unit, setting: true})), ...columns],
    rows: spec.points.map(([number, at, figures]) => [number, ...shownAxes.map(i => axes[i].numbers[at[i]] ?? axes[i].names[at[i]]), ...figures]),
  }, "All points");

  // The points of each workload, or all of them; first those of the mix, where the figure has any.
  function groupsOf(figure) {
    if (apart.length === 0) return [{name: "", points: spec.points}];
    const groups = new Map();
    for (const point of spec.points) {
      const key = apart.map(i => point[1][i]).join();
      const name = () => apart.map(i => axes[i].numbers[point[1][i]] === null ? axes[i].names[point[1][i]]
        : `${axes[i].scale.label} = ${axes[i].names[point[1][i]]}`).join(", ");
      (groups.get(key) || groups.set(key, {name: name(), points: []}).get(key)).points.push(point);
    }
    const mix = spec.mix && spec.mix.points.some(p => p[2][figure] !== null) ? [{name: spec.mix.name, points: spec.mix.points}] : [];
    return [...mix, ...groups.values()];
  }

  // What is good enough among these points; nothing for what is no result.
  function thresholdOf(points, figure) {
    const column = columns[figure], known = points.map(p => p[2][figure]).filter(v => v !== null);
    if (!column.is_result || !spec.within || known.length < 2) return null;
    return column.more_is_better ? Math.max(...known) / (1 + spec.within) : Math.min(...known) * (1 + spec.within);
  }
  function limitText(v, column) {
    return `within ${plainNumber(spec.within * 100, 3)} % of the best: ${column.more_is_better ? "at least" : "at most"} ${shown(v, column.unit)}`;
  }

  function drawChosen() {
    const first = along.includes(spec.over) ? spec.over : along[0];
    const second = along.includes(spec.by) && spec.by !== first ? spec.by : along.find(i => i !== first);
    const state = {figure: 0, over: first, by: second === undefined ? -1 : second, fixed: axes.map(() => 0)};
    const logX = axes.map(a => a.scale.log), logY = columns.map(c => c.log);
    // What is not drawn stands at its value in the middle, where most questions are.
    axes.forEach((a, i) => state.fixed[i] = Math.floor((a.names.length - 1) / 2));
    const controls = make("div", {class: "controls"}), panels = make("div", {class: "panels"});
    box.append(controls, panels);

    const others = () => along.filter(i => i !== state.over && i !== state.by);
    const matches = at => !free || others().every(i => at[i] === state.fixed[i]);

    function drawControls() {
      controls.replaceChildren(choice("Show", columns.map(c => c.label), state.figure, i => change({figure: i})),
        choice("over", along.map(i => axes[i].scale.label), along.indexOf(state.over), i => {
          const over = along[i];
          change({over, by: over === state.by ? state.over : state.by});
        }));
      if (axisPlaces(axes[state.over], true).canLog)
        controls.append(switchOf("Logarithmic, horizontal", logX[state.over], on => {
          logX[state.over] = on;
          draw();
        }));
      controls.append(switchOf("Logarithmic, vertical", logY[state.figure], on => {
        logY[state.figure] = on;
        draw();
      }));
      if (!free || along.length < 2) return;
      const candidates = along.filter(i => i !== state.over);
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
      const column = columns[state.figure], groups = groupsOf(state.figure);
      const chosen = groups.map(g => g.points.filter(([, at, figures]) => matches(at) && figures[state.figure] !== null));
      // Multiples and shares have the same scale everywhere; times of different workloads do not.
      const same = groups.length > 1 && ["multiple", "share"].includes(column.unit);
      const span = same ? extent(chosen.map(points => points.map(p => p[2][state.figure])), logY[state.figure]) : null;
      panels.classList.toggle("several", groups.length > 1);
      panels.replaceChildren();
      groups.forEach((group, g) => {
        const panel = make("div", {class: "panel"});
        if (group.name) panel.append(make("h4", {}, group.name));
        panels.append(panel);
        drawPanel(panel, chosen[g], column, span, thresholdOf(group.points, state.figure));
      });
    }

    function drawPanel(panel, chosen, column, span, limit) {
      const over = axes[state.over], {places, numeric, log, high} = axisPlaces(over, logX[state.over]);
      const by = free && state.by >= 0 ? axes[state.by] : null;
      const curves = (by ? shortNames(by) : [column.label]).map(name => ({name,
        style: spec.combined === "sampled" || !numeric ? "points" : "line", x: [], y: [], names: []}));
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
      const ticks = numeric ? valueTicks(over, places) : places.map((p, i) => [p, over.names[i]]);
      const beyond = numeric && !ticks ? places.map((p, i) => [p, over.names[i]]).filter((t, i) => over.numbers[i] === null) : null;
      drawChart(panel, {x: {...over.scale, log}, y: {...column, log: logY[state.figure]}, curves, diagonal: false, ticks, beyond, end: high,
        fixed: true, heading: by ? by.scale.label : "", span,
        level: limit === null ? null : {value: limit, name: limitText(limit, column)},
        rising: by !== null && by.numbers.filter(v => v !== null).length > 2});
      if (by && by.names.length > 1 && over.names.length > 1) drawField(panel, over, by, column, chosen, limit);
    }

    function drawField(panel, over, by, column, chosen, limit) {
      const values = new Array(over.names.length * by.names.length).fill(null);
      for (const [, at, figures] of chosen) values[at[state.by] * over.names.length + at[state.over]] = figures[state.figure];
      panel.append(make("h4", {}, `Both axes: ${column.label}`));
      if (limit !== null) panel.append(make("p", {class: "note"}, `Outlined: ${limitText(limit, column)}.`));
      drawMatrix(panel, {from: by.scale.label, to: over.scale.label, rows: shortNames(by), columns: shortNames(over), value: column,
        low_is_bad: column.more_is_better, values, limit});
    }
    drawControls();
    draw();
  }
}
