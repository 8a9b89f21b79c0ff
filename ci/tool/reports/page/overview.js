// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The first view: how many claims have which verdict, and a table of all claims, those that need work first.

const rowsAtOnce = 200;
const concerns = ["violated", "invalid", "undecided", "waived", "not_judged", "is_new", "gained", "none"];
const concernNames = {
  violated: "violated", invalid: "invalid", undecided: "undecided", waived: "waived", not_judged: "not judged", is_new: "new", gained: "gained", none: "others",
};

const filter = {text: "", concern: "", shown: rowsAtOnce};

function matches(record) {
  if (filter.concern && record.view.concern !== filter.concern) return false;
  const text = [record.view.test, record.claim, record.query, record.file, record.key].join("\n").toLowerCase();
  return filter.text.toLowerCase().split(/\s+/).every((word) => text.includes(word));
}

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

function claimTable(found) {
  const rows = found.slice(0, filter.shown).map(claimRow);
  return element("div", {},
    element("table", {class: "claims"},
      element("caption", {"aria-live": "polite"}, `${found.length} of ${results.records.length} claims`),
      element("thead", {}, element("tr", {}, ["verdict", "test", "change", "claim"].map((text) => element("th", {scope: "col"}, text)))),
      element("tbody", {}, rows)),
    found.length > filter.shown &&
      element("p", {}, element("button", {click: () => { filter.shown += rowsAtOnce; refreshClaims(); }}, `Show ${rowsAtOnce} more`)) || "");
}

function refreshClaims() {
  document.getElementById("results").replaceChildren(claimTable(results.records.filter(matches)));
}

function concernButton(concern) {
  const count = results.records.filter((record) => record.view.concern === concern).length;
  if (count === 0) return "";
  const press = (event) => {
    filter.concern = filter.concern === concern ? "" : concern;
    filter.shown = rowsAtOnce;
    for (const button of document.querySelectorAll("button[aria-pressed]")) button.setAttribute("aria-pressed", "false");
    event.currentTarget.setAttribute("aria-pressed", String(filter.concern === concern));
    refreshClaims();
  };
  return element("button", {"aria-pressed": String(filter.concern === concern), click: press}, `${concernNames[concern]} ${count}`);
}

function filters() {
  const typed = (event) => { filter.text = event.target.value; filter.shown = rowsAtOnce; refreshClaims(); };
  return element("div", {class: "filters"},
    element("input", {type: "search", "aria-label": "Only claims with these words", placeholder: "Only claims with these words", value: filter.text, input: typed}),
    concerns.map(concernButton));
}

/// What the line of a chart is: the same claim in the same test, for all values of one axis that is a number.
function sweeps() {
  const groups = new Map();
  for (const record of results.records) {
    if (!record.measured) continue;
    for (const [name, text] of Object.entries(record.axes)) {
      if (Number.isNaN(axisNumber(text))) continue;
      const others = Object.entries(record.axes).filter(([other]) => other !== name);
      const key = JSON.stringify([record.suite, record.test, record.file, record.line, record.unit, record.own_unit, name, others]);
      if (!groups.has(key)) groups.set(key, {name, others, records: []});
      groups.get(key).records.push(record);
    }
  }
  const values = (group) => new Set(group.records.map((record) => record.axes[group.name]));
  return [...groups.values()].filter((group) => values(group).size >= 3);
}

function sweepChart(group) {
  const first = group.records[0];
  const unit = first.unit === "own" ? first.own_unit : first.unit;
  const points = group.records.map((record) => [axisNumber(record.axes[group.name]), record.measured.median]).sort((a, b) => a[0] - b[0]);
  const bounds = group.records.filter((record) => record.bound !== null)
    .map((record) => [axisNumber(record.axes[group.name]), record.bound]).sort((a, b) => a[0] - b[0]);
  const isSize = points[0][0] > 0 && points[points.length - 1][0] >= 8 * points[0][0];
  const isPositive = points.every(([, value]) => value > 0);
  const series = [{name: "measured", points, line: true}];
  if (bounds.length > 1) series.push({name: "bound", points: bounds, line: true, dashed: true, marks: false});
  const rest = group.others.map(([name, value]) => ` ${name} ${value}`).join(",");
  return chart(`${first.view.test}: ${group.name}`, `${first.claim || first.query}.${rest}`, series,
    {title: group.name, unit: "count", log: isSize}, {title: "measured", unit, log: isSize && isPositive});
}

function overview() {
  const lines = sweeps();
  const page = [
    filters(),
    element("div", {id: "results"}, claimTable(results.records.filter(matches))),
    results.notes.length > 0 && element("section", {}, element("h2", {}, "Notes on the files"),
      element("ul", {}, results.notes.map((text) => element("li", {}, text)))) || "",
  ];
  if (lines.length > 0) page.push(element("section", {}, element("h2", {}, "Measured along an axis"), lines.slice(0, 20).map(sweepChart)));
  return page;
}
