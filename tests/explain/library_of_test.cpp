// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <perfspec/explain/library_of.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <string_view>

namespace perfspec {
namespace {

struct row {
    std::string_view name;
    std::string_view library;
};

}  // namespace

TEST_CASE("library_of tells the library of an operator by its name", "[explain][unit]") {
    const auto r = GENERATE(values<row>({
        {"aten::mkldnn_convolution", "oneDNN"},
        {"aten::mkldnn_convolution [8,3,32,32] [16,3,3,3]", "oneDNN"},
        {"mkldnn::_linear_pointwise", "oneDNN"},
        {"onednn::qlinear_pointwise", "oneDNN"},
        {"mkl::_mkl_linear", "MKL"},
        {"aten::cudnn_convolution", "cuDNN"},
        {"aten::_cudnn_rnn", "cuDNN"},
        {"aten::miopen_convolution", "MIOpen"},
        {"cpp_fused_add_relu_0", "Inductor"},
        {"graph_0_cpp_fused_mm_1", "Inductor"},
        {"aten::addmm", "ATen, or a library that it does not name"},
        {"aten::convolution", "ATen, or a library that it does not name"},
        {"autograd::engine::evaluate_function: AddmmBackward0", "autograd"},
        {"AddmmBackward0", "autograd"},
        {"torchvision::nms", "others"},
        {"(no operator)", "others"},
        {"", "others"},
    }));
    CAPTURE(r.name);
    CHECK(library_of(r.name) == r.library);
}

TEST_CASE("library_of tells the library of a kernel by its name", "[explain][unit]") {
    const auto r = GENERATE(values<row>({
        {"void cudnn::cnn::conv2d_grouped_direct_kernel<false, true, false, false, 0, 0, int, float>(cudnn::cnn::GroupedDirectFpropParams)",
         "cuDNN"},
        {"ampere_scudnn_128x64_relu_interior_nn_v1", "cuDNN"},
        {"sm80_xmma_fprop_implicit_gemm_tf32f32_tf32f32_f32_nhwckrsc_nchw_tilesize128x128x16_stage4_kernel", "cuDNN"},
        {"void cutlass__5x_cudnn::Kernel<cutlass_tensorop_f16_s16816fprop_optimized_f16_128x128_32x5_nhwc_align8>(Params)",
         "cuDNN"},
        {"cutlass_80_tensorop_f16_s16816gemm_relu_f16_128x128_32x4_tn_align8", "CUTLASS"},
        {"void cutlass::Kernel2<cutlass_80_tensorop_s1688gemm_128x64_16x6_tn_align4>(Params)", "CUTLASS"},
        {"fmha_cutlassF_f32_aligned_64x64_rf_sm80(PyTorchMemEffAttention::AttentionKernel)", "CUTLASS"},
        {"sm90_xmma_gemm_f16f16_f16f32_f32_tn_n_tilesize128x128x64_warpgroupsize1x1x1_execute_segment_k_off_kernel__5x_cublas",
         "cuBLAS"},
        {"ampere_sgemm_64x64_tn", "cuBLAS"},
        {"ampere_fp16_s16816gemm_fp16_64x64_sliced1x2_ldg8_relu_f2f_stages_64x6_tn", "cuBLAS"},
        {"volta_sgemm_128x64_nn", "cuBLAS"},
        {"nvjet_hsh_128x256_64x4_2x1_v_bz_coopA_NNT", "cuBLAS"},
        {"void cublasLt::splitKreduce_kernel<32, 16, int, float, float>(cublasLt::cublasSplitKParams<float>)",
         "cuBLAS"},
        {"void splitKreduce_kernel<float, float>(cublasSplitKParams<float>)", "cuBLAS"},
        {"std::enable_if<!(false), void>::type internal::gemvx::kernel<int, int, float, float>(Params)", "cuBLAS"},
        {"triton_poi_fused_add_relu_0", "Triton"},
        {"triton_red_fused_native_layer_norm_3", "Triton"},
        {"void pytorch_flash::flash_fwd_kernel<Flash_fwd_kernel_traits<64, 128, 128, 4, cutlass::half_t>>(Flash_fwd_params)",
         "FlashAttention"},
        {"void at_cuda_detail::cub::DeviceScanKernel<int>(int)", "CUB"},
        {"void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)", "ATen"},
        {"void at::native::(anonymous namespace)::cunn_SoftMaxForward<4, float>(float*)", "ATen"},
        {"ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<4096ul>)", "NCCL"},
        {"Memcpy HtoD (Pageable -> Device)", "copies and fills"},
        {"ampere_saxpy", "others"},
        {"saxpy(int, float*)", "others"},
    }));
    CAPTURE(r.name);
    CHECK(library_of(r.name) == r.library);
}

}  // namespace perfspec
