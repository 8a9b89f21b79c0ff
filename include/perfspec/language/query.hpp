// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstdint>
#include <type_traits>

namespace perfspec::inline v0_2 {

/// How the readings of many iterations become one value. A percentile goes up to p99.5. `exact` is a count that usually
/// repeats from run to run; if it does not, it is a median. `once`: one event in a process. `several` is a table, such
/// as the ratios of many subjects to the first, and is only recorded.
enum class statistic : std::uint8_t { median, percentile, exact, once, several };

template <dimension D, statistic S = statistic::median> class query;

namespace detail {

[[nodiscard]] claim claim_against_value(const expression& query, comparison c, double value);
[[nodiscard]] claim claim_against_baseline(const expression& query, comparison c, double factor, double offset);
[[nodiscard]] claim claim_against_query(const expression& query, comparison c, double factor, const expression& other);
/// A claim of equality with a tolerance: a fraction of the bound, or an offset from it in the query's base unit. Throws
/// input_error for a tolerance that is not positive, or a fraction of 1 or more.
[[nodiscard]] claim claim_with_tolerance(const claim& equality, double fraction, double offset);

/// `0.8 * latency(a)` as a bound. It owns its query, so a variable can keep it.
template <dimension D, statistic S> struct scaled_query {
    double factor;
    expression query;
};

template <class T> inline constexpr bool is_query = false;
template <dimension D, statistic S> inline constexpr bool is_query<query<D, S>> = true;

template <class T> inline constexpr bool is_scaled = false;
template <dimension D, statistic S> inline constexpr bool is_scaled<scaled_query<D, S>> = true;

/// The statistic of a bound: that of a query or scaled query, and the median for anything else.
template <class T> inline constexpr statistic statistic_of = statistic::median;
template <dimension D, statistic S> inline constexpr statistic statistic_of<query<D, S>> = S;
template <dimension D, statistic S> inline constexpr statistic statistic_of<scaled_query<D, S>> = S;

template <class T> inline constexpr bool is_within = false;
template <class Bound, class Tolerance> inline constexpr bool is_within<within_bound<Bound, Tolerance>> = true;

template <class T> inline constexpr bool is_duration = false;
template <class Rep, class Period> inline constexpr bool is_duration<std::chrono::duration<Rep, Period>> = true;

/// Fails to compile, with a sentence that says what to write instead of this bound.
template <dimension D, statistic S, class T> consteval void explain_mismatch() {
    constexpr bool is_several = S == statistic::several || statistic_of<T> == statistic::several;
    if constexpr (std::is_base_of_v<claim, T>) {
        static_assert(never<T>, "perfspec: comparisons do not chain: write two assertions");
    } else if constexpr (std::is_function_v<T>) {
        static_assert(never<T>, "perfspec: parentheses are missing at the bound: write baseline(), or latency(x)");
    } else if constexpr (is_within<T>) {
        static_assert(
            never<T>,
            "perfspec: a tolerance has two sides and is compared by ==: write latency(x) == within(3ms, 5_pct)");
    } else if constexpr (is_several) {
        static_assert(never<T>,
                      "perfspec: a table of several values is only recorded: write PERF_MEASURE(speedups(a, b, c))");
    } else if constexpr (D == dimension::power || D == dimension::spread) {
        static_assert(
            never<T>,
            "perfspec: a complexity is compared with a power of n, and a spread between processes with a percentage: write "
            "complexity(...) <= order::power(1), or spread(x) < 7_pct");
    } else if constexpr (D == dimension::own || D == dimension::count) {
        static_assert(
            never<T>,
            "perfspec: a count or a metric of your own is compared with a plain number, with baseline(), or with the same of another subject");
    } else if constexpr (D == dimension::bytes) {
        static_assert(
            never<T>,
            "perfspec: bytes are compared with bytes: write 2_MiB, bytes(4096), baseline() + 1_MiB, or the same bytes of "
            "another subject");
    } else if constexpr (D == dimension::time && std::is_arithmetic_v<T>) {
        static_assert(
            never<T>,
            "perfspec: a time is compared with a time: give the number a unit (40ms, 1.5us), or write 1.05 * baseline()");
    } else if constexpr (D == dimension::time) {
        static_assert(
            never<T>,
            "perfspec: a time is compared with a time, or with the same query of another subject: write latency(x) < 3ms, "
            "< 1.05 * baseline(), or < 0.8 * latency(y)");
    } else if constexpr (D == dimension::ratio) {
        static_assert(
            never<T>,
            "perfspec: a speedup or a memory_ratio is a ratio: write speedup(a, b) > 0.95 or > 0.9 * baseline(), or bound "
            "one subject: latency(b) < 3ms");
    } else {
        static_assert(
            never<T>,
            "perfspec: a throughput is compared with a rate of its work: write throughput(x) > items_per_second(1e6), "
            "throughput(x, bytes) > 200_MBps, or throughput(x, flops) > 2_GFLOP_per_s");
    }
}

template <dimension D, statistic S, class T> claim make_claim(const expression& q, comparison c, const T& bound) {
    if constexpr (S == statistic::several) explain_mismatch<D, S, T>();
    constexpr bool has_baseline = D != dimension::spread;
    constexpr bool is_paired =
        D != dimension::power && D != dimension::spread && D != dimension::ratio;  // with another query
    if constexpr (std::is_same_v<T, quantity<D>>) {
        return claim_against_value(q, c, bound.value);
    } else if constexpr (D == dimension::spread && std::is_same_v<T, percentage>) {
        return claim_against_value(q, c, bound.fraction);
    } else if constexpr (D == dimension::time && is_duration<T>) {
        return claim_against_value(q, c, nanoseconds(bound));
    } else if constexpr ((D == dimension::ratio || D == dimension::count || D == dimension::own) &&
                         std::is_arithmetic_v<T> && !std::is_same_v<T, bool>) {
        return claim_against_value(q, c, static_cast<double>(bound));
    } else if constexpr (has_baseline && std::is_same_v<T, baseline_bound>) {
        return claim_against_baseline(q, c, bound.factor, 0.0);
    } else if constexpr (has_baseline && std::is_same_v<T, shifted_baseline_bound<D>>) {
        return claim_against_baseline(q, c, bound.factor, bound.offset);
    } else if constexpr (is_paired && std::is_same_v<T, query<D, S>>) {
        return claim_against_query(q, c, 1.0, bound);
    } else if constexpr (is_paired && std::is_same_v<T, scaled_query<D, S>>) {
        return claim_against_query(q, c, bound.factor, bound.query);
    } else {
        explain_mismatch<D, S, T>();
        return claim_against_value(q, c, 0.0);
    }
}

template <dimension D, statistic S, class Bound, class T>
claim claim_within(const expression& q, const Bound& around, const T& by) {
    constexpr bool number = (D == dimension::ratio || D == dimension::count || D == dimension::own) &&
                            std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
    constexpr bool amount = std::is_same_v<T, quantity<D>> || (D == dimension::time && is_duration<T>) || number;
    static_assert(
        D != dimension::power && D != dimension::spread,
        "perfspec: a complexity and a spread between processes are bounded from one side: write complexity(...) <= order::power(1), or "
        "spread(x) < 7_pct");
    static_assert(
        std::is_same_v<T, percentage> || (amount && !is_query<Bound> && !is_scaled<Bound>),
        "perfspec: a tolerance is a percentage, or a quantity in the query's unit if the bound is not a query: write "
        "within(latency(b), 5_pct), within(3ms, 0.1ms) or within(1.0, 0.05)");
    const claim equality = make_claim<D, S>(q, comparison::equal, around);
    if constexpr (std::is_same_v<T, percentage>) return claim_with_tolerance(equality, by.fraction, 0.0);
    else if constexpr (std::is_same_v<T, quantity<D>>) return claim_with_tolerance(equality, 0.0, by.value);
    else if constexpr (is_duration<T>) return claim_with_tolerance(equality, 0.0, nanoseconds(by));
    else if constexpr (number) return claim_with_tolerance(equality, 0.0, static_cast<double>(by));
    else return equality;
}

template <dimension D, statistic S, class T> claim claim_equality(const expression& q, const T& bound) {
    static_assert(
        is_within<T> || never<T> || S == statistic::exact,
        "perfspec: measured values are never exactly equal: write < or > with a bound, or a tolerance: == within(3ms, 5_pct)");
    if constexpr (is_within<T>) return claim_within<D, S>(q, bound.around, bound.by);
    else if constexpr (S == statistic::exact) return make_claim<D, S>(q, comparison::equal, bound);
    else return claim_against_value(q, comparison::equal, 0.0);
}

}  // namespace detail

/// A metric of subjects, with a statistic. Compare it with a bound to get a claim, or give it to PERF_MEASURE.
template <dimension D, statistic S>
class [[nodiscard(
    "perfspec: a query alone measures nothing: write PERF_MEASURE(query), or PERF_CHECK(query < bound)")]] query
    : public detail::expression {
public:
    using expression::expression;

#define PERFSPEC_DETAIL_COMPARISON(OPERATOR, COMPARED, REVERSED)                                    \
    template <class T> friend claim operator OPERATOR(const query& q, const T& bound) {             \
        return detail::make_claim<D, S>(q, comparison::COMPARED, bound);                            \
    }                                                                                               \
    template <class T>                                                                              \
    requires(!detail::is_query<T>) friend claim operator OPERATOR(const T& bound, const query& q) { \
        return detail::make_claim<D, S>(q, comparison::REVERSED, bound);                            \
    }
    PERFSPEC_DETAIL_COMPARISON(<, less, greater)
    PERFSPEC_DETAIL_COMPARISON(<=, less_equal, greater_equal)
    PERFSPEC_DETAIL_COMPARISON(>, greater, less)
    PERFSPEC_DETAIL_COMPARISON(>=, greater_equal, less_equal)
#undef PERFSPEC_DETAIL_COMPARISON

    // Both orders are defined, because the compiler reverses an == only if it returns bool. Equal constraints, because
    // some compilers otherwise prefer the reversed one.
    template <class T>
    requires(!detail::is_query<T>) friend claim operator==(const query& q, const T& bound) {
        return detail::claim_equality<D, S>(q, bound);
    }
    template <class T>
    requires(!detail::is_query<T>) friend claim operator==(const T& bound, const query& q) {
        return detail::claim_equality<D, S>(q, bound);
    }
    template <class T>
    requires detail::is_query<T>
    friend claim operator==(const query& q, const T& other) { return detail::claim_equality<D, S>(q, other); }

    friend detail::scaled_query<D, S> operator*(double factor, const query& q) noexcept { return {factor, q}; }
    friend detail::scaled_query<D, S> operator*(const query& q, double factor) noexcept { return {factor, q}; }

    template <class B>
    requires std::same_as<B, bool>
    operator B() const {  // NOLINT(google-explicit-constructor): catches CHECK(query), if (query)
        static_assert(detail::never<B>, "perfspec: a query is not a bool: compare it with a bound inside PERF_CHECK");
        return false;
    }
};

}  // namespace perfspec::inline v0_2
