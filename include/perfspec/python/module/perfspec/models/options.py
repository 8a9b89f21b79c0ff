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


def listed(text):
    """Values with commas between, each once."""
    values = text.split(",")
    if not all(re.fullmatch(r"[\w./: +-]+", each) for each in values):
        raise argparse.ArgumentTypeError(f'"{text}" is not of values with commas between')
    if len(set(values)) < len(values):
        raise argparse.ArgumentTypeError(f'"{text}" has a value twice')
    return values


def number(spelled, expected, read):
    def take(text):
        if not re.fullmatch(spelled, text):
            raise argparse.ArgumentTypeError(f'"{text}" is no {expected}')
        return read(text)

    return take


whole = number(r"[1-9][0-9]{0,6}", "whole number from 1", int)
ratio = number(r"(?=.*[1-9])[0-9]{1,3}(\.[0-9]{1,6})?", "speedup, such as 0.95", float)


def pattern(text):
    try:
        return re.compile(text)
    except re.error as error:
        raise argparse.ArgumentTypeError(f'"{text}" is no regular expression: {error}') from None


def part(text):
    """Reads "2/4", the second of four."""
    number, slash, of = text.partition("/")
    if not (slash and number.isdigit() and of.isdigit() and 1 <= int(number) <= int(of)):
        raise argparse.ArgumentTypeError(f'"{text}" is not a part and how many there are, such as 1/4')
    return int(number), int(of)


def parser_of(about):
    parser = Parser(prog="python -m perfspec models", description=about, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
    add = parser.add_argument
    add("--suite", type=listed, help="torchvision, timm, huggingface, torchbench, or files such as my_suite.py")
    add("--models", type=listed, default=[], help="these alone, in place of the suites' lists; of each suite those that it has")
    add("--filter", type=pattern, action="append", default=[], help="regular expression: models whose name has a match; may be repeated")
    add("--exclude", type=pattern, action="append", default=[], help="the same, to leave models out")
    add("--partition", type=part, default=(1, 1), metavar="I/N", help="every N-th experiment, from the I-th on")
    add("--backend", type=listed, default=["inductor"], help="of torch.compile  [inductor]")
    add("--mode", type=listed, default=["default"], help=f"of torch.compile: {', '.join(MODES)}  [default]")
    add("--dtype", type=listed, default=["float32"], help="float32, bfloat16, float16, amp  [float32]")
    add("--device", type=listed, default=["cpu"], help="[cpu]")
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


def read(words, about):
    """The options. Raises Refusal for a value that is not legal, with one that is."""
    asked = parser_of(about).parse_args(words)
    if not asked.suite:
        raise Refusal("--suite is missing: name one, such as --suite timm, or a file of your own")
    if wrong := [each for each in asked.dtype if each not in DTYPES]:
        raise Refusal(f'--dtype is "{wrong[0]}", expected {", ".join(DTYPES)}')
    if "inductor" in asked.backend and (wrong := [each for each in asked.mode if each not in MODES]):
        raise Refusal(f'--mode is "{wrong[0]}", expected {", ".join(MODES)}')
    if not asked.list and asked.output is None:
        raise Refusal("--output is missing: name the file of results, such as --output results.jsonl")
    if asked.use_eval_mode and not asked.training:
        raise Refusal("--use-eval-mode is about steps of training, and inference is in evaluation mode anyway: add --training, or leave it out")
    if not asked.training:
        asked.inference = True
    if not asked.accuracy and not asked.performance:
        asked.accuracy = asked.performance = True
    return asked
