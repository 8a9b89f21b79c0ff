// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/library_of.hpp>

#include <cstddef>

namespace perfspec::detail {

/// What a name says of its library: two texts that it contains, in this order. The second may be empty.
struct library_rule {
    std::string_view part;
    std::string_view later;
    std::string_view library;
};

/// The first rule that fits decides. So "mkldnn" comes before "mkl", and a build of CUTLASS inside cuDNN
/// ("cutlass__5x_cudnn") is cuDNN's.
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

/// "at::native::elementwise_kernel" of "void at::native::elementwise_kernel<128, 2, …>(int)": what a template is
/// instantiated with may be another library's.
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

}  // namespace perfspec::detail
