# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A training step that two processes share: each has half of the batch, and DistributedDataParallel averages their gradients.

usage, for the second process: process_group.py PORT THREADS
    PORT     of this machine, at which both meet
    THREADS  of this process
It does what each line of its input says, "make" or "step NUMBER exchange|keep", and answers with a line. It ends with its input.
"""
import contextlib
import os
import subprocess
import sys

import torch
import torch.distributed
from torch.nn.parallel import DistributedDataParallel

WIDTH, BATCH, PROCESSES = 512, 256, 2


def network() -> torch.nn.Module:
    torch.manual_seed(0)
    return torch.nn.Sequential(torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, WIDTH), torch.nn.ReLU(), torch.nn.Linear(WIDTH, 10))


def batch() -> tuple[torch.Tensor, torch.Tensor]:
    torch.manual_seed(1)
    return torch.randn(BATCH, WIDTH), torch.randint(10, (BATCH,))


def gradients(net: torch.nn.Module, images: torch.Tensor, labels: torch.Tensor) -> list[torch.Tensor]:
    net.zero_grad(set_to_none=True)
    torch.nn.functional.cross_entropy(net(images), labels).backward()
    return [p.grad for p in net.parameters()]


def meeting(port: int, leads: bool) -> torch.distributed.TCPStore:
    return torch.distributed.TCPStore("127.0.0.1", port, PROCESSES, is_master=leads, wait_for_workers=False)


def join(rank: int, store: torch.distributed.TCPStore) -> None:
    os.environ.setdefault("GLOO_SOCKET_IFNAME", "lo")  # both are on this machine
    torch.distributed.init_process_group("gloo", store=store, rank=rank, world_size=PROCESSES)


class Share:
    """What one process has of the step."""

    def __init__(self, rank: int) -> None:
        self.net = DistributedDataParallel(network())
        self.data = [t.chunk(PROCESSES)[rank] for t in batch()]

    def step(self, exchange: bool) -> list[torch.Tensor]:
        """The gradients: of the whole batch, or without exchange of this share."""
        with contextlib.nullcontext() if exchange else self.net.no_sync():
            return gradients(self.net, *self.data)


class Leader:
    """The first process, which starts the second one and has it do the same."""

    def __init__(self) -> None:
        store = meeting(0, leads=True)  # at a port that is free
        self.other = subprocess.Popen([sys.executable, __file__, str(store.port), str(torch.get_num_threads())], stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, text=True)
        join(0, store)
        self.shares: list[Share] = []

    def tell(self, line: str) -> None:
        self.other.stdin.write(line + "\n")
        self.other.stdin.flush()

    def wait(self) -> None:
        if not self.other.stdout.readline():
            raise RuntimeError("the second process ended")

    def make(self) -> int:
        self.tell("make")
        self.shares.append(Share(0))
        self.wait()
        return len(self.shares) - 1

    def step(self, number: int, exchange: bool) -> list[torch.Tensor]:
        """A step is over when both processes have done their share."""
        self.tell(f"step {number} {'exchange' if exchange else 'keep'}")
        result = self.shares[number].step(exchange)
        self.wait()
        return result


def follow(port: int, threads: int) -> None:
    torch.set_num_threads(threads)
    join(1, meeting(port, leads=False))
    shares: list[Share] = []
    for line in sys.stdin:
        command, *rest = line.split()
        if command == "make":
            shares.append(Share(1))
        else:
            shares[int(rest[0])].step(rest[1] == "exchange")
        print("done", flush=True)


if __name__ == "__main__":
    follow(int(sys.argv[1]), int(sys.argv[2]))
