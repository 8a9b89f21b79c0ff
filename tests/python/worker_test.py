#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""A worker in its own process, over its two descriptors: its answers, and the message of each fault."""

import ctypes
import os
import pickle
import signal
import subprocess
import sys
import time
import unittest

from started_worker import WORKER, Touch, WorkerTest, protocol, to
from perfspec import timing

EMPTY = "@perfspec.subject\ndef empty():\n    return lambda: sum([0.5, 0.5, 0.5])\n"


class Hello(WorkerTest):
    variables = {"OMP_NUM_THREADS": "3", "OMP_WAIT_POLICY": "passive", "PYTHONHASHSEED": "7", "TORCHINDUCTOR_COMPILE_THREADS": "1"}

    def test_it_names_its_subjects_in_their_order_and_what_times_depend_on(self):
        process = self.start("@perfspec.subject('b c')\ndef _(): return len\n@perfspec.subject\ndef a(): return len\n")
        version = sys.version.split()[0]
        self.assertEqual(process.receive(), ("hello", {"protocol": 2, "language": f"Python {version}", "subjects": ["b c", "a"],
                                                       "settings": {"threads": "3", "wait_policy": "passive", "compile_threads": "1", "hash_seed": "7"}}))



class Importing(WorkerTest):
    def test_a_file_that_throws_is_reported_with_its_line(self):
        self.assertEqual(self.import_reason("x = 1\nraise ValueError('no weights')\n"), "importing models.py threw ValueError: no weights (models.py:3)")

    def test_a_missing_module_is_reported(self):
        self.assertEqual(self.import_reason("import no_such_module\n"), f"importing models.py threw ModuleNotFoundError: No module named 'no_such_module'; install it for {sys.executable}, or name another Python by PERFSPEC_PYTHON (models.py:2)")

    def test_a_syntax_error_is_reported_with_its_line(self):
        self.assertIn("SyntaxError: ", reason := self.import_reason("def f(:\n"))
        self.assertIn("(models.py:2)", reason)

    def test_a_file_that_exits_is_reported(self):
        self.assertIn("SystemExit: it ended the program with 3, but a subject must return or raise another exception (models.py:2)", self.import_reason("raise SystemExit(3)\n"))

    def test_a_file_without_subjects_is_reported(self):
        self.assertIn("has no subject: write @perfspec.subject above a function", self.import_reason(""))

    def test_two_subjects_of_one_name_in_two_files_are_reported_with_both(self):
        self.write("import perfspec\n\n" + EMPTY, "shared.py")
        self.assertIn("two subjects are called empty (shared.py:3 and models.py:3): give one another name by @perfspec.subject(\"another name\"), or move what both "
                      "files need into one without subjects", self.import_reason("import shared\n" + EMPTY))

    def test_the_worker_exits_with_0_after_it(self):
        process = self.start("")
        process.receive()
        self.assertEqual(process.end()[0], 0)

    def test_a_file_that_is_not_there_or_hides_a_module_is_reported(self):
        for name, words in (("gone.py", "there is no such file; the folder has perfspec.py, random.py. A relative path begins in the folder of the C++ file"), (self.write("", "random.py"), "there is already a module called random"),
                            (self.write("", "perfspec.py"), "there is already a module called perfspec")):
            process = self.start_command([sys.executable, str(WORKER), name])
            self.assertIn(words, process.receive()[1]["reason"])

    def test_files_of_the_folder_are_named_and_the_most_similar_one_is_suggested(self):
        for name in ("suite.py", "models.py", "notes.txt"):
            self.write("", name)
        process = self.start_command([sys.executable, str(WORKER), "modles.py"])
        self.assertIn("modles.py: there is no such file, did you mean models.py? The folder has models.py, suite.py. A relative path", process.receive()[1]["reason"])
        process = self.start_command([sys.executable, str(WORKER), "no_such_folder/models.py"])
        self.assertIn("models.py: there is no such file. A relative path", process.receive()[1]["reason"])

    def test_its_folder_and_its_name_are_known_to_it(self):
        self.write("value = 4\n", "beside.py")
        process = self.served("import beside, sys\nassert __name__ == 'models' and sys.modules['models'].beside and sys.argv[0].endswith('models.py')\n" + EMPTY)
        self.assertEqual(process.end()[0], 0)


