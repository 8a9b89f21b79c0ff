// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Draws charts with Chart.js. Each has a sentence for screen readers, and a table of its numbers.

let drawn = [];

function color(name) {
  return getComputedStyle(document.documentElement).getPropertyValue("--" + name).trim();
}

function forgetCharts() {
  for (const chart of drawn) chart.destroy();
  drawn = [];
}

function axis(title, unit, factor, extra = {}) {
  return {
    title: {display: true, text: title, color: color("quiet")},
    grid: {color: color("line")},
    ticks: {color: color("quiet"), callback: (value) => short(value / factor), maxTicksLimit: 8},
    ...extra,
  };
}

function withUnit(title, unit, factor) {
  const name = unit === "ratio" ? "×" : scaleFor(unit, factor)[0];
  return name ? title + " [" + name + "]" : title;
}

function named(scale, value) {
  return scale.names ? scale.names(value) : quantity(value, scale.unit);
}

/// series: [{name, points: [[x, y]], line, stepped, marks, tone}], x and y: {title, unit, log, names, extra}. A tone is a color of the style;
/// names: value => text. Returns the figure; it is drawn once it is shown.
function chart(title, sentence, series, x, y, low = false) {
  const canvas = element("canvas", {role: "img", "aria-label": title + ". " + sentence});
  const size = (at) => Math.max(...series.flatMap((one) => one.points.map((point) => Math.abs(point[at]))).filter(Number.isFinite), 0);
  const [, xFactor] = scaleFor(x.unit, size(0));
  const [, yFactor] = scaleFor(y.unit, size(1));
  const draw = () => drawn.push(new Chart(canvas, {
    type: "scatter",
    data: {datasets: series.map((one, at) => ({
      label: one.name,
      data: one.points.map(([px, py]) => ({x: px, y: py})),
      showLine: Boolean(one.line),
      stepped: one.stepped ? "after" : false,
      borderColor: color(one.tone ?? "series-" + (one.color ?? at) % 6),
      backgroundColor: color(one.tone ?? "series-" + (one.color ?? at) % 6),
      borderDash: one.dashed ? [6, 4] : [],
      borderWidth: 2,
      pointRadius: one.marks === false ? 0 : 3,
      pointStyle: ["circle", "triangle", "rect", "rectRot", "cross", "star"][(one.color ?? at) % 6],
    }))},
    options: {
      animation: false,
      maintainAspectRatio: false,
      interaction: {mode: "nearest", intersect: false},
      scales: {
        x: axis(withUnit(x.title, x.unit, xFactor), x.unit, xFactor, {...(x.log ? {type: "logarithmic"} : {type: "linear"}), ...x.extra}),
        y: axis(withUnit(y.title, y.unit, yFactor), y.unit, yFactor, {...(y.log ? {type: "logarithmic"} : {type: "linear"}), ...y.extra}),
      },
      plugins: {
        legend: {labels: {color: color("text"), usePointStyle: true}},
        tooltip: {callbacks: {label: (item) =>
          `${item.dataset.label}: ${named(x, item.raw.x)}, ${named(y, item.raw.y)}`}},
      },
    },
  }));
  queueMicrotask(draw);
  return element("figure", {},
    element("figcaption", {}, element("strong", {}, title), element("br"), element("span", {class: "quiet"}, sentence)),
    element("div", {class: low ? "chart low" : "chart"}, canvas));
}

/// Rows of points, one above the other: rows [{name, values}], lines [{name, at}] across all of them.
function strips(title, sentence, rows, lines, unit) {
  const names = rows.map((row) => row.name);
  const points = rows.map((row, at) => ({name: row.name, points: row.values.map((value) => [value, at])}));
  const across = lines.map((one, at) => ({
    name: one.name, line: true, marks: false, dashed: true, color: rows.length + at, points: [[one.at, -0.5], [one.at, rows.length - 0.5]],
  }));
  const extra = {min: -0.5, max: rows.length - 0.5, reverse: true, grid: {display: false}, ticks: {display: false}};
  return chart(title, sentence, [...points, ...across], {title: "value", unit}, {title: "", unit: "count", names: (at) => names[at] ?? "", extra}, true);
}

/// The empirical distribution functions of values in rising order.
function distributions(title, sentence, rows, unit, what = "samples") {
  const steps = (values) => values.map((value, at) => [value, values.length > 1 ? at / (values.length - 1) : 1]);
  const series = rows.map((row) => ({name: row.name, points: steps(row.values), line: true, stepped: true, marks: false}));
  const isWide = spanDecades(rows.flatMap((row) => row.values));
  return chart(title, sentence, series, {title: "value", unit, log: isWide}, {title: `share of the ${what}`, unit: "count"});
}
