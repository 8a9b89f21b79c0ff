# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A worker that speaks the protocol, and counts in microseconds or answers twice. Its only subject sleeps for 20 ms."""
import os
import sys
import time


def send(text: str) -> None:
    digest = 0xCBF29CE484222325
    for byte in text.encode():
        digest = ((digest ^ byte) * 0x100000001B3) & 0xFFFFFFFFFFFFFFFF
    os.write(3, f"perfspec-answer 3 {len(text.encode())} {digest:016x}\n{text}\n".encode())


def main() -> None:
    send("hello protocol=1 language=Python subject=slow")
    for line in os.fdopen(4):
        word, *fields = line.split()
        asked = dict(field.split("=", 1) for field in fields)
        answer = "loaded"
        if word == "run":
            begun = time.perf_counter_ns()
            for _ in range(int(asked["iterations"])):
                time.sleep(0.02)
            elapsed = time.perf_counter_ns() - begun
            answer = f"ran iterations={asked['iterations']} elapsed_ns={elapsed if sys.argv[1] == 'twice' else elapsed // 1000} cpu_ns=1"
        send(f"{answer} number={asked['number']}")
        if word == "run" and sys.argv[1] == "twice":
            send(f"ran iterations={asked['iterations']} elapsed_ns=1000 cpu_ns=1 number={asked['number']}")


main()
