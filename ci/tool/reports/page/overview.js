// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The first view: the counts of verdicts, and a table of all claims, the most urgent first.

function verdictClass(record) {
  return "verdict " + (record.view.concern === "none" ? record.verdict : record.view.concern);
}

function claimRow(record) {
  return element("tr", {},
    element("td", {class: verdictClass(record)}, record.view.word),
    element("th", {scope: "row"}, element("a", {href: "#claim-" + record.view.number}, record.view.test)),
    element("td", {}, record.view.change),
    element("td", {}, element("code", {}, record.claim || record.query)));
}

/// A section of charts; none without charts.
function charts(title, drawings) {
  return drawings.length > 0 ? element("section", {}, element("h2", {}, title), drawings.slice(0, 20)) : "";
}

function overview() {
  const claims = {
    noun: "claims", items: results.records, headings: ["verdict", "test", "change", "claim"], row: claimRow,
    words: (record) => [record.view.word, record.view.test, record.claim, record.query, record.file, record.key].join("\n"),
  };
  return [searchableList(claims), fileNotes(),
    charts("Measured along an axis", sweeps().map(sweepChart)), charts("Layers of each configuration", configurations().map(configurationChart)),
    charts("Speedups of layers", layerSpeedups(results.records))].flat();
}

function distinct(member) {
  const found = [...new Set(results.records.map((record) => record[member]).filter(Boolean))];
  return found.length > 3 ? `${found.slice(0, 3).join(", ")} and ${found.length - 3} more` : found.join(", ");
}

function reportHeading() {
  const times = results.records.map((record) => record.time).filter(Boolean).sort();
  const commit = distinct("commit") + (results.records.some((record) => record.dirty) ? " with uncommitted changes" : "");
  const known = [["commit", commit], ["branch", distinct("branch")], ["host", distinct("host")],
    ["hardware", distinct("hardware")], ["measured", times[times.length - 1]]];
  return [element("h1", {}, results.title),
    element("ul", {class: "facts"}, known.filter(([, value]) => value && value.trim() !== "").map(([name, value]) => element("li", {}, `${name} ${value}`)))];
}

const reportViews = {
  route: /^#claim-(\d+)$/,
  item: (number) => results.records.find((one) => one.view.number === number),
  titleOf: (record) => `${record.view.word}: ${record.view.test}`,
  heading: reportHeading,
  overview,
  viewOf: claimView,
};
