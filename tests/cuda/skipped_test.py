# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Without a device, ctest shows each test that needs one as Skipped, never as passed or failed.

    skipped_test.py CTEST BUILD_FOLDER PROGRAM…    programs that have only such tests; those that are not built are left out

Catch2 ends with 4 where all tests of a program were skipped, and perfspec's host with 77. ctest must know both.
"""
import json
import os
import subprocess
import sys

CODES = {4, 77}


def skip_code(test):
    return {one["name"]: one["value"] for one in test.get("properties", [])}.get("SKIP_RETURN_CODE")


def main(ctest, folder, *programs):
    listed = subprocess.run([ctest, "--test-dir", folder, "-L", "^device$", "--show-only=json-v1"], capture_output=True, text=True, check=True)
    tests = json.loads(listed.stdout)["tests"]
    wrong = [f"{test['name']}: SKIP_RETURN_CODE is {skip_code(test)}" for test in tests if skip_code(test) not in CODES]
    built = [one for one in programs if os.path.exists(one)]
    for program in built:
        of_program = [test for test in tests if test.get("command", [""])[0] == program]
        if not of_program:
            wrong.append(f"{program}: no test of it has the label device")
        wrong += [f"{test['name']}: SKIP_RETURN_CODE is {skip_code(test)}, and Catch2 ends with 4" for test in of_program if skip_code(test) != 4]
    if wrong:
        print("\n".join(wrong))
        return 1
    if not built:
        print("no program of device tests is built")
        return 77
    print(f"{len(tests)} tests of the label device have a code for skipped ones")
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
