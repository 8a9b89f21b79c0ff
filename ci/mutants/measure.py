# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in measuring."""
from .mutant import Mutant

REMOTE = "    if (runs_elsewhere(x)) return {prepared.read_remotely(c.remote_kind()), iterations};\n"

MUTANTS = [
    # the order
    Mutant("coin_is_always_heads", "measure/block_source.hpp", "the order of pairs never changes",
           "return (engine_() >> 63U) != 0;", "return (engine_() >> 63U) != 2;"),
    Mutant("order_of_pairs_not_random", "measure/block_source-inl.hpp", "the first subject goes first in every other pair",
           "pair.order = random_order_.next() ?",
           "static bool turn = false;\n    pair.order = (turn = !turn) ?"),
    Mutant("sides_of_a_pair_swapped", "measure/block_source-inl.hpp", "the times of a pair are recorded under each other's name",
           "        pair.b = take(b_, calibration_.b);\n        pair.a = take(a_, calibration_.a);\n    } else",
           "        pair.a = take(b_, calibration_.b);\n        pair.b = take(a_, calibration_.a);\n    } else"),
    Mutant("ratio_upside_down", "measure/block_source-inl.hpp", "a pair's ratio is that of b to a",
           "log_reading(a) - detail::log_reading(b)", "log_reading(b) - detail::log_reading(a)"),
    # the timed work
    Mutant("remote_time_read_here", "measure/sample-inl.hpp", "asking another process is part of the time of its work", REMOTE, ""),
    Mutant("warm_call_timed", "measure/sample-inl.hpp", "the call that warms the caches is part of the time",
           """    if (warm == warm_call::yes) run_untimed(x, 1);
    return detail::read_run(x, iterations, c);
""",
           """    const std::int64_t start = c.now();
    if (warm == warm_call::yes) run_untimed(x, 1);
    const std::int64_t warmed = c.now() - start;
    sample taken = detail::read_run(x, iterations, c);
    taken.elapsed_ns += warmed;
    return taken;
"""),
    Mutant("setup_timed", "measure/sample-inl.hpp", "making the input is part of the time",
           "    const prepared_run prepared(x, iterations);\n" + REMOTE + "    const std::int64_t start = c.now();",
           "    const std::int64_t start = c.now();\n    const prepared_run prepared(x, iterations);\n" + REMOTE.rstrip("\n")),
    Mutant("discard_timed", "measure/sample-inl.hpp", "throwing the input away is part of the time",
           "    const prepared_run prepared(x, iterations);\n" + REMOTE + """    const std::int64_t start = c.now();
    prepared.run();
    const std::int64_t elapsed""",
           """    std::int64_t start = 0;
    {
        const prepared_run prepared(x, iterations);
        start = c.now();
        prepared.run();
    }
    const std::int64_t elapsed"""),
    Mutant("device_not_waited_for", "measure/prepared_run-inl.hpp", "the clock is read before asynchronous work has ended",
           "if (functions_.wait != nullptr) functions_.wait(self_);", ""),
    Mutant("batch_not_divided", "measure/sample-inl.hpp", "a batch counts as one iteration",
           "return {elapsed, iterations};", "return {elapsed, 1};"),
    Mutant("minimum_for_median", "measure/process_sample-inl.hpp", "a block says its fastest reading",
           "readings.begin() + std::ssize(readings) / 2;", "readings.begin();"),
    # the plan
    Mutant("samples_of_processes_are_short", "measure/sample-inl.hpp", "much of a sample is the waking up of the process that takes it",
           "shortest_of_process_ns = 2e6", "shortest_of_process_ns = 1e5"),
    Mutant("waking_up_taken_for_the_call", "measure/sample-inl.hpp", "a call is taken for as long as the first one after a pause",
           "target_ns / 4.0 : std::max", "target_ns / 400.0 : std::max"),
    Mutant("cap_ignored", "measure/calibration-inl.hpp", "a default budget stretches beyond its cap",
           "std::min<std::int64_t>(settings.cap.count(), std::max<std::int64_t>(settings.budget.count(), wanted))", "std::max<std::int64_t>(settings.budget.count(), wanted)"),
    Mutant("start_of_a_worker_spends_the_budget", "measure/calibration-inl.hpp", "imports and compilation of a worker use up the budget of its first claim",
           "return settings.samples_remotely ? wall.now() : before_first_calls;", "return settings.samples_remotely ? before_first_calls : before_first_calls + 0 * wall.now();"),
    Mutant("cost_of_inputs_forgotten", "measure/calibration.hpp", "making inputs is missing from what a sample costs",
           "(std::max(call_ns, elapsed_ns) + untimed_ns)", "std::max(call_ns, elapsed_ns)"),
    Mutant("unlike_sides_not_equalized", "measure/calibration-inl.hpp", "two alike subjects get samples of different numbers of iterations",
           "if (!are_within(1.5, a, b) || std::min", "if (maximum > 0 || std::min"),
    Mutant("preemption_costs_a_reading", "measure/machine/clock-inl.hpp", "one preemption among the readings of a clock is what a reading costs",
           "static_cast<double>(std::min(step, longest))", "static_cast<double>(step + 0 * longest)"),
    Mutant("empty_loop_not_confirmed", "measure/body_checks-inl.hpp", "five disturbed empty loops make a body an error",
           "constexpr int runs = 20;  // a neighbor", "constexpr int runs = 5;  // a neighbor"),
    Mutant("blocks_not_spaced", "measure/block_source-inl.hpp", "blocks follow each other at once",
           "if (now < turn) rest_->sleep(turn - now);", "static_cast<void>(turn - now);"),
    # counters, memory, cold starts
    Mutant("one_thread_counted", "measure/counters/counter-inl.hpp", "what the other threads count is lost", "sum += value->count;", "sum = value->count;"),
    Mutant("shared_counters_counted", "measure/counters/counter-inl.hpp", "a count of a part of the time is taken for one of all of it",
           "if (value->running_ns < value->enabled_ns)", "if (value->enabled_ns < value->running_ns)"),
    Mutant("peak_of_the_whole_process", "measure/counters/peak_memory-inl.hpp", "what the process had before counts as the body's peak",
           "was_reset_ = memory_->reset_peak();", "was_reset_ = true;"),
    Mutant("load_in_the_first_call", "measure/process_sample-inl.hpp", "loading is part of the first call",
           "    ensure_loaded(x);\n    return detail::time_call(x, wall);", "    return detail::time_loading(x, wall) + detail::time_call(x, wall);"),
    Mutant("loading_needs_no_memory", "measure/process_sample-inl.hpp", "memory with load begins after loading",
           "before = memory.now();\n        ensure_loaded(x);", "ensure_loaded(x);\n        before = memory.now();"),
    Mutant("loaded_model_needs_no_memory", "measure/process_sample-inl.hpp", "memory with load of a model that was loaded before is that of its first call",
           "    require_not_loaded(x);\n    std::int64_t before", "    std::int64_t before"),
    Mutant("held_model_needs_no_memory", "measure/process_sample-inl.hpp", "a model that was in memory before does not count",
           "result.held = x.state().held_bytes(x.storage());", "result.held = 0.0 * x.state().held_bytes(x.storage());"),
    Mutant("steady_at_once", "measure/process_sample-inl.hpp", "a cold start ends with its first call", "++calls;\n    return calls;", "return calls;\n    return calls;"),
    Mutant("any_value_is_one", "measure/sample-inl.hpp", "a body's negative number is a value", "std::isfinite(value) && value >= 0.0", "std::isfinite(value)"),
    # processes and the lock of the machine
    Mutant("machine_lock_left_to_forks", "measure/machine/machine_lock-inl.hpp", "a process that was forked keeps the machine locked",
           "::flock(descriptor_, LOCK_UN);", ""),
    Mutant("waits_for_a_holder_again", "measure/machine/machine_lock-inl.hpp", "every claim waits for a holder that never lets go",
           " || detail::has_timed_out(settings, holder_)", ""),
    Mutant("others_never_come_first", "measure/machine/machine_lock-inl.hpp", "a program that takes lock after lock lets no other have it",
           "mark.is_first() ? ", "true ? "),
    Mutant("interrupted_times_are_wall_times", "measure/machine/processor_use.hpp", "what other work takes is the time of an interrupted sample",
           "const bool is_known = use.interruptions > 0 && use.own_ns > 0;", "const bool is_known = false;"),
    Mutant("own_threads_interrupt_each_other", "measure/machine/processor_use.hpp", "a body of four threads on two cores is never judged",
           "if (!use.is_beside_others) return {elapsed, true};\n", ""),
    Mutant("ended_threads_never_waited", "measure/machine/processor_use.hpp", "a busy machine violates claims on bodies that start threads",
           "if (2 * use.ended_ns > use.others_ns) return {0.0, false};\n", ""),
    Mutant("blocked_time_is_lost", "measure/machine/processor_use.hpp", "a body that sleeps takes the time of its processor",
           "return blocks == 0 && is_of_one_thread();", "return is_of_one_thread();"),
    Mutant("devices_stop_with_the_thread", "measure/sample-inl.hpp", "the time of a device in an interruption is lost",
           "++taken.use.blocks;", "taken.use.blocks += 0;"),
    # operators and their traces
    Mutant("operator_counted_within_itself", "explain/operator_events-inl.hpp", "what an operator calls of its own kind is in its total twice",
           "if (!within_itself) row.total_ns", "if (within_itself || !within_itself) row.total_ns"),
    Mutant("threads_call_each_other", "explain/operator_events-inl.hpp", "an operator of another thread is a callee",
           "open_.back().event->thread != next.thread || ", ""),
    # cold starts
    Mutant("steady_includes_the_start", "measure/process_sample-inl.hpp", "slow first calls are part of the steady time",
           "static_cast<std::ptrdiff_t>(cold.calls_ns.size() / 2);", "static_cast<std::ptrdiff_t>(cold.calls_ns.size() / 1024);"),
    # work that a compiler moves
    Mutant("moved_work_counts", "measure/body_checks-inl.hpp", "iterations in a row may cost a thirtieth of single ones",
           "constexpr double much = 3.0;", "constexpr double much = 30.0;"),
    Mutant("captures_trusted", "measure/body_checks-inl.hpp", "a body with captures is never taken for one whose work the compiler moved",
           "return functions.identity != body_identity::function &&", "return functions.identity == body_identity::type &&"),
    Mutant("given_iterations_run_anyway", "measure/calibration-inl.hpp", "iterations that cannot fit into the budget are run before they are refused",
           "    detail::require_requested_iterations_fit(started, time.wall, wanted, c.x.sample_ns(), settings);\n", ""),
]
