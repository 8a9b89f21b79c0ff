// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The view of one claim: its verdict and the reason, pictures of what was measured, and every field of the result.

function unitOf(record) {
  return record.unit === "own" ? record.own_unit : record.unit;
}

function verdictFacts(record) {
  const evidence = record.evidence;
  const amount = [
    evidence.rounds && `${evidence.rounds} rounds`,
    evidence.confirming_rounds && `${evidence.confirming_rounds} more in a fresh process`,
    evidence.launches && `${evidence.launches} processes`,
    evidence.seconds && `${short(evidence.seconds)} s`,
  ].filter(Boolean).join(", ");
  return facts([
    ["reason", record.reason],
    ["failure", record.failure ?? ""],
    ["waiver", record.waiver && `${record.waiver.effect.replace("_", " ")}, until ${record.waiver.until}, up to ${record.waiver.ceiling}: ${record.waiver.reason} ${record.waiver.owner}`],
    ["measured", record.view.measured],
    ["before", results.since && `${beforeText(record)} (${results.since})`],
    ["bound", record.bound === null ? "" : `${record.comparison} ${quantity(record.bound, unitOf(record))}`],
    ["from", record.bound_text],
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

/// Launches beside the bound.
function launches(record) {
  const stored = record.baseline;
  if (!stored || stored.values.length + stored.now.length === 0) return "";
  const unit = unitOf(record);
  const rows = [{name: "stored launches", values: stored.values}, {name: "new launches", values: stored.now}].filter((row) => row.values.length);
  const lines = record.bound === null ? [] : [{name: "bound", at: record.bound}];
  const sentence = `The baseline is ${quantity(stored.median, unit)}; each point is the median of a process.`;
  return element("section", {}, element("h2", {}, "Processes"), strips("Medians of processes", sentence, rows, lines, unit),
    facts([["baseline", stored.file], ["recorded", stored.recorded], ["commit", stored.commit],
      ["detects", stored.detectable ? `${short(100 * stored.detectable)} % beyond the bound` : ""], ["differs", stored.differences.join("; ")]]));
}

/// The samples of the subjects, for each unit.
function samples(record) {
  const units = [...new Set(record.subjects.map((subject) => subject.unit))];
  const pictures = units.map((unit) => {
    const earlier = (record.before ? record.before.subjects : []).map((subject) => ({...subject, subject: `${subject.subject}, before`}));
    const rows = [...record.subjects, ...earlier].filter((subject) => subject.unit === unit && subject.strip.length > 1)
      .map((subject) => ({name: subject.subject, values: subject.strip}));
    if (rows.length === 0) return "";
    const medians = record.subjects.filter((subject) => subject.unit === unit)
      .map((subject) => `${subject.subject} has a median of ${quantity(subject.median, unit)}`).join(", ");
    return [strips("Quantiles of the samples", medians + ".", rows, [], unit),
      distributions("Distribution of the samples", "Each curve rises from 0 to 1; the one further left is the smaller.", rows, unit),
      courses(record.subjects.filter((subject) => subject.unit === unit && subject.course.length > 1), unit)];
  });
  const columns = ["minimum", "q1", "median", "q3", "p90", "p99", "maximum"];
  const rows = record.subjects.map((subject) =>
    [subject.subject, ...columns.map((name) => quantity(subject[name], subject.unit)), String(subject.samples), String(subject.iterations)]);
  if (rows.length === 0) return "";
  return element("section", {}, element("h2", {}, "Samples"), pictures.flat(),
    table("Samples of each subject", ["subject", ...columns, "samples", "calls in a sample"], rows, [1, 2, 3, 4, 5, 6, 7, 8, 9]));
}

/// The samples in the order in which they were taken: warming up, a drift and a disturbance show.
function courses(subjects, unit) {
  if (subjects.length === 0) return "";
  const share = (subject) => (_, at) => [subject.samples * (at + 0.5) / subject.course.length, subject.course[at]];
  return chart("Samples over time", "Each point is the median of consecutive samples.",
    subjects.map((subject) => ({name: subject.subject, line: true, points: subject.course.map(share(subject))})),
    {title: "sample", unit: "count"}, {title: "value", unit}, true);
}

/// Whether a row is of the whole model: its sum, "end to end", or "end to end / oracle".
const isOfTheWhole = (name) => name === "sum" || name.startsWith("end to end");

/// How the two variants of a layer compare, for each layer in which both were measured: one divided by the other.
function ratiosOfParts(layers, at, [one, other]) {
  const measured = layers.map((name) => [at(name, one), at(name, other)]).filter(([a, b]) => a && b && b.value.median > 0);
  return measured.map(([a, b]) => a.value.median / b.value.median).sort((a, b) => a - b);
}

/// Layers or operators: a curve for each method, and how the variants of an oracle compare.
function parts(record) {
  if (record.parts.length === 0) return "";
  const methods = [...new Set(record.parts.map((part) => part.method))];
  const names = [...new Set(record.parts.map((part) => part.part))];
  const layers = names.filter((name) => !isOfTheWhole(name));
  const cell = new Map(record.parts.map((part) => [JSON.stringify([part.part, part.method]), part]));
  const at = (part, method) => cell.get(JSON.stringify([part, method]));
  const unit = record.parts[0].unit;
  const curve = (method) => ({
    name: method, line: true,
    points: layers.map((name, x) => [x + 1, at(name, method)]).filter(([, part]) => part && part.unit === unit).map(([x, part]) => [x, part.value.median]),
  });
  const curves = methods.map(curve).filter((one) => one.points.length > 1);
  const shown = [];
  if (curves.length > 0 && layers.length > 2)
    shown.push(chart("Parts in their order", "Each method has a curve; the table below names the parts.", curves, {title: "part", unit: "count"},
      {title: "value", unit, log: spanDecades(curves.flatMap((one) => one.points.map(([, value]) => value)))}));
  if (methods.length === 2 && layers.length > 4) {
    const ratios = ratiosOfParts(layers, at, methods);
    const below = ratios.filter((ratio) => ratio < 1).length;
    if (ratios.length > 4)
      shown.push(distributions(`${methods[0]} divided by ${methods[1]}`, `In ${below} of ${ratios.length} parts ${methods[0]} is the smaller: there it is below 1.`,
        [{name: "parts", values: ratios}], "ratio", "parts"));
  }
  const text = (part) => (part ? `${quantity(part.value.median, part.unit)}${part.mark ? " " + part.mark : ""}` : "");
  const rows = names.map((name) => [name, ...methods.map((method) => text(at(name, method)))]);
  return element("section", {}, element("h2", {}, "Parts"), shown, table("Value of each part", ["part", ...methods], rows, methods.map((_, i) => i + 1)));
}

function verified(record) {
  if (!record.verified) return "";
  return element("section", {}, element("h2", {}, "Outputs"),
    facts([["result", record.verified.code], ["", record.verified.text], ...record.verified.statistics.map((one) => [one.name, String(one.value)])]));
}

function machine(record) {
  const disturbed = record.disturbed;
  return element("section", {}, element("h2", {}, "Machine"), facts([
    ["host", record.host], ["hardware", record.hardware_key], ["build", record.build],
    ["load", disturbed.cores ? `${short(disturbed.load)} on ${disturbed.cores} cores` : ""],
    ["stolen time", disturbed.steal_seconds ? `${short(disturbed.steal_seconds)} s` : ""],
    ["involuntary switches", String(disturbed.involuntary_switches)],
    ["page faults", String(disturbed.page_faults)],
    ["migrations", String(disturbed.migrations)],
    ["frequency", disturbed.frequency_mhz ? `${Math.round(disturbed.frequency_mhz)} MHz` : ""],
    ["GPUs", disturbed.gpus.map((gpu) => `${gpu.device} at ${Math.round(gpu.sm_mhz)} of ${Math.round(gpu.max_sm_mhz)} MHz, ${Math.round(gpu.celsius)} degrees` +
      (gpu.slowed_by.length ? `, slowed down by ${gpu.slowed_by.join(" and ")}` : "") + (gpu.others ? `, used by ${gpu.others} more` : "")).join("; ")],
    ["disturbed by", disturbed.notes.join("; ")],
  ]));
}

function claimView(record) {
  const { view, before, ...fields } = record;
  return [
    element("p", {}, element("a", {href: "#"}, "All claims")),
    element("h1", {}, element("span", {class: verdictClass(record)}, view.word), " ", view.test),
    element("p", {}, view.change),
    element("pre", {tabindex: "0"}, record.claim || record.query),
    verdictFacts(record),
    list("Advice", record.advice),
    list("Notes", record.notes),
    commands(record),
    launches(record),
    samples(record),
    parts(record),
    verified(record),
    machine(record),
    element("details", {}, element("summary", {}, "All fields of this result"), element("pre", {tabindex: "0"}, JSON.stringify(fields, null, 2))),
  ];
}
