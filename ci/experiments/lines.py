# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Lines of results: reading those of an experiment, and one for an experiment that left none. record.schema.json describes them."""
import json
import time

DYNAMO = {"timed_out": "timeout", "unfinished": "infra_error"}
EVIDENCE = {"method": "", "rounds": 0, "confirming_rounds": 0, "launches": 0, "seconds": 0, "budget_seconds": 0,
            "seed": 0, "log_e_holds": 0, "log_e_violated": 0, "exact": False, "false_failure": 0, "approximate": False}
DISTURBED = {"load": 0, "cores": 0, "steal_seconds": 0, "involuntary_switches": 0, "page_faults": 0, "migrations": 0, "runnable": 0, "overcommitted": 0,
             "frequency_mhz": 0, "frequency_change": 0, "devices": [], "slowed_device": 0, "notes": []}


def whole_lines(path):
    """All lines that are whole: of one that was cut off nothing is known."""
    if not path.exists():
        return []
    found = []
    for line in path.read_bytes().splitlines():
        try:
            found.append(json.loads(line))
        except ValueError:
            continue
    return found


def blank_start(experiment):
    """A start of an experiment that left none."""
    query, axes = "speedup(eager, compiled)", experiment.axes
    return {"schema": 1, "kind": "started", "time": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime()), "suite": "perfspec-judge", "test": "", "sections": [],
            "key": " / ".join([query, *(f"{name}={value}" for name, value in axes.items())]), "macro": "evaluate", "claim": query, "file": "", "line": 0,
            "query": query, "unit": "ratio", "own_unit": "", "direction": "more", "comparison": "", "margin": 0, "axes": axes, "options": {}, "origins": {},
            "hardware_key": "", "build_variant": "", "build": "", "host": "", "commit": "", "branch": "", "dirty": False, "run_id": "", "started_by": "",
            "model": {"suite_name": axes["suite"], "model_name": axes["model"]},
            "experiment": {"experiment_name": query, "accelerator": axes["device"].partition(":")[0], "accelerator_model": "", "xla": None, "xla_flags": None,
                           "dynamo": axes["dynamo"], "torch_xla2": None, "keep_model_data_on_cuda": None, "test": axes["test"], "batch_size": int(axes["batch"])}}


def started_last(lines, experiment):
    """What was being measured: a start without a result, else the last one."""
    ended = {(each["key"], each["claim"]) for each in lines if each["kind"] == "result"}
    starts = [each for each in lines if each["kind"] == "started"]
    still_open = [each for each in starts if (each["key"], each["claim"]) not in ended]
    return (still_open or starts or [blank_start(experiment)])[-1]


def line_of_fault(lines, experiment, kind, reason):
    """The result of an experiment that came to no end."""
    return {**started_last(lines, experiment), "kind": "result", "verdict": "invalid", "failed": True, "waiver": None, "on_request": False, "reason": reason,
            "failure": kind, "advice": [], "notes": [], "measured": None, "compared": [], "parts": [], "operators": None, "bound": None, "tolerated": None,
            "bound_text": "", "evidence": EVIDENCE, "subjects": [], "workers": [], "disturbed": DISTURBED, "baseline": None, "verified": None, "planned": None,
            "commands": {}, "repeat": 0, "iterations_per_run": None, "metrics": {"error": reason}, "timestamp": int(time.time()), "outputs_file": None,
            "verification_code": "VERIFIER_DIDNT_RUN", "accuracy": DYNAMO[kind]}
