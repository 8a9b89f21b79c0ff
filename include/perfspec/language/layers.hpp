// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subject.hpp>

#include <chrono>
#include <cstdint>
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

/// What an oracle takes the times of layers from: a timer around each, or the self times of the operators that ran in it.
enum class layer_timing : std::uint8_t { timers, operators };

/// How an oracle chooses.
struct oracle_settings {
    std::chrono::nanoseconds switching{};  ///< what going from one variant to the other costs between two layers
    layer_timing from{layer_timing::timers};
    unsigned best_of{1};  ///< measurements one after the other, of which each layer's smallest time counts; 1 to 10
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

/// Calls of operators in one iteration, in all threads, those within other operators included. A count as `allocations` is. *Not judged* for subjects
/// whose operators nobody sees.
///
///     PERF_CHECK(op_count(model) <= 120);
query<dimension::count, statistic::exact> op_count(const subject& x);

/// Kernels that one iteration runs. A count as `allocations` is, whose baselines are kept for the hardware: a compiler fuses for its target.
///
/// Of an AOTInductor package for the processor that was exported with `--kernel-profiling`: the kernels that it announces, its own and those of
/// LibTorch that it calls, and the operators that it hands back to LibTorch; also an operator that one of these starts on another thread. Of a
/// LibTorch subject on a device, or `on_device`: the kernels that ran there, copies and fills of memory not counted. *Not judged* for every other
/// subject: op_count(x) counts operators on the processor.
///
///     PERF_CHECK(kernel_count(fused) < kernel_count(unfused));
query<dimension::count, statistic::exact> kernel_count(const subject& x);

#define PERFSPEC_DETAIL_COUNT_OF_ONE(NAME)                                                                                  \
    template <class A, class B, class... More>                                                                              \
    requires(detail::Callable<A> || detail::Subject<A>) query<dimension::count, statistic::exact> NAME(const A&, const B&,  \
                                                                                                       const More&...) {    \
        static_assert(detail::never<A>,                                                                                     \
                      "perfspec: " #NAME " is of one subject: write two assertions, or " #NAME "(b) < 0.8 * " #NAME "(a)"); \
        return query<dimension::count, statistic::exact>(nullptr);                                                          \
    }
PERFSPEC_DETAIL_COUNT_OF_ONE(op_count)
PERFSPEC_DETAIL_COUNT_OF_ONE(kernel_count)
#undef PERFSPEC_DETAIL_COUNT_OF_ONE

}  // namespace language
}  // namespace perfspec
