// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The view of one claim: its verdict and the reason, charts of its measurements, and every field of the result.

function unitOf(record) {
  return record.unit === "own" ? record.own_unit : record.unit;
}

function verdictFacts(record) {
  const evidence = record.evidence;
  const amount = [
    evidence.rounds && `${evidence.rounds} rounds`,
    evidence.confirming_rounds && `${evidence.confirming_rounds} more in a fresh process`,
    evidence.processes && `${evidence.processes} processes`,
    evidence.seconds && `${short(evidence.seconds)} s`,
  ].filter(Boolean).join(", ");
  return facts([
    ["reason", record.reason],
    ["failure", record.failure ?? ""],
    ["waiver", record.waiver && `${record.waiver.effect.replace("_", " ")}, until ${record.waiver.until}, up to ${record.waiver.ceiling}: ${record.waiver.reason} ${record.waiver.owner}`],
    ["measured", record.view.measured],
    ["bound", record.bound === null ? "" : `${record.comparison} ${quantity(record.bound, unitOf(record))}`],
    ["bound from", record.bound_text],
    ["outputs", record.verified && `${record.verified.code}: ${record.verified.text}`],
    ["method", evidence.method],
    ["amount", amount],
    ["where", record.view.place && link(record.view.address, record.view.place)],
    ["key", element("code", {}, record.key)],
  ]);
}

function list(title, texts) {
  if (texts.length === 0) return "";
  return element("section", {}, element("h2", {}, title), element("ul", {}, texts.map((text) => element("li", {}, text))));
}

function commands(record) {
  const known = Object.entries(record.commands);
  if (known.length === 0) return "";
  return element("section", {}, element("h2", {}, "Commands"),
    known.map(([what, text]) => element("div", {}, what, element("pre", {tabindex: "0"}, text))));
}

/// Processes beside the bound.
function processes(record) {
  const stored = record.baseline;
  if (!stored || stored.values.length + stored.now.length === 0) return "";
  const unit = unitOf(record);
  const rows = [{name: "stored processes", values: stored.values}, {name: "new processes", values: stored.now}].filter((row) => row.values.length);
  const lines = record.bound === null ? [] : [{name: "bound", at: record.bound}];
  const sentence = `The baseline is ${quantity(stored.median, unit)}. Each point is the median of a process.`;
  return element("section", {}, element("h2", {}, "Processes"), strips("Medians of processes", sentence, rows, lines, unit),
    facts([["baseline", stored.file], ["recorded", stored.recorded], ["commit", stored.commit],
      ["detects", stored.detectable ? `${short(100 * stored.detectable)} % beyond the bound` : ""], ["differs", stored.differences.join("; ")]]));
}

/// The samples of the subjects, for each unit: their distribution, and the order in which they were taken.
function samples(record) {
  const pictures = [...new Set(record.subjects.map((subject) => subject.unit))].flatMap((unit) => {
    const subjects = record.subjects.filter((subject) => subject.unit === unit && subject.strip.length > 1);
    if (subjects.length === 0) return [];
    return [distributions("Distribution of the samples", "Each curve rises from 0 to 1. A curve further left means smaller values.",
      subjects.map((subject) => ({name: subject.subject, values: subject.strip})), unit), courses(subjects, unit)];
  });
  const columns = ["minimum", "q1", "median", "q3", "p90", "p99", "maximum"];
  const rows = record.subjects.map((subject) =>
    [subject.subject, ...columns.map((name) => quantity(subject[name], subject.unit)), String(subject.samples), String(subject.iterations)]);
  if (rows.length === 0) return "";
  return element("section", {}, element("h2", {}, "Samples"), pictures,
    table("Samples of each subject", ["subject", ...columns, "samples", "calls in a sample"], rows, [1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

/// Shows a warm-up, a drift and disturbances.
function courses(subjects, unit) {
  const share = (subject) => (_, at) => [subject.samples * (at + 0.5) / subject.course.length, subject.course[at]];
  return chart("Samples over time", "Each point is the median of consecutive samples.",
    subjects.map((subject) => ({name: subject.subject, line: true, points: subject.course.map(share(subject))})),
    {title: "sample", unit: "count"}, {title: "value", unit}, true);
}

/// Layers or operators: a curve for each method, and the comparison of a mixture's variants.
function parts(record) {
  if (record.parts.length === 0) return "";
  const methods = [...new Set(record.parts.map((part) => part.method))];
  const names = [...new Set(record.parts.map((part) => part.part))];
  const cell = new Map(record.parts.map((part) => [JSON.stringify([part.part, part.method]), part]));
  const text = (part) => (part ? `${quantity(part.value.value, part.unit)}${part.mark ? " " + part.mark : ""}` : "");
  const rows = names.map((name) => [name, ...methods.map((method) => text(cell.get(JSON.stringify([name, method]))))]);
  const layers = layersOf(record);
  return element("section", {}, element("h2", {}, "Parts"), layers.names.length < 3 ? "" : configurationChart([{record, layers}]), layerSpeedups([record]),
    table("Value of each part", ["part", ...methods], rows, methods.map((_, i) => i + 1)));
}

function machine(record) {
  const disturbed = record.disturbed;
  return element("section", {}, element("h2", {}, "Machine"), facts([
    ["host", record.host], ["hardware", record.hardware], ["build", record.build],
    ["load", disturbed.cores ? `${short(disturbed.load)} on ${disturbed.cores} cores` : ""],
    ["disturbed by", disturbed.notes.join("; ")],
  ]));
}

function claimView(record) {
  const { view, ...fields } = record;
  return [
    element("p", {}, element("a", {href: "#"}, "All claims")),
    element("h1", {}, element("span", {class: verdictClass(record)}, view.word), " ", view.test),
    element("p", {}, view.change),
    element("pre", {tabindex: "0"}, record.claim || record.query),
    verdictFacts(record),
    list("Advice", record.advice),
    list("Notes", record.notes),
    commands(record),
    processes(record),
    samples(record),
    parts(record),
    machine(record),
    element("details", {}, element("summary", {}, "All fields of this result"), element("pre", {tabindex: "0"}, JSON.stringify(fields, null, 2))),
  ];
}
