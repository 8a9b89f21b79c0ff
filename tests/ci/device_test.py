# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What ci/device plans on which machine, what it reports, and its exit code; nothing is built."""
import importlib.machinery
import importlib.util
import os
import pathlib
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
import unittest
import unittest.mock

sys.dont_write_bytecode = True
ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "ci"))
from gpu import machine, packing, plan, report, running  # noqa: E402  (of ci/device)

TOOLS = ("cmake", "ninja", "c++")
WHOLE = machine.Machine(gpus=("name: NVIDIA H100; driver_version: 580.1",), nvcc="/usr/local/cuda/bin/nvcc", toolkit="/usr/local/cuda", programs=TOOLS,
                        cli11=True, torch="/usr/bin/python3", torchvision=True, torch_cmake="/t/share/cmake", examples=("example_23_gpu_kernels",),
                        of_models=("example_23_gpu_models",))
PLAIN = machine.Machine(no_gpu="libcuda.so.1: cannot open shared object file", nvcc="/usr/local/cuda/bin/nvcc", toolkit="/usr/local/cuda", programs=TOOLS,
                        cli11=True, no_torch="python3 has no PyTorch", examples=("example_23_gpu_kernels",))
LAST = ("build models", "models", "build models in C++", "export models", "models in C++")


def steps_of(there, **options):
    return {step.name: step for step in plan.plan(there, 2, **options)}


def reasons(there, **options):
    return {name: step.skipped for name, step in steps_of(there, **options).items() if step.skipped}


def run_all(there, ends=None, seconds=1.0, minutes=10, made=True, takes=None, after=lambda outcomes: None):
    """The outcomes where each step takes so long, or what `takes` says, at most its limit, and ends so: {name: (code, output)}."""
    clock = [0.0]

    def run(step, limit):
        wanted = (takes or {}).get(step.name, seconds)
        clock[0] += min(wanted, limit)
        return (None, "") if wanted > limit else (ends or {}).get(step.name, (0, ""))

    return running.run_steps(plan.plan(there, 2), run, lambda: clock[0], 60 * minutes, lambda step: made, after)


def executable(folder, name, text):
    path = pathlib.Path(folder) / name
    path.write_text("#!/bin/sh\n" + text)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)
    return path


class InFolder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)


