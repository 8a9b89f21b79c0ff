# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What came of an experiment, in the words of PyTorch's benchmarks/dynamo; `perfspec report --suite` sums them up."""
import pathlib
import subprocess

SKIPPED = "skipped"
WORKER = "the worker of perfspec_experiment.py: "  # the same in every experiment


def outcome_of(records):
    """Code and reason: pass; fail_accuracy, timeout, …; skipped, where this machine lacks something."""
    decisive = [each for each in records if each["query"].startswith(("same_output(", "speedup("))]
    if not decisive:
        return "infra_error", "no claim has a result"
    for each in [*decisive, *(one for one in records if one["failure"] in ("timed_out", "unfinished"))]:
        if each["verdict"] == "not_judged":
            return SKIPPED, each["reason"]
        if each["failed"] or each["verdict"] != "holds" or each["accuracy"] not in ("pass", None):
            return each["accuracy"] if each["accuracy"] not in ("pass", None) else "fail_to_run", each["reason"]
    return "pass", ""


def one_line(records, longest=300):
    code, reason = outcome_of(records)
    line = " ".join(reason.replace(WORKER, "").strip().partition("\n")[0].split())
    return f"{code}: {line[:longest]}" if line else code


def print_table(judge, output):
    """By the tool of the judge's build."""
    tool = pathlib.Path(judge).parent.parent / "tool/perfspec"
    command = [str(tool) if tool.is_file() else "perfspec", "report", str(output), "--quiet", "--suite"]
    if tool.is_file():
        subprocess.run(command, check=False)
    else:
        print(f"ci/models: build perfspec_tool for the table:  {' '.join(command)}")


def exit_code(todo, ledger):
    codes = {outcome_of(ledger.records_of(each.name))[0] for each in todo}
    return 42 if codes - {"pass", SKIPPED} else 77 if SKIPPED in codes else 0
