// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The metrics whose results are tables: layers, mixtures, profiles. Procedures of this folder measure them.

#include <perfspec/claim/modules.hpp>
#include <perfspec/explain/mixture_settings.hpp>
#include <perfspec/explain/model_metrics-inl.hpp>

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

class layers_metric final : public module_metric {
public:
    [[nodiscard]] bool reads_other_processes() const override { return true; }
};

/// The layers of a mixture's variants.
struct layers_of_variants {
    mixture_settings settings{};
    std::size_t variants{};
    std::vector<std::string> names{};  ///< of the layers, in their order
    std::string not_timed{};           ///< why the settings cannot time the layers; otherwise empty
};

class mixture_metric final : public module_metric {
public:
    explicit mixture_metric(layers_of_variants of) : of_(std::move(of)) {}

    [[nodiscard]] const layers_of_variants& of() const noexcept { return of_; }
    [[nodiscard]] std::string fault(const claim_context&) const override { return of_.not_timed; }
    /// By clocks, which work in any process. Operators are recorded only in this one.
    [[nodiscard]] bool reads_other_processes() const override { return of_.settings.from != layer_timing::operators; }

private:
    layers_of_variants of_;
};

/// The layers of the claim's mixture. Precondition: its query is a mixture.
[[nodiscard]] inline const layers_of_variants& mixture_of(const claim_context& context) {
    return static_cast<const mixture_metric*>(module_of(context.query))->of();
}

class profile_metric final : public operators_metric {
public:
    /// by_shape  whether an operator has a row for each of the shapes of its inputs
    explicit profile_metric(bool by_shape) noexcept : by_shape_(by_shape) {}

    [[nodiscard]] bool is_by_shape() const noexcept { return by_shape_; }

private:
    bool by_shape_;
};

}  // namespace perfspec::inline v0_2::detail
