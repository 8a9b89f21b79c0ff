# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The outcome of an experiment, as a code of PyTorch's benchmarks/dynamo; `perfspec report --suite` sums them up."""

from __future__ import annotations

import subprocess

from ..judging import program

SKIPPED = "skipped"
PROCESS = "the test's process: "  # each reason begins with it


def outcome_of(records):
    """Code and reason: pass; fail_accuracy, timeout, …; violated or undecided like the claim; skipped if this machine lacks something."""
    decisive = [each for each in records if each["query"].startswith(("same_output(", "speedup("))]
    if not decisive:
        return "infra_error", "no claim has a result"
    for each in [*decisive, *(one for one in records if one["failure"] in ("timed_out", "unfinished"))]:
        if each["verdict"] == "not_judged":
            return SKIPPED, each["reason"]
        if each["failed"] or each["accuracy"] not in ("pass", None):
            code = each["accuracy"] if each["accuracy"] not in ("pass", None) else "fail_to_run"
            return each["verdict"] if each["verdict"] in ("violated", "undecided") and code == "fail_to_run" else code, each["reason"]
    return "pass", ""


def speedup_of(records):
    """`speedup 1.072 (1.061 .. 1.083): holds`"""
    speedups = [each for each in records if each["query"].startswith("speedup(") and each["measured"]]
    return "speedup {centre:.3f} ({low:.3f} .. {high:.3f}): ".format(**speedups[-1]["measured"]) + speedups[-1]["verdict"] if speedups else ""


def one_line(records, longest=300):
    code, reason = outcome_of(records)
    line = " ".join(reason.replace(PROCESS, "").strip().partition("\n")[0].split())
    details = ", ".join(each for each in (speedup_of(records), line[:longest]) if each)
    return f"{code}: {details}" if details else code


def print_tables(output):
    subprocess.run([program(), "report", str(output), "--quiet", "--suite"], check=False)


def exit_code(experiments, ledger):
    codes = {outcome_of(ledger.records_of(each.name))[0] for each in experiments}
    return 42 if codes - {"pass", SKIPPED} else 77 if SKIPPED in codes else 0
