# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
from dataclasses import dataclass

# The test programs that should notice a bug in a stage: built and run until the first failure.
PROGRAMS = {"language": ("perfspec_language_test", "perfspec_run_test"),
            "plan": ("perfspec_plan_test",),
            "quantity": ("perfspec_quantity_test",),
            "stats": ("perfspec_stats_test",),
            "measure": ("perfspec_measure_test",),
            "process": ("perfspec_process_test",),
            "python": ("perfspec_python_test",),
            "baseline": ("perfspec_baseline_test",),
            "report": ("perfspec_report_test",),
            **{stage: ("perfspec_run_test",) for stage in ("session", "claim", "fresh_processes", "procedures", "against_baseline", "judge", "doctor", "program")},
            "callgrind": ("perfspec_callgrind_test",),
            "explain": ("perfspec_explain_test",),
            "catch2": ("perfspec_catch2_test",),
            "cuda": ("perfspec_cuda_test",),
            "gpu": ("perfspec_gpu_test",),
            "libtorch": ("libtorch_test",),
            "tool": ("perfspec_tool_test",),
            **{target: (target,) for target in ("fuzz/results", "fuzz/baselines", "fuzz/project_file", "fuzz/messages", "fuzz/profiles")}}


@dataclass(frozen=True)
class Mutant:
    name: str
    short_file: str  # below include/perfspec; tool/… below ci
    breaks: str
    old: str
    new: str
    tested_by: str = ""  # the stage whose programs notice it, where that is not its own

    @property
    def stage(self):
        return self.short_file.split("/")[0]

    @property
    def file(self):
        return ("ci/" if self.stage == "tool" else "include/perfspec/") + self.short_file

    @property
    def programs(self):
        return PROGRAMS[self.tested_by or self.stage]
