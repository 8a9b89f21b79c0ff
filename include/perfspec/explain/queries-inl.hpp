// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/best_mixture.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/table_metrics-inl.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/claim_result.hpp>
#include <perfspec/report/console/part_table.hpp>

#include <algorithm>
#include <cstddef>
#include <string>

namespace perfspec::inline v0_2 {
namespace detail {

/// The library of a name that contains two texts in this order. The second may be empty.
struct library_rule {
    std::string_view part;
    std::string_view later;
    std::string_view library;
};

/// The first rule that fits decides, so "mkldnn" precedes "mkl", and CUTLASS inside cuDNN ("cutlass__5x_cudnn") is
/// cuDNN.
// clang-format off
inline constexpr library_rule library_rules[] = {
    {"cpp_fused", "", "Inductor"},              // cpp_fused_add_relu_0: C++ for the processor
    {"triton_", "", "Triton"},                  // triton_poi_fused_add_relu_0, triton_tem_fused_mm_3
    {"mkldnn", "", "oneDNN"},                   // aten::mkldnn_convolution, mkldnn::_linear_pointwise
    {"onednn", "", "oneDNN"},                   // onednn::qlinear_pointwise
    {"dnnl", "", "oneDNN"},                     // dnnl_primitive
    {"mkl::", "", "MKL"},                       // mkl::_mkl_linear
    {"_mkl_", "", "MKL"},
    {"cudnn", "", "cuDNN"},                     // aten::cudnn_convolution, cudnn::cnn::conv2d_grouped_direct_kernel, ampere_scudnn_128x64_relu
    {"xmma_fprop", "", "cuDNN"},                // sm80_xmma_fprop_implicit_gemm_tf32f32_...: a convolution forward, and its two gradients
    {"xmma_dgrad", "", "cuDNN"},
    {"xmma_wgrad", "", "cuDNN"},
    {"cutlass", "", "CUTLASS"},                 // cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x128_32x4_tn_align8, also where cuBLAS calls it
    {"cublas", "", "cuBLAS"},                   // cublasLt::splitKreduce_kernel
    {"xmma_gemm", "", "cuBLAS"},                // sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_...
    {"nvjet_", "", "cuBLAS"},                   // nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT, of Hopper and later
    {"ampere_", "gemm", "cuBLAS"},              // ampere_sgemm_128x64_tn, ampere_fp16_s16816gemm_fp16_64x64_...
    {"turing_", "gemm", "cuBLAS"},
    {"volta_", "gemm", "cuBLAS"},
    {"maxwell_", "gemm", "cuBLAS"},
    {"splitKreduce_kernel", "", "cuBLAS"},
    {"gemvx::", "", "cuBLAS"},                  // internal::gemvx::kernel
    {"gemv2T_kernel", "", "cuBLAS"},
    {"gemvNSP_kernel", "", "cuBLAS"},
    {"gemmSN_", "", "cuBLAS"},
    {"gemmk1_kernel", "", "cuBLAS"},
    {"cufft", "", "cuFFT"},
    {"regular_fft", "", "cuFFT"},
    {"vector_fft", "", "cuFFT"},
    {"cusparse", "", "cuSPARSE"},
    {"nccl", "", "NCCL"},                       // ncclDevKernel_AllReduce_Sum_f32_RING_LL
    {"miopen", "", "MIOpen"},                   // aten::miopen_convolution
    {"Cijk_", "", "rocBLAS"},                   // Cijk_Ailk_Bljk_HHS_BH_MT128x128x32_...
    {"fbgemm", "", "FBGEMM"},
    {"pytorch_flash::", "", "FlashAttention"},  // pytorch_flash::flash_fwd_kernel
    {"cub::", "", "CUB"},                       // at_cuda_detail::cub::DeviceRadixSortOnesweepKernel
    {"at::native", "", "ATen"},                 // at::native::vectorized_elementwise_kernel
    {"Memcpy", "", "copies and fills"},         // Memcpy HtoD (Pageable -> Device)
    {"Memset", "", "copies and fills"},
    {"aten::", "", "ATen, or a library that it does not name"},
    {"autograd::", "", "autograd"},             // autograd::engine::evaluate_function: AddmmBackward0
    {"Backward", "", "autograd"},
};
// clang-format on

/// "at::native::elementwise_kernel" of "void at::native::elementwise_kernel<128, 2, …>(int)": the arguments of a
/// template may be another library's.
[[nodiscard]] constexpr std::string_view without_templates(std::string_view name) noexcept {
    constexpr std::string_view condition = "std::enable_if<", type = ">::type ";
    if (name.starts_with(condition))
        if (const std::size_t end = name.find(type); end != std::string_view::npos)
            name.remove_prefix(end + type.size());
    return name.substr(0, name.find('<'));
}

[[nodiscard]] constexpr bool fits(const library_rule& rule, std::string_view name) noexcept {
    const std::size_t at = name.find(rule.part);
    return at != std::string_view::npos && name.find(rule.later, at) != std::string_view::npos;
}

std::string_view library_of(std::string_view name) noexcept {
    const std::string_view words = without_templates(name);
    for (const library_rule& rule : library_rules)
        if (fits(rule, words)) return rule.library;
    return "others";
}

/// Makes a query for the procedures of this folder.
inline query<dimension::time, statistic::several> explaining_query(query_description description) {
    explain();
    return make_query<dimension::time, statistic::several>(std::move(description));
}

/// "by subtraction, best of 2"; empty for the default settings.
inline std::string text_of_settings(const mixture_settings& settings) {
    std::string text = settings.from == layer_timing::subtraction ? "by subtraction" : "";
    if (settings.best_of != 1) text += (text.empty() ? "best of " : ", best of ") + std::to_string(settings.best_of);
    return text;
}

inline void require_two_variants(const layered_subject& first, const layered_subject& second) {
    const auto names = std::string(first.name()) + "\" and \"" + std::string(second.name());
    if (first.name() == second.name())
        throw input_error("best_mixture: found two variants called \"" + std::string(first.name()) +
                          "\", expected different names: layered(\"eager\", …), layered(\"compiled\", …)");
    const auto same_name = [](const subject& a, const subject& b) { return a.name() == b.name(); };
    if (!std::ranges::equal(first.steps(), second.steps(), same_name))
        throw input_error(
            "best_mixture: \"" + names +
            "\" have different layers, expected the same names in the same order, because each layer replaces the "
            "layer of the same name");
}

inline void require_variants(const std::vector<layered_subject>& variants) {
    if (variants.size() < 2 || variants.size() > most_variants)
        throw input_error("best_mixture: found " + std::to_string(variants.size()) +
                          (variants.size() == 1 ? " variant" : " variants") + ", expected 2 to " +
                          std::to_string(most_variants) + " to choose from: best_mixture({eager, compiled})");
    for (std::size_t later = 1; later < variants.size(); ++later)
        for (std::size_t earlier = 0; earlier < later; ++earlier)
            require_two_variants(variants[earlier], variants[later]);
    if (variants.front().steps().empty())
        throw input_error("best_mixture: \"" + std::string(variants.front().name()) +
                          "\" has no layers, expected at least one");
}

inline void require_settings(const mixture_settings& settings) {
    if (settings.best_of < 1 || settings.best_of > 10)
        throw input_error("best_mixture: found .best_of = " + std::to_string(settings.best_of) +
                          ", expected 1 to 10 measurements, such as 2");
    if (settings.switching.count() < 0)
        throw input_error("best_mixture: found .switching of " + std::to_string(settings.switching.count()) +
                          " ns, expected a time of 0 or more");
}

/// Why these variants lack a way of timing layers; empty if they do not.
inline std::string reason_not_to_time(const std::vector<layered_subject>& variants, layer_timing from) {
    if (from != layer_timing::subtraction) return {};
    for (const layered_subject& x : variants)
        if (x.prefixes().size() != x.steps().size())
            return "subtraction needs the first n layers of each variant as a subject, for each n, but \"" +
                   std::string(x.name()) + "\" has " + std::to_string(x.prefixes().size()) + " prefixes for " +
                   std::to_string(x.steps().size()) +
                   " layers. Give its layered_subject a prefix for each layer, or use layer_timing::timers";
    return {};
}

/// The name of a layer, or its number.
inline std::string name_of_layer(const std::vector<subject>& steps, std::size_t i) {
    return steps[i].name().empty() ? "#" + std::to_string(i + 1) : std::string(steps[i].name());
}

}  // namespace detail

inline namespace language {

query<dimension::time, statistic::several> layers(const layered_subject& x) {
    query_description description{.metric = detail::metrics::layers,
                                  .arity = query_arity::several,
                                  .module = {.metrics = {std::make_shared<detail::layers_metric>()}, .named = 1},
                                  .subjects = {x}};
    detail::append(description.subjects, x.prefixes());
    detail::append(description.subjects, x.steps());
    return detail::explaining_query(std::move(description));
}

query<dimension::time, statistic::several> best_mixture(const layered_subject& first, const layered_subject& second,
                                                        const mixture_settings& settings) {
    return best_mixture(std::vector<layered_subject>{first, second}, settings);
}

query<dimension::time, statistic::several> best_mixture(const std::vector<layered_subject>& variants,
                                                        const mixture_settings& settings) {
    detail::require_variants(variants);
    detail::require_settings(settings);
    detail::layers_of_variants layers_of{
        settings, variants.size(), {}, detail::reason_not_to_time(variants, settings.from)};
    for (std::size_t i = 0; i < variants.front().steps().size(); ++i)
        layers_of.names.push_back(detail::name_of_layer(variants.front().steps(), i));
    query_description description{.metric = detail::metrics::best_mixture,
                                  .arity = query_arity::several,
                                  .module = {.details = {detail::text_of_settings(settings)}, .named = variants.size()},
                                  .subjects = {}};
    for (const layered_subject& x : variants) description.subjects.push_back(x);
    if (layers_of.not_timed.empty())
        for (const layered_subject& x : variants)
            detail::append(description.subjects, settings.from == layer_timing::subtraction ? x.prefixes() : x.steps());
    description.module.metrics = {std::make_shared<detail::mixture_metric>(std::move(layers_of))};
    return detail::explaining_query(std::move(description));
}

query<dimension::time, statistic::several> profile(const subject& x) {
    return detail::explaining_query({.metric = detail::metrics::profile,
                                     .module = {.metrics = {std::make_shared<detail::profile_metric>(false)}},
                                     .subjects = {x}});
}

query<dimension::time, statistic::several> profile(const subject& x, by_shape_tag) {
    return detail::explaining_query(
        {.metric = detail::metrics::profile,
         .module = {.metrics = {std::make_shared<detail::profile_metric>(true)}, .details = {"by_shape"}},
         .subjects = {x}});
}

}  // namespace language

std::vector<layer_side> chosen_layers(const evaluation& found) {
    const record& table = detail::record_of(found);
    const std::vector<std::string> variants = detail::each_once(table.parts, &part_value::method);
    std::vector<layer_side> sides;
    for (const part_value& p : table.parts)
        if (p.mark.starts_with("chosen"))
            sides.push_back(static_cast<layer_side>(std::ranges::find(variants, p.method) - variants.begin()));
    return sides;
}

std::optional<double> mixture_gap(const evaluation& found, layer_side variant) {
    const record& table = detail::record_of(found);
    const std::vector<std::string> variants = detail::each_once(table.parts, &part_value::method);
    if (index_of(variant) >= variants.size()) return {};
    for (const part_value& p : table.parts)
        if (p.unit == dimension::ratio && p.method == variants[index_of(variant)]) return p.value.value - 1.0;
    return {};
}

namespace detail {

/// The best path to a layer on one side.
struct path_to_layer {
    double total{};
    std::size_t switches{};
    std::size_t before{};  ///< the side of the previous layer

