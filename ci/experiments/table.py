# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The table of PyTorch's benchmarks/dynamo/runner.py: how many models pass, and of those the speedup, time of compiling and memory."""
import collections
import math
import statistics
import typing

SKIPPED = "skipped"
WORKER = "the worker of perfspec_experiment.py: "  # the same in every experiment
MEMORY = "metric(bytes, memory of {})"


class Outcome(typing.NamedTuple):
    """What the results of one experiment, or of its repetitions, say."""

    code: str  # of benchmarks/dynamo: pass, fail_accuracy, timeout, …; skipped, where this machine lacks something
    reason: str = ""
    speedup: float | None = None
    compile_seconds: float | None = None
    memory_ratio: float | None = None
    note: str = ""
    spread: float = 1.0  # largest speedup of the repetitions by the smallest


def value_of(records, query):
    """The median that was measured; None for nothing, and for what JSON has words for."""
    found = [each["measured"]["median"] for each in records if each["query"] == query and each["verdict"] == "holds" and each["measured"]]
    return found[-1] if found and isinstance(found[-1], (int, float)) else None


def judged_first(records):
    """The claims that decide: whether outputs agree, and whether both were timed."""
    return [each for each in records if each["query"].startswith(("same_output(", "speedup("))]


def fault_in(records):
    """Code and reason of the first claim that did not hold; None where all did."""
    decisive = judged_first(records)
    if not decisive:
        return "infra_error", "no claim has a result"
    for each in [*decisive, *(one for one in records if one["failure"] in ("timed_out", "unfinished"))]:
        if each["verdict"] == "not_judged":
            return SKIPPED, each["reason"]
        if each["failed"] or each["verdict"] != "holds" or each["accuracy"] not in ("pass", None):
            word = each["accuracy"] if each["accuracy"] not in ("pass", None) else "fail_to_run"
            return word, each["reason"]
    return None if any(each["accuracy"] == "pass" for each in decisive) else ("pass_due_to_skip", "outputs were not compared")


def note_of(records):
    """What to know of a model that passed: nothing was compiled, or not as a whole."""
    for each in records:
        if each["query"] == "graphs(compiled)" and each["verdict"] != "holds":
            return each["reason"]
    breaks = value_of(records, "graph_breaks(compiled)")
    return f"{breaks:.0f} graph breaks" if breaks else ""


def outcome_of(records):
    if fault := fault_in(records):
        return Outcome(*fault)
    eager, compiled = (value_of(records, MEMORY.format(each)) for each in ("eager", "compiled"))
    compile_ns = value_of(records, "compile_time(compiled)")
    return Outcome("pass", "", value_of(records, "speedup(eager, compiled)"), compile_ns / 1e9 if compile_ns else None,
                   eager / compiled if eager and compiled else None, note_of(records))


def together(outcomes):
    """The repetitions of one experiment: it passes where all do; values are medians."""
    for each in outcomes:
        if each.code != "pass":
            return each
    middle = lambda values: statistics.median(values) if (values := [each for each in values if each is not None]) else None  # noqa: E731
    speedups = [each.speedup for each in outcomes if each.speedup]
    return Outcome("pass", "", middle(speedups), middle([each.compile_seconds for each in outcomes]), middle([each.memory_ratio for each in outcomes]),
                   next((each.note for each in outcomes if each.note), ""), max(speedups) / min(speedups) if speedups else 1.0)


def geometric_mean(values):
    return math.exp(sum(map(math.log, values)) / len(values)) if values else None


def one_line(records):
    """What an experiment found, in a line."""
    found = outcome_of(records)
    if found.code != "pass":
        return f"{found.code}: {first_line(found.reason)}"
    parts = ["pass", f"{found.speedup:.2f}x" if found.speedup else "", f"compiled in {found.compile_seconds:.1f} s" if found.compile_seconds else "",
             f"memory {found.memory_ratio:.2f}x" if found.memory_ratio else "", first_line(found.note)]
    return ", ".join(each for each in parts if each)


def first_line(text, longest=300):
    line = " ".join(text.replace(WORKER, "").strip().partition("\n")[0].split())
    return line if len(line) <= longest else line[:longest] + " …"


def grouped(todo, ledger):
    """Outcomes by configuration, and in it by model. Experiments that are not finished count as failed: they vanish from no row."""
    groups = collections.defaultdict(lambda: collections.defaultdict(list))
    for each in todo:
        found = outcome_of(ledger.records_of(each.name)) if each.name in ledger.finished else Outcome("infra_error", "not run")
        axes = {**each.axes, "test": each.axes["test"] + " in eval mode" * each.eval_mode}
        groups[tuple(axes[name] for name in ("suite", "dynamo", "mode", "dtype", "test", "device"))][axes["model"]].append(found)
    return {row: {model: together(found) for model, found in models.items()} for row, models in groups.items()}


def share(models):
    judged = [each for each in models.values() if each.code != SKIPPED]
    passed = sum(each.code == "pass" for each in judged)
    text = f"{math.floor(100 * passed / len(judged))} %, {passed} of {len(judged)}" if judged else "none judged"
    return text + (f" ({len(models) - len(judged)} skipped)" if len(judged) < len(models) else "")


def mean_text(values, form, mean, total):
    """A mean, and of how many it is where that is not all that pass."""
    values = [each for each in values if each]
    if not values:
        return "-"
    return form.format(mean(values)) + (f" of {len(values)}" if len(values) < total else "")


def row_of(configuration, models):
    passed = [each for each in models.values() if each.code == "pass"]
    return [*configuration, share(models), mean_text([each.speedup for each in passed], "{:.2f}x", geometric_mean, len(models)),
            mean_text([each.compile_seconds for each in passed], "{:.1f} s", statistics.fmean, len(models)),
            mean_text([each.memory_ratio for each in passed], "{:.2f}x", geometric_mean, len(models))]


def aligned(rows):
    widths = [max(len(row[column]) for row in rows) for column in range(len(rows[0]))]
    return "".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths)).rstrip() + "\n" for row in rows)


def remarks(groups):
    """Failures with their reasons, what was skipped, notes, and how far repetitions lie apart."""
    for row, models in groups.items():
        for model, found in models.items():
            what = f"{row[0]}/{model} {' '.join(row[1:])}"
            if found.code != "pass":
                yield f"  {what}: {found.code}: {first_line(found.reason)}\n"
            elif found.note:
                yield f"  {what}: note: {first_line(found.note)}\n"
        model, widest = max(models.items(), key=lambda each: each[1].spread)
        if widest.spread > 1:
            yield f"  {' '.join(row)}: speedups of repetitions lie up to {100 * (widest.spread - 1):.1f} % apart, those of {model}\n"


def rendered(todo, ledger):
    """The table, and below it what is to be known of single models."""
    groups = grouped(todo, ledger)
    head = ["suite", "dynamo", "mode", "dtype", "test", "device", "pass rate", "speedup", "compile time", "memory ratio"]
    return aligned([head, *(row_of(row, models) for row, models in groups.items())]) + "".join(remarks(groups))


def exit_code(todo, ledger):
    codes = {found.code for models in grouped(todo, ledger).values() for found in models.values()}
    return 42 if codes - {"pass", SKIPPED} else 77 if SKIPPED in codes else 0
