// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The views of a history: a table of all keys, and the course of one key over the runs.

const keyStates = {violated: "violated twice", missing: "missing", steady: "steady"};
const runsInTable = 200;

/// The values of a point of a key, as `perfspec history` writes them.
function pointOf([run, value, low, high, bound, verdict]) {
  return {run, value, low, high, bound, verdict};
}

function dayOf(run) {
  return run.time.slice(0, 10);
}

function commitOf(run) {
  return run.commit ? run.commit.slice(0, 12) + (run.dirty ? " with changes" : "") : "";
}

function keyRow(key) {
  return element("tr", {},
    element("td", {class: "verdict " + key.state}, keyStates[key.state]),
    element("th", {scope: "row"}, element("a", {href: "#key-" + key.number}, key.key)),
    element("td", {}, key.newest));
}

function historyOverview() {
  const words = (key) => [keyStates[key.state], key.key, key.suite, key.hardware, key.variant, key.claim].join("\n");
  return [searchableList({noun: "keys", items: results.keys, headings: ["state", "key", "newest value"], row: keyRow, words}), fileNotes()].flat();
}

function historyHeading() {
  const newest = results.runs[results.runs.length - 1];
  const facts = newest ? [["newest run", [commitOf(newest), newest.branch, dayOf(newest)].filter(Boolean).join(", ")]] : [];
  return [element("h1", {}, results.title),
    element("ul", {class: "facts"}, facts.map(([name, value]) => element("li", {}, `${name} ${value}`)))];
}

function courseChart(key, points) {
  const measured = points.filter((point) => point.value !== null);
  if (measured.length === 0) return "";
  const plot = (of, value) => of.map((point) => [point.run + 1, value(point)]);
  const violated = measured.filter((point) => point.verdict === "violated");
  const bounds = points.filter((point) => point.bound !== null);
  const series = [{name: "measured", line: true, points: plot(measured, (point) => point.value)}];
  if (bounds.length > 0) series.push({name: "bound", line: true, dashed: true, stepped: true, marks: false, points: plot(bounds, (point) => point.bound)});
  if (violated.length > 0) series.push({name: "violated", tone: "violated", points: plot(violated, (point) => point.value)});
  const runName = (number) => results.runs[number - 1] ? [dayOf(results.runs[number - 1]), commitOf(results.runs[number - 1])].filter(Boolean).join(" ") : "";
  const days = {ticks: {color: color("quiet"), maxTicksLimit: 8, callback: (number) => results.runs[number - 1] ? dayOf(results.runs[number - 1]) : ""}};
  return chart("Value in each run", `${measured.length} of ${results.runs.length} runs have a value; the newest is ${key.newest}.`, series, {title: "run", unit: "count", names: runName, extra: days}, {title: "value", unit: key.unit});
}

function runTable(key, points) {
  const interval = (point) => point.low === null || point.high === null ? "" : `${quantity(point.low, key.unit)} to ${quantity(point.high, key.unit)}`;
  const shown = (value) => value === null ? "" : quantity(value, key.unit);
  const rows = points.slice().reverse().slice(0, runsInTable).map((point) => {
    const run = results.runs[point.run];
    return [run.time, commitOf(run), run.branch, point.verdict.replace("_", " "), shown(point.value), interval(point), shown(point.bound)];
  });
  const older = points.length - rows.length;
  return element("section", {}, element("h2", {}, "Runs"),
    table(older > 0 ? `The newest ${rows.length} runs. The chart also has ${older} older ones` : "Runs, the newest first",
      ["time", "commit", "branch", "verdict", "value", "interval", "bound"], rows, [4, 5, 6]));
}

function keyView(key) {
  const points = key.points.map(pointOf);
  return [
    element("p", {}, element("a", {href: "#"}, "All keys")),
    element("h1", {}, element("span", {class: "verdict " + key.state}, keyStates[key.state]), " ", key.key),
    element("pre", {tabindex: "0"}, key.claim),
    facts([["newest value", key.newest], ["missing", key.missing ? "a newer run on this machine has no result of it" : ""],
      ["suite", key.suite], ["hardware", key.hardware], ["variant", key.variant]]),
    courseChart(key, points),
    runTable(key, points),
  ];
}

const historyViews = {
  route: /^#key-(\d+)$/,
  item: (number) => results.keys.find((one) => one.number === number),
  titleOf: (key) => `${keyStates[key.state]}: ${key.key}`,
  heading: historyHeading,
  overview: historyOverview,
  viewOf: keyView,
};
