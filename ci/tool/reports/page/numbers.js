// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Shows numbers with units. The words of units are those of the results.

const scales = {
  ns: [["ns", 1], ["us", 1e3], ["ms", 1e6], ["s", 1e9]],
  bytes: [["B", 1], ["KiB", 1024], ["MiB", 1024 ** 2], ["GiB", 1024 ** 3]],
};

/// Three significant digits, without an exponent for usual sizes.
function short(number) {
  if (!Number.isFinite(number)) return String(number);
  if (number === 0 || Math.abs(number) >= 1e9 || Math.abs(number) < 1e-4) return String(Number(number.toPrecision(3)));
  const digits = Math.max(0, 2 - Math.floor(Math.log10(Math.abs(number))));
  return number.toLocaleString("en", {maximumFractionDigits: digits});
}

/// The best unit for values of this size.
function scaleFor(unit, size) {
  const steps = scales[unit];
  if (!steps) return [unit === "ratio" || unit === "count" || unit === "power" ? "" : unit, 1];
  return steps.filter(([, factor]) => factor <= Math.abs(size)).pop() || steps[0];
}

/// Results have words for infinities and NaN.
function quantity(value, unit) {
  if (typeof value === "string") return value;
  const number = Number(value);
  const [name, factor] = scaleFor(unit, number);
  if (unit === "ratio") return short(number) + "×";
  return short(number / factor) + (name ? " " + name : "");
}

/// A numeric axis value such as "4096"; else NaN.
function axisNumber(text) {
  return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
}
