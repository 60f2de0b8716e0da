// Curves, points and histograms by uPlot.

// Powers of ten, with 2 and 5 between them where there are few; of sizes powers of two. `most`: how many there is room for.
function logTicks(low, high, unit, most) {
  if (unit === "bytes" && high / low > 16) {
    const first = Math.ceil(Math.log2(low) - 1e-9), last = Math.floor(Math.log2(high) + 1e-9);
    const step = [1, 2, 3, 4, 5, 10].find(s => (last - first) / s < most) || 20;
    return Array.from({length: Math.floor((last - first) / step) + 1}, (t, i) => 2 ** (first + i * step));
  }
  const decades = Math.log10(high / low);
  if (decades < 0.6) return steadyTicks(low, high);
  const between = decades * 3 < most ? [1, 2, 5] : [1];
  const step = Math.max(1, Math.ceil(decades / most));
  const ticks = [];
  for (let e = Math.floor(Math.log10(low)); e <= Math.ceil(Math.log10(high)); ++e)
    if (e % step === 0)
      for (const m of between) if (m * 10 ** e >= low * 0.999 && m * 10 ** e <= high * 1.001) ticks.push(m * 10 ** e);
  return ticks;
}
function steadyTicks(low, high) {
  const rough = (high - low) / 5, size = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].find(m => m * size >= rough) * size;
  const ticks = [];
  for (let t = Math.ceil(low / step) * step; t <= high; t += step) ticks.push(t);
  return ticks;
}

// Where x = 0 stands on a logarithmic axis: left of all others, since there is no place for it.
function placesOnAxis(curves, logarithmic) {
  if (!logarithmic) return {place: x => x, zero: null};
  let least = Infinity;
  for (const c of curves) for (const x of c.x) if (x > 0 && x < least) least = x;
  const zero = curves.some(c => c.x.some(x => x <= 0)) && least < Infinity ? least / 2 : null;
  return {place: x => x > 0 ? x : zero, zero};
}

// uPlot wants one list of x for all curves; where a curve has several values at an x, that x is there several times.
function aligned(curves, place) {
  const rows = [];
  const byX = new Map();
  curves.forEach((curve, c) => curve.x.forEach((x, i) => {
    const at = place(x);
    if (at === null) return;
    const same = byX.get(at) || byX.set(at, []).get(at);
    let row = same.find(r => r.of[c] === undefined);
    if (!row) {
      row = {x: at, of: []};
      same.push(row);
      rows.push(row);
    }
    row.of[c] = i;
  }));
  rows.sort((a, b) => a.x - b.x);
  return rows;
}

function extent(lists, positive) {
  let low = Infinity, high = -Infinity;
  for (const list of lists)
    for (const v of list || [])
      if (v !== null && v !== undefined && (!positive || v > 0)) {
        low = Math.min(low, v);
        high = Math.max(high, v);
      }
  return low <= high ? [low, high] : [0, 1];
}

// Room around [low, high]. Linear axes of what is never negative begin at 0 if `fromZero`.
function padded([low, high], logarithmic, fromZero) {
  if (logarithmic) {
    const room = Math.max((high / low) ** 0.06, 1.05);
    return [low / room, high * room];
  }
  const room = (high - low || Math.abs(high) || 1) * 0.05;
  return [fromZero && low >= 0 ? 0 : low - room, high + room];
}

// For uPlot, which else rounds the ends of logarithmic axes to powers of ten.
function fixedRange([low, high]) {
  return {min: low, max: high, range: (u, min, max) => min === null ? [low, high] : [min, max]};
}