class Plan(unittest.TestCase):
    def test_a_machine_with_everything_skips_nothing(self):
        self.assertEqual(reasons(WHOLE), {})
        self.assertEqual({one.result for one in run_all(WHOLE)}, {"passed"})

    def test_without_a_gpu_kernels_are_built_and_not_run_and_the_driver_says_why(self):
        why = "no GPU can be used: libcuda.so.1: cannot open shared object file"
        self.assertEqual(reasons(PLAIN), {name: why for name in ("tests on the GPU", "doctor", "record baselines", "examples", "configure with LibTorch",
                                                                 "build examples with LibTorch", "examples with LibTorch", *LAST)})

    def test_what_must_be_carried_is_named(self):
        self.assertEqual(reasons(machine.Machine(programs=("cmake",)))["configure"], "needs ninja, c++, which must be installed or carried here")
        self.assertIn("CUDAToolkit_ROOT", reasons(machine.Machine(programs=TOOLS))["configure"])
        self.assertIn("nvcc", reasons(machine.Machine(programs=TOOLS, toolkit="/usr/local/cuda"))["build tests"])
        without_cli11 = machine.Machine(programs=TOOLS, toolkit="/t", nvcc="/n", torch="python3")
        self.assertIn("CLI11", reasons(without_cli11)["build tool"])
        self.assertIn("PERFSPEC_TOOL=OFF", steps_of(without_cli11)["configure"].command)
        self.assertEqual(reasons(without_cli11)["models"], "python3 has PyTorch, and no torchvision")

    def test_a_step_may_be_left_out(self):
        self.assertEqual(reasons(WHOLE, without=("models",)), {"models": "left out by --without"})

    def test_the_models_are_the_six_and_run_on_the_gpu(self):
        models = steps_of(WHOLE)["models"].command
        self.assertEqual(len(models[models.index("--models") + 1].split(",")), 6)
        self.assertEqual(models[models.index("--device") + 1], "cuda")

    def test_the_results_of_tests_and_examples_are_not_in_the_file_that_the_models_begin_anew(self):
        steps = steps_of(WHOLE)
        models = steps["models"].command
        of_models = models[models.index("--output") + 1]
        others = {steps[name].environment["PERFSPEC_OUTPUT"] for name in ("tests on the GPU", "examples", "examples with LibTorch", "models in C++")}
        self.assertEqual(others, {str(plan.RESULTS)})
        self.assertEqual(of_models, str(plan.RESULTS_OF_MODELS))
        self.assertNotIn(of_models, others)

    def test_the_tool_is_built_also_without_pytorch(self):
        self.assertEqual(reasons(machine.Machine(programs=TOOLS, toolkit="/t", nvcc="/n", cli11=True, no_torch="none")).get("build tool", ""), "")
        self.assertIn("perfspec_tool", steps_of(WHOLE)["build tool"].command)
        self.assertEqual(steps_of(WHOLE)["doctor"].command, (str(plan.TOOL), "doctor"))

    def test_what_is_built_together_is_what_the_steps_build_one_by_one(self):
        steps = steps_of(WHOLE)
        together = steps["build together"].command
        self.assertEqual(together[-3:], ("--", "-k", "0"))
        targets = together[together.index("--target") + 1:-3]
        each = [step.command for name, step in steps.items() if name in ("build tests", "build tool", "build examples", "build models")]
        self.assertEqual(set(targets), {target for command in each for target in command[command.index("--target") + 1:]})
        self.assertFalse([name for name, step in steps.items() if "build together" in step.needs])

    def test_it_builds_the_tests_of_the_folder_that_it_runs(self):
        text = (ROOT / "tests/cuda/CMakeLists.txt").read_text()
        all_tests = re.findall(r"perfspec_add_tests\(NAME (\w+)( MEASURING)?", text)
        self.assertEqual(set(plan.TESTS), {name for name, measuring in all_tests if not measuring})  # those that measure have the label clock
        self.assertEqual(steps_of(WHOLE)["build tests"].command[-len(plan.TESTS):], plan.TESTS)

    def test_baselines_are_recorded_into_an_empty_folder_and_judge_the_examples_only_where_none_are_committed(self):
        steps = steps_of(WHOLE)
        record = steps["record baselines"]
        self.assertEqual(record.environment, {"PERFSPEC_BASELINE_DIR": str(plan.BASELINES), "PERFSPEC_UPDATE_BASELINES": "1"})
        self.assertEqual(steps["examples"].environment["PERFSPEC_BASELINE_DIR"], str(plan.BASELINES))
        committed = machine.Machine(**{**vars(WHOLE), "baselines": True})
        self.assertNotIn("PERFSPEC_BASELINE_DIR", steps_of(committed)["examples"].environment)
        pattern = record.command[record.command.index("-R") + 1]
        names = re.findall(r'TEST_CASE\("([^"]*)"', "".join(one.read_text() for one in ROOT.glob("examples/23_gpu_kernels/*.cu")))
        self.assertTrue([name for name in names if re.search(pattern, "example_23_gpu_kernels: " + name)])

    def test_libtorch_is_configured_in_a_folder_of_its_own_from_the_files_of_that_pytorch(self):
        steps = steps_of(WHOLE)
        self.assertNotIn(str(plan.BUILD), steps["configure with LibTorch"].command)
        self.assertIn("PERFSPEC_TORCH=ON", steps["configure with LibTorch"].command)
        self.assertIn("Torch_DIR=/t/share/cmake/Torch", steps["configure with LibTorch"].command)
        self.assertIn("PERFSPEC_TORCH=OFF", steps["configure"].command)
        environment = steps["configure with LibTorch"].environment
        self.assertEqual((environment["CUDACXX"], environment["PATH"].split(":")[0]), ("/usr/local/cuda/bin/nvcc", "/usr/local/cuda/bin"))
        self.assertEqual(steps["build examples with LibTorch"].command[-1], "example_23_gpu_models")

    def test_the_targets_of_the_models_in_cpp_are_there(self):
        text = (ROOT / "examples/vision/CMakeLists.txt").read_text()
        for target in ("add_executable(vision_device_test ", "add_custom_target(vision_device_packages", 'PREFIX "vision_device: "'):
            self.assertIn(target, text)
        models = steps_of(WHOLE)["models in C++"].command
        self.assertEqual(models[models.index("-R") + 1], "^vision_device:")  # CMake takes the blank at the end of a prefix away

    def test_every_example_that_links_cuda_is_one(self):
        links = {"01_a": "example_01_a PRIVATE perfspec::catch2_main", "02_b": "example_02_b PRIVATE perfspec::cuda",
                 "03_c": "example_03_models PRIVATE perfspec::libtorch perfspec::cuda", "04_d": "d_test PRIVATE perfspec::cuda"}
        with tempfile.TemporaryDirectory() as text:
            for name, link in links.items():
                folder = pathlib.Path(text) / "examples" / name
                folder.mkdir(parents=True)
                (folder / "CMakeLists.txt").write_text(f"target_link_libraries({link})\n")
            self.assertEqual(machine.examples_with_cuda(pathlib.Path(text)), (("example_02_b",), ("example_03_models",)))

    def test_the_examples_are_those_that_are_there(self):
        self.assertEqual(machine.examples_with_cuda(), (("example_23_gpu_kernels",), ("example_23_gpu_models",)))