class Bodies(WorkerTest):
    def test_each_request_is_answered(self):
        process = self.served("import random\n" + EMPTY + "@perfspec.subject\ndef drawn():\n    return lambda: [random.random()]\n")
        self.assertEqual(process.ask(to("load", subject="empty")), ("loaded", {}))
        word, fields = process.ask(to("run", subject="empty", iterations=5))
        self.assertEqual((word, fields["iterations"], int(fields["elapsed_ns"]) > 0, "cpu_ns" in fields), ("ran", 5, True, True))
        self.assertEqual(process.ask(to("value", subject="empty")), ("value", {"value": 1.5}))
        self.assertEqual(process.ask(to("compare", reference="drawn", candidate="drawn"))[1]["code"], "PASS")  # from one seed
        file = os.path.join(self.folder, "kept outputs")
        self.assertEqual(process.ask(to("write", subject="empty", file=file)), ("written", {}))
        self.assertEqual(process.ask(to("write", subject="empty", file=file))[1]["reason"], f"cannot write {file}: File exists")
        self.assertEqual(process.ask(to("compare", file=file, candidate="empty"))[1]["code"], "PASS")
        self.assertEqual(process.ask(to("compare", reference="empty", candidate="drawn"))[1]["code"], "FAIL")
        self.assertEqual(process.end()[0], 0)

    def test_the_collector_never_looks_at_what_was_loaded(self):
        process = self.served("import gc\n@perfspec.subject\ndef f(): return lambda: gc.get_freeze_count() > 1000 and 1\n")
        self.assertEqual(process.ask(to("value", subject="f")), ("value", {"value": 1}))

    def test_a_body_that_returns_nothing_is_noted(self):
        process = self.served("@perfspec.subject\ndef f(): return lambda: [2, 1].sort()\n" + EMPTY)
        self.assertIn("its body returned nothing, so its outputs cannot be compared", process.ask(to("run", subject="f", iterations=3))[1]["notes"][-1])

    def test_memory_is_that_of_one_call(self):
        word, fields = self.served("@perfspec.subject\ndef f():\n    return lambda: bytes(b'x') * (32 << 20)\n").ask(to("memory", subject="f"))
        if word == "error":
            self.skipTest(fields["reason"])
        self.assertTrue(31 << 20 <= int(fields["peak_bytes"]) < 36 << 20, fields)  # Linux counts pages in batches

    def test_memory_that_was_freed_before_counts_again(self):
        process = self.served("@perfspec.subject\ndef f():\n    before = [bytearray(100_000) for _ in range(401)]\n"
                              "    global on_top\n    on_top = before.pop()\n    del before\n    return lambda: [bytearray(100_000) for _ in range(300)]\n")
        word, fields = process.ask(to("memory", subject="f"))
        if word == "error" or not hasattr(ctypes.CDLL(None), "malloc_trim"):
            self.skipTest(fields.get("reason", "only glibc gives freed memory back"))
        self.assertGreater(int(fields["peak_bytes"]), 25 << 20)

    BURN = "def burn(_=0):\n    end = time.process_time() + 0.1\n    while time.process_time() < end: pass\n"

    def test_processor_time_of_child_processes_is_counted(self):
        process = self.served("import multiprocessing, subprocess, sys, time\n" + self.BURN + "pool = multiprocessing.get_context('fork').Pool(2)\n"
                              "@perfspec.subject\ndef started(): return lambda: subprocess.run([sys.executable, '-c', 'import time\\nwhile time.process_time() < 0.1: pass']).returncode\n"
                              "@perfspec.subject\ndef pooled(): return lambda: len(pool.map(burn, [1, 2]))\n"
                              "@perfspec.subject\ndef alone(): return lambda: 1\n")
        cpu_ms = {each: int(process.ask(to("run", subject=each, iterations=1))[1]["cpu_ns"]) / 1e6 for each in ("alone", "started", "pooled", "alone")}
        self.assertGreaterEqual(cpu_ms["started"], 100)
        self.assertGreaterEqual(cpu_ms["pooled"], 200)
        self.assertLess(cpu_ms["alone"], 50)  # the pool rests
        for each in ("started", "pooled"):
            self.assertEqual(process.ask(to("memory", subject=each)), ("error", {"kind": "unavailable", "reason":
                             "child processes work in a call, but their memory is not counted: let the body do its work in this process"}))
        self.assertNotEqual(process.ask(to("memory", subject="alone"))[1].get("kind"), "unavailable")

    def test_processor_time_of_children_that_the_system_does_not_keep_is_unknown(self):
        process = self.served("import signal\nsignal.signal(signal.SIGCHLD, signal.SIG_IGN)\n" + EMPTY)
        word, fields = process.ask(to("run", subject="empty", iterations=1))
        self.assertEqual((word, "cpu_ns" in fields, fields.get("cpu_unknown")), ("ran", False, "SIGCHLD is ignored, so the system does not keep the time of child processes"))

    def test_a_body_that_throws_is_reported_with_its_line_and_the_worker_goes_on(self):
        process = self.served("def deep():\n    raise KeyError('x')\n@perfspec.subject\ndef f():\n    return lambda: deep()\n" + EMPTY)
        self.assertEqual(process.ask(to("run", subject="f", iterations=1)), ("error", {"reason": "the body of f threw KeyError: 'x' (models.py:3)", "kind": "body_threw"}))
        self.assertEqual(process.ask(to("run", subject="empty", iterations=1))[0], "ran")

    def test_the_users_line_is_named_where_a_library_throws(self):
        self.assertIn("(models.py:4)", self.reason("import json\n@perfspec.subject\ndef f(): return lambda: json.loads('{')\n", to("run", subject="f", iterations=1), "body_threw"))

    def test_a_file_of_the_same_size_and_second_is_read_again(self):
        self.variables = {"PYTHONDONTWRITEBYTECODE": ""}  # as on most machines
        for number in (1.5, 2.5):
            file = self.write(f"import perfspec\n@perfspec.subject\ndef f(): return lambda: sum([{number}])\n")
            os.utime(file, (1e9, 1e9))
            process = self.start_command([self.python, str(WORKER), file])
            self.assertEqual(process.receive()[0], "hello")
            self.assertEqual(process.ask(to("value", subject="f")), ("value", {"value": number}))
        self.assertEqual(os.listdir(self.folder), ["models.py"])  # no file is written next to it

    def test_a_builder_that_throws_is_reported(self):
        self.assertEqual(self.reason("@perfspec.subject\ndef f(): open('no file')\n", to("load", subject="f"), "load_threw"),
                         "building f threw FileNotFoundError: [Errno 2] No such file or directory: 'no file' (models.py:3)")

    def test_everything_unexpected_is_an_answer(self):
        for code, words, kind in (("import sys; sys.exit(2)", "SystemExit: it ended the program with 2", "body_threw"),
                                  ("f()", "RecursionError", "body_threw"), ("bytearray(1 << 60)", "MemoryError", "out_of_memory"),
                                  ("raise RuntimeError('CUDA out of memory. Tried')", "CUDA out of memory", "out_of_memory")):
            with self.subTest(code):
                self.assertIn(words, self.reason(f"def f():\n    {code}\n@perfspec.subject\ndef g(): return f\n", to("run", subject="g", iterations=1), kind))

    def test_ctrl_c_in_a_body_ends_the_worker(self):
        process = self.served("def f(): raise KeyboardInterrupt\n@perfspec.subject\ndef g(): return f\n")
        process.send(to("run", subject="g", iterations=1))
        self.assertEqual(process.end()[0], 130)

    def test_outputs_before_the_first_run_are_refused(self):
        for code, words in (("async def f(): pass", "a coroutine"), ("def f(): yield 1", "a generator"), ("def f(): return f", "a function"),
                            ("import concurrent.futures as c\npool = c.ThreadPoolExecutor(1)\ndef f(): return pool.submit(len, '')", "a Future")):
            with self.subTest(code):
                self.assertIn("nothing has run yet: the body returned " + words,
                              self.reason(f"{code}\n@perfspec.subject\ndef g(): return lambda: f()\n", to("run", subject="g", iterations=1), "body_threw"))

    def test_values_that_are_no_numbers_are_refused(self):
        for code, words in (("'a'", "returned str: return the number to judge"), ("True", "returned bool"), ("-1", "a finite number of at least 0"),
                            ("float('nan')", "returned nan"), ("None", "returned NoneType")):
            with self.subTest(code):
                self.assertIn(words, self.reason(f"@perfspec.subject\ndef f(): return lambda: {code}\n", to("value", subject="f"), "no_value"))

    def test_nothing_turns_the_compiler_of_torch_off(self):
        self.variables = {"TORCHDYNAMO_DISABLE": "1", "TORCH_COMPILE_DISABLE": "1"}
        process = self.served("import os\n@perfspec.subject\ndef f(): return lambda: sum(name in os.environ for name in ('TORCHDYNAMO_DISABLE', 'TORCH_COMPILE_DISABLE'))\n")
        self.assertEqual(process.ask(to("value", subject="f")), ("value", {"value": 0}))

    def test_what_is_needed_and_not_installed_is_unavailable(self):
        word, fields = self.start("perfspec.needs('os', 'a_module_that_nobody_has')\n").receive()
        self.assertEqual((word, fields["kind"]), ("error", "unavailable"))
        self.assertIn("a_module_that_nobody_has is not installed for", fields["reason"])
        function = "@perfspec.subject\ndef f():\n    perfspec.needs('nobody_has.this')\n    return lambda: 1\n"
        self.assertIn("nobody_has.this is not installed for", self.reason(function, to("load", subject="f"), "unavailable"))

    def test_what_is_needed_and_broken_is_an_error(self):
        self.write("import a_module_that_nobody_has\n", "broken.py")
        self.assertIn("No module named 'a_module_that_nobody_has'", self.import_reason("perfspec.needs('broken')\n"))

    def test_requests_that_make_no_sense_are_answered(self):
        process = self.served(EMPTY)
        for line, words in ((to("dance"), "does not know the request dance; it knows load, run"), ("", "does not know"), (to("load"), 'the request load lacks the text "subject"'),
                            (to("run", subject="empty"), "iterations is None, expected a whole number of at least 1"), (to("run", subject="empty", iterations=0), "iterations is 0, expected a whole number of at least 1"),
                            (to("run", subject="emtpy", iterations=1), "did you mean empty?"), ("run subject", "does not know the request (Expecting value"), ("[]", "no object of JSON"),
                            (to("run", subject="empty", iterations=True), "iterations is True"), (to("run", subject=5, iterations=1), 'the text "subject"'), (to(["run"]), "does not know"),
                            (to("count", subject="empty", name="grahps"), "did you mean graphs?"), (to("count", subject="empty", name="graph_breaks"), "is it wrapped in torch.compile?"),
                            (to("compare", file="nowhere", candidate="empty"), "cannot read nowhere: FileNotFoundError")):
            process.send(line)
            word, fields = process.receive()
            self.assertEqual((word, words in fields["reason"]), ("error", True), fields)


