# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""What ci/device plans on which machine, what it reports, and its exit code; nothing is built."""
import importlib.machinery
import importlib.util
import pathlib
import sys
import tempfile
import time
import unittest

sys.dont_write_bytecode = True
DEVICE = pathlib.Path(__file__).resolve().parents[2] / "ci" / "device"
loader = importlib.machinery.SourceFileLoader("device", str(DEVICE))
device = importlib.util.module_from_spec(importlib.util.spec_from_loader("device", loader))
sys.modules["device"] = device  # dataclasses look their module up
loader.exec_module(device)

TOOLS = ("cmake", "ninja", "c++")
WHOLE = device.Machine(nvcc="/usr/local/cuda/bin/nvcc", toolkit="/usr/local/cuda", programs=TOOLS, torch="/usr/bin/python3", torchvision=True,
                       torch_cmake="/t/share/cmake", examples=("example_23_gpu_kernels",), of_models=("example_23_gpu_models",))
PLAIN = device.Machine(no_gpu="libcuda.so.1: cannot open shared object file", nvcc="/usr/local/cuda/bin/nvcc", toolkit="/usr/local/cuda", programs=TOOLS,
                       no_torch="python3 has no PyTorch", examples=("example_23_gpu_kernels",))


def reasons(machine, **options):
    return {step.name: step.skipped for step in device.plan(machine, 2, **options) if step.skipped}


def run_all(machine, ends=None, seconds=1.0, minutes=10):
    """The outcomes where each step takes so long and ends so: {name: (code, output)}."""
    time = [0.0]

    def run(step, _):
        time[0] += seconds
        return (ends or {}).get(step.name, (0, ""))

    return device.run_steps(device.plan(machine, 2), run, lambda: time[0], 60 * minutes)


class Plan(unittest.TestCase):
    def test_a_machine_with_everything_skips_nothing(self):
        self.assertEqual(reasons(WHOLE), {})
        self.assertEqual({one.result for one in run_all(WHOLE)}, {"passed"})

    def test_without_a_gpu_kernels_are_built_and_not_run_and_the_driver_says_why(self):
        why = "no GPU can be used: libcuda.so.1: cannot open shared object file"
        self.assertEqual(reasons(PLAIN), {name: why for name in ("tests on the GPU", "examples", "build models", "models", "configure with LibTorch",
                                                                 "build examples with LibTorch", "examples with LibTorch")})

    def test_what_must_be_carried_is_named(self):
        self.assertEqual(reasons(device.Machine(programs=("cmake",)))["configure"], "needs ninja, c++, which must be installed or carried here")
        self.assertIn("CUDAToolkit_ROOT", reasons(device.Machine(programs=TOOLS))["configure"])
        self.assertIn("nvcc", reasons(device.Machine(programs=TOOLS, toolkit="/usr/local/cuda"))["build tests"])
        self.assertEqual(reasons(device.Machine(programs=TOOLS, toolkit="/t", nvcc="/n", torch="python3"))["models"],
                         "python3 has PyTorch, and no torchvision")

    def test_a_step_may_be_left_out(self):
        self.assertEqual(reasons(WHOLE, without=("models",)), {"models": "left out by --without"})

    def test_the_models_are_the_six_and_run_on_the_gpu(self):
        [models] = [step for step in device.plan(WHOLE, 2) if step.name == "models"]
        self.assertEqual(len(models.command[models.command.index("--models") + 1].split(",")), 6)
        self.assertEqual(models.command[models.command.index("--device") + 1], "cuda")

    def test_libtorch_is_configured_in_a_folder_of_its_own_from_the_files_of_that_pytorch(self):
        steps = {step.name: step.command for step in device.plan(WHOLE, 2)}
        self.assertNotIn(str(device.BUILD), steps["configure with LibTorch"])
        self.assertIn("PERFSPEC_TORCH=ON", steps["configure with LibTorch"])
        self.assertIn("Torch_DIR=/t/share/cmake/Torch", steps["configure with LibTorch"])
        self.assertIn("PERFSPEC_TORCH=OFF", steps["configure"])
        [environment] = [step.environment for step in device.plan(WHOLE, 2) if step.name == "configure with LibTorch"]
        self.assertEqual((environment["CUDACXX"], environment["PATH"].split(":")[0]), ("/usr/local/cuda/bin/nvcc", "/usr/local/cuda/bin"))
        self.assertEqual(steps["build examples with LibTorch"][-1], "example_23_gpu_models")

    def test_every_example_that_links_cuda_is_one(self):
        links = {"01_a": "example_01_a PRIVATE perfspec::catch2_main", "02_b": "example_02_b PRIVATE perfspec::cuda",
                 "03_c": "example_03_models PRIVATE perfspec::libtorch perfspec::cuda", "04_d": "d_test PRIVATE perfspec::cuda"}
        with tempfile.TemporaryDirectory() as text:
            for name, link in links.items():
                folder = pathlib.Path(text) / "examples" / name
                folder.mkdir(parents=True)
                (folder / "CMakeLists.txt").write_text(f"target_link_libraries({link})\n")
            self.assertEqual(device.examples_with_cuda(pathlib.Path(text)), (("example_02_b",), ("example_03_models",)))

    def test_the_examples_are_those_that_are_there(self):
        self.assertEqual(device.examples_with_cuda(), (("example_23_gpu_kernels",), ("example_23_gpu_models",)))