class Run(unittest.TestCase):
    def result(self, outcomes, name):
        [one] = [one for one in outcomes if one.step.name == name]
        return one.result, one.why

    def test_what_needs_a_step_that_failed_is_skipped(self):
        outcomes = run_all(WHOLE, {"build tests": (1, "error: no")})
        self.assertEqual(self.result(outcomes, "build tests"), ("failed", "exit code 1"))
        self.assertEqual(self.result(outcomes, "tests on the GPU"), ("skipped", '"build tests" was not done: it failed'))
        self.assertEqual(self.result(outcomes, "models"), ("passed", ""))
        self.assertEqual(running.exit_code(outcomes), 1)

    def test_what_does_not_fit_into_the_time_is_skipped(self):
        outcomes = run_all(WHOLE, seconds=25, minutes=1)
        self.assertEqual([one.result for one in outcomes[:3]], ["passed", "passed", "failed"])  # it stops the third
        self.assertEqual({one.result for one in outcomes[3:]}, {"skipped"})
        self.assertEqual(self.result(outcomes, "build examples")[1], "no time is left; allow more by --minutes")
        self.assertEqual(self.result(run_all(WHOLE, minutes=0), "configure")[0], "skipped")
        self.assertEqual(running.exit_code(run_all(WHOLE, minutes=0)), 77)

    def test_models_that_take_all_the_time_leave_some_to_those_behind_them_and_none_to_those_before(self):
        outcomes = run_all(WHOLE, seconds=10, takes={"models": 10_000, "export models": 10_000}, minutes=9)
        self.assertEqual(self.result(outcomes, "models"), ("failed", "it ran out of time"))
        self.assertEqual(self.result(outcomes, "export models"), ("failed", "it ran out of time"))
        self.assertEqual({self.result(outcomes, name)[0] for name in ("examples with LibTorch", "build models in C++", "models in C++")}, {"passed"})
        self.assertLessEqual(sum(one.seconds for one in outcomes), 9 * 60)
        late = run_all(WHOLE, seconds=30, minutes=9)
        self.assertIn("beside 200 s for what follows", self.result(late, "models")[1])
        self.assertEqual(self.result(late, "build models in C++")[0], "passed")

    def test_a_step_that_ran_out_of_time_failed(self):
        self.assertEqual(self.result(run_all(WHOLE, {"examples": (None, "")}), "examples"), ("failed", "it ran out of time"))

    def test_tests_that_were_skipped_are_no_success(self):
        skipped = (0, "1/2 Test #7: a kernel ...***Skipped  0.3 sec\n100% tests passed, 0 tests failed out of 2\n")
        outcomes = run_all(WHOLE, {"tests on the GPU": skipped, "models": (77, "")})
        self.assertEqual(self.result(outcomes, "tests on the GPU"), ("skipped", "tests were skipped, or nothing was judged in them"))
        self.assertEqual(self.result(outcomes, "models"), ("skipped", "nothing was judged"))
        self.assertEqual(running.exit_code(outcomes), 77)

    def test_a_recording_that_left_no_baseline_failed(self):
        self.assertEqual(self.result(run_all(WHOLE, made=False), "record baselines"), ("failed", "it wrote no file baselines/*/*.json"))

    def test_a_machine_without_a_gpu_is_no_success(self):
        self.assertEqual(running.exit_code(run_all(PLAIN)), 77)
        self.assertEqual(running.exit_code(run_all(WHOLE)), 0)

    def test_someone_is_told_after_each_step(self):
        lengths = []
        outcomes = run_all(PLAIN, after=lambda done: lengths.append(len(done)))
        self.assertEqual(lengths, list(range(1, len(outcomes) + 1)))


