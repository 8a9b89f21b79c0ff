#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether the published schemas of baselines and golden outputs and perfspec's readers agree, judged by an independent validator.

usage: validate_schema.py <folder of schema.json and golden.schema.json> <program built from baseline_file_program.cpp> [committed files...]

Every file that perfspec writes must be valid. Both must refuse or both accept each case below.
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
SESSIONS = ("entries", KEY, "sessions")
SESSION = SESSIONS + (0,)
OPERATORS = ("entries", KEY, "operators")
LONGEST = OPERATORS + ("longest",)

# (path, new value, whether it is still a baseline file)
CASES = [
    ((), [], False),
    (("schema_version",), 3, False),
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
    (OPERATORS, REMOVE, True),
    (OPERATORS, {}, False),
    (OPERATORS, [], False),
    (OPERATORS + ("settings",), REMOVE, True),
    (OPERATORS + ("settings",), 2, False),
    (OPERATORS + ("others",), REMOVE, True),
    (OPERATORS + ("others",), 0, True),
    (OPERATORS + ("others",), -1, False),
    (OPERATORS + ("others",), "few", False),
    (OPERATORS + ("threads",), 2, False),
    (LONGEST, REMOVE, False),
    (LONGEST, {}, False),
    (LONGEST, [], False),
    (LONGEST, {f"op {i}": {"ns": 1, "calls": 1} for i in range(32)}, True),
    (LONGEST, {f"op {i}": {"ns": 1, "calls": 1} for i in range(33)}, False),
    (LONGEST, {"": {"ns": 1, "calls": 1}}, False),
    (LONGEST + ("relu",), 17, False),
    (LONGEST + ("relu", "ns"), 0, True),
    (LONGEST + ("relu", "ns"), -1, False),
    (LONGEST + ("relu", "ns"), "fast", False),
    (LONGEST + ("relu", "ns"), REMOVE, False),
    (LONGEST + ("relu", "calls"), 0, True),
    (LONGEST + ("relu", "calls"), -1, False),
    (LONGEST + ("relu", "calls"), REMOVE, False),
    (LONGEST + ("relu", "device"), 1, False),
    (SESSIONS, [], False),
    (SESSIONS, {}, False),
    (SESSION + ("values",), [0], False),
    (SESSION + ("values",), [-1], False),
    (SESSION + ("values",), ["fast"], False),
    (SESSION + ("values",), [None], False),
    (SESSION + ("values",), [], False),
    (SESSION + ("values",), 17, False),
    (SESSION + ("values",), [17], True),
    (SESSION + ("values",), [17] * 40, True),
    (SESSION + ("values",), [17] * 41, False),
    (SESSION + ("values",), REMOVE, False),
    (SESSION + ("p99",), REMOVE, False),
    (SESSION + ("samples",), 0, False),
    (SESSION + ("samples",), 1.5, False),
    (SESSION + ("samples",), 10**16, False),
    (SESSION + ("iterations",), REMOVE, False),
    (SESSION + ("processor_ns",), 812000.5, True),
    (SESSION + ("processor_ns",), -1, False),
    (SESSION + ("processor_ns",), "much", False),
    (SESSION + ("time",), "2026-11-18", False),
    (SESSION + ("time",), "2026-11-18T09:12:44+01:00", False),
    (SESSION + ("time",), REMOVE, False),
    (SESSION + ("commit",), REMOVE, True),
    (SESSION + ("run",), 17, False),
    (SESSION + ("session",), "", True),
    (SESSION + ("median",), 3, False),
    (("entries", COUNT, "sessions", 0, "q1"), 0, True),
    (("entries", COUNT, "sessions", 0, "q1"), -1, False),
    (("entries", OWN, "sessions", 0, "q1"), -4, True),
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
    (("golden_outputs", SAME, "time"), REMOVE, True),
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


def messages(program, *arguments):
    return subprocess.run([program, *arguments], check=True, capture_output=True, text=True, encoding="utf-8").stdout


def wrong_cases(validator, program, cases, ending):
    """The number of documents that the schema or the reader judges otherwise than their cases."""
    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, f"{i}{ending}") for i in range(len(cases))]
        for file, (_, document, _) in zip(files, cases):
            file.write_text(json.dumps(document), encoding="utf-8")
        spoken = messages(program, *files).splitlines()
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
    baselines = cases_of(json.loads(messages(program)), CASES)
    session = baselines[0][1]["entries"][KEY]["sessions"][0]
    several = [[session | {"session": str(i)} for i in range(n)] for n in (10, 11)]
    baselines += [(SESSIONS, changed(baselines[0][1], SESSIONS, all_of), len(all_of) == 10) for all_of in several]
    golden = cases_of(json.loads(messages(program, "golden")), GOLDEN_CASES)
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
