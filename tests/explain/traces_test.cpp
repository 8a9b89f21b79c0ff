// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "run/scripted_run.hpp"

#include <perfspec/explain/operators.hpp>
#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <support/scripted_operators.hpp>
#include <support/test.hpp>

namespace perfspec {
namespace {

using namespace testing;

const std::string folder = "/project/traces/sort_test/sorting/";

/// A program with trace=traces that records LibTorch's operators.
struct traced_run : scripted_run {
    scripted_operators recorder;

    traced_run() {
        detail::explain();
        counts.install<operator_recorder>(&recorder);
        variables["PERFSPEC_TRACE"] = "traces";
    }
    [[nodiscard]] subject calls(const char* name, const char* operation) {
        return {name, [this, operation] {
                    recorder.run(operation, 500'000);
                    work(1ms);
                }};
    }
    [[nodiscard]] std::string text(const std::string& path) const { return files.read(path, 10'000).text; }
};

const std::vector<option> once{confirm::off};

}  // namespace

TEST_CASE("a violated claim leaves a trace and a table of each of its subjects, and says where", "[run][unit]") {
    traced_run program;
    const record r =
        program.evaluate(latency(program.calls("slow", "mul")) < 0.5 * latency(program.calls("fast", "add")), once);
    REQUIRE(r.verdict == verdict::violated);
    CHECK(r.advice.back().ends_with("tables of their operators: " + folder +
                                    "latency%28slow%29%20%2F%20latency%28fast%29/1"));
    const std::string of_claim = folder + "latency%28slow%29%20%2F%20latency%28fast%29/1/";
    CHECK_RECORDED(program.text(of_claim + "slow.trace.json"));
    CHECK_THAT(program.text(of_claim + "fast.operators.txt"), ContainsSubstring("500.0 us        1   add\n"));
}

TEST_CASE("a trace is of a run after one that was not recorded", "[run][unit]") {
    traced_run program;
    std::string runs;
    const auto noting = [&](const char* name, const char* unrecorded, const char* recorded) {
        return subject(name, [&program, &runs, unrecorded, recorded] {
            runs += program.recorder.records() ? recorded : unrecorded;
            program.work(1ms);
        });
    };
    const auto claim = latency(noting("a", "a", "A")) < 0.5 * latency(noting("b", "b", "B"));
    REQUIRE(program.evaluate(claim, once).verdict == verdict::violated);
    CHECK(runs.ends_with("aAbB"));
}

TEST_CASE("a claim that is violated again gets its own folder", "[run][unit]") {
    traced_run program;
    for (const char* repetition : {"/1", "/2"}) {
        const record r =
            program.evaluate(latency(program.calls("slow", "mul")) < 500us, {confirm::off, key(repetition)});
        CHECK(r.advice.back().ends_with(folder + "latency%28slow%29" + repetition));
    }
}

TEST_CASE("a profile leaves a trace, and a claim that holds none", "[run][unit]") {
    traced_run program;
    const subject x = program.calls("x", "mul");
    CHECK(program.evaluate(profile(x), {}, {.effect = effect::measure}).advice.back().ends_with("profile%28x%29/1"));
    CHECK(program.evaluate(latency(x) < 3ms).verdict == verdict::holds);
    CHECK_FALSE(program.files.is_folder(folder + "latency%28x%29"));
}

TEST_CASE("the table of a profile by shape has a row for each shapes of an operator's inputs", "[run][unit]") {
    traced_run program;
    const subject net("net", [&] {
        program.recorder.run("conv", 300'000, "[8,3]");
        program.recorder.run("conv", 100'000, "[8,16]");
        program.work(1ms);
    });
    static_cast<void>(program.evaluate(profile(net, by_shape), {}, {.effect = effect::measure}));
    const std::string by_shape_table = program.text(folder + "profile%28net,%20by_shape%29/1/net.operators.txt");
    CHECK_RECORDED(by_shape_table);
    static_cast<void>(program.evaluate(profile(net), {}, {.effect = effect::measure}));
    CHECK_RECORDED(program.text(folder + "profile%28net%29/1/net.operators.txt"));
}

TEST_CASE("nothing is traced without a request", "[run][unit]") {
    traced_run program;
    program.variables.erase("PERFSPEC_TRACE");
    const record r = program.evaluate(latency(program.calls("slow", "mul")) < 500us, once);
    CHECK(r.verdict == verdict::violated);
    for (const std::string& line : r.advice)
        CHECK_THAT(line, !ContainsSubstring("operators") && !ContainsSubstring("trace"));
}

TEST_CASE("what cannot be traced is reported, and leaves the verdict as it is", "[run][unit]") {
    traced_run program;
    const subject hidden = program.calls("hidden", "mul");
    model_of(hidden).hidden_operators = "a package hides its kernels";
    const record of_hidden = program.evaluate(latency(hidden) < 500us, once);
    CHECK(of_hidden.verdict == verdict::violated);
    CHECK(of_hidden.advice.back() == "no trace of hidden: a package hides its kernels");
    program.counts.install<operator_recorder>(nullptr);
    const record blind = program.evaluate(latency(program.takes("x", 1ms)) < 500us, once);
    CHECK(blind.verdict == verdict::violated);
    CHECK(blind.advice.back() == "no trace: this program cannot record operators. Link perfspec::libtorch");
}

namespace {

// conv calls empty; another thread runs relu at the same time.
const std::vector<operator_event> of_two_threads{
    {"empty", 1'002'500, 1'004'001, 77}, {"conv", 1'000'000, 1'100'000, 77}, {"relu", 1'050'000, 1'052'000, 5}};

}  // namespace

TEST_CASE("chrome_trace begins at the first call and numbers threads in the order of their first calls",
          "[report][unit]") {
    CHECK_RECORDED(chrome_trace("net", of_two_threads));
}

TEST_CASE("chrome_trace puts a call before those that it called, also where both begin at once", "[report][unit]") {
    // Calls are recorded in the order in which they end, and a viewer nests them in the order of the file.
    const std::vector<operator_event> at_once{{"convolution", 5'000, 6'000, 1}, {"conv2d", 5'000, 7'000, 1}};
    const std::string trace = chrome_trace("net", at_once);
    CHECK(trace.find("conv2d") < trace.find("convolution"));
}

TEST_CASE("chrome_trace of no calls is a trace", "[report][unit]") { CHECK_RECORDED(chrome_trace("a \"net\"", {})); }

TEST_CASE("operator_table is sorted by self times", "[report][unit]") {
    CHECK_RECORDED(operator_table(of_two_threads));
}

TEST_CASE("library_of finds the library of an operator by its name", "[explain][unit]") {
    const auto [name, library] = GENERATE(table<std::string_view, std::string_view>({
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
    CAPTURE(name);
    CHECK(detail::library_of(name) == library);
}

TEST_CASE("library_of finds the library of a kernel by its name", "[explain][unit]") {
    const auto [name, library] = GENERATE(table<std::string_view, std::string_view>({
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
    CAPTURE(name);
    CHECK(detail::library_of(name) == library);
}

}  // namespace perfspec