    [[nodiscard]] bool better_than(const path_to_layer& other) const noexcept {
        return total != other.total ? total < other.total : switches < other.switches;
    }
};

using layer_paths = std::vector<path_to_layer>;  ///< [sides]

/// The best path to the next layer on one side, from the same side or by a switch.
[[nodiscard]] inline path_to_layer best_next(const layer_paths& before, std::size_t to, double time, double switching) {
    path_to_layer best{before[to].total + time, before[to].switches, to};
    for (std::size_t from = 0; from < before.size(); ++from) {
        const path_to_layer& other = before[from];
        const path_to_layer change{other.total + switching + time, other.switches + 1, from};
        if (from != to && change.better_than(best)) best = change;
    }
    return best;
}

/// [layers][sides]
inline std::vector<layer_paths> paths_to_layers(const std::vector<std::vector<double>>& variants, double switching) {
    std::vector<layer_paths> ways(variants.front().size(), layer_paths(variants.size()));
    for (std::size_t side = 0; side < variants.size(); ++side) ways[0][side] = {variants[side][0], 0, side};
    for (std::size_t i = 1; i < ways.size(); ++i)
        for (std::size_t side = 0; side < variants.size(); ++side)
            ways[i][side] = best_next(ways[i - 1], side, variants[side][i], switching);
    return ways;
}

/// The first of the best.
[[nodiscard]] inline std::size_t best_side(const layer_paths& ways) {
    std::size_t best = 0;
    for (std::size_t side = 1; side < ways.size(); ++side)
        if (ways[side].better_than(ways[best])) best = side;
    return best;
}

layer_choice choose_layers(const std::vector<std::vector<double>>& variants, double switching) {
    const std::vector<layer_paths> ways = paths_to_layers(variants, switching);
    std::size_t side = best_side(ways.back());
    const path_to_layer& best = ways.back()[side];
    layer_choice choice{std::vector<layer_side>(ways.size()), best.total, best.switches};
    for (std::size_t i = ways.size(); i-- > 0;) {
        choice.sides[i] = static_cast<layer_side>(side);
        side = ways[i][side].before;
    }
    return choice;
}

}  // namespace detail
}  // namespace perfspec::inline v0_2