class Run(unittest.TestCase):
    def result(self, outcomes, name):
        [one] = [one for one in outcomes if one.step.name == name]
        return one.result, one.why

    def test_what_needs_a_step_that_failed_is_skipped(self):
        outcomes = run_all(WHOLE, {"build tests": (1, "error: no")})
        self.assertEqual(self.result(outcomes, "build tests"), ("failed", "exit code 1"))
        self.assertEqual(self.result(outcomes, "tests on the GPU"), ("skipped", '"build tests" was not done: it failed'))
        self.assertEqual(self.result(outcomes, "models"), ("passed", ""))
        self.assertEqual(device.exit_code(outcomes), 1)

    def test_what_does_not_fit_into_the_time_is_skipped(self):
        outcomes = run_all(WHOLE, seconds=25, minutes=1)
        self.assertEqual([one.result for one in outcomes], ["passed"] * 3 + ["skipped"] * 8)
        self.assertEqual(self.result(outcomes, "models")[0], "skipped")
        self.assertEqual(device.exit_code(outcomes), 77)

    def test_a_step_that_ran_out_of_time_failed(self):
        self.assertEqual(self.result(run_all(WHOLE, {"examples": (None, "")}), "examples"), ("failed", "it ran out of time"))

    def test_tests_that_were_skipped_are_no_success(self):
        skipped = (0, "1/2 Test #7: a kernel ...***Skipped  0.3 sec\n100% tests passed, 0 tests failed out of 2\n")
        outcomes = run_all(WHOLE, {"tests on the GPU": skipped, "models": (77, "")})
        self.assertEqual(self.result(outcomes, "tests on the GPU"), ("skipped", "tests were skipped, or nothing was judged in them"))
        self.assertEqual(self.result(outcomes, "models"), ("skipped", "nothing was judged"))
        self.assertEqual(device.exit_code(outcomes), 77)

    def test_a_machine_without_a_gpu_is_no_success(self):
        self.assertEqual(device.exit_code(run_all(PLAIN)), 77)
        self.assertEqual(device.exit_code(run_all(WHOLE)), 0)


class Commands(unittest.TestCase):
    def test_a_command_that_runs_out_of_time_leaves_nothing_running_and_its_output_is_kept(self):
        with tempfile.TemporaryDirectory() as text:
            mark = pathlib.Path(text) / "child"
            script = f"sleep 60 & echo $! > '{mark}'; echo begun; wait"
            code, output = device.run(device.Step("slow", ("sh", "-c", script)), 1)
            self.assertEqual((code, output), (None, "begun\n"))
            stat = pathlib.Path(f"/proc/{mark.read_text().strip()}/stat")
            for _ in range(100):
                if not stat.exists() or stat.read_text().rsplit(")", 1)[1].split()[0] == "Z":
                    return
                time.sleep(0.05)
            self.fail("what the command started still runs")

    def test_a_program_that_is_not_there_fails(self):
        self.assertEqual(device.run(device.Step("none", ("/nonexistent/program",)), 1)[0], 127)
        self.assertEqual(device.run(device.Step("some", ("sh", "-c", "echo said; exit 3")), 10), (3, "said\n"))


class Report(unittest.TestCase):
    def test_it_has_a_line_for_each_step_and_the_output_of_what_failed(self):
        text = device.report(PLAIN, run_all(PLAIN, {"build tests": (1, "error: no such file")}), "3 claims\n")
        self.assertIn("GPU: none: libcuda.so.1: cannot open shared object file", text)
        self.assertIn("PyTorch with CUDA: none: python3 has no PyTorch", text)
        self.assertIn("| build tests | failed | 1.0 | exit code 1 |", text)
        self.assertIn("| examples | skipped | 0.0 | no GPU can be used: libcuda", text)
        self.assertIn("error: no such file", text)
        self.assertIn("3 claims", text)

    def test_a_driver_that_is_not_there_says_so_in_the_words_of_the_linker(self):
        self.assertIn("/nonexistent/libcuda.so.1: cannot open shared object file", device.why_no_gpu("/nonexistent/libcuda.so.1"))


class Pack(unittest.TestCase):
    def test_what_is_built_with_is_copied_as_a_prefix_and_what_is_missing_is_named(self):
        with tempfile.TemporaryDirectory() as text:
            system, folder = pathlib.Path(text) / "usr", pathlib.Path(text) / "prefix"
            for file in ("include/fmt/core.h", "include/nlohmann/json.hpp", "include/catch2/catch_all.hpp", "lib/cmake/Catch2/Catch2Config.cmake",
                         "lib/libCatch2.a", "share/cmake/nlohmann_json/nlohmann_jsonConfig.cmake"):
                (system / file).parent.mkdir(parents=True, exist_ok=True)
                (system / file).write_text(file)
            self.assertEqual(device.pack(folder, system), ["CLI11"])
            self.assertEqual((folder / "lib/libCatch2.a").read_text(), "lib/libCatch2.a")
            self.assertEqual((folder / "include/fmt/core.h").read_text(), "include/fmt/core.h")


if __name__ == "__main__":
    unittest.main()
