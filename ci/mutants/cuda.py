# SPDX-FileCopyrightText: The perfspec authors
# SPDX-License-Identifier: BSL-1.0
"""Bugs in timing CUDA work. tests/cuda/README.md has the rule that each breaks."""
from .mutant import Mutant

MUTANTS = [
    # the hold
    Mutant("stream_not_held", "cuda/stream_hold-inl.hpp", "the latency of launches is part of device_time",
           "std::atomic_ref(*flag_).store(hold_flag::held);", "std::atomic_ref(*flag_).store(hold_flag::released);"),
    Mutant("stream_released_too_early", "cuda/device_timer-inl.hpp", "the device starts a batch before it is complete",
           "    batch queued(*this, body.name);\n    // Other", "    batch queued(*this, body.name);\n    static_cast<void>(batch(*this, body.name));\n    // Other"),
    Mutant("timed_out_hold_believed", "cuda/stream_hold-inl.hpp", "a body that waits for its device is timed as others are",
           "return expected != hold_flag::timed_out;", "return expected <= hold_flag::timed_out;"),
    Mutant("first_launch_held", "cuda/device_timer-inl.hpp", "a kernel that has to be loaded makes a claim invalid",
           "    launch(body, 1);\n    stream_.wait();\n    stream_.check_launches();\n    std::uint64_t", "    std::uint64_t"),
    Mutant("failed_body_keeps_stream", "cuda/stream_hold.hpp", "a body that fails leaves its stream held",
           "~stream_hold() { static_cast<void>(release()); }", "~stream_hold() = default;"),
    # the length of a sample
    Mutant("sample_of_one_tick", "cuda/device_timer.hpp", "a sample is as short as the events resolve",
           "100.0 * event_tick_ns", "1.0 * event_tick_ns"),
    Mutant("device_batch_not_divided", "cuda/device_timer-inl.hpp", "a sample counts as one iteration",
           "return sample_ns / static_cast<double>(iterations_);", "return sample_ns;"),
    Mutant("empty_stream_timed", "cuda/device_timer-inl.hpp", "a body that launches elsewhere takes no time",
           "    if (iterations < max_device_iterations) return 2 * iterations;", "    if (iterations < 64 * max_device_iterations) return 2 * iterations;"),
    # the cache
    Mutant("cache_not_flushed", "cuda/device_timer-inl.hpp", "an iteration finds in the L2 cache what the last one left",
           "fill(flushed_, 0, flushed_bytes_, stream_.handle())", "fill(flushed_, 0, 1, stream_.handle())"),
    Mutant("half_of_the_cache_flushed", "cuda/device_timer-inl.hpp", "half of the L2 cache keeps what it has",
           "flushed_bytes_ = cache_bytes();", "flushed_bytes_ = cache_bytes() / 2;"),
    Mutant("flush_timed", "cuda/device_timer-inl.hpp", "the write that flushes the cache is part of the time",
           "sum += elapsed_ns(2 * i, 2 * i + 1);", "sum += elapsed_ns(i == 0 ? 0 : 2 * i - 1, 2 * i + 1);"),
    Mutant("hot_not_warmed", "cuda/device_timer-inl.hpp", "a hot sample begins with what other subjects left in the cache",
           "    if (timing.cache == cache_mode::hot) launch(body, 1);\n", ""),
    Mutant("hot_by_default", "cuda/device_timer.hpp", "the time of a single kernel is that of a warm cache",
           "cache_mode cache{cache_mode::cold};", "cache_mode cache{cache_mode::hot};"),
    Mutant("one_copy_rotated", "cuda/cuda_work.hpp", "every iteration takes the same copy of its inputs",
           "next_copy++ % timer.timing.copies", "next_copy % timer.timing.copies"),
    Mutant("few_copies_accepted", "cuda/cuda_work-inl.hpp", "copies that the L2 cache holds are rotated",
           "std::ceil(static_cast<double>(cache) / bytes) + 1.0", "std::ceil(static_cast<double>(cache) / bytes)"),
    # host-synchronised bodies
    Mutant("work_elsewhere_not_awaited", "cuda/device_timer-inl.hpp", "a host-synchronised body's work on other streams takes no time",
           "    if (timing.is_host_synchronised) stream_.need", "    if (!timing.is_host_synchronised) return; if (false) stream_.need"),
    Mutant("waits_named_like_none", "cuda/device_timer-inl.hpp", "times with and without waits of the processor have one key",
           'return is_host_synchronised ? cache_text + "-synchronised" : cache_text;', "return cache_text;"),
    # errors
    Mutant("device_errors_unseen", "cuda/cuda_stream.hpp", "work that failed has a time",
           'void wait() const { need(runtime_.wait_for_stream(handle_), " (of the work on the stream)"); }', "void wait() const { static_cast<void>(runtime_.wait_for_stream(handle_)); }"),
    Mutant("launch_errors_unseen", "cuda/cuda_stream.hpp", "a launch that was refused has a time",
           'void check_launches() const { need(runtime_.take_last_error(), " (at the launch)"); }', "void check_launches() const { static_cast<void>(runtime_.take_last_error()); }"),
    # keys
    Mutant("hot_compared_with_cold", "ask/ask-inl.hpp", "a claim compares times that were taken differently",
           "if (q.subjects[i].state().device_timing == q.subjects[0].state().device_timing) continue;", "if (i != 0) continue;", "cuda"),
    Mutant("timing_not_in_key", "ask/ask-inl.hpp", "a hot time is compared with a baseline of cold ones",
           'if (!q.subjects[0].state().device_timing.empty()) q.axes.emplace_back', "if (false) q.axes.emplace_back", "cuda"),
    # graphs, and streams of users
    Mutant("graph_cold_by_default", "cuda/cuda_graph-inl.hpp", "the kernels of a graph find a flushed cache",
           "cuda_subject(name, graph_launch{&runtime, executable, graph}, runtime).hot();", "cuda_subject(name, graph_launch{&runtime, executable, graph}, runtime);"),
    Mutant("host_nodes_not_told", "cuda/cuda_graph-inl.hpp", "nobody is told that the processor is part of a graph's time",
           "if (nodes == 0) return {};", "if (nodes != 2) return {};"),
    Mutant("stream_of_any_device", "cuda/cuda_stream-inl.hpp", "a stream of another device is accepted",
           "        found = runtime_.record_event(probe, handle_);\n", ""),
    Mutant("current_device_not_asked", "cuda/cuda_stream-inl.hpp", "a body launches on another device than its stream's",
           "    if (current == device_) return;", "    if (current >= 0) return;"),
    Mutant("stream_of_user_destroyed", "cuda/cuda_stream-inl.hpp", "a user's stream is destroyed with the subject",
           "if (is_owned_) static_cast<void>(runtime_.destroy_stream(handle_));", "static_cast<void>(runtime_.destroy_stream(handle_));"),
    Mutant("inputs_reused", "cuda/on_stream-inl.hpp", "the iterations of a sample share one input",
           "if (body.functions().prepare != nullptr)\n        throw", "if (body.functions().destroy == nullptr)\n        throw"),
]
