#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Whether the published schema of perfspec.json and perfspec's reader agree, judged by an independent validator.

usage: validate_project_schema.py <perfspec.schema.json> <program built from project_file_program.cpp>

Exit codes: 0 they agree, 1 they do not, 77 the Python module jsonschema is not installed.
"""
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

# (document, whether it is a project file)
WAIVER = {"key": "sort / *", "ceiling": "20%", "until": "2027-01-31", "reason": "r", "owner": "#1"}
CASES = [
    ({}, True),
    ([], False),
    ("margin", False),
    ({"$schema": "perfspec.schema.json", "margin": "1%"}, True),
    ({"waivers": []}, True),
    ({"waivers": {}}, False),
    ({"waivers": ["a"]}, False),
    ({"waivers": [WAIVER]}, True),
    ({"waivers": [WAIVER | {"ceiling": "150 us"}, WAIVER | {"ceiling": "3"}]}, True),
    ({"waivers": [WAIVER | {"ceiling": "3 apples"}]}, False),
    ({"waivers": [WAIVER | {"key": "**"}]}, False),
    ({"waivers": [WAIVER | {"owner": " "}]}, False),
    ({"waivers": [WAIVER | {"until": "soon"}]}, False),
    ({"waivers": [WAIVER | {"team": "ours"}]}, False),
    ({"bugdet": "1s"}, False),
    ({"budget": "1s"}, True),
    ({"budget": "1s+"}, False),
    ({"budget": "1.5 min"}, True),
    ({"budget": "soon"}, False),
    ({"budget": "-1s"}, False),
    ({"budget": 10}, False),
    ({"cap": "1e3\u00b5s"}, True),
    ({"margin": "0.01"}, True),
    ({"margin": "1 pct"}, True),
    ({"margin": "1_pct"}, True),
    ({"margin": "one"}, False),
    ({"margin": 0.01}, False),
    ({"margin": None}, False),
    ({"margin": ["1%"]}, False),
    ({"rounds": 100}, True),
    ({"rounds": "100"}, True),
    ({"rounds": "auto"}, True),
    ({"rounds": 9}, False),
    ({"rounds": 10.5}, False),
    ({"rounds": -1}, False),
    ({"rounds": "many"}, False),
    ({"baseline_processes": 40}, True),
    ({"baseline_processes": 41}, False),
    ({"seed": 18446744073709551615}, True),
    ({"seed": -1}, False),
    ({"confirm": "0"}, True),
    ({"confirm": False}, False),
    ({"undecided": "fail"}, True),
    ({"undecided": "shout"}, False),
    ({"output": "results.jsonl"}, True),
    ({"output": ""}, True),
    ({"output": 7}, False),
    ({"baseline_dir": "baselines"}, False),
    ({"update_baselines": "all"}, False),
    ({"mode": "off"}, False),
    ({"only": "batch=8"}, False),
    ({"record_anyway": "on"}, False),
    ({"key": "x"}, False),
]


def main(schema_path, program):
    validator = jsonschema.Draft202012Validator(json.loads(pathlib.Path(schema_path).read_text(encoding="utf-8")))
    validator.check_schema(validator.schema)
    legal = dict(line.split(" ", 1) for line in subprocess.run([program], check=True, capture_output=True, text=True).stdout.splitlines())
    described = set(validator.schema["properties"]) - {"$schema", "waivers"}
    cases = CASES + [({name: value}, True) for name, value in legal.items()]
    wrong = 0
    if described != set(legal):
        wrong += 1
        print(f"the schema describes {sorted(described - set(legal))} too much and {sorted(set(legal) - described)} too little")
    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder, f"{i}.json") for i in range(len(cases))]
        for file, (document, _) in zip(files, cases):
            file.write_text(json.dumps(document), encoding="utf-8")
        spoken = subprocess.run([program, *files], check=True, capture_output=True, text=True, encoding="utf-8").stdout.splitlines()
    for (document, is_legal), said in zip(cases, spoken, strict=True):
        valid = validator.is_valid(document)
        if valid != is_legal or (said == "read") != is_legal:
            wrong += 1
            print(f"{document}: expected {'legal' if is_legal else 'refused'}; schema: {'legal' if valid else 'refused'}; perfspec: {said}")
    print(f"{len(cases)} cases, {len(legal)} options, {wrong} wrong")
    return 1 if wrong else 0


if __name__ == "__main__":
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    sys.exit(main(*sys.argv[1:]))
