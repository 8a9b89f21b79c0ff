# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Runs one row: the program, `perfspec report` on its results, and both under ctest if the row has the expected results of that."""
import contextlib
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import subprocess
import sys
import tempfile

KEPT_VARIABLES = ("PATH", "HOME", "USER", "LANG", "LD_LIBRARY_PATH", "TMPDIR")
TIMED_OUT = "timeout"


@dataclasses.dataclass(frozen=True)
class Places:
    """The folder of the programs, the build folder, ctest, and the tool (None if not built: no report runs)."""
    programs: pathlib.Path
    build: pathlib.Path
    ctest: str
    tool: pathlib.Path | None


@dataclasses.dataclass(frozen=True)
class Column:
    """A column of the table: a result, and whether it is right."""
    text: str
    is_right: bool


class OneRow:
    def __init__(self, row, places):
        self.row = row
        self.places = places
        self.outputs = []

    def columns(self):
        """Alone, ctest, report."""
        if self.row.if_built and not self.executable().exists():
            return (Column("not built", True),) * 3
        with busy_beside() if self.row.busy else contextlib.nullcontext():
            with self.folder() as folder:
                alone = self.alone(folder)
                report = self.report(folder)
            with self.folder() as folder:
                ctest = self.ctest(folder)
        return alone, ctest, report

    @contextlib.contextmanager
    def folder(self):
        with tempfile.TemporaryDirectory(prefix="whole_program_") as name:
            folder = pathlib.Path(name)
            (folder / "baselines").mkdir()
            for file, content in self.row.files.items():
                (folder / file).write_text(content, encoding="utf-8")
            try:
                yield folder
            finally:  # the variant separates new recordings of this machine, and they are removed
                for recorded in (self.places.build / "perfspec-baselines").glob(f"*/{folder.name}"):
                    shutil.rmtree(recorded, ignore_errors=True)

    def environment(self, folder, given):
        kept = {name: os.environ[name] for name in KEPT_VARIABLES if name in os.environ}
        own = {"PERFSPEC_BASELINE_DIR": str(folder / "baselines"), "PERFSPEC_BUILD_VARIANT": folder.name,
               "PERFSPEC_OUTPUT": str(folder / "results.jsonl")}
        asked = {name: self.filled(value, folder) for name, value in given.items()}
        return {name: value for name, value in (kept | own | asked).items() if value != "unset"}

    def filled(self, text, folder):
        return text.replace("{folder}", str(folder)).replace("{programs}", str(self.places.programs))

    def executable(self):
        return self.places.programs / f"perfspec_whole_{self.row.program}"

    def alone_command(self):
        test = [re.sub(r"([\\,\[\]])", r"\\\1", self.row.test)] if self.row.test else []
        return [str(self.executable()), *(["\\" + test[0]] if test and test[0][0] in "~-" else test)]

    def run_before(self, folder):
        # Ten processes are enough for a row, and take a quarter of the time.
        elsewhere = {"PERFSPEC_OUTPUT": str(folder / "before.jsonl"), "PERFSPEC_BASELINE_PROCESSES": "10"}
        for environment in self.row.before:
            # A separate shell makes it an earlier run: a run is everything that one process starts.
            self.run(["sh", "-c", '"$@"; exit $?', "sh", *self.alone_command()], folder, self.environment(folder, elsewhere | self.row.environment | environment))

    def alone(self, folder):
        self.run_before(folder)
        code, output = self.run(self.alone_command(), folder, self.environment(folder, self.row.environment))
        words = " ".join(output.split())  # Catch2 breaks lines at 80 columns
        wrong = [f'does not say "{text}"' for text in self.row.says if text not in words]
        wrong += [f'says "{text}"' for text in self.row.says_not if text in words]
        column = compared(code, self.row.exit)
        return Column("; ".join([column.text, *wrong]), column.is_right and not wrong)

    def ctest(self, folder):
        if not self.row.ctest:
            return Column("-", True)
        self.run_before(folder)
        listed = self.places.programs / f"perfspec_whole_{self.row.program}.ctest.cmake"
        (folder / "CTestTestfile.cmake").write_text(f'include("{listed}")\n', encoding="utf-8")
        name = re.sub(r"([^\w ])", r"\\\1", self.row.test or f"perfspec_whole_{self.row.program}")
        command = [self.places.ctest, "--test-dir", str(folder), "-R", f"^{name}$"]
        code, output = self.run(command, folder, self.environment(folder, self.row.environment))
        return compared(code if code == TIMED_OUT else result_of_ctest(output), self.row.ctest)

    def report(self, folder):
        if not self.row.report or self.places.tool is None:
            return Column("-", True)
        command = [str(self.places.tool), "report", str(folder / "results.jsonl"), *self.row.report_options]
        code, _ = self.run(command, folder, self.environment(folder, {}))
        return compared(code, self.row.report)

    def run(self, command, folder, environment):
        """Exit code and output. The output goes through a file, because processes of a body would keep a pipe open."""
        written = folder / f"output_{len(self.outputs)}"
        with open(written, "wb") as file:
            try:
                started = subprocess.Popen(command, cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=file, stderr=file,
                                           start_new_session=True)
            except OSError as problem:
                self.outputs.append(f"{command[0]}: {problem.strerror}")
                return problem.strerror, ""
            try:
                code = started.wait(self.row.timeout)
            except subprocess.TimeoutExpired:
                code = TIMED_OUT
            with contextlib.suppress(ProcessLookupError):  # ends its remaining processes, too
                os.killpg(started.pid, signal.SIGKILL)
            started.wait()
        output = written.read_text(encoding="utf-8", errors="replace")
        self.outputs.append(f"$ {' '.join(command)}\n{output}[{code}]\n")
        return code, output


def compared(found, right):
    wanted = " or ".join(map(str, right))
    return Column(str(found) if found in right else f"**{found}**, not {wanted}", found in right)


def result_of_ctest(output):
    """The worst result of several tests with one name."""
    results = re.findall(r"^ *\d+/\d+ Test +#\d+: .*?(Passed|\*\*\*\w+(?: Run)?)", output, flags=re.M)
    if not results or "CMake Error" in output:
        return "none"
    words = [result.strip("*") for result in results]
    failed = [word for word in words if word not in ("Passed", "Skipped")]
    if failed:
        return "none" if failed[0] == "Not Run" else "Failed"
    return "Skipped" if set(words) == {"Skipped"} else "Passed"


@contextlib.contextmanager
def busy_beside():
    loops = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(2)]
    try:
        yield
    finally:
        for loop in loops:
            loop.kill()
            loop.wait()
