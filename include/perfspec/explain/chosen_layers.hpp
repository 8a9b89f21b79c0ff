// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/layer_oracle.hpp>
#include <perfspec/report/record.hpp>

#include <optional>
#include <vector>

namespace perfspec {

/// Which variant an oracle took each layer from; empty for a record that measured none: of another query, or where nothing is judged.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled));
///     auto mixed = perfspec::hybrid("mixed", eager, compiled, chosen_layers(found));
[[nodiscard]] std::vector<layer_side> chosen_layers(const record& found);

/// How much longer the second variant takes end to end than the oracle, as a fraction: 0.1 for 10 %. Nothing for a record that measured no oracle.
///
/// It is a number, not a claim: the oracle is no subject, because nothing runs it. The claim is on what runs: `speedup(compiled, mixed) < 1.1`.
[[nodiscard]] std::optional<double> oracle_gap(const record& found);

}  // namespace perfspec
