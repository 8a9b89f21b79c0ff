# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""The options of ci/models."""
import argparse
import pathlib
import re

from . import Trouble

DTYPES = ("float32", "bfloat16", "float16", "amp")
MODES = ("default", "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs")  # of inductor; other backends may have others


class Parser(argparse.ArgumentParser):
    def error(self, message):
        raise Trouble(f"{message}; see ci/models --help")


def listed(text):
    """Values with commas between, each once."""
    values = text.split(",")
    if not all(re.fullmatch(r"[\w./: +-]+", each) for each in values):
        raise argparse.ArgumentTypeError(f'"{text}" is not of values with commas between')
    if len(set(values)) < len(values):
        raise argparse.ArgumentTypeError(f'"{text}" has a value twice')
    return values


def whole(text):
    if not (re.fullmatch(r"[0-9]{1,7}", text) and int(text) > 0):
        raise argparse.ArgumentTypeError(f'"{text}" is no whole number from 1')
    return int(text)


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
    parser = Parser(prog="ci/models", description=about, formatter_class=argparse.RawDescriptionHelpFormatter, allow_abbrev=False)
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
    add("--batch", type=whole, default=2, help="[2]")
    add("--threads", type=whole, help="of each worker  [as PyTorch chooses]")
    add("--repeat", type=whole, default=1, help="experiments of each kind  [1]")
    add("--timeout", type=whole, default=900, help="seconds for an experiment, compiling included  [900]")
    add("--output", type=pathlib.Path, help="file of results, JSON lines")
    add("--again", action="store_true", help="starts over: empties the file of results")
    add("--list", action="store_true", help="prints the experiments, and runs none")
    add("--judge", type=pathlib.Path, help="the program perfspec-judge  [of the newest build beside this script's folder]")
    return parser


def read(words, about):
    """The options. Raises Trouble for a value that is not legal, with one that is."""
    asked = parser_of(about).parse_args(words)
    if not asked.suite:
        raise Trouble("--suite is missing: name one, such as --suite timm, or a file of your own")
    if wrong := [each for each in asked.dtype if each not in DTYPES]:
        raise Trouble(f'--dtype is "{wrong[0]}", expected {", ".join(DTYPES)}')
    if "inductor" in asked.backend and (wrong := [each for each in asked.mode if each not in MODES]):
        raise Trouble(f'--mode is "{wrong[0]}", expected {", ".join(MODES)}')
    if not asked.list:
        require_output(asked)
    if asked.use_eval_mode and not asked.training:
        raise Trouble("--use-eval-mode is about steps of training, and inference is in evaluation mode anyway: add --training, or leave it out")
    if not asked.training:
        asked.inference = True
    if not asked.accuracy and not asked.performance:
        asked.accuracy = asked.performance = True
    return asked


def require_output(asked):
    if asked.output is None:
        raise Trouble("--output is missing: name the file of results, such as --output results.jsonl")
    if not asked.output.parent.is_dir():
        raise Trouble(f'--output is "{asked.output}", whose folder does not exist: make it, or name another')
    if asked.output.is_dir():
        raise Trouble(f'--output is "{asked.output}", which is a folder: name a file in it')
    asked.output = asked.output.resolve()
