# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""ci/lint checks clean files only once, and that hides no error: `unless_found_clean` of ci/common.bash, ci/lint.d/alone and tidy."""
import os
import pathlib
import shutil
import subprocess
import tempfile
import unittest

PROJECT = pathlib.Path(__file__).resolve().parents[2]
TIDY_TOOLS = ("clang++-14", "clang-tidy-14", "cmake", "ninja")
# Logs each file that the compiler checks for errors, and has its own version.
COMPILER = """#!/bin/sh
case "$*" in
    --version) echo "${VERSION:-12}" ;;
    *-fsyntax-only*) echo looked >> "$LOOKED"; [ -z "$KILLED" ] || exit 1; exec {compiler} "$@" ;;
    *) exec {compiler} "$@" ;;
esac
"""
PRESETS = """{"version": 6, "configurePresets": [{"name": "tidy", "generator": "Ninja", "binaryDir": "${sourceDir}/build/tidy",
    "cacheVariables": {"CMAKE_CXX_COMPILER": "clang++-14", "CMAKE_EXPORT_COMPILE_COMMANDS": "ON"}}]}"""
LISTS = "cmake_minimum_required(VERSION 3.25)\nproject(small CXX)\nadd_library(small include/perfspec/small.cpp)\ninclude_directories(include)\n"


class Checkout(unittest.TestCase):
    """A small checkout with the scripts of this one, and a cache of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.root = self.folder / "checkout"
        shutil.copytree(PROJECT / "ci/lint.d", self.root / "ci/lint.d")
        shutil.copy(PROJECT / "ci/common.bash", self.root / "ci")
        shutil.copy(PROJECT / ".clang-tidy", self.root)
        self.looked = self.folder / "looked"
        self.looked.touch()
        self.environment = os.environ | {"XDG_CACHE_HOME": str(self.folder / "cache"), "LOOKED": str(self.looked)}

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def run_in_checkout(self, *command, **variables):
        return subprocess.run(command, cwd=self.root, env=self.environment | variables, capture_output=True, text=True, check=False)

    def checks(self):
        """The number of checks since the last call."""
        count = len(self.looked.read_text().splitlines())
        self.looked.write_text("")
        return count


class Function(Checkout):
    SCRIPT = """source ci/common.bash
