// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

#include <concepts>
#include <cstdint>
#include <type_traits>
#include <utility>

namespace perfspec::inline v0_2 {

class subject;

namespace detail {

struct expression_node;

/// A handle on a node of a claim's tree: query, bound, claim. It is one pointer, so that a claim costs little code. The
/// nodes and the function bodies are in the implementation unit.
class expression {
public:
    explicit expression(expression_node* node) noexcept : node_(node) {}
    expression(const expression& other) noexcept;
    expression(expression&& other) noexcept : node_(std::exchange(other.node_, nullptr)) {}
    expression& operator=(const expression& other) noexcept;
    ~expression();

    [[nodiscard]] const expression_node& node() const noexcept { return *node_; }

private:
    expression_node* node_;
};

template <class> inline constexpr bool never = false;

/// A query or a claim.
template <class T>
concept Expression = std::derived_from<std::decay_t<T>, expression>;

}  // namespace detail

/// How a query is compared with its bound, with the query on the left. `equal` is only for counts that repeat exactly,
/// and for bounds with a tolerance.
enum class comparison : std::uint8_t { less, less_equal, greater, greater_equal, equal };

/// A query, a comparison and a bound. Building one measures nothing; an assertion macro or `evaluate` judges it.
class [[nodiscard(
    "perfspec: a claim is judged only inside PERF_CHECK(claim), PERF_REQUIRE(claim) or perfspec::evaluate(claim)")]] claim
    : public detail::expression {
public:
    using expression::expression;

    template <class B>
    requires std::same_as<B, bool>
    operator B() const {  // NOLINT(google-explicit-constructor): catches REQUIRE(claim), if (claim), a && b
        static_assert(
            detail::never<B>,
            "perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim), once for each claim, instead of CHECK(claim), "
            "if (claim) or a && b");
        return false;
    }
};

/// `1ms < latency(f) < 3ms` reads well, but it is two claims. If the right side is a query, its own operator explains
/// this.
#define PERFSPEC_DETAIL_NO_CHAIN(OPERATOR)                                                                            \
    template <std::derived_from<claim> Left, class Right>                                                             \
    requires(!std::derived_from<Right, detail::expression>) claim operator OPERATOR(const Left& left, const Right&) { \
        static_assert(detail::never<Left>, "perfspec: comparisons do not chain: write two assertions");               \
        return left;                                                                                                  \
    }
PERFSPEC_DETAIL_NO_CHAIN(<)
PERFSPEC_DETAIL_NO_CHAIN(<=)
PERFSPEC_DETAIL_NO_CHAIN(>)
PERFSPEC_DETAIL_NO_CHAIN(>=)
#undef PERFSPEC_DETAIL_NO_CHAIN

/// The baseline of the query on the other side: `baseline()`, or scaled as in `1.05 * baseline()` and
/// `baseline() + 5_pct`.
struct baseline_bound {
    double factor{1.0};
};

/// `baseline() + 2ms`: the baseline, shifted.
template <dimension D> struct shifted_baseline_bound {
    double factor{1.0};
    double offset{};  ///< in the base unit of D
};

/// A bound, and how far the query may be from it on either side: `within(baseline(), 5_pct)`.
template <class Bound, class Tolerance> struct within_bound {
    Bound around;
    Tolerance by;
};

inline namespace language {

/// The value that this query had when its baseline was recorded on this hardware.
///
///     PERF_CHECK(latency(f) < 1.05 * baseline());
[[nodiscard]] constexpr baseline_bound baseline() noexcept { return {}; }

/// The bound of a claim that nothing has changed, or that two queries are equal. Compare by `==`; both sides are
/// tested.
///
/// around  any bound that the query may be compared with by <: a value, k * baseline(), another query
/// by      a percentage of the bound, above 0 and below 100: `within(3ms, 5_pct)` is from 2.85 to 3.15 ms. Or a
///         quantity, unless the bound is another query: `within(3ms, 0.1ms)`. Throws input_error if it is out of range.
/// Makes two claims over the same samples: not worse than one end, and not better than the other. It holds if both
/// hold, and is violated if one is. So an improvement fails, too: the baseline is stale. Each end is tested at half the
/// rate of false failures, so the assertion has the rate of its plan. `false_pass` is not halved, because both claims
/// have to hold. Complexity and spread have no tolerance. Calibration: tests/calibration/equivalence_test.cpp.
///
///     PERF_CHECK(latency(f) == within(baseline(), 5_pct));
///     PERF_CHECK(speedup(portable, tuned) == within(1.0, 3_pct));
template <class Bound, class Tolerance>
[[nodiscard]] constexpr within_bound<Bound, Tolerance> within(const Bound& around, const Tolerance& by) {
    return {around, by};
}

}  // namespace language

[[nodiscard]] constexpr baseline_bound operator*(double factor, baseline_bound b) noexcept {
    return {b.factor * factor};
}
[[nodiscard]] constexpr baseline_bound operator*(baseline_bound b, double factor) noexcept {
    return {b.factor * factor};
}
[[nodiscard]] constexpr baseline_bound operator+(baseline_bound b, percentage p) noexcept {
    return {b.factor * (1.0 + p.fraction)};
}
[[nodiscard]] constexpr baseline_bound operator-(baseline_bound b, percentage p) noexcept {
    return {b.factor * (1.0 - p.fraction)};
}

template <dimension D>
[[nodiscard]] constexpr shifted_baseline_bound<D> operator+(baseline_bound b, quantity<D> q) noexcept {
    return {b.factor, q.value};
}
template <dimension D>
[[nodiscard]] constexpr shifted_baseline_bound<D> operator-(baseline_bound b, quantity<D> q) noexcept {
    return {b.factor, -q.value};
}
template <class Rep, class Period>
[[nodiscard]] constexpr shifted_baseline_bound<dimension::time> operator+(
    baseline_bound b, std::chrono::duration<Rep, Period> d) noexcept {
    return {b.factor, detail::nanoseconds(d)};
}
template <class Rep, class Period>
[[nodiscard]] constexpr shifted_baseline_bound<dimension::time> operator-(
    baseline_bound b, std::chrono::duration<Rep, Period> d) noexcept {
    return {b.factor, -detail::nanoseconds(d)};
}

}  // namespace perfspec::inline v0_2
