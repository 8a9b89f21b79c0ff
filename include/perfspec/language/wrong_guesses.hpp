// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/growth.hpp>
#include <perfspec/language/options.hpp>
#include <perfspec/language/queries.hpp>

#include <string_view>
#include <type_traits>

// Expressions that look meaningful but are not, except bounds that do not fit (`query.hpp`). Each fails to compile with one sentence that
// says what to write. They accept only types of perfspec, so a program's own functions with these names keep working inside the macros.

namespace perfspec {
namespace detail {

/// A subject, something that becomes one, or a setup for one.
template <class T>
concept Measurable = Callable<T> || Subject<T> || is_setup<T>;

template <class T> inline constexpr bool is_time = false;
template <statistic S> inline constexpr bool is_time<query<dimension::time, S>> = true;

template <class T>
inline constexpr bool is_work = std::is_same_v<T, items_tag> || std::is_same_v<T, bytes_tag> || std::is_same_v<T, flops_tag>;

/// Two arguments of `speedup` that are not two subjects and not two times.
template <class A, class B>
concept NoPair = (Expression<A> && (Measurable<B> || Expression<B>)&&!(is_time<A> && is_time<B>)) || (Measurable<A> && Expression<B>);

/// Arguments of `metric` that are in another order or incomplete.
template <class... Args> inline constexpr bool is_no_metric = (Measurable<Args> || ...);
template <class A, class B, class C>
inline constexpr bool is_no_metric<A, B, C> = (Measurable<A> || Measurable<B> ||
                                               Measurable<C>)&&!(std::convertible_to<const A&, std::string_view> &&
                                                                 std::is_same_v<B, better>);

template <class T> inline constexpr bool is_text = std::convertible_to<const T&, std::string_view>;

/// Common wrong arguments beside the one subject of a query, whatever the query.
template <class A, class B>
inline constexpr bool is_explained =
    is_text<A> || is_text<B> || is_setup<A> || std::is_same_v<B, option> || std::is_arithmetic_v<B> || std::is_same_v<B, with_load_tag>;
template <class A, class B> consteval void explain_arguments() {
    static_assert(!(is_text<A> || is_text<B>), "perfspec: a name belongs to a subject: write latency(perfspec::subject(name, f))");
    static_assert(!is_setup<A>, "perfspec: setup belongs to a subject: write latency(perfspec::subject(name, setup(make), body))");
    static_assert(!(std::is_same_v<B, option> || std::is_arithmetic_v<B>),
                  "perfspec: options follow the claim: write PERF_CHECK(latency(x) < 3ms, budget(10s), iterations(100))");
    static_assert(
        !std::is_same_v<B, with_load_tag>,
        "perfspec: with_load belongs to peak_memory and compression: write peak_memory(x, with_load), or cold_start(x) for the time");
}

/// An argument for a call that is never compiled.
[[nodiscard]] const subject& no_subject() noexcept;

template <class T> inline constexpr bool is_query_or_scaled = is_query<T> || is_scaled<T>;

#define PERFSPEC_DETAIL_NO_ARITHMETIC(OPERATOR, CONDITION)                                                                              \
    template <class Left, class Right>                                                                                                  \
    requires(CONDITION) claim operator OPERATOR(const Left&, const Right&) {                                                            \
        static_assert(never<Left>, "perfspec: queries are not added, divided or scaled twice: write latency(b) < 0.8 * latency(a), or " \
                                   "speedup(a, b) > 1.25");                                                                             \
        return claim(nullptr);                                                                                                          \
    }
PERFSPEC_DETAIL_NO_ARITHMETIC(+, (is_query_or_scaled<Left> || is_query_or_scaled<Right>))
PERFSPEC_DETAIL_NO_ARITHMETIC(-, (is_query_or_scaled<Left> || is_query_or_scaled<Right>))
PERFSPEC_DETAIL_NO_ARITHMETIC(/, (is_query_or_scaled<Left> || is_query_or_scaled<Right>))
PERFSPEC_DETAIL_NO_ARITHMETIC(*, (is_scaled<Left> || is_scaled<Right> || (is_query<Left> && !std::is_arithmetic_v<Right>) ||
                                  (is_query<Right> && !std::is_arithmetic_v<Left>)))
#undef PERFSPEC_DETAIL_NO_ARITHMETIC

template <class T>
requires is_query_or_scaled<T> claim operator-(const T&) {
    static_assert(never<T>, "perfspec: a query has no sign: reverse the comparison: write latency(x) > 3ms");
    return claim(nullptr);
}

#define PERFSPEC_DETAIL_NO_SCALED(OPERATOR)                                                                                              \
    template <class Left, class Right>                                                                                                   \
    requires((is_scaled<Left> && !Expression<Right>) || (is_scaled<Right> && !Expression<Left>)) claim operator OPERATOR(const Left&,    \
                                                                                                                         const Right&) { \
        static_assert(never<Left>, "perfspec: a factor belongs to the bound: write latency(b) < 0.8 * latency(a), latency(x) < 3ms");    \
        return claim(nullptr);                                                                                                           \
    }
PERFSPEC_DETAIL_NO_SCALED(<)
PERFSPEC_DETAIL_NO_SCALED(<=)
PERFSPEC_DETAIL_NO_SCALED(>)
PERFSPEC_DETAIL_NO_SCALED(>=)
#undef PERFSPEC_DETAIL_NO_SCALED

}  // namespace detail

#define PERFSPEC_DETAIL_NO_SUBJECT(OPERATOR, ...)                                                                              \
    template <class Left, class Right>                                                                                         \
    requires((detail::Subject<Left> || detail::Subject<Right>)&&!detail::Expression<Left> && !detail::Expression<Right>) claim \
    operator OPERATOR(const Left&, const Right&) {                                                                             \
        static_assert(detail::never<Left>, "perfspec: a subject is not a number: write " __VA_ARGS__);                         \
        return claim(nullptr);                                                                                                 \
    }
PERFSPEC_DETAIL_NO_SUBJECT(*, "0.95 * latency(x)")
PERFSPEC_DETAIL_NO_SUBJECT(/, "speedup(a, b) > 0.95")
PERFSPEC_DETAIL_NO_SUBJECT(<, "latency(x) < 3ms, or speedup(a, b) > 0.95")
PERFSPEC_DETAIL_NO_SUBJECT(<=, "latency(x) <= 3ms, or speedup(a, b) > 0.95")
PERFSPEC_DETAIL_NO_SUBJECT(>, "latency(x) > 3ms, or speedup(a, b) > 0.95")
PERFSPEC_DETAIL_NO_SUBJECT(>=, "latency(x) >= 3ms, or speedup(a, b) > 0.95")
#undef PERFSPEC_DETAIL_NO_SUBJECT

namespace guessed {

/// Only argument-dependent lookup finds these, so they do not hide other functions.
#define PERFSPEC_DETAIL_NO_STATISTIC(NAME, ...)                                           \
    template <detail::Expression T, class... More> claim NAME(const T&, const More&...) { \
        static_assert(detail::never<T>, "perfspec: " __VA_ARGS__);                        \
        return claim(nullptr);                                                            \
    }
PERFSPEC_DETAIL_NO_STATISTIC(mean, "outliers move a mean: write latency(x), which is the median, or p90(latency(x))")
PERFSPEC_DETAIL_NO_STATISTIC(average, "outliers move a mean: write latency(x), which is the median, or p90(latency(x))")
PERFSPEC_DETAIL_NO_STATISTIC(median, "latency(x) is the median already: write latency(x)")
PERFSPEC_DETAIL_NO_STATISTIC(max, "a maximum differs in every run: write p99(latency(x))")
PERFSPEC_DETAIL_NO_STATISTIC(maximum, "a maximum differs in every run: write p99(latency(x))")
PERFSPEC_DETAIL_NO_STATISTIC(min, "a minimum is only recorded: write PERF_RECORD(minimum(latency(x)))")
PERFSPEC_DETAIL_NO_STATISTIC(p75, "write percentile(latency(x), 75)")
PERFSPEC_DETAIL_NO_STATISTIC(p999, "a rarer percentile needs more iterations than a run takes: write percentile(latency(x), 99.5)")
#undef PERFSPEC_DETAIL_NO_STATISTIC

}  // namespace guessed

template <class T>
requires std::is_same_v<T, bool> claim operator==(const claim&, const T&) {
    static_assert(detail::never<T>, "perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim)");
    return claim(nullptr);
}

template <class T> claim operator&&(const option&, const T&) {
    static_assert(detail::never<T>, "perfspec: options are separated by commas: write PERF_CHECK(claim, budget(10s), margin(1_pct))");
    return claim(nullptr);
}

inline namespace language {

#define PERFSPEC_DETAIL_OF_ONE(NAME, INSTEAD) PERFSPEC_DETAIL_OF_ONE_BUT(false, NAME, INSTEAD)
#define PERFSPEC_DETAIL_OF_ONE_BUT(FITS, NAME, INSTEAD)                                                                         \
    template <class... None>                                                                                                    \
    requires(sizeof...(None) == 0) auto NAME(const None&...) {                                                                  \
        static_assert(sizeof...(None) != 0, "perfspec: " #NAME " takes a subject: write " #NAME "(x)");                         \
        return NAME(detail::no_subject());                                                                                      \
    }                                                                                                                           \
    template <class A, class B, class... More>                                                                                  \
    requires(!(FITS) && (detail::Measurable<A> || (detail::is_text<A> && detail::Measurable<B>))) auto NAME(const A&, const B&, \
                                                                                                            const More&...) {   \
        detail::explain_arguments<A, B>();                                                                                      \
        static_assert(detail::is_explained<A, B>, "perfspec: " #NAME " takes one subject: write " INSTEAD);                     \
        return NAME(detail::no_subject());                                                                                      \
    }
PERFSPEC_DETAIL_OF_ONE(latency, "two assertions, or latency(b) < 0.8 * latency(a)")
PERFSPEC_DETAIL_OF_ONE(cpu_time, "two assertions, or cpu_time(b) < 0.8 * cpu_time(a)")
PERFSPEC_DETAIL_OF_ONE(device_time, "two assertions, or device_time(b) < 0.8 * device_time(a)")
PERFSPEC_DETAIL_OF_ONE_BUT((detail::is_text<A> || detail::is_text<B>), kernel_time,
                           "two assertions, or kernel_time(b) < 0.8 * kernel_time(a)")
template <class A, class B>
requires(detail::is_text<A>&& detail::Measurable<B>) auto kernel_time(const A&, const B&) {
    static_assert(detail::never<A>, "perfspec: the name of a kernel comes after the subject: write kernel_time(x, \"softmax\")");
    return kernel_time(detail::no_subject());
}
PERFSPEC_DETAIL_OF_ONE(stability, "two assertions")
PERFSPEC_DETAIL_OF_ONE(cold_start, "two assertions, or cold_start(b) < 0.8 * cold_start(a)")
PERFSPEC_DETAIL_OF_ONE(first_call, "two assertions, or first_call(b) < 0.8 * first_call(a)")
PERFSPEC_DETAIL_OF_ONE(load_time, "two assertions, or load_time(b) < 0.8 * load_time(a)")
PERFSPEC_DETAIL_OF_ONE_BUT((std::is_same_v<B, with_load_tag>), peak_memory, "two assertions, or peak_memory(b) < 0.8 * peak_memory(a)")
PERFSPEC_DETAIL_OF_ONE(allocations, "two assertions, or allocations(b) < 0.8 * allocations(a)")
PERFSPEC_DETAIL_OF_ONE(allocated_bytes, "two assertions, or allocated_bytes(b) < 0.8 * allocated_bytes(a)")
PERFSPEC_DETAIL_OF_ONE(instructions, "two assertions, or instructions(b) < 0.8 * instructions(a)")
PERFSPEC_DETAIL_OF_ONE(cycles, "two assertions, or cycles(b) < 0.8 * cycles(a)")
PERFSPEC_DETAIL_OF_ONE(branch_misses, "two assertions, or branch_misses(b) < 0.8 * branch_misses(a)")
PERFSPEC_DETAIL_OF_ONE(cache_misses, "two assertions, or cache_misses(b) < 0.8 * cache_misses(a)")
PERFSPEC_DETAIL_OF_ONE(simulated_instructions, "two assertions, or simulated_instructions(b) < 0.8 * simulated_instructions(a)")
PERFSPEC_DETAIL_OF_ONE(simulated_branch_misses, "two assertions, or simulated_branch_misses(b) < 0.8 * simulated_branch_misses(a)")
PERFSPEC_DETAIL_OF_ONE(simulated_cache_misses, "two assertions, or simulated_cache_misses(b) < 0.8 * simulated_cache_misses(a)")
#undef PERFSPEC_DETAIL_OF_ONE
#undef PERFSPEC_DETAIL_OF_ONE_BUT

template <detail::Measurable A>
requires(!detail::Subject<A>) query<dimension::bytes> peak_memory(const A&, with_load_tag) {
    static_assert(
        detail::never<A>,
        "perfspec: a callable loads nothing: write peak_memory(perfspec::subject(name, f).load(step), with_load), or peak_memory(f)");
    return peak_memory(detail::no_subject());
}

#define PERFSPEC_DETAIL_PERCENTILE_OF_ONE(NAME)                                                                               \
    template <detail::Measurable A, class... More>                                                                            \
    requires(sizeof...(More) > 0) query<dimension::time, statistic::percentile> NAME(const A&, const More&...) {              \
        static_assert(detail::never<A>, "perfspec: " #NAME " takes the times of one subject: write two assertions, or " #NAME \
                                        "(latency(b)) < 0.8 * " #NAME "(latency(a))");                                        \
        return p50(latency(detail::no_subject()));                                                                            \
    }
PERFSPEC_DETAIL_PERCENTILE_OF_ONE(p50)
PERFSPEC_DETAIL_PERCENTILE_OF_ONE(p90)
PERFSPEC_DETAIL_PERCENTILE_OF_ONE(p95)
PERFSPEC_DETAIL_PERCENTILE_OF_ONE(p99)
#undef PERFSPEC_DETAIL_PERCENTILE_OF_ONE

template <class A>
requires(detail::Measurable<A> || detail::Expression<A>) query<dimension::ratio> compression(const A&) {
    static_assert(detail::never<A>, "perfspec: compression takes two subjects: write compression(before, after) > 2.0");
    return compression(detail::no_subject(), detail::no_subject());
}

template <class A>
requires(detail::Measurable<A> || detail::Expression<A>) query<dimension::ratio> compression(const A&, with_load_tag) {
    static_assert(detail::never<A>, "perfspec: compression takes two subjects: write compression(before, after, with_load) > 0.9");
    return compression(detail::no_subject(), detail::no_subject());
}

template <class A>
requires(detail::Measurable<A> || detail::Expression<A>) query<dimension::ratio> speedup(const A&) {
    static_assert(detail::never<A>, "perfspec: speedup takes two subjects: write speedup(before, after) > 0.95");
    return speedup(detail::no_subject(), detail::no_subject());
}
template <class A, class B>
requires detail::NoPair<A, B> query<dimension::ratio> speedup(const A&, const B&) {
    static_assert(detail::never<A>,
                  "perfspec: speedup takes two subjects or two times: write speedup(a, b), or speedup(cpu_time(a), cpu_time(b))");
    return speedup(detail::no_subject(), detail::no_subject());
}
template <detail::Measurable A, class B, class C, class... More>
query<dimension::ratio> speedup(const A&, const B&, const C&, const More&...) {
    static_assert(detail::never<A>, "perfspec: speedup takes two subjects: write two assertions, or PERF_RECORD(compare(a, b, c))");
    return speedup(detail::no_subject(), detail::no_subject());
}

template <detail::Measurable A> query<dimension::ratio, statistic::several> compare(const A&) {
    static_assert(detail::never<A>, "perfspec: compare takes two or more subjects: write PERF_RECORD(compare(a, b, c))");
    return compare(detail::no_subject(), detail::no_subject());
}

template <detail::Measurable A, class B>
requires(!detail::is_work<B>) query<dimension::item_rate> throughput(const A&, const B&) {
    static_assert(detail::never<A>,
                  "perfspec: the subject declares its work: write perfspec::subject(name, f).bytes(4096), then throughput(x, bytes)");
    return throughput(detail::no_subject());
}

template <detail::Measurable A, class B>
requires(!detail::is_work<B>) query<dimension::item_rate> device_throughput(const A&, const B&) {
    static_assert(
        detail::never<A>,
        "perfspec: the subject declares its work: write perfspec::subject(name, f).bytes(4096), then device_throughput(x, bytes)");
    return device_throughput(detail::no_subject());
}

template <class... Args>
requires(detail::is_no_metric<Args...>) query<dimension::own> metric(const Args&...) {
    static_assert(sizeof...(Args) == 0,
                  "perfspec: a metric has a name, a direction and a body: write metric(\"tokens/s\", more_is_better, f)");
    return metric("", better::less, detail::no_subject());
}

template <detail::Expression T> query<dimension::time, statistic::percentile> percentile(const T&) {
    static_assert(detail::never<T>, "perfspec: say which percentile: write percentile(latency(x), 99.5), or p50, p90, p95, p99 of it");
    return p50(latency(detail::no_subject()));
}

template <class Make, class Body, class... Sizes>
requires(sizeof...(Sizes) > 0 && (std::is_arithmetic_v<Sizes> && ...)) query<dimension::power> growth(const setup_step<Make>&, const Body&,
                                                                                                      Sizes...) {
    static_assert(detail::never<Make>, "perfspec: put the sizes in braces: write growth(setup(make), body, {1000, 4000, 16000})");
    return detail::growth_over({}, nullptr, nullptr);
}

template <class T, class Of>
requires(std::is_arithmetic_v<T> &&
         (detail::Expression<Of> || detail::Measurable<Of>)) query<dimension::time, statistic::percentile> percentile(T, const Of&) {
    static_assert(detail::never<T>, "perfspec: the percentage is the second argument: write percentile(latency(x), 99.5)");
    return p50(latency(detail::no_subject()));
}

template <detail::Measurable A> claim same_output(const A&) {
    static_assert(detail::never<A>, "perfspec: same_output takes two subjects: write same_output(reference, candidate)");
    return same_output(detail::no_subject(), detail::no_subject());
}

}  // namespace language
}  // namespace perfspec
