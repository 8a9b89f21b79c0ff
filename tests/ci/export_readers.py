#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Independent programs read the output of `perfspec export`.

usage: export_readers.py <perfspec, the tool>

junitparser is skipped with its reason if it is not installed (apt-get install python3-junitparser). Python's own csv, json and XML readers, and ctest, are always there.
"""
import csv
import io
import json
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree

TOOL = pathlib.Path(sys.argv[1]).resolve()
HERE = pathlib.Path(__file__).resolve().parent
DEBIAN_PYTHON = "/usr/bin/python3"


class Readers(unittest.TestCase):
    def setUp(self):
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="perfspec-export-"))
        self.addCleanup(shutil.rmtree, self.folder)
        self.results = self.folder / "results.jsonl"
        subprocess.run([sys.executable, HERE / "page/sample_results.py", self.results, "60"], check=True)
        with self.results.open(encoding="utf-8") as lines:
            self.records = [json.loads(line) for line in lines]

    def export(self, name):
        path = self.folder / f"{name}.out"
        done = subprocess.run([TOOL, "export", self.results, "--format", name, "-o", path], capture_output=True, text=True, check=True)
        self.output = done.stdout
        return path

    def measured(self):
        return [record for record in self.records if record["measured"]]

    def test_csv_has_every_result(self):
        rows = list(csv.DictReader(io.StringIO(self.export("csv").read_text(encoding="utf-8"), newline="")))
        self.assertEqual(len(rows), len(self.records))
        for row, record in zip(rows, self.records):
            self.assertEqual(row["verdict"], record["verdict"])
            self.assertIn(row["test"].removeprefix("'"), record["test"])
            if record["measured"]:
                self.assertEqual(float(row["value"]), record["measured"]["value"])

    def test_junit_has_every_claim_and_its_verdict(self):
        path = self.export("junit")
        root = xml.etree.ElementTree.parse(path).getroot()
        self.assertEqual(len(root.findall(".//testcase")), len(self.records))
        self.assertEqual(len(root.findall(".//failure")), sum(record["failed"] and record["verdict"] == "violated" for record in self.records))
        medians = [one.get("value") for one in root.iterfind(".//property") if one.get("name") == "value"]
        self.assertEqual(sorted(map(float, medians)), sorted(record["measured"]["value"] for record in self.measured()))
        reader = "import junitparser, sys; x = junitparser.JUnitXml.fromfile(sys.argv[1]); x.update_statistics(); print(x.tests, x.failures, x.errors)"
        done = subprocess.run([DEBIAN_PYTHON, "-c", reader, path], capture_output=True, text=True, check=False)
        if "ModuleNotFoundError" in done.stderr:
            self.skipTest("no junitparser (apt-get install python3-junitparser)")
        failures = sum(record["verdict"] == "violated" for record in self.records)
        errors = sum(record["verdict"] == "error" for record in self.records)
        self.assertEqual(done.stdout.split(), [str(len(self.records)), str(failures), str(errors)], done.stderr)

    def test_pytorch_is_json_with_every_value(self):
        objects = json.loads(self.export("pytorch").read_text(encoding="utf-8"))
        self.assertEqual(len(objects), len(self.measured()))
        self.assertIn("results written to", self.output)


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
