// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/oracle_settings.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <utility>
#include <vector>

namespace perfspec {

/// A model that says what its layers are: a subject that runs them all, and the parts of which `layers` measures the times. Adapters make it, such as
/// `perfspec::layered` of <perfspec/libtorch.hpp>.
class layered_subject : public subject {
public:
    /// For adapters.
    /// prefixes  the n-th runs the first n layers
    /// steps     the n-th runs layer n on what the step before it left; the first begins anew. They run in order, one iteration each.
    layered_subject(const subject& whole, std::vector<subject> prefixes, std::vector<subject> steps)
        : subject(whole), prefixes_(std::move(prefixes)), steps_(std::move(steps)) {}

    [[nodiscard]] const std::vector<subject>& prefixes() const noexcept { return prefixes_; }
    [[nodiscard]] const std::vector<subject>& steps() const noexcept { return steps_; }

private:
    std::vector<subject> prefixes_;
    std::vector<subject> steps_;
};

inline namespace language {

/// Where the time of a model goes, four ways side by side, in the same rounds, in random order: end to end; a timer around each layer;
/// layer subtraction (the first n layers minus the first n - 1, with the interval of the differences, *unresolved* where it holds zero); the self
/// times of the operators that ran in each layer, where an adapter records them. And the sum of each beside the end-to-end time.
///
/// Subtraction runs each layer once for every layer behind it: of n layers a round costs about n / 2 + 3 runs of the model.
///
///     PERF_RECORD(layers(model));
query<dimension::time, statistic::several> layers(const layered_subject& x);

/// The fastest mixture of two variants of a model with the same layers: per layer the faster one, by dynamic programming where `switching` between
/// variants costs something. Both are measured in the same rounds. What is measured is the sum of the chosen layers' times; how far each variant
/// is from it stands beside. `chosen_layers(record)` is the choice.
///
/// `best_of` of 2 measures everything twice, one after the other, and goes by the smaller time of each layer and each variant, as Goldfarb, "Evaluating
/// the PyTorch Compiler in the Vision Domain" (2024), does; it takes twice the budget, but for a given one, which they share.
///
/// A minimum of noisy times is too small, that of two measurements still more so: of two equal ones with a normal error s it lies 0.56 s below the truth on
/// average. And a mixture may run differently from its parts: judge a subject that really runs it (`perfspec::hybrid`).
/// Throws input_error for variants with different layers or of one name, and for a `best_of` of 0 or above 10.
///
///     const auto found = perfspec::evaluate(oracle(eager, compiled, {.switching = 20us}));
query<dimension::time, statistic::several> oracle(const layered_subject& first, const layered_subject& second,
                                                  const oracle_settings& settings = {});

/// The operators that one iteration runs, by their self times: self, total, calls; and the time without a recorder beside them. Recording costs
/// time, so that small operators look larger than they are. Of a subject on a device also self and total times of what they started there.
///
///     PERF_RECORD(profile(model));
query<dimension::time, statistic::several> profile(const subject& x);

}  // namespace language
}  // namespace perfspec