inputs() { cat "$1"; }
check() { echo looked >> "$LOOKED"; eval "${MEANWHILE:-}"; ! grep error "$1"; }
unless_found_clean inputs check "$1"
"""

    def check(self, text=None, name="file", **variables):
        if text is not None:
            self.write(name, text)
        done = self.run_in_checkout("bash", "-c", self.SCRIPT, "test", name, **variables)
        return done.returncode, self.checks()

    def test_a_file_edited_during_its_check_has_no_mark(self):
        self.assertEqual(self.check("error", MEANWHILE="echo fine > file"), (0, 1))
        self.assertEqual(self.check("error"), (1, 1))

    def test_without_a_cache_all_is_checked(self):
        self.write("plain", "")
        for _ in range(2):
            self.assertEqual(self.check("fine", XDG_CACHE_HOME="plain"), (0, 1))


@unittest.skipIf(shutil.which("g++") is None, "no g++ is installed here")
class Alone(Checkout):
    def setUp(self):
        super().setUp()
        compiler = self.folder / "bin/g++"
        compiler.parent.mkdir()
        compiler.write_text(COMPILER.replace("{compiler}", shutil.which("g++")))
        compiler.chmod(0o755)
        self.environment["PATH"] = f"{compiler.parent}:{self.environment['PATH']}"
        self.run_in_checkout("git", "init", "-q")
        self.write("include/perfspec/base.hpp", "#pragma once\nstruct base {};\n")
        self.write_bodies("a", "#include <perfspec/base.hpp>\ninline base a() { return {}; }\n")
        self.write_bodies("b", "inline int b() { return 0; }\n")
        self.assertEqual(self.alone(), (0, 2, ""))

    def write_bodies(self, name, text):
        self.write(f"include/perfspec/{name}-inl.hpp", "#pragma once\n" + text)

    def alone(self, **variables):
        done = self.run_in_checkout("ci/lint.d/alone", **variables)
        return (min(done.returncode, 1), self.checks(), done.stdout)

    def check_found(self, name):
        for _ in range(2):  # an error is found each time
            code, checks, output = self.alone()
            self.assertEqual((code, checks), (1, 1), output)
            self.assertIn(f"/{name}-inl.hpp does not compile alone", output)

    def test_a_file_that_compiled_is_not_compiled_again(self):
        self.assertEqual(self.alone(), (0, 0, ""))

    def test_an_error_is_found(self):
        self.write_bodies("b", "inline int b() { return c; }\n")
        self.check_found("b")

    def test_an_error_of_a_header_is_found(self):
        self.write("include/perfspec/base.hpp", "#pragma once\nstruct other {};\n")
        self.check_found("a")

    def test_a_header_that_is_missing_behind_a_text_that_compiled_is_found(self):
        self.write_bodies("b", "inline int b() { return 0; }\n#include <perfspec/gone.hpp>\n")
        self.check_found("b")

    def test_another_version_of_the_compiler_checks_again(self):
        self.assertEqual(self.alone(VERSION="13"), (0, 2, ""))

    def test_another_script_checks_again(self):
        script = self.root / "ci/lint.d/alone"
        script.write_text(script.read_text().replace("-fsyntax-only", "-fsyntax-only -DB=1"))
        self.assertEqual(self.alone(), (0, 2, ""))

    def test_a_compiler_that_is_killed_found_nothing_clean(self):
        self.write_bodies("b", "inline long b() { return 0; }\n")
        code, _, output = self.alone(KILLED="1")
        self.assertEqual(code, 1, output)
        self.assertEqual(self.alone(), (0, 1, ""))


@unittest.skipIf(any(shutil.which(tool) is None for tool in TIDY_TOOLS), "needs " + ", ".join(TIDY_TOOLS))
class Tidy(Checkout):
    def setUp(self):
        super().setUp()
        self.write("CMakePresets.json", PRESETS)
        self.write("CMakeLists.txt", LISTS)
        self.write("include/perfspec/small.hpp", "#pragma once\nint twice(int number);\n")
        self.write("include/perfspec/small.cpp", "#include <perfspec/small.hpp>\nint twice(int number) { return 2 * number; }\n")
        self.assertEqual(self.tidy(), (0, ""))

    def tidy(self):
        done = self.run_in_checkout("ci/lint.d/tidy")
        return (min(done.returncode, 1), done.stdout + done.stderr)

    def test_errors_in_a_clean_file_are_found(self):
        self.assertEqual(self.tidy(), (0, ""))
        for text in ("int twice(int number);\nint Thrice(int number);\n", "int twice(int number);\n#define thrice(x) (3 * (x))\n"):
            self.write("include/perfspec/small.hpp", "#pragma once\n" + text)
            for _ in range(2):
                code, output = self.tidy()
                self.assertEqual(code, 1, text)
                self.assertIn("readability-identifier-naming", output)
        self.write("include/perfspec/small.hpp", "#pragma once\nint twice(int number);\n")
        self.assertEqual(self.tidy(), (0, ""))

    def test_a_clean_file_is_not_checked_again(self):
        tool = self.folder / "bin/clang-tidy-14"
        tool.parent.mkdir()
        tool.write_text(f'#!/bin/sh\n[ "$1" = --version ] || echo looked >> "$LOOKED"\nexec {shutil.which("clang-tidy-14")} "$@"\n')
        tool.chmod(0o755)
        self.environment["PATH"] = f"{tool.parent}:{self.environment['PATH']}"
        self.assertEqual((self.tidy(), self.checks()), ((0, ""), 0))
        self.write("include/perfspec/small.hpp", "#pragma once\nint twice(int number);  // of a number\n")
        self.assertEqual((self.tidy(), self.checks()), ((0, ""), 1))


if __name__ == "__main__":
    unittest.main()