class Commands(InFolder):
    def run_step(self, name, *command, seconds=10):
        return running.run(plan.Step(name, command), seconds, self.folder / "logs")

    def has_ended(self, mark):
        stat_file = pathlib.Path(f"/proc/{mark.read_text().strip()}/stat")
        for _ in range(100):
            if not stat_file.exists() or stat_file.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
            time.sleep(0.05)
        return False

    def test_a_command_that_runs_out_of_time_leaves_nothing_running_and_its_output_is_kept(self):
        mark = self.folder / "child"
        script = f"sleep 60 & echo $! > '{mark}'; echo begun; wait"
        self.assertEqual(self.run_step("slow", "sh", "-c", script, seconds=1), (None, "begun\n"))
        self.assertTrue(self.has_ended(mark), "what the command started still runs")

    def test_a_command_may_stop_what_it_started_elsewhere_before_it_is_killed(self):
        mark = self.folder / "child"
        script = f"trap 'kill $!; exit 143' TERM; setsid sleep 60 & echo $! > '{mark}'; wait"
        self.assertEqual(self.run_step("models", "sh", "-c", script, seconds=1)[0], None)
        self.assertTrue(self.has_ended(mark), "what the command started in a session of its own still runs")

    def test_a_child_that_outlives_a_step_keeps_nobody_waiting(self):
        mark = self.folder / "child"
        self.assertEqual(self.run_step("brief", "sh", "-c", f"sleep 600 & echo $! > '{mark}'; echo done"), (0, "done\n"))
        os.kill(int(mark.read_text()), signal.SIGKILL)  # fails where it is over

    def test_a_program_that_is_not_there_fails(self):
        self.assertEqual(self.run_step("none", "/nonexistent/program")[0], 127)
        self.assertEqual(self.run_step("some", "sh", "-c", "echo said; exit 3"), (3, "said\n"))

    def test_all_of_an_output_is_in_a_file_of_the_step(self):
        code, output = self.run_step("tests on the GPU", "seq", "1000")
        self.assertEqual((code, len(output.splitlines())), (0, 1000))
        self.assertEqual((self.folder / "logs/tests-on-the-GPU.txt").read_text(), output)


