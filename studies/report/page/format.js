"use strict";
// Numbers as a person reads them. Units are those of studies/report/figure.hpp.

const UNITS = {
  time: [["ps", 1], ["ns", 1e3], ["us", 1e6], ["ms", 1e9], ["s", 1e12]],
  bytes: [["B", 1], ["kB", 1e3], ["MB", 1e6], ["GB", 1e9], ["TB", 1e12]],
  bandwidth: [["B/s", 1], ["kB/s", 1e3], ["MB/s", 1e6], ["GB/s", 1e9], ["TB/s", 1e12]],
  share: [["%", 0.01]],
};
const BINARY = [["KiB", 2 ** 10], ["MiB", 2 ** 20], ["GiB", 2 ** 30], ["TiB", 2 ** 40]];

// The name and size of the unit in which `largest` has the fewest digits.
function unitOf(unit, largest) {
  const all = UNITS[unit];
  if (!all) return ["", 1];
  let chosen = all[0];
  for (const one of all) if (Math.abs(largest) >= one[1] * 0.9999) chosen = one;
  return chosen;
}

// "12,345", "0.00123", "1.5e-9": `digits` significant ones, without zeros at the end.
function plainNumber(v, digits) {
  if (v === 0) return "0";
  const size = Math.abs(v);
  if (size >= 1e15 || size < 1e-6) return Number(v.toPrecision(digits)).toExponential();
  const kept = size >= 10 ** (digits - 1) ? Math.round(v) : Number(v.toPrecision(digits));
  return kept.toLocaleString("en-US", {maximumFractionDigits: 12});
}

// "255.6 ms", "1.2 GB/s", "3.1 %"; "–" where there is none.
function shown(v, unit, digits = 4) {
  if (v === null || v === undefined) return "–";
  if (unit === "multiple") return v.toFixed(3);
  if (unit === "share") return (v * 100).toFixed(1).replace(/^-0\.0$/, "0.0") + " %";
  if (v === 0) return "0";
  if (unit === "bytes" && v % 1024 === 0) {  // sizes of messages mostly are powers of two
    const [name, size] = BINARY.filter(b => v % b[1] === 0).pop();
    if (v / size < 1024) return v / size + " " + name;
  }
  const [name, size] = unitOf(unit, v);
  const text = plainNumber(v / size, digits);
  return name ? text + " " + name : text;
}

// Numbers that stand one below the other, in one unit: its name, "" if each says its own, and the text of each. As many
// decimals everywhere as give the smallest five digits, unless these are long lines of digits; settings as short as they are.
function columnUnit(values, unit, setting) {
  const sizes = values.map(Math.abs).filter(v => v > 0), least = Math.min(...sizes), most = Math.max(...sizes);
  if (!["time", "bytes", "bandwidth"].includes(unit) || sizes.length === 0) return {name: "", text: v => shown(v, unit, 5)};
  const binary = unit === "bytes" && sizes.every(v => v % 1024 === 0);
  const choose = v => binary ? BINARY.filter(b => v >= b[1]).pop() || BINARY[0] : unitOf(unit, v);
  const small = choose(least), [name, size] = most / small[1] < 1e5 ? small : choose(most);
  const whole = values.every(v => v % size === 0), decimals = whole ? 0 : Math.max(0, 4 - Math.floor(Math.log10(least / size)));
  return {name, text: v => setting || decimals > 6 ? plainNumber(v / size, setting ? 6 : 5)
    : (v / size).toLocaleString("en-US", {minimumFractionDigits: decimals, maximumFractionDigits: decimals})};
}

// Of an axis, whose ticks are all in one unit; on a logarithmic one each has its own.
function axisTitle(scale, largest, logarithmic) {
  const unit = UNITS[scale.unit] && !logarithmic ? unitOf(scale.unit, largest)[0] : "";
  if (unit) return scale.label + " [" + unit + "]";
  return scale.unit === "multiple" ? scale.label + " [times]" : scale.label;
}

function tickText(v, scale, largest, logarithmic) {
  if (logarithmic) return scale.unit === "multiple" ? plainNumber(v, 3) : shown(v, scale.unit, 3);
  return plainNumber(v / unitOf(scale.unit, largest)[1], 6);
}