// spec: a chart of the page's data. Further members: `ticks`, [[place, name]] of an x axis of names; `beyond`, the same behind
// the last number, `end`; `fixed`: the caller says which axes are logarithmic; `rising`: the curves are of rising numbers;
// `heading`: of the legend; `span`: at least so much of y is seen; `level`, {value, name}: a line across.
function drawChart(box, spec) {
  const curves = spec.curves.filter(c => c.x.length > 0);
  if (curves.length === 0) {
    box.append(make("p", {class: "note"}, "There is nothing to draw."));
    return;
  }
  const ys = curves.flatMap(c => [c.y, c.low, c.high]);
  const positiveX = extent(curves.map(c => c.x))[0] >= 0 && extent(curves.map(c => c.x), true)[1] > 0;
  const can = {x: !spec.fixed && positiveX, y: !spec.fixed && extent(ys)[0] > 0};
  const log = {x: spec.x.log && (spec.fixed || can.x), y: spec.y.log && extent(ys)[0] > 0};
  const hidden = new Set();
  const frame = make("div", {class: "plot"}), legend = make("ul", {class: "legend"});
  const controls = make("div", {class: "controls"});
  for (const [axis, name] of [["x", "horizontal"], ["y", "vertical"]])
    if (can[axis]) controls.append(switchOf(`Logarithmic, ${name}`, log[axis], on => {
      log[axis] = on;
      draw();
    }));
  box.append(controls, frame, legend);

  let plot = null, rows = [], readout = null;
  const colour = i => curveColour(i, curves.length, spec.rising);

  function draw() {
    if (plot) plot.destroy();
    frame.replaceChildren();
    const width = frame.clientWidth;
    if (width === 0) return;
    const {place, zero} = placesOnAxis(curves, log.x);
    rows = aligned(curves, place);
    const xs = extent([rows.map(r => r.x)]);
    const seen = curves.flatMap((c, i) => hidden.has(i) ? [] : [c.y, c.low, c.high]);
    if (spec.span) seen.push(spec.span);
    if (spec.level) seen.push([spec.level.value]);
    let range = {x: padded(xs, log.x, false), y: padded(extent(seen, log.y), log.y, true)};
    if (spec.diagonal) {
      const both = padded(extent([rows.map(r => r.x), ...ys], log.x || log.y), log.x, true);
      range = {x: both, y: log.y === log.x ? both : padded(extent(ys, log.y), log.y, true)};
    }
    const height = Math.round(Math.min(Math.max(width * (spec.diagonal ? 0.75 : 0.42), 260), spec.diagonal ? 520 : 380));
    const room = {x: Math.max(2, Math.floor((width - 90) / 70)), y: Math.floor((height - 60) / 34)};
    const soft = cssColour("--soft"), line = cssColour("--line");
    const beyond = which => which === "x" && spec.beyond && spec.beyond.length > 0;
    const axis = (which, scale, largest, ticks) => ({
      stroke: soft, grid: {stroke: line, width: 1}, ticks: {stroke: line, width: 1, size: 5},
      font: "12px system-ui, sans-serif", labelFont: "12px system-ui, sans-serif", labelSize: 20, labelGap: 2,
      label: axisTitle(scale, largest, log[which]),
      splits: ticks ? () => ticks.map(t => t[0]) : log[which] || beyond(which) ? (u, i, low, high) => [...(zero !== null && which === "x" ? [zero] : []),
        ...(log[which] ? logTicks(low, high, scale.unit, room[which]) : steadyTicks(low, high))
          .filter(t => which !== "x" || ((zero === null || t > zero) && (!beyond(which) || t <= spec.end))),
        ...(beyond(which) ? spec.beyond.map(t => t[0]) : [])] : undefined,
      filter: (u, splits) => splits,
      values: (u, splits) => splits.map((v, i) => ticks ? ticks[i][1] : v === null ? null
        : v === zero && which === "x" ? "0" : beyond(which) && v > spec.end ? spec.beyond.find(t => t[0] === v)[1] : tickText(v, scale, largest, log[which])),
      space: which === "x" ? 64 : 34, size: which === "x" ? 30 : 50,
    });
    const largest = {x: extent(curves.map(c => c.x))[1], y: extent(ys)[1]};
    const yAxis = axis("y", spec.y, largest.y);
    yAxis.size = (u, values) => 14 + 7 * Math.max(3, ...(values || []).map(v => v ? v.length : 0));
    plot = new uPlot({
      width, height,
      padding: [12, 18, 0, 0], legend: {show: false},
      cursor: {x: false, y: false, points: {show: false}, drag: {x: true, y: true, uni: 30}},
      scales: {x: {time: false, distr: log.x ? 3 : 1, auto: false, ...fixedRange(range.x)},
        y: {distr: log.y ? 3 : 1, auto: false, ...fixedRange(range.y)}},
      axes: [axis("x", spec.x, largest.x, spec.ticks && thinned(spec.ticks, width - 80)), yAxis],
      series: [{}, ...curves.map((c, i) => ({
        label: c.name, stroke: colour(i), width: 2, dash: curveDash(i, curves.length, spec.rising), spanGaps: true,
        show: !hidden.has(i),
        fill: c.style === "steps" ? colour(i) + "40" : undefined,
        paths: c.style === "points" ? () => null : c.style === "steps" ? uPlot.paths.stepped({align: 1}) : undefined,
        points: {show: c.style === "points" || (c.style === "line" && c.x.length <= 80), size: c.style === "points" ? 8 : 6,
          fill: c.style === "points" ? colour(i) + "90" : cssColour("--paper")},
      }))],
      hooks: {drawAxes: [u => spec.diagonal && drawDiagonal(u, soft), u => spec.level && drawLevel(u, soft)], draw: [drawErrors]},
    }, [rows.map(r => r.x), ...curves.map((c, i) => rows.map(r => {
      const y = r.of[i] === undefined ? null : c.y[r.of[i]];
      return log.y && y <= 0 ? null : y;
    }))], frame);
    plot.over.addEventListener("dblclick", () => plot.batch(() => {
      for (const which of ["x", "y"]) plot.setScale(which, {min: range[which][0], max: range[which][1]});
    }));
    readout = makeReadout(frame);
    follow(plot);
  }

  function drawDiagonal(u, stroke) {
    const low = Math.max(u.scales.x.min, u.scales.y.min), high = Math.min(u.scales.x.max, u.scales.y.max);
    const ctx = u.ctx;
    ctx.save();
    ctx.strokeStyle = stroke;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    for (let i = 0; i <= 60; ++i) {
      const v = log.x ? low * (high / low) ** (i / 60) : low + (high - low) * i / 60;
      ctx.lineTo(u.valToPos(v, "x", true), u.valToPos(v, "y", true));
    }
    ctx.stroke();
    ctx.restore();
  }

  function drawLevel(u, stroke) {
    const ctx = u.ctx, y = u.valToPos(spec.level.value, "y", true), {left, width} = u.bbox;
    ctx.save();
    ctx.strokeStyle = stroke;
    ctx.lineWidth = devicePixelRatio;
    ctx.setLineDash([6 * devicePixelRatio, 4 * devicePixelRatio]);
    ctx.beginPath();
    ctx.moveTo(left, y);
    ctx.lineTo(left + width, y);
    ctx.stroke();
    ctx.restore();
  }

  function drawErrors(u) {
    const ctx = u.ctx, cap = 3 * devicePixelRatio, {left, top, width, height} = u.bbox;
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, width, height);
    ctx.clip();
    ctx.lineWidth = 1.2 * devicePixelRatio;
    const {place} = placesOnAxis(curves, log.x);
    curves.forEach((c, i) => {
      if (!c.low || hidden.has(i)) return;
      ctx.strokeStyle = colour(i);
      ctx.beginPath();
      c.x.forEach((x, k) => {
        if (c.low[k] === null || place(x) === null) return;
        const at = u.valToPos(place(x), "x", true);
        const low = log.y && c.low[k] <= 0 ? top + height : u.valToPos(c.low[k], "y", true), high = u.valToPos(c.high[k], "y", true);
        ctx.moveTo(at, low);
        ctx.lineTo(at, high);
        for (const end of [low, high]) {
          ctx.moveTo(at - cap, end);
          ctx.lineTo(at + cap, end);
        }
      });
      ctx.stroke();
    });
    ctx.restore();
  }

  function tell(u, c, k) {
    const curve = curves[c], {place} = placesOnAxis(curves, log.x);
    const name = spec.ticks ? (spec.ticks.find(t => t[0] === curve.x[k]) || [])[1] : undefined;
    const lines = [curve.names && curve.names[k] || curve.name || spec.y.label,
      `${spec.x.label}: ${name === undefined ? shown(curve.x[k], spec.x.unit) : name}`,
      `${spec.y.label}: ${shown(curve.y[k], spec.y.unit, 5)}`];
    if (curve.low && curve.low[k] !== null)
      lines.push(`between ${shown(curve.low[k], spec.y.unit)} and ${shown(curve.high[k], spec.y.unit)}`);
    readout.show(lines, u.over.offsetLeft + u.valToPos(place(curve.x[k]), "x"), u.over.offsetTop + u.valToPos(curve.y[k], "y"));
  }

  // The sample nearest to the pointer; the arrow keys go from sample to sample, and from curve to curve.
  function follow(u) {
    const {place} = placesOnAxis(curves, log.x);
    u.over.addEventListener("pointermove", event => {
      const where = u.over.getBoundingClientRect(), px = event.clientX - where.left, py = event.clientY - where.top;
      let best = null, least = 40 * 40;
      curves.forEach((c, i) => !hidden.has(i) && c.x.forEach((x, k) => {
        if (c.y[k] === null || place(x) === null) return;
        const d = (u.valToPos(place(x), "x") - px) ** 2 + (u.valToPos(c.y[k], "y") - py) ** 2;
        if (d < least) [best, least] = [[i, k], d];
      }));
      if (best) tell(u, ...best);
      else readout.hide();
    });
    u.over.addEventListener("pointerleave", () => readout.hide());
    let c = 0, k = -1;
    u.root.tabIndex = 0;
    u.root.setAttribute("role", "group");
    u.root.setAttribute("aria-label", `Chart of ${spec.y.label} over ${spec.x.label}. Arrow keys go from value to value.`);
    u.root.addEventListener("keydown", event => {
      const step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
      if (!step) return;
      event.preventDefault();
      c = (c + step[0] + curves.length) % curves.length;
      k = Math.min(Math.max(k + step[1], 0), curves[c].x.length - 1);
      if (curves[c].y[k] !== null) tell(u, c, k);
    });
    u.root.addEventListener("blur", () => readout.hide());
  }

  function drawLegend() {
    if (curves.length < 2 && !spec.diagonal && !spec.level) return;
    legend.replaceChildren(...(curves.length < 2 && !spec.diagonal ? [] : curves).map((c, i) => {
      const mark = make("span", {class: "mark"});
      mark.style.background = colour(i);
      return make("li", {}, make("button", {type: "button", "aria-pressed": !hidden.has(i), onclick: event => {
        if (hidden.has(i)) hidden.delete(i);
        else hidden.add(i);
        event.currentTarget.setAttribute("aria-pressed", !hidden.has(i));
        draw();
      }}, mark, c.name));
    }));
    if (spec.heading) legend.prepend(make("li", {class: "plain heading"}, spec.heading));
    if (spec.diagonal) legend.append(make("li", {class: "plain"}, make("span", {class: "mark dashed"}), "as measured"));
    if (spec.level) legend.append(make("li", {class: "plain"}, make("span", {class: "mark dashed"}), spec.level.name));
  }

  drawLegend();
  keepDrawn(frame, () => {
    drawLegend();
    draw();
  });
  draw();
  box.append(folded("Numbers", inside => drawTable(inside, {
    columns: [{label: "curve"}, {label: spec.x.label, unit: spec.x.unit}, {label: spec.y.label, unit: spec.y.unit},
      {label: "from", unit: spec.y.unit}, {label: "to", unit: spec.y.unit}, {label: "name"}],
    rows: curves.flatMap(c => c.x.map((x, k) => [c.name, spec.ticks ? (spec.ticks.find(t => t[0] === x) || [0, ""])[1] : x, c.y[k],
      c.low ? c.low[k] : null, c.high ? c.high[k] : null, c.names ? c.names[k] : ""])),
  }, "Numbers of the chart")));
}

// As many names as there is room for, always the last one.
function thinned(ticks, width) {
  const longest = Math.max(...ticks.map(t => t[1].length)) * 7 + 12;
  const every = Math.max(1, Math.ceil(ticks.length * longest / Math.max(width, 1)));
  return ticks.filter((t, i) => (ticks.length - 1 - i) % every === 0);
}
