// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/expression_node.hpp>

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// The ends of a tolerance: where the query is worse than the bound, and where it is better.
enum class tolerance_end : std::uint8_t { loss, gain };

namespace detail {

/// One of the two claims of `query == within(bound, tolerance)`: that the query is not beyond this end.
///
/// direction  whether smaller or larger values of the query are better
///
///     one_side(terms of latency(f) == within(3ms, 0.1ms), better::less, tolerance_end::loss)   // latency(f) <= 3.1 ms
[[nodiscard]] claim_terms one_side(const claim_terms& within, better direction, tolerance_end end);

/// The bound in the middle of the tolerance, from the bound of one side.
[[nodiscard]] double middle_of(const claim_terms& within, better direction, tolerance_end end, double bound_of_side);

/// The bound of one side, from the bound in the middle.
[[nodiscard]] double bound_of_side(const claim_terms& within, better direction, tolerance_end end, double middle);

}  // namespace detail

/// Writes a query with the names of its subjects: "speedup(eager, inductor)", "throughput(parser, bytes)".
[[nodiscard]] std::string describe(const query_description& query, const std::vector<std::string>& names);

/// The settings of `s` that not all subjects of a query share. They distinguish `s`, so they are written after its
/// name.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> distinguishing_settings(const subject& s,
                                                                                       const std::vector<subject>& of);

/// The axes of all subjects together. Throws input_error if two subjects give one axis different values.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> united_axes(const std::vector<subject>& subjects);

/// "<", "<=", ">", ">=", "==".
[[nodiscard]] const char* to_string(comparison c) noexcept;

}  // namespace perfspec