class Comparisons(WorkerTest):
    def compared(self, reference, candidate, before=""):
        process = self.served(f"import random, itertools\nnumbers = itertools.count(1)\n{before}\n@perfspec.subject\ndef a(): return lambda: {reference}\n@perfspec.subject\ndef b(): return lambda: {candidate}\n")
        word, fields = process.ask(to("compare", reference="a", candidate="b"))
        self.assertEqual(word, "compared")
        return fields["code"], fields["text"]

    def test_codes_are_those_of_what_happened(self):
        for reference, candidate, code, words in (
                ("1.0", "1.0", "PASS", "within 0.0001"), ("1.0", "2.0", "FAIL", "2, but the reference has 1\nif the candidate is less exact on purpose, allow that by accuracy=perfspec.accuracy(tolerance=0.01)"),
                ("1 / 0", "1", "EAGER_FAILED", "the body of a threw ZeroDivisionError"), ("1", "1 / 0", "EXCEPTION_RAISED", "the body of b threw ZeroDivisionError"),
                ("bytearray(1 << 60)", "1", "EAGER_OUT_OF_MEMORY", "MemoryError"), ("1", "bytearray(1 << 60)", "OUT_OF_MEMORY", "MemoryError"),
                ("next(numbers)", "1", "NONDETERMINISTIC_EAGER_RUN", "numbers (a count) gives other items in each run: write numbers = perfspec.inputs(numbers)"),
                ("None", "None", "VERIFIER_DIDNT_RUN", "the body of a returned nothing to compare: return the result from the body"),
                ("[[], {}]", "1", "VERIFIER_DIDNT_RUN", "nothing to compare"), ("['', b'']", "['', b'']", "VERIFIER_DIDNT_RUN", "nothing to compare"), ("1", "None", "VERIFIER_DIDNT_RUN", "the body of b returned nothing to compare"),
                ("object()", "1", "VERIFIER_DIDNT_RUN", "output is a object, which cannot be compared")):
            with self.subTest((reference, candidate)):
                found = self.compared(reference, candidate)
                self.assertEqual((found[0], words in found[1]), (code, True), found)

    def test_possibly_right_outputs_are_not_called_wrong(self):
        for reference, candidate, before, code, words in (
                ("random.random()", "(random.random(), random.random())[1]", "", "VERIFIER_DIDNT_RUN", "both draw random numbers, but different ones from the same seed"),
                ("random.random()", "2 + random.random()", "", "FAIL", "not within"),  # each draws one
                ("random.random()", "[random.random(), random.random()]", "", "FAIL", "2 outputs, but the reference has 1"),
                ("1.0", "random.random()", "", "FAIL", "b draws random numbers, and a does not"),
                ("late(x)", "late(y)", "late, x, y = (lambda of: next(of) > 0), itertools.count(1), itertools.count()", "NONDETERMINISTIC_EAGER_RUN",
                 "what a and b return depends on how often they were called; after 4 calls of each it is the same\n"),
                ("next(stream)", "next(stream)", "stream = perfspec.inputs(numbers)", "PASS", "int 1: equal")):
            with self.subTest((reference, candidate)):
                found = self.compared(reference, candidate, before)
                self.assertEqual((found[0], words in found[1]), (code, True), found)

    def test_variables_are_put_back_by_two_functions(self):
        process = self.served("".join(f"def {name}():\n    last = [0]\n    def body():\n        last[0] += 1\n        return last[0]\n    return perfspec.body(body, state=["
                                      f"perfspec.state(get=lambda: last[0], set=lambda kept: last.__setitem__(0, kept))])\nperfspec.subject({name})\n" for name in "ab"))
        self.assertEqual(process.ask(to("value", subject="a")), ("value", {"value": 1}))
        self.assertEqual(process.ask(to("compare", reference="a", candidate="b"))[1]["text"], "output, int 1: equal")
        self.assertEqual(process.ask(to("value", subject="a")), ("value", {"value": 2}))

    def test_a_body_may_tell_what_it_is_in_double_precision(self):
        for precise, code, words in (("lambda: 1.001", "PASS", "of the reference 0.001"), ("lambda: 1.0", "FAIL", "of the reference 0"),
                                     ("lambda: 1.5 + 0 * __import__('random').random()", "FAIL", "not within"),
                                     ("lambda: 1 / 0", "VERIFIER_DIDNT_RUN", "computing a in double precision threw ZeroDivisionError")):
            process = self.served(f"@perfspec.subject\ndef a(): return perfspec.body(lambda: 1.0, precise={precise})\n"
                                  "@perfspec.subject\ndef b(): return lambda: 1.002\n")
            _, fields = process.ask(to("compare", reference="a", candidate="b"))
            self.assertEqual((fields["code"], words in fields["text"]), (code, True), fields)

    def test_a_buffer_that_is_written_again_is_copied_before(self):
        before = "buffer = [0.0]\ndef fill(x):\n    buffer[0] = x\n    return buffer\n"
        self.assertEqual(self.compared("fill(1.0)", "fill(2.0)", before)[0], "FAIL")

    def test_bodies_with_state_are_compared_from_what_they_held_after_loading(self):
        before = ("class Model:\n    def __init__(self): self.weight = [0]\n    def state_dict(self): return {'weight': self.weight}\n    def load_state_dict(self, state): self.weight = state['weight']\n"
                  "    def step(self):\n        self.weight[0] += 1\n        return self.weight[0]\nfirst, second = Model(), Model()\n")
        process = self.served(before + "@perfspec.subject(training=True)\ndef a(): return perfspec.body(first.step, state=[first])\n"
                                       "@perfspec.subject(training=True)\ndef b(): return perfspec.body(second.step, state=[second])\n")
        process.ask(to("run", subject="a", iterations=4))
        self.assertEqual(process.ask(to("compare", reference="a", candidate="b"))[1]["code"], "PASS")
        self.assertEqual(process.ask(to("value", subject="a"))[1]["value"], 5)

    def test_what_is_no_file_of_outputs_is_reported(self):
        for content in (b"anything", b"", b"perfspec outputs of Python 1, plain\nbroken", b"perfspec outputs of Python 1, torch\n"):
            self.write_bytes("file", content)
            self.assertIn("cannot read file: ", self.reason(EMPTY, to("compare", file="file", candidate="empty")))

    def test_a_file_runs_no_code(self):
        self.write_bytes("file", b"perfspec outputs of Python 1, plain\n" + pickle.dumps(Touch()))
        self.assertIn("mkdir", self.reason(EMPTY, to("compare", file="file", candidate="empty")))
        self.assertFalse(os.path.exists(os.path.join(self.folder, "touched")))

    def write_bytes(self, name, content):
        with open(os.path.join(self.folder, name), "wb") as file:
            file.write(content)

    def test_a_reference_that_changes_is_detected_from_a_file_too(self):
        process = self.served("import itertools\nnumbers = itertools.count()\n@perfspec.subject\ndef a(): return lambda: next(numbers)\n" + EMPTY)
        process.ask(to("write", subject="a", file="kept"))
        self.assertEqual(process.ask(to("compare", file="kept", candidate="empty"))[1]["code"], "NONDETERMINISTIC_EAGER_RUN")


