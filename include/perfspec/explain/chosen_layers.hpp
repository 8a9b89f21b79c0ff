// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/report/evaluation.hpp>

#include <optional>
#include <vector>

namespace perfspec {

/// The variant that an oracle took each layer from. Empty without an oracle: for another query, or if nothing
/// was measured.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled));
///     auto mixed = perfspec::hybrid("mixed", eager, compiled, chosen_layers(found));
[[nodiscard]] std::vector<layer_side> chosen_layers(const evaluation& found);

/// How much longer a variant takes end to end than the oracle, as a fraction: 0.1 for 10 %. Nothing without an
/// oracle, or if it has no such variant.
///
/// This is a number, not a claim: the oracle is not a subject, because nothing runs it. Claim something about a subject
/// that runs the mixture: `speedup(compiled, mixed) < 1.1`.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled, traced));
///     oracle_gap(found, layer_side::third);  // of traced
[[nodiscard]] std::optional<double> oracle_gap(const evaluation& found, layer_side variant = layer_side::second);

}  // namespace perfspec
