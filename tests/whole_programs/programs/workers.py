# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects with obvious ratios. They need no library."""
import collections
import subprocess
import sys
import time

import perfspec

NUMBERS = list(range(20000))


def work(times: int = 1) -> int:
    return sum(sum(NUMBERS) for _ in range(times))


@perfspec.subject
def one():
    return lambda: work(1)


@perfspec.subject("another one")
def another_one():
    return lambda: work(1)


@perfspec.subject
def four():
    """Four times the work for the same result."""
    return lambda: work(4) // 4


@perfspec.subject
def half():
    """Half of the work, and half of the result."""
    return lambda: sum(NUMBERS[: len(NUMBERS) // 2])


def squares() -> list:
    return [sum(n * n for n in range(each)) for each in (1000, 2000, 3000, 4000)]


@perfspec.subject("four squares")
def four_squares():
    return lambda: squares()


@perfspec.subject("computed while it was built")
def computed_while_it_was_built():
    found = squares()
    return lambda: found


@perfspec.subject("a copy of what it computes")
def a_copy_of_what_it_computes():
    found = []

    def body():
        found[:] = squares()
        return list(found)

    return body


@perfspec.subject("in a list that it keeps")
def in_a_list_that_it_keeps():
    found = [0]

    def body():
        found[:] = squares()
        return found

    return body


def compute(_=None) -> int:
    """100 ms of processor time."""
    end = time.process_time() + 0.1
    while time.process_time() < end:
        pass
    return 1


@perfspec.subject("in a process of its own")
def in_a_process_of_its_own():
    """100 ms of processor time and 100 MiB, in a process that the body waits for."""
    code = "import time\nx = bytearray(100 << 20)\nwhile time.process_time() < 0.1: pass"
    return lambda: subprocess.run([sys.executable, "-c", code], check=True).returncode


@perfspec.subject("in a pool")
def in_a_pool():
    """The same time in a process that exists before and after the call."""
    import multiprocessing
    pool = multiprocessing.get_context("fork").Pool(1)
    return lambda: pool.map(compute, [1])


@perfspec.subject
def promised():
    async def later():
        return work(4)

    return lambda: later()


@perfspec.subject("slow to build")
def slow_to_build():
    time.sleep(0.5)
    return lambda: work(1)


class Blocks:
    def __init__(self, free):
        self.free, self.used = free, set()

    def take(self):
        block = self.free.pop()
        assert block not in self.used, f"block {block} is in use already"
        self.used.add(block)
        return block

    def give(self, block):
        self.used.remove(block)
        self.free.append(block)


@perfspec.subject("serves from blocks")
def serves_from_blocks():
    """Like the cache of a server of language models: a step takes blocks, and gives back those of the oldest request."""
    free = list(range(512))
    blocks, running = Blocks(free), collections.deque()

    def step():
        running.append([blocks.take() for _ in range(4)])
        if len(running) > 20:
            for each in running.popleft():
                blocks.give(each)
        return len(free)

    return step


@perfspec.subject("updates in every second step")
def updates_in_every_second_step():
    """Like a training step that gathers gradients of two batches, and logs its losses."""
    losses, done = [0.0] * 1000, [0]

    def step():
        losses[done[0] % 1000] = float(done[0] + 1)
        done[0] += 1
        return sum(range(200_000 if done[0] % 2 == 0 else 20_000))

    return step
