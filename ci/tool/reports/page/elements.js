// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Builds elements. Texts of results only ever become text nodes and attributes, never markup.

/// A text without controls of the reading direction, which could disguise a name.
function readable(text) {
  return typeof text === "string" ? text.replace(/[\u202a-\u202e\u2066-\u2069]/g, "\ufffd") : text;
}

function element(name, attributes = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") made.addEventListener(key, value);
    else if (value !== undefined && value !== false) made.setAttribute(key, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== "").map(readable));
  return made;
}

/// A link for addresses of the web; else the text alone.
function link(address, text) {
  return /^https?:\/\//.test(address) ? element("a", {href: address}, text) : text;
}

/// Rows of [name, value]; rows without a value are left out.
function facts(rows) {
  const shown = rows.filter(([, value]) => value !== undefined && value !== null && value !== "");
  return element("dl", {}, shown.map(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]));
}

/// A table; the first cell of each row names it. numeric: the columns that hold numbers.
function table(caption, headings, rows, numeric = []) {
  const kind = (at) => (numeric.includes(at) ? {class: "number"} : {});
  const cell = (value, at) => (at === 0 ? element("th", {scope: "row"}, value) : element("td", kind(at), value));
  return element("div", {class: "wide", tabindex: "0", role: "region", "aria-label": caption},
    element("table", {},
      element("caption", {}, caption),
      element("thead", {}, element("tr", {}, headings.map((text, at) => element("th", {scope: "col", ...kind(at)}, text)))),
      element("tbody", {}, rows.map((row) => element("tr", {}, row.map(cell))))));
}
