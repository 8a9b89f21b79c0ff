// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Reads the results, and shows the view that the address names: "#claim-3", else the overview.

const results = JSON.parse(document.getElementById("data").textContent);

function distinct(member) {
  const found = [...new Set(results.records.map((record) => record[member]).filter(Boolean))];
  return found.length > 3 ? `${found.slice(0, 3).join(", ")} and ${found.length - 3} more` : found.join(", ");
}

function heading() {
  const times = results.records.map((record) => record.time).filter(Boolean).sort();
  const commit = distinct("commit") + (results.records.some((record) => record.dirty) ? " with uncommitted changes" : "");
  const known = [["commit", commit], ["branch", distinct("branch")], ["host", distinct("host")],
    ["hardware", distinct("hardware_key")], ["measured", times[times.length - 1]]];
  return [element("h1", {}, results.title),
    element("ul", {class: "facts"}, known.filter(([, value]) => value && value.trim() !== "").map(([name, value]) => element("li", {}, `${name} ${value}`)))];
}

let overviewPlace = 0;

function show() {
  forgetCharts();
  const asked = /^#claim-(\d+)$/.exec(location.hash);
  const record = asked && results.records.find((one) => one.view.number === Number(asked[1]));
  document.title = record ? `${record.view.word}: ${record.view.test}` : results.title;
  document.getElementById("head").replaceChildren(...(record ? [] : heading()));
  document.getElementById("page").replaceChildren(...(record ? claimView(record) : overview()).filter(Boolean));
}

addEventListener("hashchange", (event) => {
  if (location.hash === "#page") return;
  if (!event.oldURL.includes("#claim-")) overviewPlace = scrollY;
  show();
  document.getElementById("page").focus({preventScroll: true});
  scrollTo(0, location.hash.startsWith("#claim-") ? 0 : overviewPlace);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
