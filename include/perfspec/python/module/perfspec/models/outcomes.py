# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The outcome of an experiment, as a code of PyTorch's benchmarks/dynamo; `perfspec report --suite` sums them up."""

from __future__ import annotations

import subprocess

from ..judging import program

OF_OUTPUTS = {"PASS": "pass", "FAIL": "fail_accuracy", "LOAD_FAILED": "model_fail_to_load", "EAGER_FAILED": "eager_1st_run_fail", "EXCEPTION_RAISED": "fail_to_run",
              "EAGER_OUT_OF_MEMORY": "eager_1st_run_OOM", "OUT_OF_MEMORY": "OOM", "NONDETERMINISTIC_EAGER_RUN": "eager_two_runs_differ",
              "VERIFIER_SKIPPED": "pass_due_to_skip"}
OF_FAILURES = {"body_threw": "fail_to_run", "setup_threw": "fail_to_run", "load_threw": "model_fail_to_load", "out_of_memory": "OOM", "timed_out": "timeout",
               "worker_failed": "infra_error", "unfinished": "infra_error"}
SKIPPED = "skipped"
PROCESS = "the test's process: "  # each reason begins with it


def code_of(record):
    """The code of one result; None if nothing was compared, and nothing failed."""
    return OF_OUTPUTS.get((record["verified"] or {}).get("code")) or OF_FAILURES.get(record["failure"])


def outcome_of(records):
    """Code and reason: pass; fail_accuracy, timeout, …; violated or undecided like the claim; skipped if this machine lacks something."""
    decisive = [each for each in records if each["metric"] in ("same_output", "speedup")]
    if not decisive:
        return "infra_error", "no claim has a result"
    for each in [*decisive, *(one for one in records if one["failure"] in ("timed_out", "unfinished"))]:
        if each["verdict"] == "not_judged":
            return SKIPPED, each["reason"]
        code = code_of(each)
        if each["failed"] or code not in ("pass", None):
            code = "fail_to_run" if code in ("pass", None) else code
            return each["verdict"] if each["verdict"] in ("violated", "undecided") and code == "fail_to_run" else code, each["reason"]
    return "pass", ""


def speedup_of(records):
    """`speedup 1.072 (1.061 .. 1.083): holds`"""
    speedups = [each for each in records if each["metric"] == "speedup" and each["measured"]]
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
