// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>

#include <support/test.hpp>

#include <string>

namespace perfspec::testing {

/// A query as it is written, by the names of its subjects.
inline std::string words(const detail::expression& q) {
    std::vector<std::string> names;
    for (const subject& s : q.node().query().subjects) names.emplace_back(s.name());
    return describe(q.node().query(), names);
}

/// Checks the metric, the unit and the direction of a query.
inline void check_query(const detail::expression& q, metric_kind m, dimension unit, better direction) {
    CHECK(q.node().query().metric == m);
    CHECK(q.node().query().unit == unit);
    CHECK(q.node().query().direction == direction);
    CHECK(std::holds_alternative<query_description>(q.node().says));
}

}  // namespace perfspec::testing
