// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Charts over several claims: a sweep along an axis, the layers of a model in each configuration, and the speedups of layers.

/// Whether positive values need a logarithmic axis: they span more than two decades.
function spanDecades(values) {
  const finite = values.filter(Number.isFinite);
  return finite.length > 1 && Math.min(...finite) > 0 && Math.max(...finite) > 100 * Math.min(...finite);
}

/// The identity of a curve: the same claim in the same test, for all values of one numeric axis.
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
  const along = (value) => group.records.map((record) => [axisNumber(record.axes[group.name]), value(record)])
    .filter(([, y]) => y !== null).sort((a, b) => a[0] - b[0]);
  const points = along((record) => record.measured.value);
  const bounds = along((record) => record.bound);
  const places = points.map(([x]) => x);
  const isSize = places[0] > 0 && places[places.length - 1] >= 8 * places[0];
  const values = [...points, ...bounds].map(([, y]) => y);
  const isPowerLaw = isSize && points.every(([, y]) => y > 0);
  const series = [{name: "measured", points, line: true}];
  if (bounds.length > 1) series.push({name: "bound", points: bounds, line: true, dashed: true, marks: false});
  const rest = group.others.map(([name, value]) => ` ${name} ${value}`).join(",");
  return chart(`${first.view.test}: ${group.name}`, `${first.claim || first.query}.${rest}`, series,
    {title: group.name, unit: "count", log: isSize}, {title: "measured", unit: unitOf(first), log: isPowerLaw || spanDecades(values)});
}

/// Whether a row is of the whole model: its sum, "end to end", or "end to end / best mixture".
const isOfTheWhole = (name) => name === "sum" || name.startsWith("end to end");

/// The layers of a result, in their order: {method: [value or undefined, …]} and their names.
function layersOf(record) {
  const layers = record.parts.filter((part) => !isOfTheWhole(part.part) && part.mark !== "library" && part.unit === record.parts[0].unit);
  const names = [...new Set(layers.map((part) => part.part))];
  const methods = [...new Set(layers.map((part) => part.method))];
  const value = (name, method) => layers.find((part) => part.part === name && part.method === method)?.value.value;
  return {names, unit: layers[0]?.unit, values: Object.fromEntries(methods.map((method) => [method, names.map((name) => value(name, method))]))};
}

const axesText = (record) => Object.entries(record.axes).map(([name, value]) => `${name}=${value}`).join(", ");

/// Results with the same layers in one test case, of several axes or subjects.
function configurations() {
  const groups = new Map();
  for (const record of results.records) {
    const layers = layersOf(record);
    if (layers.names.length < 3) continue;
    const key = JSON.stringify([record.suite, record.test, record.axes.model ?? "", layers.unit, layers.names]);
    if (!groups.has(key)) groups.set(key, []);
    groups.get(key).push({record, layers});
  }
  return [...groups.values()].filter((group) => group.length > 1);
}

/// A curve for each configuration and method.
function configurationChart(group) {
  const {record: first, layers: {names, unit}} = group[0];
  const series = group.flatMap(({record, layers}) => Object.entries(layers.values).map(([method, values]) => ({
    name: [record.query, axesText(record), method].filter(Boolean).join(", "), line: true,
    points: values.map((value, at) => [at + 1, value]).filter(([, value]) => value !== undefined),
  }))).filter((one) => one.points.length > 1);
  const all = series.flatMap((one) => one.points.map(([, value]) => value));
  return chart(first.view.test, `${names.length} layers, ${series.length} curves. The page of each result names its layers.`, series,
    {title: "layer", unit: "count", names: (at) => names[at - 1] ?? ""}, {title: "value", unit, log: spanDecades(all)});
}

/// The distribution of the speedups of layers between the first variant of each mixture and each other one, a curve for each.
function layerSpeedups(records) {
  const rows = records.flatMap((record) => {
    const {values, unit} = layersOf(record);
    const [one, ...others] = Object.keys(values);
    if (unit !== "ns" || !record.query.startsWith("best_mixture(")) return [];
    return others.flatMap((other) => {
      const ratios = values[one].map((value, at) => value / values[other][at]).filter((ratio) => ratio > 0 && Number.isFinite(ratio));
      const name = `${other} over ${one}: ${[record.view.test, axesText(record)].filter(Boolean).join(", ")}`;
      return ratios.length > 4 ? [{name, values: ratios.sort((a, b) => a - b)}] : [];
    });
  });
  if (rows.length === 0) return [];
  const all = rows.flatMap((row) => row.values);
  const faster = all.filter((ratio) => ratio > 1).length;
  return [distributions(`Speedups of ${all.length} layers`, `Each curve rises from 0 to 1 over the layers of a result. Right of 1, a layer is faster (${faster} layers).`,
    rows, "ratio", "layers")];
}
