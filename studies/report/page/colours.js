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
