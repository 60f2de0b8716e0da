// What ranks do when, on a canvas: a lane each, and lines for messages.

const MESSAGES_AT_ONCE = 500;

// spec: lanes of the page's data; its times are steps from `from`, each of `step` picoseconds.
function drawLanes(box, spec) {
  const time = t => spec.from + t * spec.step, lanes = spec.lanes;
  const used = spec.kinds.map((name, k) => k).filter(k => lanes.some(lane => lane.kinds.includes(k)));
  const whole = [0, Math.max(spec.length, 1)];
  let view = whole, messages = spec.arrows.length <= MESSAGES_AT_ONCE, place = null, drag = null;

  const frame = make("div", {class: "plot"}), canvas = make("canvas", {tabindex: 0, role: "img",
    "aria-label": `What each of ${lanes.length} ranks does from ${shown(time(0), "time")} to ${shown(time(spec.length), "time")}. Arrow keys go from state to state and from rank to rank, plus and minus enlarge and reduce.`});
  const controls = make("div", {class: "controls"});
  for (const [name, title, act] of [["+", "Enlarge", () => zoom(0.5)], ["−", "Reduce", () => zoom(2)], ["Whole", "Show all of it", () => look(whole)]])
    controls.append(make("button", {type: "button", title, "aria-label": title, onclick: act}, name));
  if (spec.arrows.length > 0) controls.append(switchOf("Messages", messages, on => {
    messages = on;
    draw();
  }));
  const legend = make("ul", {class: "legend"});
  const marks = used.map(k => {
    const mark = make("span", {class: "mark"});
    legend.append(make("li", {class: "plain"}, mark, spec.kinds[k]));
    return mark;
  });
  frame.append(canvas);
  box.append(controls, legend, frame);
  const readout = makeReadout(frame);
  const colour = k => stateColour(spec.kinds[k]) || curveColour(used.indexOf(k), used.length, false);

  function look([from, to]) {
    const length = Math.min(Math.max(to - from, Math.min(whole[1], 10)), whole[1]);
    const first = Math.min(Math.max(from, 0), whole[1] - length);
    view = [first, first + length];
    readout.hide();
    draw();
  }
  function zoom(factor, around = (view[0] + view[1]) / 2) {
    look([around - (around - view[0]) * factor, around + (view[1] - around) * factor]);
  }

  function draw() {
    const width = frame.clientWidth;
    if (width === 0) return;
    const ctx = canvas.getContext("2d"), font = "12px system-ui, sans-serif";
    ctx.font = font;
    const left = Math.min(Math.ceil(Math.max(...lanes.map(l => ctx.measureText(l.name).width))) + 12, width * 0.3), right = 14, top = 6, bottom = 44;
    const tall = Math.min(Math.max(420 / lanes.length, 5), 22), height = Math.ceil(top + tall * lanes.length + bottom);
    setSize(canvas, width, height);
    ctx.font = font;
    const scale = (width - left - right) / (view[1] - view[0]);
    place = {left, top, tall, width: width - left - right, x: t => left + (t - view[0]) * scale, t: x => view[0] + (x - left) / scale};
    ctx.save();
    ctx.beginPath();
    ctx.rect(left, top, place.width, tall * lanes.length);
    ctx.clip();
    const room = tall > 8 ? 1 : 0, colours = spec.kinds.map((name, k) => colour(k));
    lanes.forEach((lane, i) => {
      for (let k = pieceAt(lane, view[0]); k < lane.from.length && lane.from[k] < view[1]; ++k) {
        ctx.fillStyle = colours[lane.kinds[k]];
        ctx.fillRect(place.x(lane.from[k]), top + i * tall + room, Math.max((lane.to[k] - lane.from[k]) * scale, 0.3), tall - 2 * room);
      }
    });
    if (messages) drawMessages(ctx);
    ctx.restore();
    drawAxis(ctx, top + tall * lanes.length);
    if (drag) {
      ctx.fillStyle = cssColour("--accent") + "30";
      ctx.fillRect(Math.min(drag.from, drag.to), top, Math.abs(drag.to - drag.from), tall * lanes.length);
    }
    marks.forEach((mark, i) => mark.style.background = colours[used[i]]);
  }

  function drawMessages(ctx) {
    const middle = i => place.top + (i + 0.5) * place.tall;
    const path = new Path2D();
    for (const [source, destination, sent, received] of spec.arrows) {
      if (received < view[0] || sent > view[1]) continue;
      path.moveTo(place.x(sent), middle(source));
      path.lineTo(place.x(received), middle(destination));
    }
    ctx.strokeStyle = cssColour("--paper");  // to be seen on all colours
    ctx.lineWidth = 1.2;
    ctx.stroke(path);
  }

  function drawAxis(ctx, y) {
    ctx.fillStyle = cssColour("--soft");
    ctx.strokeStyle = cssColour("--line");
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    const every = Math.max(1, Math.ceil(14 / place.tall));
    for (let i = 0; i < lanes.length; i += every) ctx.fillText(lanes[i].name, place.left - 6, place.top + (i + 0.5) * place.tall, place.left - 8);
    ctx.textBaseline = "top";
    ctx.textAlign = "center";
    const low = time(view[0]), high = time(view[1]), largest = Math.max(Math.abs(high), 1), scale = {label: "time", unit: "time"};
    const size = unitOf("time", largest)[1];
    // More digits than an axis that begins at 0 needs, where a short part lies far from it.
    const digits = Math.min(15, Math.max(4, Math.ceil(Math.log10(largest / Math.max(high - low, 1))) + 3));
    for (const t of steadyTicks(low, high)) {
      const x = place.x((t - spec.from) / spec.step);
      ctx.beginPath();
      ctx.moveTo(x, y);
      ctx.lineTo(x, y + 5);
      ctx.stroke();
      const text = plainNumber(t / size, digits), half = ctx.measureText(text).width / 2;
      ctx.fillText(text, Math.min(Math.max(x, place.left + half), place.left + place.width + 10 - half), y + 8);
    }
    ctx.fillText(axisTitle(scale, largest, false), place.left + place.width / 2, y + 26);
  }

  // The first piece that ends behind t.
  function pieceAt(lane, t) {
    let low = 0, high = lane.to.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (lane.to[middle] > t) high = middle;
      else low = middle + 1;
    }
    return low;
  }

  let row = 0, piece = -1;
  function tell(x) {
    const lane = lanes[row], from = time(lane.from[piece]), to = time(lane.to[piece]);
    readout.show([`${lane.name}: ${spec.kinds[lane.kinds[piece]]}`, `for ${shown(to - from, "time", 5)}`, `from ${shown(from, "time", 7)}`, `to ${shown(to, "time", 7)}`],
      x, place.top + (row + 0.5) * place.tall);
  }
  const within = event => {
    const where = canvas.getBoundingClientRect();
    return [event.clientX - where.left, event.clientY - where.top];
  };
  canvas.addEventListener("pointermove", event => {
    if (!place) return;
    const [x, y] = within(event);
    if (drag) {
      drag.to = Math.min(Math.max(x, place.left), place.left + place.width);
      draw();
      return;
    }
    const r = Math.floor((y - place.top) / place.tall), t = place.t(x);
    if (r < 0 || r >= lanes.length || x < place.left) return readout.hide();
    const k = pieceAt(lanes[r], t);
    if (k >= lanes[r].from.length || lanes[r].from[k] > t) return readout.hide();
    [row, piece] = [r, k];
    tell(x);
  });
  canvas.addEventListener("pointerdown", event => {
    const [x] = within(event);
    if (!place || event.button !== 0 || x < place.left) return;
    drag = {from: x, to: x};
    canvas.setPointerCapture(event.pointerId);
    readout.hide();
  });
  canvas.addEventListener("pointerup", () => {
    if (!drag) return;
    const [from, to] = [drag.from, drag.to].sort((a, b) => a - b);
    drag = null;
    if (to - from > 5) look([place.t(from), place.t(to)]);
    else draw();
  });
  canvas.addEventListener("pointercancel", () => {
    drag = null;
    draw();
  });
  canvas.addEventListener("dblclick", () => look(whole));
  canvas.addEventListener("pointerleave", () => readout.hide());
  canvas.addEventListener("blur", () => readout.hide());
  canvas.addEventListener("keydown", event => {
    const step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
    const factor = {"+": 0.5, "-": 2}[event.key];
    if (!place || (!step && !factor)) return;
    event.preventDefault();
    const told = piece >= 0 && lanes[row].from[piece];
    if (factor) return zoom(factor, told === false ? undefined : told);
    if (step[0] !== 0) {
      row = Math.min(Math.max(row + step[0], 0), lanes.length - 1);
      piece = pieceAt(lanes[row], told === false ? view[0] : told);
    } else piece = Math.max(piece + step[1], 0);
    piece = Math.min(piece, lanes[row].from.length - 1);
    if (piece < 0) return;
    const [from, to] = [lanes[row].from[piece], lanes[row].to[piece]];
    if (from >= view[1] || to <= view[0]) look([from - (view[1] - view[0]) / 2, from + (view[1] - view[0]) / 2]);
    tell((place.x(Math.max(from, view[0])) + place.x(Math.min(to, view[1]))) / 2);
  });
  keepDrawn(frame, draw);
  draw();
  box.append(folded("Numbers", inside => drawTable(inside, {
    columns: [{label: "rank"}, {label: "state"}, {label: "from", unit: "time"}, {label: "to", unit: "time"}, {label: "for", unit: "time"}],
    rows: lanes.flatMap(l => l.from.map((from, k) => [l.name, spec.kinds[l.kinds[k]], time(from), time(l.to[k]), time(l.to[k]) - time(from)])),
  }, "Numbers of the lanes")));
}
