// Colours that stay apart for all kinds of colour blindness: of Okabe and Ito (Color Universal Design, 2008), lighter on a
// dark page.
const COLOURS = {
  light: ["#0072b2", "#d55e00", "#009e73", "#b5508a", "#c98500", "#3f9bd1", "#6b6b6b", "#8c6d1f"],
  dark: ["#4aa8e0", "#f0803c", "#2fbf93", "#dd93bb", "#e8b13a", "#8fd0f5", "#a8adb3", "#d6c48a"],
};
const DASHES = [[], [7, 4], [2, 3], [9, 3, 2, 3]];

// From dark to light with the same steps to the eye: viridis (S. van der Walt, N. Smith, 2015), nine of its colours.
const MAP = [[68, 1, 84], [72, 40, 120], [62, 74, 137], [49, 104, 142], [38, 130, 142], [31, 158, 137], [53, 183, 121],
  [109, 205, 89], [253, 231, 37]];

// What ranks do has the same colour in every figure, whatever the figure calls it.
const STATE_COLOURS = {
  light: {compute: "#0072b2", wait: "#d55e00", send: "#8a3d00", request: "#f2a46b", collective: "#009e73", members: "#b5508a",
    cpu: "#c98500", latency: "#3f9bd1", ended: "#b4b9bf", transfer: "#8c6d1f", slowed: "#cbb677", file: "#00505c", turn: "#6b6b6b",
    flight: "#a9d3ee", memory: "#4f7a1e", memory_out: "#86a85c", memory_in: "#b9cf9d", wan: "#4b3f8f", wan_out: "#7f74bd", wan_in: "#b9b2dd"},
  dark: {compute: "#4aa8e0", wait: "#f0803c", send: "#b8551a", request: "#ffc79e", collective: "#2fbf93", members: "#dd93bb",
    cpu: "#e8b13a", latency: "#8fd0f5", ended: "#555b63", transfer: "#d6c48a", slowed: "#8f7f45", file: "#4fb3c2", turn: "#a8adb3",
    flight: "#5f93b8", memory: "#9ccb62", memory_out: "#6f9643", memory_in: "#4c692c", wan: "#a99cf0", wan_out: "#7d71c4", wan_in: "#564c92"},
};
const STATES = {
  // Of ranks and of points of a study.
  "compute": "compute", "waiting for messages": "wait", "collectives": "collective", "waiting in collectives": "members",
  "waiting for a CPU": "cpu", "latency on the CPU": "latency", "after its end": "ended",
  // Of timelines.
  "file access": "file", "latency": "latency", "wait in a receive": "wait", "wait in a send": "send", "wait for a request": "request",
  "wait for members": "members", "collective": "collective", "wait for a CPU": "cpu", "ended": "ended",
  // Of critical paths.
  "cpu wait": "cpu", "overhead": "latency", "handshake": "members", "transfer": "transfer", "memory": "memory", "wan": "wan",
  "sharing": "slowed", "flight": "flight", "link out": "wait", "link in": "request", "bus": "send", "port out": "memory_out",
  "port in": "memory_in", "memory bus": "file", "wan out": "wan_out", "wan in": "wan_in", "connection out": "wan_out",
  "connection in": "wan_in", "turn": "turn", "transfers": "transfer", "output links": "wait", "input links": "request",
  "buses": "send", "other waits": "turn",
};
// Nothing for what is no state.
function stateColour(name) {
  const state = STATES[name];
  return state ? STATE_COLOURS[isDark() ? "dark" : "light"][state] : null;
}

function isDark() {
  const asked = document.documentElement.dataset.theme;
  return asked ? asked === "dark" : matchMedia("(prefers-color-scheme: dark)").matches;
}
function cssColour(name) {
  return getComputedStyle(document.documentElement).getPropertyValue(name).trim();
}

function mapColour(share) {
  const at = Math.min(Math.max(share, 0), 1) * (MAP.length - 1);
  const i = Math.min(Math.floor(at), MAP.length - 2);
  return MAP[i].map((c, k) => Math.round(c + (MAP[i + 1][k] - c) * (at - i)));
}

// Of the i-th of n curves. Those whose names are rising numbers go from one end of the map to the other.
function curveColour(i, n, rising) {
  if (rising && n > 3) {
    const share = i / (n - 1);
    const [r, g, b] = mapColour(isDark() ? 0.25 + 0.75 * share : 0.85 * share);
    return `rgb(${r},${g},${b})`;
  }
  const colours = COLOURS[isDark() ? "dark" : "light"];
  return colours[i % colours.length];
}
function curveDash(i, n, rising) {
  if (rising && n > 3) return [];
  return DASHES[Math.floor(i / COLOURS.light.length) % DASHES.length];
}
