// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression.hpp>

#include <concepts>
#include <cstdint>

namespace perfspec {

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
    operator B() const {  // NOLINT(google-explicit-constructor): catches REQUIRE(claim), if (claim), !claim
        static_assert(
            detail::never<B>,
            "perfspec: a claim is not a bool before it is measured: write PERF_CHECK(claim) instead of CHECK(claim) or if (claim)");
        return false;
    }
};

/// Only one claim is allowed in an assertion: `a && b` would hide which of the two failed.
template <std::derived_from<claim> Left, class Right> claim operator&&(const Left& left, const Right&) {
    static_assert(detail::never<Left>, "perfspec: claims do not combine with && or ||: write two assertions");
    return left;
}
template <std::derived_from<claim> Left, class Right> claim operator||(const Left& left, const Right&) {
    static_assert(detail::never<Left>, "perfspec: claims do not combine with && or ||: write two assertions");
    return left;
}

/// `1ms < latency(f) < 3ms` reads well, but it is two claims. (If the right side is a query, its own operator explains
/// this.)
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

}  // namespace perfspec
