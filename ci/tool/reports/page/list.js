// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A table of claims or keys with a search field. A page has one, and it keeps the search.

const rowsAtOnce = 200;
const filter = {text: "", shown: rowsAtOnce};

/// of: {noun: "claims", items, words: item => text to search, headings, row: item => element}
function searchableList(of) {
  const place = element("div", {id: "results"});
  const matching = () => of.items.filter((item) => {
    const text = of.words(item).toLowerCase();
    return filter.text.toLowerCase().split(/\s+/).every((word) => text.includes(word));
  });
  const refresh = () => {
    const found = matching();
    const more = () => { filter.shown += rowsAtOnce; refresh(); };
    place.replaceChildren(
      element("table", {class: "claims"},
        element("caption", {"aria-live": "polite"}, `${found.length} of ${of.items.length} ${of.noun}`),
        element("thead", {}, element("tr", {}, of.headings.map((text) => element("th", {scope: "col"}, text)))),
        element("tbody", {}, found.slice(0, filter.shown).map(of.row))),
      found.length > filter.shown ? element("p", {}, element("button", {click: more}, `Show ${rowsAtOnce} more`)) : "");
  };
  refresh();
  return [element("div", {class: "filters"}, searchField(of.noun, refresh)), place];
}

function searchField(noun, refresh) {
  const typed = (event) => { filter.text = event.target.value; filter.shown = rowsAtOnce; refresh(); };
  const label = `Only ${noun} with these words`;
  return element("input", {type: "search", "aria-label": label, placeholder: label, value: filter.text, input: typed});
}

/// Notes on the files that were read.
function fileNotes() {
  if (results.notes.length === 0) return "";
  return element("section", {}, element("h2", {}, "Notes on the files"), element("ul", {}, results.notes.map((text) => element("li", {}, text))));
}
