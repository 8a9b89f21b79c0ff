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


def judge_all(asked, ledger, todo):
    """Runs what is not finished. Each experiment's line is printed when it ends."""
    for number, experiment in enumerate(todo, 1):
        where = f"perfspec models: {number} of {len(todo)}: {experiment.name}"
        if ledger.is_finished(experiment.name):
            print(f"{where}: finished before", flush=True)
            continue
        print(where, flush=True)
        seconds = run(asked, experiment, ledger)
        print(f"  {outcomes.one_line(ledger.records_of(experiment.name))}, {seconds:.1f} s", flush=True)


def judge_models(words):
    asked = options.read(words, __doc__)
    todo = plan.experiments_of(asked)
    if asked.list:
        print("\n".join(each.name for each in todo))
        return 0
    with Ledger(asked.output, plan.identity_of(asked), asked.again) as ledger:
        judge_all(asked, ledger, todo)
        outcomes.print_tables(asked.output)
        print(f"perfspec models: {len(todo)} experiment{'s' * (len(todo) > 1)}; results are in {asked.output}")
        return outcomes.exit_code(todo, ledger)


def main(words):
    """The exit code."""
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    try:
        return judge_models(words)
    except (Refusal, OSError) as error:
        return print(f"perfspec models: {error}", file=sys.stderr) or 2
    except KeyboardInterrupt:
        return 130