class Report(InFolder):
    def test_it_has_a_line_for_each_step_and_the_output_of_what_failed(self):
        text = report.report(PLAIN, run_all(PLAIN, {"build tests": (1, "error: no such file")}), "3 claims\n")
        self.assertIn("GPU: none: libcuda.so.1: cannot open shared object file", text)
        self.assertIn("PyTorch with CUDA: none: python3 has no PyTorch", text)
        self.assertIn("| build tests | failed | 1.0 | exit code 1 | build/device/logs/build-tests.txt |", text)
        self.assertIn("| examples | skipped | 0.0 | no GPU can be used: libcuda", text)
        self.assertIn("error: no such file", text)
        self.assertIn("3 claims", text)

    def test_it_says_on_which_gpu_and_what_the_doctor_said(self):
        text = report.report(WHOLE, run_all(WHOLE, {"doctor": (0, "clocks are not locked")}))
        self.assertIn("GPU: name: NVIDIA H100; driver_version: 580.1", text)
        self.assertIn("clocks are not locked", text)

    def test_it_has_the_last_lines_of_an_output_and_names_its_file(self):
        output = "\n".join(f"line {i}." for i in range(200))
        text = report.report(WHOLE, run_all(WHOLE, {"examples": (8, output)}))
        self.assertIn("line 140.", text)
        self.assertNotIn("line 139.", text)
        self.assertIn("The last 60 lines of build/device/logs/examples.txt:", text)

    def test_it_says_what_is_still_to_come(self):
        done = run_all(WHOLE)
        text = report.report(WHOLE, done[:2], to_come=[one.step for one in done[2:]])
        self.assertIn("| build together | passed |", text)
        self.assertIn("| build tests | to come |", text)

    def test_it_says_which_baselines_to_commit(self):
        self.assertIn("None were recorded.", report.report(WHOLE, []))
        file = plan.BASELINES / "nvidia-h100/example_23_gpu_kernels.json"
        text = report.report(WHOLE, [], baselines=[file])
        self.assertIn("- build/device/baselines/nvidia-h100/example_23_gpu_kernels.json", text)
        self.assertIn("cp -r build/device/baselines/. baselines/", text)

    def test_it_is_written_in_one_step(self):
        report.write("one", self.folder / "new/report.txt")
        report.write("two", self.folder / "new/report.txt")
        self.assertEqual([one.name for one in (self.folder / "new").iterdir()], ["report.txt"])
        self.assertEqual((self.folder / "new/report.txt").read_text(), "two")

    def test_the_tool_reads_all_results_and_its_errors_are_told(self):
        tool = executable(self.folder, "tool", 'echo "$@"; echo "perfspec: broken line" >&2; exit 4\n')
        files = [self.folder / name for name in ("results.jsonl", "models.jsonl", "none.jsonl")]
        files[0].write_text("{}\n")
        files[1].write_text("{}\n")
        said = report.told(files, tool)
        self.assertIn(f"report {files[0]} {files[1]} --quiet --table", said)
        self.assertIn("perfspec: broken line", said)
        self.assertIn("exit code of perfspec report: 4", said)

    def test_it_says_why_there_is_no_table(self):
        self.assertEqual(report.told([self.folder / "none.jsonl"]), "nothing was measured")
        (self.folder / "some.jsonl").write_text("{}\n")
        self.assertIn("the tool was not built", report.told([self.folder / "some.jsonl"], self.folder / "tool"))


class There(InFolder):
    def test_a_driver_that_is_not_there_says_so_in_the_words_of_the_linker(self):
        self.assertIn("/nonexistent/libcuda.so.1: cannot open shared object file", machine.why_no_gpu("/nonexistent/libcuda.so.1"))

    def test_a_python_that_dies_without_a_word_is_no_pytorch(self):
        dies = executable(self.folder, "python", "exit 139\n")
        self.assertEqual(machine.torch_with_cuda(str(dies))[3], f"{dies} has no PyTorch: it ended with 139 and said nothing")
        silent = executable(self.folder, "silent", "exit 0\n")
        self.assertIn("it ended with 0", machine.torch_with_cuda(str(silent))[3])

    def test_what_an_import_prints_is_not_taken_for_the_answer(self):
        says = executable(self.folder, "python", "echo 'welcome to torch'; echo 'perfspec-torch: [true, false, \"2.13.0\", \"/a b/cmake\"]'; echo bye\n")
        self.assertEqual(machine.torch_with_cuda(str(says)), (True, False, "/a b/cmake", ""))

    def test_the_question_is_python_that_answers(self):
        (self.folder / "torch.py").write_text("print('welcome', end='')\nclass cuda:\n    is_available = staticmethod(lambda: False)\n"
                                              "class utils:\n    cmake_prefix_path = '/a b'\n__version__ = '2.13.0'\n")
        asks = executable(self.folder, "python", f"PYTHONPATH='{self.folder}' exec '{sys.executable}' \"$@\"\n")
        self.assertEqual(machine.torch_with_cuda(str(asks)), (False, False, "/a b", f"PyTorch 2.13.0 of {asks} finds no CUDA"))

    def test_each_gpu_has_a_line_with_what_moves_measurements(self):
        smi = executable(self.folder, "nvidia-smi", "echo 'name, driver_version, power.limit [W]'; echo 'NVIDIA H100 80GB HBM3, 580.95.05, 700.00 W'\n")
        self.assertEqual(machine.facts_of_gpus(str(smi)), ("name: NVIDIA H100 80GB HBM3; driver_version: 580.95.05; power.limit [W]: 700.00 W",))
        self.assertEqual(machine.facts_by_driver("/nonexistent/libcuda.so.1"), ())

    def test_a_toolkit_is_found_by_its_headers_and_not_by_those_anywhere_below(self):
        nvcc, deep = self.folder / "t/bin/nvcc", self.folder / "t/share/doc/include"
        for one in (nvcc, deep / "cuda_runtime_api.h"):
            one.parent.mkdir(parents=True)
            one.write_text("")
        self.assertNotEqual(machine.toolkit_beside(str(nvcc)), str(self.folder / "t"))
        headers = self.folder / "t/targets/x86_64-linux/include"
        headers.mkdir(parents=True)
        (headers / "cuda_runtime_api.h").write_text("")
        before = os.environ.pop("CUDAToolkit_ROOT", None)
        self.addCleanup(lambda: before and os.environ.update(CUDAToolkit_ROOT=before))
        self.assertEqual(machine.toolkit_beside(str(nvcc)), str((self.folder / "t").resolve()))


