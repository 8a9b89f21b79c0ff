// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// A table of what the page holds, with a field to search it and a button for each state. A page has one, and it keeps what was chosen.

const rowsAtOnce = 200;
const filter = {text: "", state: "", shown: rowsAtOnce};

/// of: {noun: "claims", items, words: item => text to search, state: item => word, states: {word: its label}, headings, row: item => element}
function searchableList(of) {
  const place = element("div", {id: "results"});
  const matching = () => of.items.filter((item) => {
    if (filter.state && of.state(item) !== filter.state) return false;
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
  return [element("div", {class: "filters"}, searchField(of.noun, refresh), Object.keys(of.states).map((state) => stateButton(of, state, refresh))), place];
}

function searchField(noun, refresh) {
  const typed = (event) => { filter.text = event.target.value; filter.shown = rowsAtOnce; refresh(); };
  const label = `Only ${noun} with these words`;
  return element("input", {type: "search", "aria-label": label, placeholder: label, value: filter.text, input: typed});
}

function stateButton(of, state, refresh) {
  const count = of.items.filter((item) => of.state(item) === state).length;
  if (count === 0) return "";
  const press = (event) => {
    filter.state = filter.state === state ? "" : state;
    filter.shown = rowsAtOnce;
    for (const button of document.querySelectorAll("button[aria-pressed]")) button.setAttribute("aria-pressed", "false");
    event.currentTarget.setAttribute("aria-pressed", String(filter.state === state));
    refresh();
  };
  return element("button", {"aria-pressed": String(filter.state === state), click: press}, `${of.states[state]} ${count}`);
}

/// What the reader must know of the files that were read.
function fileNotes() {
  if (results.notes.length === 0) return "";
  return element("section", {}, element("h2", {}, "Notes on the files"), element("ul", {}, results.notes.map((text) => element("li", {}, text))));
}
