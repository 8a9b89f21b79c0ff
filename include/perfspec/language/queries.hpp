// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <concepts>
#include <initializer_list>
#include <string_view>

namespace perfspec {

/// The kind of work that `throughput(x, items)` counts.
enum class work : unsigned char { items, bytes, flops };

namespace detail {

/// What a percentile is asked of by mistake: another query or claim, and what is or becomes a subject. All else is left to functions of the same name
/// that a program has of its own.
template <class T>
concept NoTimes = !std::same_as<T, query<dimension::time>> && (Expression<T> || is_scaled<T> || Callable<T> || Subject<T>);

[[nodiscard]] query<dimension::ratio, statistic::several> compare_subjects(std::initializer_list<subject> all);

}  // namespace detail

inline namespace language {

/// Wall time of one iteration (median).
query<dimension::time> latency(const subject& x);

/// Process CPU time of one iteration, of all threads (median).
query<dimension::time> cpu_time(const subject& x);

/// A percentile of the times of single iterations, of latency(x) or cpu_time(x): `percentile(latency(x), 99.5)`.
///
/// percent  from 50 to 99.5; a rarer one needs more iterations than a run takes. Throws input_error for another. 50, and p50, is the median of
///          samples, judged as the latency or cpu_time itself is, under a key of its own.
/// Compared with a time, with baseline(), or with the same percentile of another subject. Above 50, samples are single iterations; a claim whose
/// budget has no room for 1,000 of them (more above 99), or whose body is too short to be timed by itself, is *invalid*.
///
///     PERF_CHECK(p99(latency(fast)) < 1.2 * p99(latency(slow)));
query<dimension::time, statistic::percentile> percentile(const query<dimension::time>& of, double percent);
query<dimension::time, statistic::percentile> p50(const query<dimension::time>& of);
query<dimension::time, statistic::percentile> p90(const query<dimension::time>& of);
query<dimension::time, statistic::percentile> p95(const query<dimension::time>& of);
query<dimension::time, statistic::percentile> p99(const query<dimension::time>& of);

/// The shortest sample of latency(x) or cpu_time(x). A sample is the mean of a batch of iterations; with `iterations(1)` it is one iteration.
/// Nothing tests it, so that it is only recorded: `PERF_RECORD(minimum(latency(x)))`.
query<dimension::time, statistic::minimum> minimum(const query<dimension::time>& of);

/// Percentiles of something else explain themselves.
#define PERFSPEC_DETAIL_OF_TIMES(NAME, ...)                                                                                           \
    template <detail::NoTimes T> query<dimension::time, statistic::percentile> NAME(const T& __VA_ARGS__) {                           \
        static_assert(detail::never<T>,                                                                                               \
                      "perfspec: a percentile or minimum is of the times of one subject: write p99(latency(x)) or p99(cpu_time(x))"); \
        return percentile(latency([] {}), 50.0);                                                                                      \
    }
PERFSPEC_DETAIL_OF_TIMES(percentile, , double)
PERFSPEC_DETAIL_OF_TIMES(p50)
PERFSPEC_DETAIL_OF_TIMES(p90)
PERFSPEC_DETAIL_OF_TIMES(p95)
PERFSPEC_DETAIL_OF_TIMES(p99)
PERFSPEC_DETAIL_OF_TIMES(minimum)
#undef PERFSPEC_DETAIL_OF_TIMES

/// Time of `from` divided by time of `to`, paired in rounds: above 1 means that `to` is faster.
///
///     PERF_REQUIRE(speedup(model, inductor) > 0.95);
query<dimension::ratio> speedup(const subject& from, const subject& to);
/// The same for another metric of time: `speedup(cpu_time(a), cpu_time(b))`.
query<dimension::ratio> speedup(const query<dimension::time>& from, const query<dimension::time>& to);

/// A speedup of percentiles explains itself.
template <statistic S, statistic T>
requires(S != statistic::median || T != statistic::median) query<dimension::ratio> speedup(const query<dimension::time, S>& from,
                                                                                           const query<dimension::time, T>&) {
    static_assert(S == statistic::median && T == statistic::median,
                  "perfspec: a speedup is of medians: compare percentiles with each other: p99(latency(b)) < 0.8 * p99(latency(a))");
    return speedup(from, from);
}

/// Several subjects measured in the same rounds, each in an order of its own: a table of the speedups of the others over the first, with intervals.
/// Only recorded; a claim after it, such as `speedup(a, c) > 1.2`, judges the same samples.
///
///     PERF_RECORD(compare(eager, traced, compiled));
template <class... More>
query<dimension::ratio, statistic::several> compare(const subject& first, const subject& second, const More&... more) {
    return detail::compare_subjects({first, second, subject(more)...});
}

/// Declared work per second: `.items(n)`, `.bytes(n)` or `.flops(n)` on the subject, and the same word here.
///
///     PERF_CHECK(throughput(parser, bytes) > 200_MBps);
query<dimension::item_rate> throughput(const subject& x);

inline constexpr struct items_tag {
} items{};
inline constexpr struct bytes_tag {
    /// `bytes(4096)` is a quantity.
    [[nodiscard]] constexpr quantity<dimension::bytes> operator()(double n) const noexcept { return {n}; }
} bytes{};
inline constexpr struct flops_tag {
} flops{};
query<dimension::item_rate> throughput(const subject& x, items_tag);
query<dimension::byte_rate> throughput(const subject& x, bytes_tag);
query<dimension::flop_rate> throughput(const subject& x, flops_tag);

/// Calls of operator new in one iteration, by all threads, and the bytes that they ask for. Not of malloc itself. Needs
/// `#include <perfspec/allocations.hpp>` in one source file of the program, else the claim is *invalid*.
///
/// Three runs that agree are compared exactly, also by `==`; other ones as medians, by the tests of times.
///
///     PERF_CHECK(allocations(parse) == 0);
///     PERF_CHECK(allocated_bytes(parse) <= baseline());
query<dimension::count, statistic::exact> allocations(const subject& x);
query<dimension::bytes, statistic::exact> allocated_bytes(const subject& x);

/// Time of one iteration as the device measures it, from the first to the last of its work (median). *Not judged* for subjects that run on the
/// processor.
query<dimension::time> device_time(const subject& x);

/// How much the medians of latency(x) spread between launches: the robust standard deviation of their logarithms (1.4826 MAD) over 15 fresh
/// processes, or `launches(n)`, ten at least.
///
///     PERF_CHECK(stability(model) < 7_pct);
query<dimension::spread> stability(const subject& x);

/// In a fresh process, which runs one subject: the time of its `load`; of the first call after that; and of both and of the calls that follow
/// until one is steady, which takes no more than 1.1 times the median of later ones.
///
///     PERF_CHECK(cold_start(model) < 2s);
query<dimension::time, statistic::once> cold_start(const subject& x);
query<dimension::time, statistic::once> first_call(const subject& x);
query<dimension::time, statistic::once> load_time(const subject& x);

/// How far one iteration drives up the memory of the process (its resident set), above the level before it; what `setup` made is below that level.
/// Each value is from a process of its own, which runs one subject once: seven of them to hold, fourteen to fail. Memory of devices is not counted.
///
///     PERF_CHECK(peak_memory(train) < 80_MiB);
///     PERF_CHECK(peak_memory(streaming) <= peak_memory(loading));
query<dimension::bytes> peak_memory(const subject& x);

/// Peak memory of `from` divided by that of `to`, each in processes of its own: above 1 means that `to` takes less. It has no baseline of its own:
/// the peaks have, `peak_memory(to) <= baseline()`.
///
///     PERF_CHECK(compression(model, inductor) > 0.9);
query<dimension::ratio> compression(const subject& from, const subject& to);

inline constexpr better more_is_better = better::more;
inline constexpr better less_is_better = better::less;

/// A metric of your own: each call of the body returns one value, a finite number from 0 up, of the unit that `name` says. A body that returns no
/// number, and a value that is none, make the claim *invalid*.
///
///     PERF_CHECK(metric("tokens/s", more_is_better, [&] { return decode(prompt).tokens_per_second; }) > 40);
///     PERF_CHECK(metric("tokens/s", more_is_better, decoder) > 0.95 * baseline());
query<dimension::own> metric(std::string_view name, better direction, const subject& x);

/// What the processor counts in one iteration, in user space, in all threads: those of the process and those that the body starts. *Not judged*,
/// with the reason, where the machine or the kernel offers no counters.
///
/// A sample is a batch of 100 us, over whose iterations the cost of a reading (some hundred instructions) is spread.
///
///     PERF_CHECK(instructions(parse) < 1.02 * baseline());      // steadier than a time
query<dimension::count> instructions(const subject& x);
query<dimension::count> cycles(const subject& x);
query<dimension::count> branch_misses(const subject& x);
query<dimension::count> cache_misses(const subject& x);

/// The outputs of both subjects agree. A claim without a bound; the adapter of the subjects says what agreeing means.
claim same_output(const subject& reference, const subject& candidate);

}  // namespace language
}  // namespace perfspec
