// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/mixture_settings.hpp>
#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <concepts>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The library of an operator or a kernel, according to its name: "oneDNN" of "aten::mkldnn_convolution", "cuBLAS" of
/// "ampere_sgemm_128x64_tn".
///
/// An ATen operator without a library in its name may call one, as aten::addmm calls MKL, OpenBLAS or oneDNN on the
/// processor: its library is "ATen, or a library that it does not name". A kernel of at::native is ATen's own. Other
/// names belong to "others".
///
/// name  as recorded; template arguments and shapes are ignored
[[nodiscard]] std::string_view library_of(std::string_view name) noexcept;

/// Adds the procedures for layers(x), best_mixture(a, b) and profile(x), and traces (`trace=DIR`). Only the first call
/// has an effect.
void explain();

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {

/// A model in layers: a subject that runs them all, and the parts that `layers` times. Adapters such as
/// `perfspec::layered` of <perfspec/libtorch.hpp> make it.
class layered_subject : public subject {
public:
    /// For adapters.
    /// prefixes  the n-th runs the first n layers
    /// steps     the n-th runs layer n on the result of the step before it; the first starts again. They run in order,
    /// one iteration each.
    layered_subject(const subject& whole, std::vector<subject> prefixes, std::vector<subject> steps)
        : subject(whole), prefixes_(std::move(prefixes)), steps_(std::move(steps)) {}

    [[nodiscard]] const std::vector<subject>& prefixes() const noexcept { return prefixes_; }
    [[nodiscard]] const std::vector<subject>& steps() const noexcept { return steps_; }

private:
    std::vector<subject> prefixes_;
    std::vector<subject> steps_;
};

inline namespace language {

/// The times of a model's layers, measured in four ways in the same rounds, in random order: end to end; a timer around
/// each layer; layer subtraction; and the self times of the operators in each layer, if an adapter records them. Layer
/// subtraction is the first n layers minus the first n - 1, with the interval of the differences; it is *unresolved* if
/// the interval contains zero. The table also has the sum of each way, to compare with the end-to-end time.
///
/// Subtraction runs each layer once for every layer after it: with n layers, a round costs about n / 2 + 3 runs of the
/// model.
///
///     PERF_MEASURE(layers(model));
query<dimension::time, statistic::several> layers(const layered_subject& x);

/// The fastest mixture of two or more variants of a model with the same layers, at most 256. It chooses the fastest
/// variant of each layer, by dynamic programming if `switching` between variants has a cost. All variants are measured
/// in the same rounds. The measured value is the sum of the chosen layers' times; the table also shows the distance of
/// each variant. `chosen_layers(found)` is the choice.
///
/// `settings.from` selects how layers are timed: by a timer around each, by its operators, or by subtraction of
/// prefixes as in `layers`; then a layer below its noise is *unresolved*, and advice counts such choices. A round by
/// subtraction costs about n / 2 + 2 runs of each variant with n layers. Subtraction is *skipped* for a variant
/// without a prefix for each layer.
///
/// With a `best_of` of 2, everything is measured twice, one after the other, and the smaller time of each layer and
/// each variant counts. This is the method of Goldfarb, "Evaluating the PyTorch Compiler in the Vision Domain" (2024).
/// It takes twice the default budget; the measurements share a budget that is set.
///
/// A minimum of noisy times is too small, and a minimum over two measurements even more so. If two equal times have a
/// normal error s, their minimum is on average 0.56 s below the truth. A mixture may also run differently from its
/// parts, so judge a subject that runs it (`perfspec::hybrid`). Throws input_error for variants with different layers
/// or the same name, for fewer than two of them, and for a `best_of` of 0 or above 10.
///
///     const auto found = perfspec::evaluate(best_mixture(eager, compiled, {.switching = 20us}));
query<dimension::time, statistic::several> best_mixture(const layered_subject& first, const layered_subject& second,
                                                        const mixture_settings& settings = {});
/// The same over a list of variants.
///
///     const auto found = perfspec::evaluate(best_mixture({eager, traced, compiled}, {.switching = 20us}));
query<dimension::time, statistic::several> best_mixture(const std::vector<layered_subject>& variants,
                                                        const mixture_settings& settings = {});
template <std::derived_from<layered_subject> Model>
query<dimension::time, statistic::several> best_mixture(const std::vector<Model>& variants,
                                                        const mixture_settings& settings = {}) {
    return best_mixture(std::vector<layered_subject>(variants.begin(), variants.end()), settings);
}
/// The same over three and more variants, without settings.
///
///     PERF_MEASURE(best_mixture(eager, traced, compiled));
template <std::derived_from<layered_subject>... More>
query<dimension::time, statistic::several> best_mixture(const layered_subject& first, const layered_subject& second,
                                                        const layered_subject& third, const More&... more) {
    return best_mixture(std::vector<layered_subject>{first, second, third, more...});
}

/// The operators that one iteration runs, sorted by self time: self time, total time, calls. The table also has the
/// time without a recorder, because recording costs time and makes small operators look larger than they are. For a
/// subject on a device it also has the self and total times of the work that they started there.
///
///     PERF_MEASURE(profile(model));
query<dimension::time, statistic::several> profile(const subject& x);

inline constexpr struct by_shape_tag {
} by_shape{};
/// The same with a row for each operator and the shapes of its inputs, "aten::conv2d [8,3,32,32] [16,3,3,3]", which
/// separates the convolutions of a model. Numbers and tensors without dimensions are left out. Three or more equal
/// shapes in a row are "[64]x4".
///
///     PERF_MEASURE(profile(model, by_shape));
query<dimension::time, statistic::several> profile(const subject& x, by_shape_tag);

}  // namespace language
}  // namespace perfspec::inline v0_2