class Processes(WorkerTest):
    variables = {"PYTHONUNBUFFERED": ""}

    def test_a_crash_tells_the_line(self):
        process = self.served("import ctypes\n@perfspec.subject\ndef f(): return lambda: ctypes.string_at(0)\n")
        process.send(to("run", subject="f", iterations=1))
        with self.assertRaises(EOFError):
            process.receive()
        self.assertRegex(process.end()[2], r'Fatal Python error: Segmentation fault[\s\S]*models.py", line 4 in <lambda>')

    def test_a_traceback_begins_in_the_users_file(self):
        process = self.served("@perfspec.subject\ndef f(): return lambda: 1 / 0\n")
        process.ask(to("run", subject="f", iterations=1))
        printed = process.end()[2]
        self.assertRegex(printed, r'^Traceback \(most recent call last\):\n  File ".*models.py", line 3, in <lambda>')
        self.assertIn("ZeroDivisionError", printed)

    def test_what_prints_goes_to_standard_error(self):
        process = self.served("import os\n@perfspec.subject\ndef f():\n    print('by Python')\n    os.write(1, b'below\\n')\n    os.system('echo from a child')\n    return len\n")
        process.ask(to("load", subject="f"))
        status, out, err = process.end()
        self.assertEqual((status, out, err), (0, "", "by Python\nbelow\nfrom a child\n"))

    def test_the_variables_are_taken_and_the_descriptors_are_not_inherited(self):
        process = self.served("import os, subprocess\nassert 'PERFSPEC_WORKER' not in os.environ and 'PERFSPEC_PARENT' not in os.environ\n"
                              "child = subprocess.run(['ls', '/proc/self/fd'], capture_output=True, text=True, close_fds=False).stdout.split()\n"
                              "assert len(child) == 4, child\n" + EMPTY)
        self.assertEqual(process.end()[0], 0)

    def test_a_body_that_forks_makes_a_child_for_each_call_and_no_more(self):
        calls = os.path.join(self.folder, "calls")
        process = self.served(f"import os, perfspec\n@perfspec.subject\ndef f():\n    def body():\n        with open({calls!r}, 'ab', 0) as file: file.write(b'.')\n"
                              "        return os.fork()\n    return body\n")
        self.assertEqual(process.ask(to("run", subject="f", iterations=12))[0], "ran")
        self.assertEqual(process.ask(to("run", subject="f", iterations=1))[0], "ran")
        process.end()
        self.assertEqual(os.path.getsize(calls), 13)  # where children call it, too, 2 ** 12

    def test_a_child_that_returns_from_a_loading_function_ends_without_a_word(self):
        process = self.served("import os\n@perfspec.subject\ndef f():\n    os.fork()\n    return lambda: 1\n")
        self.assertEqual(process.ask(to("load", subject="f"))[0], "loaded")
        self.assertEqual(process.end(), (0, "", ""))

    @unittest.skipUnless(hasattr(os, "fork"), "fork is not there")
    def test_a_forked_child_does_not_hold_the_channel_open(self):
        process = self.served("import os, time\nif os.fork() == 0:\n    time.sleep(20)\n    os._exit(0)\n" + EMPTY)
        process.process.send_signal(signal.SIGKILL)
        started = time.monotonic()
        with self.assertRaises(EOFError):
            process.receive()
        self.assertLess(time.monotonic() - started, 10)
        process.process.wait()  # its printed words are not read: the child holds those channels open

    def test_it_does_not_outlive_its_parent(self):
        parent = subprocess.Popen([sys.executable, "-c", f"""
import os, sys, time
sys.path.insert(0, {os.path.dirname(__file__)!r})
import started_worker
worker = started_worker.Process([sys.executable, {str(WORKER)!r}, {self.write('import perfspec, time' + chr(10) + '@perfspec.subject' + chr(10) + 'def f(): return lambda: time.sleep(30)')!r}], '.', {{}})
worker.receive()
worker.send(started_worker.to('run', subject='f', iterations=1))
print(worker.process.pid, flush=True)
os.kill(os.getpid(), 9)
"""], stdout=subprocess.PIPE, text=True)
        worker = int(parent.stdout.readline())
        parent.communicate()
        for _ in range(100):
            if timing.state_of(f"/proc/{worker}/stat") in ("", "Z", "X"):  # it has ended, or is a zombie
                return
            time.sleep(0.1)
        os.kill(worker, 9)
        self.fail("it runs on after its parent was killed")

    def test_another_version_is_reported(self):
        self.variables = {"PERFSPEC_WORKER": '{"protocol": 3, "answers": 1, "requests": 0}'}
        process = self.start(EMPTY)
        self.assertIn("the test uses version 3 of the workers' protocol, but this worker uses version 2", process.end()[1])

    def test_started_by_hand_it_names_its_starter(self):
        found = subprocess.run([sys.executable, str(WORKER), "models.py"], capture_output=True, text=True)
        self.assertEqual((found.returncode, "perfspec's tests start it" in found.stderr), (1, True))


if __name__ == "__main__":
    unittest.main()
