// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <initializer_list>
#include <string_view>

namespace perfspec::inline v0_2 {

/// The kind of work that a throughput counts.
enum class work : unsigned char { items, bytes, flops };

namespace detail {

[[nodiscard]] query<dimension::ratio, statistic::several> speedups_of(std::initializer_list<subject> all);

}  // namespace detail

inline namespace language {

/// Wall time of one iteration (median).
query<dimension::time> latency(const subject& x);

/// Process CPU time of one iteration, of all threads (median).
query<dimension::time> cpu_time(const subject& x);

/// A percentile of the times of single iterations, for latency(x) or cpu_time(x): `percentile(latency(x), 99.5)`.
///
/// percent  from 50 to 99.5, because rarer ones need too many iterations. Throws input_error for others. 50 is the
///          median of samples: it is judged like latency or cpu_time itself, under its own key.
///
/// It may be compared with a time, with baseline(), or with the same percentile of another subject. Above 50, samples
/// are single iterations. Then a claim is an *error* if its budget has no room for 1,000 of them (more above 99), or if
/// the body is too short to time single iterations.
///
///     PERF_CHECK(p99(latency(fast)) < 1.2 * p99(latency(slow)));
query<dimension::time, statistic::percentile> percentile(const query<dimension::time>& of, double percent);
query<dimension::time, statistic::percentile> p99(const query<dimension::time>& of);

/// Time of `from` divided by time of `to`, paired in rounds: above 1 means that `to` is faster.
///
///     PERF_REQUIRE(speedup(slow, fast) > 0.95);
query<dimension::ratio> speedup(const subject& from, const subject& to);
/// The same for another metric of time: `speedup(cpu_time(a), cpu_time(b))`.
query<dimension::ratio> speedup(const query<dimension::time>& from, const query<dimension::time>& to);

/// Several subjects, measured in the same rounds, each round in its own random order. The result is a table of the
/// speedups of the others over the first, with intervals. It is only recorded.
///
///     PERF_MEASURE(speedups(first, second, third));
template <class... More>
query<dimension::ratio, statistic::several> speedups(const subject& first, const subject& second, const More&... more) {
    return detail::speedups_of({first, second, subject(more)...});
}

/// Declared work per second. The subject declares it by `.items(n)`, `.bytes(n)` or `.flops(n)`. The second argument
/// chooses bytes or flops; the default is items, and calls if nothing is declared.
///
///     PERF_CHECK(throughput(parser, bytes) > 200_MBps);
query<dimension::item_rate> throughput(const subject& x);

inline constexpr struct bytes_tag {
    /// `bytes(4096)` is a quantity.
    [[nodiscard]] constexpr quantity<dimension::bytes> operator()(double n) const noexcept { return {n}; }
} bytes{};
inline constexpr struct flops_tag {
} flops{};
query<dimension::byte_rate> throughput(const subject& x, bytes_tag);
query<dimension::flop_rate> throughput(const subject& x, flops_tag);

/// Calls of operator new, malloc and their like in one iteration, by all threads, and the bytes that they ask for. One
/// source file of the program needs `#include <perfspec/allocations.hpp>`; otherwise the claim is an *error*. A note
/// says if calls of malloc itself cannot be counted, as in a static program.
///
/// If all runs agree, the comparison is exact, also by `==`. A short body runs up to 1,000 times for that. Otherwise
/// medians are compared, as for times.
///
///     PERF_CHECK(allocations(parse) == 0);
///     PERF_CHECK(allocated_bytes(parse) <= baseline());
query<dimension::count, statistic::exact> allocations(const subject& x);
query<dimension::bytes, statistic::exact> allocated_bytes(const subject& x);

/// How much the medians of latency(x) spread between processes: the robust standard deviation of their logarithms
/// (1.4826 MAD). It takes 15 fresh processes, or `processes(n)`, at least ten.
///
///     PERF_CHECK(spread(model) < 7_pct);
query<dimension::spread> spread(const subject& x);

/// Times in a fresh process that runs one subject. `load_time` is the time of its `load` step; `first_call` is that of
/// the first call after it. `cold_start` is both, and all further calls until one is steady. A call is steady if it
/// takes no more than 1.1 times the median of later ones.
///
///     PERF_CHECK(cold_start(model) < 2s);
query<dimension::time, statistic::once> cold_start(const subject& x);
query<dimension::time, statistic::once> first_call(const subject& x);
query<dimension::time, statistic::once> load_time(const subject& x);

/// How far one iteration raises the memory of the process (its resident set) above the level before it. That level
/// includes the input from `setup`. Each value is from a fresh process that runs one subject once: seven of them to
/// hold, eleven to fail. Device memory does not count.
///
///     PERF_CHECK(peak_memory(train) < 80_MiB);
///     PERF_CHECK(peak_memory(streaming) <= peak_memory(loading));
query<dimension::bytes> peak_memory(const subject& x);

inline constexpr struct including_load_tag {
} including_load{};
/// The memory for a model and its run: the level is taken before `.load(step)`. The value is the larger of two peaks:
/// that of loading, and that of the first call on top of the loaded model. Inputs of `setup` do not count.
///
/// What its adapter keeps in memory before the subject is made counts, too, such as the parameters and buffers of a
/// model on the processor, in the dtype in which it runs. Without load step and such memory the claim is an *error*.
///
///     PERF_CHECK(peak_memory(fast, including_load) <= 1.1 * peak_memory(slow, including_load));
query<dimension::bytes> peak_memory(const subject& x, including_load_tag);

/// Peak memory of `from` divided by that of `to`, each in its own processes: above 1 means that `to` takes less. It
/// cannot be compared with a baseline, but the peaks can: `peak_memory(to) <= baseline()`.
///
///     PERF_CHECK(memory_ratio(before, after) > 0.9);
query<dimension::ratio> memory_ratio(const subject& from, const subject& to);
/// The same for `peak_memory(x, including_load)`.
query<dimension::ratio> memory_ratio(const subject& from, const subject& to, including_load_tag);

inline constexpr better more_is_better = better::more;
inline constexpr better less_is_better = better::less;

/// A user's own metric. Each call of the body returns one value, a finite number from 0 up, in the unit that `name`
/// says. The claim is an *error* if the body returns anything else.
///
///     PERF_CHECK(metric("tokens/s", more_is_better, [&] { return decode(prompt).tokens_per_second; }) > 40);
///     PERF_CHECK(metric("tokens/s", more_is_better, decoder) > 0.95 * baseline());
query<dimension::own> metric(std::string_view name, better direction, const subject& x);

/// Counts of the processor in one iteration, in user space, for all threads of the process, including those that the
/// body starts. *Skipped*, with the reason, if the machine or the kernel offers no counters.
///
/// A sample is a batch of 100 us. The cost of a reading (some hundred instructions) is divided by its iterations.
///
///     PERF_CHECK(instructions(parse) < 1.02 * baseline());      // steadier than a time
query<dimension::count> instructions(const subject& x);
query<dimension::count> cycles(const subject& x);
query<dimension::count> branch_misses(const subject& x);
query<dimension::count> cache_misses(const subject& x);

/// Claims that the outputs of both subjects agree; it needs no bound. The adapter of the subjects compares them.
claim same_output(const subject& reference, const subject& candidate);

}  // namespace language

/// Explains a subject in place of its latency.
#define PERFSPEC_DETAIL_NO_SUBJECT(OPERATOR)                                                                   \
    template <class Left, class Right>                                                                         \
    requires((detail::Subject<Left> || detail::Subject<Right>)&&!detail::Expression<Left> &&                   \
             !detail::Expression<Right>) claim                                                                 \
    operator OPERATOR(const Left&, const Right&) {                                                             \
        static_assert(detail::never<Left>,                                                                     \
                      "perfspec: a subject is not a number: write latency(x) < 3ms, or speedup(a, b) > 0.95"); \
        return claim(nullptr);                                                                                 \
    }
PERFSPEC_DETAIL_NO_SUBJECT(<)
PERFSPEC_DETAIL_NO_SUBJECT(<=)
PERFSPEC_DETAIL_NO_SUBJECT(>)
PERFSPEC_DETAIL_NO_SUBJECT(>=)
#undef PERFSPEC_DETAIL_NO_SUBJECT

}  // namespace perfspec::inline v0_2
