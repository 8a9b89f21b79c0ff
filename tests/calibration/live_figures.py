# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Row D of the acceptance table: one or more outputs of perfspec_live_calibration on a machine."""
import json
import math

SHORT = ("arith 20 us", "dot 20 us", "sort 20 us", "map 10 us")
MILLISECOND = ("arith 1 ms", "sort 1 ms", "map 1 ms")
VERDICTS = ("violated", "holds", "undecided")


class WrongLive(Exception):
    """A file that is no output of perfspec_live_calibration."""


class LiveFigures:
    """Counts added up over the files, and the times of each."""

    def __init__(self, files):
        self.reports = [read(file) for file in files]

    def judged(self, *path):
        """The counts of the verdicts, without error and skipped claims."""
        counts = dict.fromkeys(VERDICTS, 0)
        for report in self.reports:
            found = at(report, path)
            for verdict in VERDICTS:
                counts[verdict] += found[verdict]
        return counts

    def worst_median_ms(self, workloads, claim):
        """The largest median of the workloads over the files without a load; infinite if there is none, or a workload was never judged."""
        unloaded = [report for report in self.reports if report["load"] == "none"]
        medians = [at(report, ("each", workload, claim))["median_ms"] for report in unloaded for workload in workloads]
        return max((math.inf if m is None else m for m in medians), default=math.inf)


def at(report, path):
    for name in path:
        report = report[name]
    return report


def read(file):
    """Throws WrongLive for a file that is no output of perfspec_live_calibration."""
    try:
        report = json.loads(file.read_text(encoding="utf-8"))
        at(report, ("load",))
        for truth in ("true", "at the bound", "false"):
            at(report, ("claims", truth, "all"))
        for workload in SHORT + MILLISECOND:
            for claim in ("unchanged > 0.95", "5 % slower > 0.97", "10 % slower > 0.95"):
                at(report, ("each", workload, claim, "median_ms"))
        return report
    except OSError as problem:
        text = problem.strerror
    except (ValueError, KeyError, TypeError) as problem:
        text = f"{type(problem).__name__}: {problem}"
    raise WrongLive(f"--live: {file}: {text}; needs what perfspec_live_calibration printed")


def share(counts, verdict):
    """In percent. Of zero it is not a number, which keeps no limit."""
    judged = sum(counts.values())
    return 100 * counts[verdict] / judged if judged else math.nan


def added(several):
    return {verdict: sum(counts[verdict] for counts in several) for verdict in VERDICTS}


def row_d(table, figures):
    def add(figure, value, sign, limit, unit, of=None):
        text = f"{value if isinstance(value, int) else format(value, '.4g')}{unit}" + ("" if of is None else f" of {sum(of.values())}")
        table.add("D", figure, "live", value, sign, limit, text, value <= limit if sign == "<=" else value >= limit)

    true = figures.judged("claims", "true", "all")
    null = figures.judged("claims", "at the bound", "all")
    false = figures.judged("claims", "false", "all")
    slower = added([figures.judged("each", workload, claim) for workload in SHORT + MILLISECOND
                    for claim in ("5 % slower > 0.97", "10 % slower > 0.95")])
    add("true claims, violated", true["violated"], "<=", 0, "")
    add("true claims, judged", sum(true.values()), ">=", 10_000, "")
    add("A/A vs 1.00, violated", share(null, "violated"), "<=", 0.3, " %", null)
    add("5 % vs .97 and 10 % vs .95, single-threaded in cache, violated", share(slower, "violated"), ">=", 98, " %", slower)
    add("false claims, violated", share(false, "violated"), ">=", 97, " %", false)
    add("false claims, holds", share(false, "holds"), "<=", 0.3, " %", false)
    for claim, name, limits in (("unchanged > 0.95", "A/A vs .95", (6, 70)), ("5 % slower > 0.97", "5 % vs .97 with its fresh process", (40, 250))):
        for workloads, length, limit in zip((SHORT, MILLISECOND), ("10-30 us", "1 ms"), limits):
            add(f"{name}, {length}, median, slowest workload and file", figures.worst_median_ms(workloads, claim), "<=", limit, " ms")
