# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The targets, options and packed files of ci/device, without a build."""
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = (ROOT / "ci/device").read_text(encoding="utf-8")
PACKED = {"fmt": "fmt", "nlohmann": "nlohmann_json", "catch2": "Catch2", "CLI": "CLI11"}


def device(*words):
    return subprocess.run([str(ROOT / "ci/device"), *words], capture_output=True, text=True, timeout=60, check=False)


def listed(name):
    return set(re.search(rf"^{name}=\((.*)\)$", SCRIPT, re.MULTILINE)[1].split())


class Targets(unittest.TestCase):
    def test_it_builds_the_tests_of_the_folders_that_it_runs(self):
        text = "".join((ROOT / "tests" / folder / "CMakeLists.txt").read_text(encoding="utf-8") for folder in ("gpu", "cuda"))
        all_tests = re.findall(r"perfspec_add_tests\(NAME (\w+)( MEASURING)?", text)
        self.assertEqual(listed("tests"), {name for name, measuring in all_tests if not measuring})  # those that measure have the label clock

    def test_it_builds_every_example_that_links_cuda_and_not_libtorch(self):
        found = {}
        for one in ROOT.glob("examples/*/CMakeLists.txt"):
            found |= dict(re.findall(r"target_link_libraries\((example_\w+) ([^)]*)\)", one.read_text(encoding="utf-8")))
        with_cuda = {target for target, libraries in found.items() if "perfspec::cuda" in libraries and "perfspec::libtorch" not in libraries}
        self.assertEqual(listed("examples"), with_cuda)


class Options(unittest.TestCase):
    def test_a_wrong_option_is_refused_with_those_that_are_right(self):
        for words, why in (("--minutes",), "write --pack FOLDER, or nothing"), (("--pack",), "--pack takes a folder"), (("",), "no empty option"):
            done = device(*words)
            self.assertEqual(done.returncode, 1)
            self.assertIn(why, done.stderr)


@unittest.skipUnless(all(pathlib.Path(f"/usr/include/{name}").is_dir() for name in PACKED), "not all packages are installed here")
class Pack(unittest.TestCase):
    def test_what_is_built_with_is_copied_as_a_prefix_also_a_second_time(self):
        with tempfile.TemporaryDirectory() as text:
            folder = pathlib.Path(text) / "prefix"
            for _ in range(2):
                done = device("--pack", str(folder))
                self.assertEqual(done.returncode, 0, done.stderr)
            for headers, package in PACKED.items():
                self.assertTrue((folder / "include" / headers).is_dir(), headers)
                self.assertTrue(list(folder.glob(f"**/cmake/{package}")), package)
            self.assertTrue(list(folder.glob("lib/*/libfmt*")) and list(folder.glob("lib/libCatch2*")))


if __name__ == "__main__":
    unittest.main()
