# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The options of `python -m perfspec models`."""

from __future__ import annotations

import argparse
import pathlib
import re

from ..faults import Refusal
from ..suites import DTYPES

MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")  # of inductor; other backends may have others


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Refusal(f"{message}; see python -m perfspec models --help")


def comma_separated(text):
    """Different values with commas between."""
    values = text.split(",")
    if not all(re.fullmatch(r"[\w./: +-]+", each) for each in values):
        raise argparse.ArgumentTypeError(f'"{text}" is not of values with commas between')
    if len(set(values)) < len(values):
        raise argparse.ArgumentTypeError(f'"{text}" has a value twice')
    return values


def number(pattern, expected, convert):
    def read(text):
        if not re.fullmatch(pattern, text):
            raise argparse.ArgumentTypeError(f'"{text}" is no {expected}')
        return convert(text)

    return read


whole = number(r"[1-9][0-9]{0,6}", "whole number from 1", int)
ratio = number(r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]{1,6})?", "speedup, such as 0.95", float)


def regular_expression(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f'"{text}" is no regular expression: {error}') from None


def part(text):
    """(2, 4) of "2/4", the second of four."""
    index, _, count = text.partition("/")
    if not (index.isdigit() and count.isdigit() and 1 <= int(index) <= int(count)):
        raise argparse.ArgumentTypeError(f'"{text}" is not a part and how many there are, such as 1/4')
    return int(index), int(count)


def parser_with(description):
    parser = Parser(prog="python -m perfspec models", description=description, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    add("--suite", type=comma_separated, help="torchvision, timm, huggingface, torchbench, or files such as my_suite.py")
    add("--models", type=comma_separated, default=[], help="these alone, in place of the suites' lists; of each suite those that it has")
    add("--filter", type=regular_expression, action="append", default=[], help="regular expression: models whose name has a match; may be repeated")
    add("--exclude", type=regular_expression, action="append", default=[], help="the same, to leave models out")
    add("--partition", type=part, default=(1, 1), metavar="I/N", help="every N-th experiment, from the I-th on")
    add("--backend", type=comma_separated, default=["inductor"], help="of torch.compile  [inductor]")
    add("--mode", type=comma_separated, default=["default"], help=f"of torch.compile: {', '.join(MODES)}  [default]")
    add("--dtype", type=comma_separated, default=["float32"], help="float32, bfloat16, float16, amp  [float32]")
    add("--device", type=comma_separated, default=["cpu"], help="[cpu]")
    add("--inference", action="store_true", help="calls of the model  [if --training is not given]")
    add("--training", action="store_true", help="steps of SGD")
    add("--use-eval-mode", action="store_true", help="of --training: on models in evaluation mode, without statistics of the batch")
    add("--accuracy", action="store_true", help="compare outputs, and of training gradients  [with --performance, if neither is given]")
    add("--performance", action="store_true", help="measure speedup, compile time, graphs and memory; outputs are compared before this, too")
    add("--claim", type=ratio, default=0.95, metavar="SPEEDUP", help="with --performance: judge whether speedup(eager, compiled) > SPEEDUP  [0.95]")
    add("--batch", type=whole, default=2, help="[2]")
    add("--threads", type=whole, help="of each worker  [as PyTorch chooses]")
    add("--repeat", type=whole, default=1, help="experiments of each kind  [1]")
    add("--timeout", type=whole, default=900, help="seconds for an experiment, compiling included  [900]")
    add("--output", type=lambda path: pathlib.Path(path).resolve(), help="file of results, JSON lines")
    add("--again", action="store_true", help="starts over: empties the file of results")
    add("--list", action="store_true", help="prints the experiments, and runs none")
    return parser


def parse(argv, description):
    """The options. Raises Refusal for a value that is not legal, and names legal ones."""
    arguments = parser_with(description).parse_args(argv)
    if not arguments.suite:
        raise Refusal("--suite is missing: name one, such as --suite timm, or a file of your own")
    if wrong := [each for each in arguments.dtype if each not in DTYPES]:
        raise Refusal(f'--dtype is "{wrong[0]}", expected {", ".join(DTYPES)}')
    if "inductor" in arguments.backend and (wrong := [each for each in arguments.mode if each not in MODES]):
        raise Refusal(f'--mode is "{wrong[0]}", expected {", ".join(MODES)}')
    if not arguments.list and arguments.output is None:
        raise Refusal("--output is missing: name the file of results, such as --output results.jsonl")
    if arguments.use_eval_mode and not arguments.training:
        raise Refusal("--use-eval-mode is about steps of training, and inference is in evaluation mode anyway: add --training, or leave it out")
    if not arguments.training:
        arguments.inference = True
    if not arguments.accuracy and not arguments.performance:
        arguments.accuracy = arguments.performance = True
    return arguments
