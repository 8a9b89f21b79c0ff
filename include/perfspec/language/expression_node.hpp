// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/bound.hpp>
#include <perfspec/language/query_description.hpp>

#include <cstdint>
#include <optional>
#include <variant>

namespace perfspec {

/// A number, in the base unit of the query.
struct value_bound {
    double value{};
};

/// A value from stored launches, or from another build, as factor * value + offset. The offset is in the base unit.
struct stored_bound {
    double factor{1.0};
    double offset{};
};

/// The same metric of another subject, times a factor.
struct query_bound {
    double factor{1.0};
    query_description other{};
};

using claim_bound = std::variant<value_bound, stored_bound, query_bound>;

/// How far from its bound a query may be on either side: a fraction of the bound, or an offset from it in the query's
/// base unit.
struct bound_tolerance {
    double fraction{};
    double offset{};
};

/// The comparison and the bound of a claim.
struct claim_terms {
    comparison compared{comparison::less};
    claim_bound bound{};
    std::optional<bound_tolerance> tolerance{};  ///< of `== within(bound, tolerance)`
};

/// `query < bound`.
struct bounded_claim {
    query_description query{};
    claim_terms terms{};
};

/// `same_output(reference, candidate)`.
struct output_claim {
    subject reference;
    subject candidate;
};

namespace detail {

/// The content of an expression. It never changes; counted handles share it.
struct expression_node {
    std::uint32_t owners{1};
    std::variant<query_description, bounded_claim, output_claim> says;

    /// The query of the expression or of its claim. A claim on outputs has none.
    [[nodiscard]] const query_description& query() const {
        const auto* const claimed = std::get_if<bounded_claim>(&says);
        return claimed != nullptr ? claimed->query : std::get<query_description>(says);
    }
    [[nodiscard]] const claim_terms& terms() const { return std::get<bounded_claim>(says).terms; }
};

}  // namespace detail
}  // namespace perfspec
