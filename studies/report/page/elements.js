// Making elements. Texts become text nodes: nothing of a file is ever read as HTML.

// Children are elements and texts; a property that begins with "on" is a listener, others are attributes.
function make(name, properties, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties || {})) {
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== false && value !== null) element.setAttribute(key, value);
  }
  element.append(...children);
  return element;
}

// A list to choose from: `names` by number; `chosen` is told the number.
function choice(label, names, first, chosen) {
  const list = make("select", {onchange: () => chosen(Number(list.value))});
  names.forEach((name, i) => list.append(make("option", {value: i, selected: i === first}, name)));
  return make("label", {class: "control"}, label + " ", list);
}

function switchOf(label, on, switched) {
  const box = make("input", {type: "checkbox", checked: on, onchange: () => switched(box.checked)});
  return make("label", {class: "control"}, box, " " + label);
}

// Something that takes time to make and that few look at.
function folded(title, fill) {
  const inside = make("div", {});
  const details = make("details", {}, make("summary", {}, title), inside);
  details.addEventListener("toggle", () => {
    if (details.open && !inside.firstChild) fill(inside);
  });
  return details;
}

// What the pointer or the arrow keys are at, beside the place in a drawing, and for screen readers.
function makeReadout(around) {
  const box = make("div", {class: "readout", "aria-live": "polite", hidden: true});
  around.append(box);
  return {
    show(lines, x, y) {
      box.replaceChildren(...lines.map((line, i) => make(i === 0 ? "strong" : "span", {}, line)));
      box.hidden = false;
      const left = x + 14 + box.offsetWidth > around.clientWidth ? x - 14 - box.offsetWidth : x + 14;
      box.style.left = Math.max(0, left) + "px";
      box.style.top = Math.max(0, y - box.offsetHeight / 2) + "px";
    },
    hide() {
      box.hidden = true;
    },
  };
}

// In pixels of the page; those of the screen may be finer. What was drawn, and how, is gone.
function setSize(canvas, width, height) {
  canvas.width = Math.round(width * devicePixelRatio);
  canvas.height = Math.round(height * devicePixelRatio);
  canvas.style.width = width + "px";
  canvas.style.height = height + "px";
  canvas.getContext("2d").scale(devicePixelRatio, devicePixelRatio);
}

// Drawings on a canvas are made again when their width or the colours change.
const redraws = new Map();
function keepDrawn(box, draw) {
  let width = 0;
  redraws.set(box, draw);
  new ResizeObserver(() => {
    if (box.clientWidth === width || box.clientWidth === 0) return;
    width = box.clientWidth;
    draw();
  }).observe(box);
}
function redrawAll() {
  for (const [box, draw] of redraws)
    if (box.isConnected) draw();
    else redraws.delete(box);
}
