# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Judges models of suites under torch.compile beside the same in eager mode, and prints the tables of `perfspec report --suite`.

  python -m perfspec models --suite timm --output results.jsonl
  python -m perfspec models --suite timm,huggingface --backend inductor --mode default,max-autotune --dtype float32,bfloat16 --training --inference --output results.jsonl
  python -m perfspec models --suite my_suite.py --list

Each experiment, a model in one configuration, runs in processes of its own with a time-out. One that crashes, hangs or lacks memory does not stop the
others: it is a line with the code of benchmarks/dynamo. A run that was stopped goes on where it was, with the same command. The results of an
experiment are in the file once it is finished, so none is there twice; the folder FILE.experiments beside it has those of each finished one.

The exit code is 0, 42 where an experiment failed, else 77 where one was not judged, and 2 for wrong input.
"""

from __future__ import annotations

import signal
import sys

from ..faults import Refusal
from . import options, outcomes, plan
from .ledger import Ledger
from .running import run


def judge_all(arguments, ledger, experiments):
    """Runs the unfinished experiments, and prints a line when each ends."""
    for number, experiment in enumerate(experiments, 1):
        progress = f"perfspec models: {number} of {len(experiments)}: {experiment.name}"
        if ledger.is_finished(experiment.name):
            print(f"{progress}: finished before", flush=True)
            continue
        print(progress, flush=True)
        seconds = run(arguments, experiment, ledger)
        print(f"  {outcomes.one_line(ledger.records_of(experiment.name))}, {seconds:.1f} s", flush=True)


def judge_models(argv):
    arguments = options.parse(argv, __doc__)
    experiments = plan.experiments_of(arguments)
    if arguments.list:
        print("\n".join(each.name for each in experiments))
        return 0
    with Ledger(arguments.output, plan.identity_of(arguments), arguments.again) as ledger:
        judge_all(arguments, ledger, experiments)
        outcomes.print_tables(arguments.output)
        print(f"perfspec models: {len(experiments)} experiment{'s' * (len(experiments) > 1)}; results are in {arguments.output}")
        return outcomes.exit_code(experiments, ledger)


def main(argv):
    """Returns the exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return judge_models(argv)
    except (Refusal, OSError) as error:
        return print(f"perfspec models: {error}", file=sys.stderr) or 2
    except KeyboardInterrupt:
        return 130
