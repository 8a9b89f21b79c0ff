#!/usr/bin/env python3
# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Counts of torch.compile, and whether compiled code runs, without torch."""

import collections
import sys
import types
import unittest
import unittest.mock

import started_worker  # noqa: F401 finds the module
from perfspec import subjects, worker
from perfspec.compiler import compiling, counts, fallbacks
from perfspec.faults import Refusal


def entry(**fields):
    return types.SimpleNamespace(**{"co_filename": "/a/models.py", "co_firstlineno": 3, "co_name": "forward", **fields})


def broken(reason, *, line=7, code="print(x)", name="forward", file="/a/models.py"):
    """An entry of torch's list of breaks: the user's line, and one of torch below it."""
    frames = [types.SimpleNamespace(filename=where, lineno=at, line=text, name=called)
              for where, at, text, called in ((file, line, code, name), ("/lib/site-packages/torch/nn/modules/linear.py", 1, "…", "forward"))]
    return types.SimpleNamespace(reason=reason, user_stack=frames)


class Breaks(unittest.TestCase):
    def test_a_reason_is_the_first_line_and_what_explains_it(self):
        found = compiling.read_break(broken("Failed to trace\n  Explanation: Dynamo does not know `print`.\n  Hint: no", name="torch_dynamo_resume_in_forward_at_5"))
        self.assertEqual(found.text(), "forward (models.py:7) `print(x)`: Failed to trace: Dynamo does not know `print`.")

    def test_what_a_version_does_not_tell_is_left_out(self):
        self.assertEqual(compiling.read_break(types.SimpleNamespace()).text(), "an unknown place: torch does not report why")

    def test_many_places_are_cut(self):
        texts = compiling.places_of([compiling.read_break(broken("print", line=n)) for n in range(11)])
        self.assertEqual((len(texts), texts[-1]), (9, "and 3 more places"))


class Scripted(unittest.TestCase):
    """torch's counters and its log are scripted."""

    def setUp(self):
        self.log, self.counters = [], {"frames": {"total": 0}, "stats": {"unique_graphs": 0}}
        self.breaks = []
        fake = types.SimpleNamespace(counters=self.counters, get_compilation_metrics=lambda: list(self.log), _compilation_metrics=None,
                                     graph_break_reasons=self.breaks)
        self.enterContext(fake)
        self.recorder = compiling.Recorder()
        self.recorder.skip()

    def enterContext(self, fake):
        patch = unittest.mock.patch.dict("sys.modules", {"torch._dynamo.utils": fake})
        patch.start()
        self.addCleanup(patch.stop)

    def compiled(self, *entries, graphs=1, **groups):
        self.log += entries
        self.counters["frames"]["total"] += len(entries)
        self.counters["stats"]["unique_graphs"] += graphs
        self.counters.update(groups)


