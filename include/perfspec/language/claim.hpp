// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression.hpp>

#include <concepts>
#include <cstdint>

namespace perfspec {

/// How a query is compared with its bound, the query on the left.
enum class comparison : std::uint8_t { less, less_equal, greater, greater_equal };

/// A query, a comparison and a bound. Building one measures nothing; an assertion macro or `evaluate` judges it.
class [[nodiscard("perfspec: a claim is judged only inside PERF_CHECK(claim), PERF_REQUIRE(claim) or perfspec::evaluate(claim)")]] claim
    : public detail::expression {
public:
    using expression::expression;

    template <class B>
        requires std::same_as<B, bool>
    operator B() const {  // NOLINT(google-explicit-constructor): catches REQUIRE(claim), if (claim), !claim
        static_assert(detail::never<B>, "perfspec: a claim is no bool before it is measured: write PERF_CHECK(claim) instead of CHECK(claim) or if (claim)");
        return false;
    }
};

/// One claim an assertion: `a && b` would hide which of the two failed.
template <std::derived_from<claim> Left, class Right>
claim operator&&(const Left& left, const Right&) {
    static_assert(detail::never<Left>, "perfspec: claims do not combine with && or ||: write two assertions");
    return left;
}
template <std::derived_from<claim> Left, class Right>
claim operator||(const Left& left, const Right&) {
    static_assert(detail::never<Left>, "perfspec: claims do not combine with && or ||: write two assertions");
    return left;
}

}  // namespace perfspec
