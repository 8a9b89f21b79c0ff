# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Subjects whose calls change what they work on: some have less to do from then on, and some have not."""
import collections
import heapq

import perfspec

DATA = [(each, str(each)) for each in range(30_000)]  # of the project: much to look at beside a cache
MEMO = {}


def features(count):
    return [sum(n * n for n in range(each)) for each in range(count)]


@perfspec.subject("a queue")
def a_queue():
    jobs = collections.deque(range(20_000))

    def body():
        done = 0
        while jobs:
            done += jobs.popleft() % 7
        return done

    return body


class Simulation:
    """Handles events in their order. What it returns grows no more when there are none."""

    def __init__(self, work):
        self.events = [(float(each), f"event {each}") for each in range(20_000)]
        heapq.heapify(self.events)
        self.handled, self.work = 0, work

    def run(self):
        while self.events:
            _, what = heapq.heappop(self.events)
            for _ in range(self.work):
                self.handled += len(what)
        return self.handled // self.work


@perfspec.subject("simulated")
def simulated():
    simulation = Simulation(1)
    return lambda: simulation.run()


@perfspec.subject("simulated slowly")
def simulated_slowly():
    simulation = Simulation(30)
    return lambda: simulation.run()


def rows():
    return [(each * 7919 % 20011, each) for each in range(20_011)]


@perfspec.subject("sorts a copy of rows")
def sorts_a_copy_of_rows():
    held = rows()
    return lambda: sorted(held)


@perfspec.subject("sorts rows in place")
def sorts_rows_in_place():
    held = rows()

    def body():
        held.sort()
        return held

    return body


@perfspec.subject("computes beside data")
def computes_beside_data():
    return lambda: features(len(DATA) // 100)


@perfspec.subject("copies beside data")
def copies_beside_data():
    return lambda: list(MEMO.setdefault("made", None) or MEMO.update(made=features(len(DATA) // 100)) or MEMO["made"])


SHARED = {}


@perfspec.subject("fills a cache")
def fills_a_cache():
    def body():
        found = features(300)
        SHARED.setdefault("made", found)
        return found

    return body


@perfspec.subject("reads the cache")
def reads_the_cache():
    return lambda: list(SHARED["made"]) if "made" in SHARED else features(300)


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
    """Like a training step that gathers gradients of two batches, and writes down its losses."""
    losses, done = [0.0] * 1000, [0]

    def step():
        losses[done[0] % 1000] = float(done[0] + 1)
        done[0] += 1
        return sum(range(200_000 if done[0] % 2 == 0 else 20_000))

    return step
