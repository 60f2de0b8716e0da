// A field of colours on a canvas.

// spec: a matrix of the page's data; or with `rows` and `columns` in place of `names`. `limit`: what is this good or better
// is outlined.
function drawMatrix(box, spec) {
  const rows = spec.rows || spec.names, columns = spec.columns || spec.names;
  const [low, high] = extent([spec.values]);
  const positive = extent([spec.values], true);
  const canLog = low >= 0 && positive[0] > 0 && high > positive[0];
  let logarithmic = spec.value.log && canLog;
  const frame = make("div", {class: "plot"}), canvas = make("canvas", {tabindex: 0, role: "img",
    "aria-label": `${spec.value.label} by ${spec.from} and ${spec.to}: from ${shown(low, spec.value.unit)} to ${shown(high, spec.value.unit)}. Arrow keys go from field to field.`});
  const controls = make("div", {class: "controls"});
  if (canLog) controls.append(switchOf("Logarithmic colours", logarithmic, on => {
    logarithmic = on;
    draw();
  }));
  frame.append(canvas);
  box.append(controls, frame);
  const readout = makeReadout(frame);
  let place = null;

  function share(v) {
    if (high === low) return 0.5;
    const s = logarithmic ? Math.log(v / positive[0]) / Math.log(high / positive[0]) : (v - low) / (high - low);
    return spec.low_is_bad ? s : 1 - s;  // what is bad is dark
  }

  function draw() {
    const width = frame.clientWidth;
    if (width === 0) return;
    const ctx = canvas.getContext("2d"), font = "12px system-ui, sans-serif";
    ctx.font = font;
    const names = Math.max(...rows.map(n => ctx.measureText(n).width));
    const left = Math.min(Math.ceil(names) + 30, width * 0.35), right = 110, top = 8;
    const fits = (width - left - right) / columns.length;
    const side = Math.min(fits, 36, 600 / rows.length);
    const wide = spec.rows ? Math.min(fits, 72) : side, tall = spec.rows ? Math.min(wide, 26, 480 / rows.length) : side, bottom = 46;
    const height = Math.ceil(top + tall * rows.length + bottom);
    setSize(canvas, width, height);
    ctx.font = font;
    place = {left, top, wide, tall};

    const image = new ImageData(columns.length, rows.length), empty = isDark() ? [48, 52, 58] : [236, 238, 240];
    spec.values.forEach((v, i) => {
      const known = v !== null && (!logarithmic || v > 0);
      image.data.set([...(known ? mapColour(share(v)) : empty), 255], 4 * i);
    });
    const small = make("canvas", {width: columns.length, height: rows.length});
    small.getContext("2d").putImageData(image, 0, 0);
    ctx.imageSmoothingEnabled = false;
    ctx.drawImage(small, left, top, wide * columns.length, tall * rows.length);
    if (Math.min(wide, tall) >= 12) {
      ctx.strokeStyle = cssColour("--paper");
      ctx.beginPath();
      for (let i = 1; i < columns.length; ++i) {
        ctx.moveTo(left + i * wide, top);
        ctx.lineTo(left + i * wide, top + rows.length * tall);
      }
      for (let i = 1; i < rows.length; ++i) {
        ctx.moveTo(left, top + i * tall);
        ctx.lineTo(left + columns.length * wide, top + i * tall);
      }
      ctx.stroke();
    }
    if (typeof spec.limit === "number") drawContour(ctx, left, top, wide, tall);
    drawNames(ctx, left, top, wide, tall);
    drawScale(ctx, left + wide * columns.length + 20, top, Math.min(Math.max(tall * rows.length, 60), 200));
  }

  // Between fields that are good enough and others: a dark line in a light one, seen on every colour.
  function drawContour(ctx, left, top, wide, tall) {
    const good = (r, c) => {
      const v = r < 0 || c < 0 || r >= rows.length || c >= columns.length ? null : spec.values[r * columns.length + c];
      return v !== null && (spec.low_is_bad ? v >= spec.limit : v <= spec.limit);
    };
    ctx.beginPath();
    for (let r = 0; r <= rows.length; ++r)
      for (let c = 0; c <= columns.length; ++c) {
        const x = left + c * wide, y = top + r * tall;
        if (good(r, c) !== good(r - 1, c)) {
          ctx.moveTo(x, y);
          ctx.lineTo(x + wide, y);
        }
        if (good(r, c) !== good(r, c - 1)) {
          ctx.moveTo(x, y);
          ctx.lineTo(x, y + tall);
        }
      }
    ctx.save();
    ctx.lineCap = "square";
    for (const [width, colour] of [[5, cssColour("--paper")], [2.5, cssColour("--contour")]]) {
      ctx.lineWidth = width;
      ctx.strokeStyle = colour;
      ctx.stroke();
    }
    ctx.restore();
  }

  function drawNames(ctx, left, top, wide, tall) {
    ctx.fillStyle = cssColour("--soft");
    const longest = Math.max(...columns.map(n => ctx.measureText(n).width)) + 8;
    const everyColumn = Math.max(1, Math.ceil(longest / wide)), everyRow = Math.max(1, Math.ceil(15 / tall));
    ctx.textBaseline = "top";
    ctx.textAlign = "center";
    for (let i = spec.rows ? (columns.length - 1) % everyColumn : 0; i < columns.length; i += everyColumn) ctx.fillText(columns[i], left + (i + 0.5) * wide, top + rows.length * tall + 6);
    ctx.fillText(spec.to, left + columns.length * wide / 2, top + rows.length * tall + 26);
    ctx.textBaseline = "middle";
    ctx.textAlign = "right";
    for (let i = 0; i < rows.length; i += everyRow) ctx.fillText(rows[i], left - 6, top + (i + 0.5) * tall, left - 26);
    ctx.save();
    ctx.translate(9, top + rows.length * tall / 2);
    ctx.rotate(-Math.PI / 2);
    ctx.textAlign = "center";
    ctx.fillText(spec.from, 0, 0);
    ctx.restore();
  }

  function drawScale(ctx, x, top, height) {
    for (let i = 0; i < height; ++i) {
      const s = 1 - i / (height - 1);
      ctx.fillStyle = `rgb(${mapColour(high === low ? 0.5 : spec.low_is_bad ? s : 1 - s).join(",")})`;
      ctx.fillRect(x, top + i, 12, 1.5);
    }
    ctx.fillStyle = cssColour("--soft");
    ctx.textAlign = "left";
    ctx.textBaseline = "middle";
    const start = logarithmic ? positive[0] : low, parts = high === low ? 0 : height < 90 ? 2 : 4;
    for (let i = 0; i <= parts; ++i) {
      const s = parts === 0 ? 0.5 : i / parts, v = logarithmic ? start * (high / start) ** s : start + (high - start) * s;
      ctx.fillText(shown(v, spec.value.unit, 3), x + 18, Math.min(Math.max(top + height * (1 - s), top + 6), top + height - 4));
    }
  }

  let row = 0, column = 0;
  function tell() {
    const v = spec.values[row * columns.length + column];
    readout.show([`${spec.value.label}: ${shown(v, spec.value.unit)}`, `${spec.from}: ${rows[row]}`, `${spec.to}: ${columns[column]}`],
      place.left + (column + 0.5) * place.wide, place.top + (row + 0.5) * place.tall);
  }
  canvas.addEventListener("pointermove", event => {
    if (!place) return;
    const where = canvas.getBoundingClientRect();
    const c = Math.floor((event.clientX - where.left - place.left) / place.wide), r = Math.floor((event.clientY - where.top - place.top) / place.tall);
    if (c < 0 || r < 0 || c >= columns.length || r >= rows.length) {
      readout.hide();
      return;
    }
    [row, column] = [r, c];
    tell();
  });
  canvas.addEventListener("pointerleave", () => readout.hide());
  canvas.addEventListener("blur", () => readout.hide());
  canvas.addEventListener("keydown", event => {
    const step = {ArrowRight: [0, 1], ArrowLeft: [0, -1], ArrowDown: [1, 0], ArrowUp: [-1, 0]}[event.key];
    if (!step || !place) return;
    event.preventDefault();
    row = Math.min(Math.max(row + step[0], 0), rows.length - 1);
    column = Math.min(Math.max(column + step[1], 0), columns.length - 1);
    tell();
  });
  keepDrawn(frame, draw);
  draw();
  box.append(folded("Numbers", inside => drawTable(inside, {
    columns: [{label: spec.from}, {label: spec.to}, {label: spec.value.label, unit: spec.value.unit}],
    rows: spec.values.map((v, i) => [rows[Math.floor(i / columns.length)], columns[i % columns.length], v]).filter(r => r[2] !== null),
  }, "Numbers of the field")));
}
