// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Reads the data, and shows the view that the address names: "#claim-3" of results, "#key-3" of a history; else the overview.

const results = JSON.parse(document.getElementById("data").textContent);
const views = results.runs ? historyViews : reportViews;

let overviewPlace = 0;

function show() {
  forgetCharts();
  const asked = views.route.exec(location.hash);
  const item = asked && views.item(Number(asked[1]));
  document.title = item ? views.titleOf(item) : results.title;
  document.getElementById("head").replaceChildren(...(item ? [] : views.heading()));
  document.getElementById("page").replaceChildren(...(item ? views.viewOf(item) : views.overview()).filter(Boolean));
}

addEventListener("hashchange", (event) => {
  if (location.hash === "#page") return;
  if (!views.route.test(new URL(event.oldURL).hash)) overviewPlace = scrollY;
  show();
  document.getElementById("page").focus({preventScroll: true});
  scrollTo(0, views.route.test(location.hash) ? 0 : overviewPlace);
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", show);
show();
