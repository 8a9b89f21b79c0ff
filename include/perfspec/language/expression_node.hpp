// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/claim.hpp>
#include <perfspec/language/query_description.hpp>

#include <cstdint>
#include <optional>
#include <variant>

namespace perfspec {

/// A number, in the base unit of the query.
struct value_bound {
    double value{};
};

/// What was measured before, or is measured of another build: factor * that + offset, in the base unit.
struct stored_bound {
    double factor{1.0};
    double offset{};
};

/// The same metric of another subject, times the factor.
struct query_bound {
    double factor{1.0};
    query_description other{};
    bound_side written{bound_side::right};  ///< where it stands in the text; here it is always on the right
};

using claim_bound = std::variant<value_bound, stored_bound, query_bound>;

/// How far to either side of its bound a query may lie: a fraction of the bound, or an offset from it in the query's base unit.
struct bound_tolerance {
    double fraction{};
    double offset{};
};

/// What is claimed of a query.
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

/// What an expression says. Immutable once made; shared by counted handles.
struct expression_node {
    std::uint32_t owners{1};
    std::variant<query_description, bounded_claim, output_claim> says;

    /// The query, or that of the claim; of none that is on outputs.
    [[nodiscard]] const query_description& query() const {
        const auto* const claimed = std::get_if<bounded_claim>(&says);
        return claimed != nullptr ? claimed->query : std::get<query_description>(says);
    }
    [[nodiscard]] const claim_terms& terms() const { return std::get<bounded_claim>(says).terms; }
};

}  // namespace detail
}  // namespace perfspec
