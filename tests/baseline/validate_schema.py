#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether the published schema and perfspec's reader agree, judged by an independent validator.

usage: validate_schema.py <schema.json> <program built from baseline_file_program.cpp> [committed baseline files...]

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
LAUNCH = ("entries", KEY, "launches", 0)

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


def main(schema_path, program, *committed):
    validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    written = json.loads(subprocess.run([program], check=True, capture_output=True, text=True, encoding="utf-8").stdout)
    launch = written["entries"][KEY]["launches"][0]
    cases = [((), written, True)]
    cases += [(path, changed(written, path, value), legal) for path, value, legal in CASES]
    cases += [(("entries", KEY, "launches"), changed(written, ("entries", KEY, "launches"), [launch] * n), n == 20) for n in (20, 21)]

    wrong = 0
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, f"{i}.json") for i in range(len(cases))]
        for file, (_, document, _) in zip(files, cases):
            file.write_text(json.dumps(document), encoding="utf-8")
        spoken = subprocess.run([program, *files], check=True, capture_output=True, text=True, encoding="utf-8").stdout.splitlines()
    for (path, document, legal), said in zip(cases, spoken, strict=True):
        valid = validator.is_valid(document)
        if valid != legal or (said == "read") != legal:
            wrong += 1
            print(f"{' / '.join(map(str, path)) or 'whole file'}: expected {'legal' if legal else 'refused'}; "
                  f"schema: {'legal' if valid else 'refused'}; perfspec: {said}")
    for file in committed:
        for error in validator.iter_errors(json.loads(pathlib.Path(file).read_text(encoding="utf-8"))):
            wrong += 1
            print(f"{file}: {error.json_path}: {error.message}")
    print(f"{len(cases)} cases and {len(committed)} committed files, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
