#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether the published schemas of baselines and golden outputs and perfspec's readers agree, judged by an independent validator.

usage: validate_schema.py <folder of schema.json and golden.schema.json> <program built from baseline_file_program.cpp> [committed files...]

Every file that perfspec writes must be valid; every case below must be refused by both, or taken by both.
Exit codes: 0 they agree, 1 they do not, 77 the Python module jsonschema is not installed.
"""
import copy
import json
import pathlib
import subprocess
import sys
import tempfile

try:
    import jsonschema
except ImportError:
    print("skipped: the Python module jsonschema is not installed")
    sys.exit(77)

REMOVE = object()
KEY = 'case / section "ns" \N{ROCKET}'
COUNT = 'case / section "count" \N{ROCKET}'
OWN = "case / tokens"
LAUNCHES = ("entries", KEY, "launches")
LAUNCH = LAUNCHES + (0,)

# (path, new value, whether it is still a baseline file)
CASES = [
    ((), [], False),
    (("schema_version",), 2, False),
    (("schema_version",), 0, False),
    (("schema_version",), "1", False),
    (("schema_version",), REMOVE, False),
    (("hardware",), 7, False),
    (("hardware",), "", True),
    (("build_variant",), REMOVE, False),
    (("suite",), None, False),
    (("entries",), {}, True),
    (("entries",), [], False),
    (("entries",), REMOVE, False),
    (("extra",), 1, False),
    (("entries", KEY), {}, False),
    (("entries", KEY, "unit"), "", False),
    (("entries", KEY, "unit"), "furlongs", True),
    (("entries", KEY, "better"), "most", False),
    (("entries", KEY, "better"), REMOVE, False),
    (("entries", KEY, "recorded_on"), {}, True),
    (("entries", KEY, "recorded_on"), REMOVE, False),
    (("entries", KEY, "recorded_on", "kernel"), REMOVE, True),
    (("entries", KEY, "recorded_on", "kernel"), 6, False),
    (("entries", KEY, "recorded_on", "libraries", "cuda"), 12, False),
    (("entries", KEY, "recorded_on", "cpu"), "x", False),
    (("entries", KEY, "launches"), [], False),
    (("entries", KEY, "launches"), {}, False),
    (LAUNCH + ("value",), 0, False),
    (LAUNCH + ("value",), -1, False),
    (LAUNCH + ("value",), "fast", False),
    (LAUNCH + ("value",), None, False),
    (LAUNCH + ("value",), 17, True),
    (LAUNCH + ("value",), REMOVE, False),
    (LAUNCH + ("p99",), REMOVE, False),
    (LAUNCH + ("samples",), 0, False),
    (LAUNCH + ("samples",), 1.5, False),
    (LAUNCH + ("samples",), 10**16, False),
    (LAUNCH + ("iterations",), REMOVE, False),
    (LAUNCH + ("when",), "2026-11-18", False),
    (LAUNCH + ("when",), "2026-11-18T09:12:44+01:00", False),
    (LAUNCH + ("when",), REMOVE, False),
    (LAUNCH + ("commit",), REMOVE, True),
    (LAUNCH + ("run",), 17, False),
    (LAUNCH + ("sitting",), "", True),
    (LAUNCH + ("median",), 3, False),
    (("entries", COUNT, "launches", 0, "q1"), 0, True),
    (("entries", COUNT, "launches", 0, "q1"), -1, False),
    (("entries", OWN, "launches", 0, "q1"), -4, True),
]


SAME = 'case / same_output(a, b) \N{ROCKET}'
OUTPUTS = ("golden_outputs", SAME, "outputs")

# (path, new value, whether it is still a file of golden outputs)
GOLDEN_CASES = [
    ((), [], False),
    (("schema_version",), 2, False),
    (("schema_version",), REMOVE, False),
    (("hardware",), REMOVE, False),
    (("hardware",), 7, False),
    (("build_variant",), "", True),
    (("suite",), REMOVE, False),
    (("golden_outputs",), {}, True),
    (("golden_outputs",), [], False),
    (("golden_outputs",), REMOVE, False),
    (("entries",), {}, False),
    (("golden_outputs", SAME), {}, False),
    (("golden_outputs", SAME), None, False),
    (("golden_outputs", SAME, "hash"), "x", False),
    (("golden_outputs", SAME, "made_by"), REMOVE, True),
    (("golden_outputs", SAME, "made_by"), 2, False),
    (("golden_outputs", SAME, "when"), REMOVE, True),
    (("golden_outputs", SAME, "commit"), None, False),
    (OUTPUTS, [], False),
    (OUTPUTS, "output 1, bool[2]: 01", False),
    (OUTPUTS, [1], False),
    (OUTPUTS, REMOVE, False),
]


def changed(document, path, value):
    document = copy.deepcopy(document)
    if not path:
        return value
    inner = document
    for step in path[:-1]:
        inner = inner[step]
    if value is REMOVE:
        del inner[path[-1]]
    else:
        inner[path[-1]] = value
    return document


def told(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def wrong_cases(validator, program, cases, ending):
    """How many documents the schema or the reader judges another way than their cases say."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, f"{i}{ending}") for i in range(len(cases))]
        for file, (_, document, _) in zip(files, cases):
            file.write_text(json.dumps(document), encoding="utf-8")
        spoken = told(program, *files).splitlines()
    for (path, document, legal), said in zip(cases, spoken, strict=True):
        valid = validator.is_valid(document)
        if valid != legal or (said == "read") != legal:
            wrong += 1
            print(f"{' / '.join(map(str, path)) or 'whole file'}: expected {'legal' if legal else 'refused'}; "
                  f"schema: {'legal' if valid else 'refused'}; perfspec: {said}")
    return wrong


def wrong_files(validator, committed):
    wrong = 0
    for file in committed:
        for error in validator.iter_errors(json.loads(pathlib.Path(file).read_text(encoding="utf-8"))):
            wrong += 1
            print(f"{file}: {error.json_path}: {error.message}")
    return wrong


def cases_of(written, table):
    return [((), written, True)] + [(path, changed(written, path, value), legal) for path, value, legal in table]


def main(schemas, program, *committed):
    baselines = cases_of(json.loads(told(program)), CASES)
    launch = baselines[0][1]["entries"][KEY]["launches"][0]
    baselines += [(LAUNCHES, changed(baselines[0][1], LAUNCHES, [launch] * n), n == 20) for n in (20, 21)]
    golden = cases_of(json.loads(told(program, "golden")), GOLDEN_CASES)
    wrong = 0
    for name, cases, ending in (("schema.json", baselines, ".json"), ("golden.schema.json", golden, ".golden")):
        validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schemas, name).read_text(encoding="utf-8")))
        validator.check_schema(validator.schema)
        files = [file for file in committed if file.endswith(ending)]
        faults = wrong_cases(validator, program, cases, ending) + wrong_files(validator, files)
        print(f"{name}: {len(cases)} cases and {len(files)} committed files, {faults} wrong")
        wrong += faults
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
