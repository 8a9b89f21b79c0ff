# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects of which everybody knows how they compare. They need no library."""
import functools
import math
import random
import subprocess
import sys
import threading
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


@perfspec.subject("of a batch")
def of_a_batch(batch=1):
    return lambda: work(batch)


@perfspec.subject
def four():
    """Four times the work for the same result."""
    return lambda: work(4) // 4


@perfspec.subject
def wrong():
    return lambda: work(1) // 2


@perfspec.subject
def half():
    """Half of the work, and half of the result."""
    return lambda: sum(NUMBERS[: len(NUMBERS) // 2])


def squares() -> list:
    return [sum(n * n for n in range(each)) for each in (1000, 2000, 3000, 4000)]


@perfspec.subject("four squares")
def four_squares():
    return lambda: squares()


@perfspec.subject("computed once")
def computed_once():
    return functools.lru_cache(maxsize=None)(squares)


@perfspec.subject("computed while it was built")
def computed_while_it_was_built():
    found = squares()
    return lambda: found


@perfspec.subject("in a dictionary that was filled while it was built")
def in_a_dictionary_that_was_filled_while_it_was_built():
    found = {"squares": squares()}
    return lambda: found["squares"]


@perfspec.subject("a copy of what it computed once")
def a_copy_of_what_it_computed_once():
    found = []

    def body():
        if not found:
            found.extend(squares())
        return list(found)

    return body


class Kept:
    numbers = []


@perfspec.subject("a copy of what a class keeps")
def a_copy_of_what_a_class_keeps():
    def body():
        if not Kept.numbers:
            Kept.numbers.extend(squares())
        return list(Kept.numbers)

    return body


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


ROOTS = [math.sqrt(n) for n in range(1, 100)]


@perfspec.subject("roots")
def roots():
    """What it says of its results in double precision are random numbers nearby, of a generator of its own."""
    own = random.Random(7)
    return perfspec.body(lambda: [math.sqrt(n) for n in range(1, 100)], precise=lambda: [each + own.uniform(1, 2) for each in ROOTS])


@perfspec.subject("rough roots")
def rough_roots():
    return lambda: [each + 0.01 for each in ROOTS]


@perfspec.subject("left to a thread")
def left_to_a_thread():
    return lambda: threading.Thread(target=work, args=(400,)).start()


@perfspec.subject("left to a process")
def left_to_a_process():
    return lambda: subprocess.Popen([sys.executable, "-c", "sum(range(10**8))"])


@perfspec.subject("left to a pool")
def left_to_a_pool():
    """Some milliseconds of C, in a thread that is there already."""
    import concurrent.futures
    import hashlib
    data = bytes(4 << 20)
    pool = concurrent.futures.ThreadPoolExecutor(1)
    expected = pool.submit(hashlib.sha256, data).result().hexdigest()

    def body():
        pool.submit(hashlib.sha256, data)
        return expected

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
    """The same time in a process that is there already, and stays."""
    import multiprocessing
    pool = multiprocessing.get_context("fork").Pool(1)
    return lambda: pool.map(compute, [1])


@perfspec.subject
def promised():
    async def later():
        return work(4)

    return lambda: later()


@perfspec.subject("with another clock")
def with_another_clock():
    """A program that freezes time, as some tests do."""
    time.perf_counter_ns = time.process_time_ns = time.monotonic_ns = lambda: 0
    time.perf_counter = time.process_time = time.monotonic = lambda: 0.0
    return lambda: work(4)


@perfspec.subject("fails now and then")
def fails_now_and_then():
    calls = iter(range(1, 10**9))

    def body():
        if next(calls) % 20 == 0:
            raise ValueError("twentieth call")
        return work(1)

    return body


@perfspec.subject("100 MiB")
def hundred_mebibytes():
    return lambda: len(bytearray(100 << 20))


@perfspec.subject("slow to build")
def slow_to_build():
    time.sleep(0.5)
    return lambda: work(1)


@perfspec.subject("on two threads")
def on_two_threads():
    """Two threads of C that compute at once: hashing releases the lock of Python."""
    import hashlib
    data = bytes(4 << 20)

    def body():
        threads = [threading.Thread(target=hashlib.sha256, args=(data,)) for _ in range(2)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()

    return body


@perfspec.subject("NaN")
def not_a_number():
    return lambda: float("nan")


def shuffled():
    """Numbers in an order that takes a sort its longest."""
    return [at * 7919 % 100003 for at in range(100003)]


@perfspec.subject("sorts a copy")
def sorts_a_copy():
    numbers = shuffled()
    return lambda: sorted(numbers)


@perfspec.subject("sorts in place")
def sorts_in_place():
    numbers = shuffled()

    def body():
        numbers.sort()
        return numbers

    return body


class Box:
    def __init__(self, numbers):
        self.numbers = numbers


@perfspec.subject("sorts a copy of a few")
def sorts_a_copy_of_a_few():
    numbers = shuffled()[:60]
    return lambda: sorted(numbers)


@perfspec.subject("sorts a copy of some")
def sorts_a_copy_of_some():
    numbers = shuffled()[:2000]
    return lambda: sorted(numbers)


@perfspec.subject("sorts a few in place")
def sorts_a_few_in_place():
    numbers = shuffled()[:60]

    def body():
        numbers.sort()
        return numbers

    return body


@perfspec.subject("sorts in an object")
def sorts_in_an_object():
    box = Box(shuffled()[:2000])

    def body():
        box.numbers.sort()
        return box.numbers

    return body
