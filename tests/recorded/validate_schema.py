# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""validate_schema.py SCHEMA JSONL: each line must be valid by an independent validator; exit code 77 without one.

Negative controls: a line with a field that the schema does not know, without one that it requires, and with an infinity must all be refused.
"""
import json
import sys

try:
    from jsonschema import Draft202012Validator
except ImportError:
    print("skipped: this Python has no module jsonschema (pip install jsonschema)")
    sys.exit(77)

with open(sys.argv[1], encoding="utf-8") as file:
    schema = json.load(file)
Draft202012Validator.check_schema(schema)
validator = Draft202012Validator(schema)


def refuse_constant(name):
    raise ValueError(f"{name} is no JSON")


failures = 0
lines = 0
result = None
with open(sys.argv[2], encoding="utf-8") as file:
    for number, line in enumerate(file, 1):
        lines += 1
        value = json.loads(line, parse_constant=refuse_constant)
        if value["kind"] == "result":
            result = value
        for error in validator.iter_errors(value):
            failures += 1
            print(f"{sys.argv[2]}:{number}: {error.json_path}: {error.message}")

assert lines > 1 and result is not None, "nothing to validate"
for broken in (
    {**result, "color": "red"},
    {key: value for key, value in result.items() if key != "verdict"},
    {**result, "margin": "large"},
    {**result, "kind": "started"},
    {**result, "verdict": "not judged"},
):
    if validator.is_valid(broken):
        failures += 1
        print("the schema accepts a line that is wrong:", json.dumps(broken)[:200])
print(f"{lines} lines, {failures} failures")
sys.exit(1 if failures else 0)
