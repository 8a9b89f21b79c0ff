# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs pytest with a judge that is a script: the option `key` sets its answer. Exits with 77 without pytest."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

from started_worker import MODULE

try:
    import pytest  # noqa: F401
except ModuleNotFoundError:
    print("pytest is not installed for", sys.executable)
    sys.exit(77)

JUDGE = f"""#!{sys.executable}
import json, os, sys, time
answers, requests = int(sys.argv[3]), int(sys.argv[5])
def ask(**request):
    os.write(requests, json.dumps(request).encode() + b"\\n")
    return json.loads(os.read(answers, 65536))
for line in sys.stdin:
    message = json.loads(line)
    word = message.pop("request")
    if word == "claim":
        key = message["options"].get("key", "holds")
        message["hello"] = ask(request="hello")
        message["ran"] = [ask(request="run", subject=name, iterations=2, number=1) for name in message["query"]["subjects"]]
        done = dict(skipped=False, failed=key in ("violated", "error"), verdict=key, is_judged=key != "skipped", skips_test=key == "suspect",
                    is_worth_a_note=key in ("noted", "undecided"), place="a.py:7", text=f"the text of {{key}}", record=dict(key=key))
        time.sleep(9 if key == "late" else 0)
    open("messages", "a").write(json.dumps(message) + "\\n")
    if word == "claim" and key == "dies":
        break
    if word == "claim":
        answer = dict(answer="refused", reason="no such claim") if key == "refused" else dict(done, answer="judged")
    else:
        answer = dict(answer="ready") if word == "start" else dict(answer="finished", text="the table")
    print(json.dumps(answer), flush=True)
"""


class JudgedTest(unittest.TestCase):
    flags = ()  # of Python

    def start(self, root, *arguments, folder=".", **variables):
        """The output of pytest in that folder below the root. Puts the judge's input into `self.messages`."""
        (root / "judge").write_text(JUDGE)
        (root / "judge").chmod(0o755)
        variables = {**os.environ, "PYTHONPATH": str(MODULE), "PERFSPEC_JUDGE": str(root / "judge"), "PYTHONPYCACHEPREFIX": str(root / "__pycache__"),
                     "PYTHONDONTWRITEBYTECODE": "", **variables}
        done = subprocess.run([sys.executable, *self.flags, "-m", "pytest", "-p", "perfspec.pytest_plugin", "-p", "no:cacheprovider", *arguments],
                              cwd=root / folder, env=variables, capture_output=True, text=True, timeout=300)
        messages = root / folder / "messages"
        self.messages = [json.loads(line) for line in messages.read_text().splitlines()] if messages.exists() else []
        messages.unlink(missing_ok=True)
        self.code = done.returncode
        return done.stdout + done.stderr

    def run_pytest(self, tests, *arguments, conftest="", **variables):
        """The output of pytest on this file of tests, beside that conftest.py."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder).resolve()
            (root / "test_it.py").write_text("import os, pytest\n" + tests)
            (root / "conftest.py").write_text(conftest)
            return self.start(root, "-rA", "--rootdir", folder, *arguments, **variables)

    def claims(self):
        return [each for each in self.messages if "effect" in each]