class Counting(Scripted):
    def count(self, name, subject="f", *, regions=(), calls=()):
        self.recorder.assign_to(subject)
        seen = fallbacks.CallTrace(collections.Counter(regions), collections.Counter(calls))
        return counts.count(subjects.Subject(subject, lambda: None), name, self.recorder, lambda: seen)

    def refused(self, name, text, subject="f", **seen):
        with self.assertRaises(Refusal) as caught:
            self.count(name, subject, **seen)
        self.assertIn(text, str(caught.exception))

    def test_what_was_compiled_belongs_to_the_subject_that_ran(self):
        self.compiled(entry(compile_id="0/0", duration_us=5))
        self.assertEqual(self.count("compilations"), 1)
        self.compiled(entry(compile_id="0/1", duration_us=7), entry(compile_id="1/0", duration_us=1), graphs=2)
        self.assertEqual([self.count(name, "g") for name in ("compilations", "graphs", "compile_ns")], [2, 2, 8000])
        self.assertEqual([self.count(name) for name in ("compilations", "graphs", "compile_ns")], [1, 1, 5000])

    def test_a_frame_that_another_subject_compiled_before_is_no_recompilation(self):
        self.compiled(entry(compile_id="0/0"))
        self.assertEqual(self.count("recompiles"), 0)
        self.compiled(entry(compile_id="0/1"))
        self.assertEqual(self.count("recompiles", "g"), 0)
        self.compiled(entry(compile_id="0/2"))
        self.assertEqual(self.count("recompiles", "g"), 1)

    def test_a_backward_pass_is_a_compilation_and_no_recompilation(self):
        self.compiled(entry(compile_id="0/0", duration_us=5), entry(compile_id="0/0", duration_us=6, is_forward=False))
        self.assertEqual([self.count(name) for name in ("compilations", "recompiles", "compile_ns")], [2, 0, 11_000])

    def test_breaks_are_summed_over_their_reasons(self):
        self.compiled(entry(compile_id="0/0"), graph_break={"print. really": 2, "data": 1})
        self.assertEqual(self.count("graph_breaks"), 3)

    def test_breaks_that_torch_lists_and_does_not_count_are_breaks(self):
        self.breaks += [broken("print"), broken("generic_jump TensorVariable()"), broken("step_unsupported")]
        self.compiled(entry(compile_id="0/0"), graph_break={"print": 1})
        self.assertEqual(self.count("graph_breaks"), 3)
        self.compiled(entry(compile_id="1/0"))
        self.assertEqual(self.count("graph_breaks", "g"), 0)

    def test_a_version_of_torch_without_a_list_of_breaks_has_its_counter(self):
        del sys.modules["torch._dynamo.utils"].graph_break_reasons
        self.compiled(entry(compile_id="0/0"), graph_break={"print": 2})
        self.assertEqual(self.count("graph_breaks"), 2)
        self.assertEqual(counts.places("graph_breaks", self.recorder.by_subject["f"]), [])

    def test_breaks_and_recompilations_have_places_and_reasons(self):
        self.breaks += [broken("print"), broken("print"), broken("generic_jump TensorVariable()", line=9, code="if x.sum() > 0:")]
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/1", recompile_reason="0/0: tensor 'x' size mismatch at index 0. expected 4, actual 5"))
        self.recorder.assign_to("f")
        found = self.recorder.by_subject["f"]
        self.assertEqual(counts.places("graph_breaks", found), ["forward (models.py:7) `print(x)`: print (2 times)",
                                                                "forward (models.py:9) `if x.sum() > 0:`: a branch depends on what a tensor holds"])
        self.assertEqual(counts.places("recompiles", found), ["forward (models.py:3) again: guard failed: tensor 'x' size mismatch at index 0. expected 4, actual 5"])
        self.assertEqual(counts.places("graphs", found), [])

    def test_an_eager_subject_has_no_counts(self):
        for name in [*counts.OF_TORCH, "inductor.fxgraph_cache_miss"]:
            self.refused(name, "nothing was compiled when f ran: is it wrapped in torch.compile?")

    def test_a_subject_that_runs_what_was_compiled_for_another_is_reported_so(self):
        self.compiled(entry(compile_id="0/0"))
        self.recorder.assign_to("f")
        self.refused("graphs", "If it is, it runs code that torch compiled for f, which its counts do not include: put each of them into its own file", "g", regions=["0"])

    def test_a_subject_that_runs_what_the_file_had_compiled_is_reported_so(self):
        self.compiled(entry(compile_id="0/0"))
        self.recorder.assign_to("")
        self.refused("graphs", "If it is, it runs code that torch compiled while the file was imported, which its counts do not include: call the results of torch.compile only in bodies", regions=["0"])

    def test_a_subject_of_which_another_one_used_up_the_limit_runs_none_of_what_was_compiled_for_that(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/1", co_name=None, co_filename=None, fail_reason="Dynamo recompile limit exceeded\nx"))
        self.recorder.assign_to("f")
        with unittest.mock.patch.object(counts.calls_of_compile, "callers", {"g"}):
            self.refused("compile_ns", "nothing was compiled when g ran: it calls forward (models.py:3), which torch gave up for f, and runs it eagerly: "
                                       "Dynamo recompile limit exceeded: raise torch._dynamo.config.recompile_limit, or put each of them into its own file", "g", calls=["forward (models.py:3)"])

    def test_a_subject_that_calls_nothing_compiled_is_not_told_of_others(self):
        self.compiled(entry(compile_id="0/0"))
        self.recorder.assign_to("f")
        self.compiled(entry(compile_id="1/0", graph_op_count=0), graphs=0)
        self.recorder.assign_to("g")
        with self.assertRaisesRegex(Refusal, "nothing was compiled when g ran: is it wrapped in torch.compile.$"):
            self.count("graphs", "g", regions=["1"])

    def test_a_fallback_has_no_whole_counts(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="1/0", fail_reason="Unsupported loop\n  Hint: no"))
        for name in counts.OF_WHOLE_PROGRAMS:
            self.refused(name, "torch.compile gave up forward (models.py:3) of f and runs it eagerly: Unsupported loop")
        self.assertEqual(self.count("compile_ns"), 0)

    def test_a_fallback_of_all_is_reported_instead_of_no_compilation(self):
        self.compiled(entry(compile_id="1/0", fail_type="BackendCompilerFailed"), graphs=0)
        self.refused("graphs", "torch.compile made no graph of f, because it gave up forward (models.py:3) and runs it eagerly: BackendCompilerFailed")

    def test_a_limit_is_reported_with_the_name_of_the_function_and_what_to_do(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/1", co_name=None, co_filename=None, fail_reason="Dynamo recompile limit exceeded\nx"))
        self.refused("graph_breaks", "forward (models.py:3) of f and runs it eagerly: Dynamo recompile limit exceeded: raise "
                                     "torch._dynamo.config.recompile_limit, or give it fewer kinds of inputs")

    def beyond_the_limit(self):
        self.compiled(entry(compile_id="0/1"), entry(compile_id="0/2", co_name=None, co_filename=None, fail_reason="Dynamo recompile limit exceeded\nx",
                                                     recompile_reason="0/1: tensor 'x' size mismatch at index 0. expected 8, actual 9"))

    def test_a_limit_that_several_subjects_share_is_reported_with_what_to_do(self):
        self.compiled(entry(compile_id="0/0"))
        self.recorder.assign_to("g")
        self.beyond_the_limit()
        self.refused("recompiles", "torch.compile gave up forward (models.py:3) of f and runs it eagerly: Dynamo recompile limit exceeded: guard failed: tensor 'x' size mismatch at index 0. "
                                       "expected 8, actual 9: raise torch._dynamo.config.recompile_limit, or put each subject that calls it into its own file")

    def test_a_limit_names_the_guard_and_what_the_subject_compiled_instead_of_torchs_wrapper(self):
        self.recorder = compiling.Recorder(lambda name: "Linear (models.py:12)")
        inner = {"co_name": "inner", "co_filename": "/lib/torch/_dynamo/external_utils.py", "co_firstlineno": 67}
        self.compiled(entry(compile_id="0/0", **inner),
                      entry(compile_id="0/1", co_name=None, co_filename=None, fail_reason="Dynamo recompile limit exceeded\nx",
                            recompile_reason="0/0: tensor 'args[0]' size mismatch at index 0. expected 8, actual 9"))
        self.refused("graph_breaks", "torch.compile gave up Linear (models.py:12) of f and runs it eagerly: Dynamo recompile limit exceeded: "
                                     "guard failed: tensor 'args[0]' size mismatch at index 0. expected 8, actual 9: raise torch._dynamo.config.recompile_limit, or give it fewer kinds of inputs")

    def test_counters_that_a_user_cleared_start_again(self):
        self.compiled(entry(compile_id="0/0"), graphs=3)
        self.assertEqual(self.count("graphs"), 3)
        self.counters["stats"]["unique_graphs"] = 2
        self.assertEqual(self.count("graphs"), 5)

    def test_a_counter_of_torch_is_0_where_it_may_be_missing_and_refused_where_it_may_be_misspelt(self):
        self.compiled(entry(compile_id="0/0"), inductor={"extra": 4})
        self.assertEqual([self.count(name) for name in ("inductor.extra", "inductor.fxgraph_cache_miss")], [4, 0])
        counts.require_name("inductor.extra", self.recorder.counter_names())
        with self.assertRaisesRegex(Refusal, "did you mean inductor.fxgraph_cache_miss"):
            counts.require_name("inductor.fxgraph_cache_mis", self.recorder.counter_names())
        counts.require_name("inductor.fxgraph_cache_miss", set())

    def test_what_was_given_up_is_no_recompilation(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/1", fail_reason="limit"))
        self.recorder.assign_to("f")
        self.assertEqual(self.recorder.by_subject["f"].recompiled(), [])

    def test_what_torch_logs_of_running_is_no_compilation(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/0", is_runtime=True))
        self.assertEqual(self.count("compilations"), 1)

    def test_what_was_compiled_before_loading_belongs_to_no_subject(self):
        registry = subjects.Registry()
        registry.add("f", lambda: lambda: 1, training=False)
        made = worker.Worker(registry, "models.py")
        self.compiled(entry(compile_id="0/0"))  # while the file was imported
        self.assertEqual(made.answer({"request": "load", "subject": "f"})["answer"], "loaded")
        self.assertEqual(made.recorder.by_subject["f"].done, [])

    def test_a_stamp_changes_though_the_log_is_full(self):
        self.compiled(entry(compile_id="0/0"))
        before = compiling.stamp()
        self.log[:] = [entry(compile_id="0/1", is_forward=False)]
        self.assertNotEqual(compiling.stamp(), before)

    def test_a_stamp_changes_with_every_compilation(self):
        before = compiling.stamp()
        self.assertEqual(compiling.stamp(), before)
        self.compiled(entry(compile_id="0/0", is_forward=False), graphs=0)  # as a backward pass, which counts no frame
        self.counters["frames"]["total"] = 0
        self.assertNotEqual(compiling.stamp(), before)

    def test_the_reason_names_function_and_guard(self):
        self.compiled(entry(compile_id="0/1", recompile_reason="0/0: size mismatch at index 0 # f(x)\nmore"))
        self.assertEqual(worker.reason_of(self.recorder.assign_to("f")), "forward (models.py:3): guard failed: size mismatch at index 0")


class Elsewhere(Scripted):
    """Functions that torch gave up when another subject ran."""

    def refusal(self, *, calls=(), regions=()):
        self.recorder.assign_to("f")
        seen = fallbacks.CallTrace(collections.Counter(regions), collections.Counter(calls))
        try:
            counts.require_all_counted("f", self.recorder, seen)
        except Refusal as refusal:
            return str(refusal)
        return ""

    def given_up(self, reason="a loop", subject="g", **fields):
        self.compiled(entry(compile_id="1/0", fail_reason=reason, **fields), graphs=0)
        self.recorder.assign_to(subject)
        self.compiled(entry(compile_id="7/0"))

    def test_a_function_that_another_subject_lost_is_reported_where_it_is_called(self):
        self.given_up()
        self.assertEqual(self.refusal(calls=["forward (models.py:3)"], regions=["7"]),
                         "f also calls forward (models.py:3), which torch gave up for g, and runs it eagerly: a loop; put each of them into its own file")

    def test_what_an_earlier_test_left_counts_only_where_it_is_called(self):
        self.recorder = compiling.Recorder(elsewhere=compiling.BEFORE)
        self.given_up(subject="")
        self.assertEqual(self.refusal(regions=["7"]), "")
        cure = "call torch._dynamo.reset() in a fixture, or run the test in its own process"
        self.assertEqual(self.refusal(calls=["forward (models.py:3)"]),
                         f"f also calls forward (models.py:3), which torch gave up before this test or outside of its bodies, and runs it eagerly: a loop; {cure}")
        self.assertIn(f"also runs code that torch compiled before this test or outside of its bodies, which its counts do not include: {cure}", self.refusal(regions=["5"]))

    def test_what_was_given_up_before_torch_was_reset_is_not_given_up(self):
        self.compiled(entry(compile_id="0/0", co_name="g"), entry(compile_id="1/0", fail_reason="a loop"), entry(compile_id="0/0"))
        self.assertEqual(self.refusal(calls=["forward (models.py:3)"], regions=["0"]), "")

    def test_functions_that_are_not_called_or_only_by_compiled_code_do_not_count(self):
        self.given_up()
        self.assertEqual(self.refusal(calls=["other (models.py:9)"], regions=["7"]), "")

    def test_beyond_a_limit_calls_with_compiled_code_do_not_count(self):
        self.compiled(entry(compile_id="1/0"))
        self.recorder.assign_to("f")
        self.given_up("Dynamo recompile limit exceeded", co_name=None, co_filename=None)  # torch does not tell the name
        self.assertEqual(self.refusal(calls=["forward (models.py:3)"], regions=["7", "1"]), "")
        self.assertIn("f also calls forward (models.py:3)", self.refusal(calls=["forward (models.py:3)"] * 2, regions=["7", "1"]))
        self.assertIn("raise torch._dynamo.config.recompile_limit", self.refusal(calls=["forward (models.py:3)"] * 2, regions=["7", "1"]))

    def test_a_function_without_a_known_name_counts_as_called(self):
        self.given_up(co_name=None, co_filename=None)
        self.assertIn("f also calls a function, which", self.refusal(regions=["7"]))

    def test_what_one_call_runs_is_seen_with_its_functions_only_where_something_was_given_up(self):
        torch = types.SimpleNamespace(autograd=types.SimpleNamespace(profiler=types.SimpleNamespace(profile=lambda use_kineto: Profile())))
        with unittest.mock.patch.object(fallbacks.libraries, "torch", lambda: torch):
            looked_at = fallbacks.trace_of(traced_function, [compiling.read_entry(entry())])
            self.assertEqual(looked_at.regions, {"3": 2})
            self.assertEqual(looked_at.calls[f"traced_function (compiling_test.py:{traced_function.__code__.co_firstlineno})"], 1)
            self.assertEqual(fallbacks.trace_of(traced_function, []).calls, {})


def traced_function():
    pass


class Profile:
    """A scripted profile of torch."""

    function_events = [types.SimpleNamespace(name=each) for each in ("Torch-Compiled Region: 3/1", "aten::add", "Torch-Compiled Region: 3/0")]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        pass


class Falling(Scripted):
    """Whether compiled code runs. The profile of one more call is scripted."""

    def reason(self, *regions, asked=True, subject="f"):
        self.recorder.assign_to(subject)
        self.calls = []
        fallback = self.known.setdefault(subject, fallbacks.Fallback())
        return fallback.reason(self.recorder.by_subject[subject], self.recorder.lost, asked, lambda: self.calls.append(1) or set(regions),
                               self.recorder.without_graph)

    def setUp(self):
        super().setUp()
        self.known = {}

    def test_a_subject_with_graphs_is_not_called_once_more(self):
        self.compiled(entry(compile_id="0/0"))
        self.assertEqual((self.reason(), self.calls), ("", []))

    def test_an_eager_subject_may_be_eager(self):
        self.assertEqual((self.reason(asked=False), self.calls), ("", []))

    def test_a_compiled_subject_that_runs_no_compiled_code_is_eager(self):
        self.assertIn("torch.compile was called, but its times are those of eager code: it made no graph", self.reason())

    def test_what_was_given_up_is_eager_without_a_known_caller(self):
        self.compiled(entry(compile_id="0/0", fail_reason="no backend"), graphs=0)
        self.assertIn("those of eager code: it gave up forward (models.py:3): no backend", self.reason(asked=False))

    def test_what_was_compiled_for_another_runs_and_is_asked_once(self):
        self.assertEqual((self.reason("4/0"), self.calls), ("", [1]))
        self.assertEqual((self.reason(), self.calls), ("", []))

    def test_a_frame_without_a_graph_is_not_shared_though_torch_shows_it_as_compiled_code(self):
        self.compiled(entry(compile_id="0/0"))
        self.assertEqual(self.reason(subject="g"), "")
        self.compiled(entry(compile_id="0/1", graph_op_count=0), graphs=0)
        self.assertIn("its times are those of eager code: it made no graph of what the body calls: does torch.compiler.disable exclude it?", self.reason("0/1"))
        self.assertIn("its times are those of eager code", self.reason("0/1", subject="another one of that model"))

    def test_a_frame_without_a_graph_may_call_what_was_compiled_for_another(self):
        self.compiled(entry(compile_id="0/0", graph_op_count=0), graphs=0)
        self.assertEqual((self.reason("0/0", "4/0"), self.calls), ("", [1]))

    def test_a_frame_that_a_version_of_torch_tells_nothing_of_counts_as_compiled_code(self):
        self.compiled(entry(compile_id="0/0"), graphs=0)
        self.assertEqual(self.reason("0/0"), "")

    def test_numbers_that_begin_again_name_other_code(self):
        for operations in (0, 3):
            self.compiled(entry(compile_id="0/0", graph_op_count=operations), graphs=0)
            self.recorder.assign_to("g")
        self.assertEqual(self.reason("0/0"), "")

    def test_beyond_the_limit_all_is_refused(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="0/1", fail_reason="Dynamo recompile limit exceeded\nx"))
        self.assertIn("gave up forward (models.py:3): Dynamo recompile limit exceeded. From there on it runs eagerly: raise torch._dynamo.config.recompile_limit",
                      self.reason("0"))

    def test_a_limit_that_another_one_used_up_is_checked_in_each_request(self):
        self.compiled(entry(compile_id="0/0"))
        self.assertEqual(self.reason(), "")
        self.compiled(entry(compile_id="0/1", fail_reason="Dynamo recompile limit exceeded"), graphs=0)
        self.reason(subject="g")
        self.assertEqual((self.reason("0"), self.calls), ("", [1]))
        self.assertIn("earlier calls reached the limit of recompilations of a function that it calls", self.reason())
        self.compiled(entry(compile_id="7/0"))
        self.assertEqual((self.reason(subject="h"), self.calls), ("", []))

    def test_a_part_that_runs_eagerly_is_a_note_unless_all_does(self):
        self.compiled(entry(compile_id="0/0"), entry(compile_id="1/0", fail_reason="a loop"), entry(compile_id="1/0", fail_reason="a loop"))
        self.reason()
        self.assertEqual(fallbacks.notes_of(self.recorder.by_subject["f"]), ["torch.compile gave up forward (models.py:3) and runs it eagerly: a loop"])
        self.assertEqual(fallbacks.notes_of(compiling.Compilations()), [])


if __name__ == "__main__":
    unittest.main()
