# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Each fault of a subject in Python: the verdict and the message.

    python3 faults_test.py PROGRAM       of faults_program.cpp
"""
import re
import subprocess
import sys

# Subject or file, verdict, failure, and text of the reason.
ROWS = [
    ("faulty.py fine", "holds", "none", ""),
    ("faulty.py dies", "error", "worker_failed", r"exit code 3"),
    ("faulty.py crashes", "error", "worker_failed", r"signal 11.*faulty\.py\", line \d+ in <lambda>"),
    ("faulty.py hangs", "error", "timed_out", r"took too long"),
    ("faulty.py leaves", "error", "body_threw", r"SystemExit.*faulty\.py:\d+"),
    ("faulty.py raises", "error", "body_threw", r"KeyError: 'missing' \(faulty\.py:\d+\)"),
    ("faulty.py lacks_memory", "error", "out_of_memory", r"MemoryError"),
    ("faulty.py cannot_be_built", "error", "load_threw", r"FileNotFoundError: weights\.bin"),
    ("faulty.py built_from_nothing", "error", "load_threw", r"return lambda: model\(x\)"),
    ("faulty.py forks", "holds", "none", ""),
    ("faulty.py prints", "holds", "none", ""),
    ("faulty.py answers_by_itself", "error", "worker_failed", r"it answered .*ran.* to request \d+: did a body fork"),
    ("faulty.py promises", "error", "body_threw", r"coroutine"),
    ("faulty.py generates", "error", "body_threw", r"generator"),
    ("faulty.py computes_nothing", "error", "body_threw", r"computes nothing"),
    ("faulty.py unknown", "error", "worker_failed", r"no subject unknown; the file has fine, dies"),
    ("not_python.py eager", "error", "load_threw", r"SyntaxError.*not_python\.py:3"),
    ("without_subjects.py eager", "error", "load_threw", r"@perfspec\.subject"),
    ("lacks_a_module.py eager", "error", "load_threw", r"No module named 'a_module_that_nobody_has'"),
    ("not_there.py eager", "error", "load_threw", r"there is no such file"),
    ("starts_slowly.py eager", "holds", "none", ""),  # its import takes longer than the budget
]


def results(program):
    """The program's output for each subject, as {"faulty.py dies": text}."""
    printed = subprocess.run([program], capture_output=True, text=True, timeout=800).stdout
    parts = re.split(r"^(\w+\.py \w+): ", printed, flags=re.M)
    return dict(zip(parts[1::2], parts[2::2]))


def main(program):
    found = results(program)
    faults = [f"{name}: {found[name]}" for name in found.keys() - {row[0] for row in ROWS}]
    for name, verdict, failure, reason in ROWS:
        text = found.get(name, "nothing")
        if not re.match(rf"({verdict}), ({failure}): ", text) or not re.search(reason, text, flags=re.S):
            faults.append(f"{name}: found {text!r}, expected {verdict}, {failure}: …{reason}…")
        elif "\x1b" in text:
            faults.append(f"{name}: a control character reached the message: {text!r}")
    print("\n".join(faults) or f"{len(ROWS)} subjects and files went wrong as they should")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