class Program(unittest.TestCase):
    def device(self, *words):
        return subprocess.run([sys.executable, str(ROOT / "ci/device"), *words], capture_output=True, text=True, timeout=60, check=False)

    def test_it_stops_before_whoever_lends_the_machine_stops_it(self):
        self.assertIn("for everything [9]", self.device("--help").stdout)

    def test_its_clock_starts_before_it_looks_for_pytorch(self):
        loader = importlib.machinery.SourceFileLoader("device", str(ROOT / "ci/device"))
        device = importlib.util.module_from_spec(importlib.util.spec_from_loader("device", loader))
        loader.exec_module(device)
        deadlines = []
        nothing = {"this_machine": lambda: WHOLE, "begin_anew": lambda records_baselines: None, "write": lambda text: None, "told": lambda files: "", "print": lambda *_: None,
                   "run_steps": lambda steps, run, now, deadline, after: deadlines.append(deadline) or []}
        with unittest.mock.patch.multiple(device, create=True, **nothing):
            device.main(["--minutes", "2"], 1000.0)
        self.assertEqual(deadlines, [1120.0])
        self.assertIn("main(sys.argv[1:], clock_starts)", (ROOT / "ci/device").read_text())


class Pack(unittest.TestCase):
    def test_what_is_built_with_is_copied_as_a_prefix_and_what_is_missing_is_named_also_a_second_time(self):
        with tempfile.TemporaryDirectory() as text:
            system, folder = pathlib.Path(text) / "usr", pathlib.Path(text) / "prefix"
            for file in ("include/fmt/core.h", "include/nlohmann/json.hpp", "include/catch2/catch_all.hpp", "lib/cmake/Catch2/Catch2Config.cmake",
                         "lib/libCatch2.a", "share/cmake/nlohmann_json/nlohmann_jsonConfig.cmake", "lib/x/libfmt.so.9"):
                (system / file).parent.mkdir(parents=True, exist_ok=True)
                (system / file).write_text(file)
            (system / "lib/x/libfmt.so").symlink_to("libfmt.so.9")
            (system / "include/fmt/link.h").symlink_to("core.h")
            for _ in range(2):
                self.assertEqual(packing.pack(folder, system), ["CLI11"])
            self.assertEqual((folder / "lib/libCatch2.a").read_text(), "lib/libCatch2.a")
            self.assertEqual((folder / "include/fmt/core.h").read_text(), "include/fmt/core.h")
            self.assertEqual(os.readlink(folder / "lib/x/libfmt.so"), "libfmt.so.9")
            self.assertEqual(os.readlink(folder / "include/fmt/link.h"), "core.h")


if __name__ == "__main__":
    unittest.main()
