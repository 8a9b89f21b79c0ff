// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "../simulated_program.hpp"
#include "simulated_counting.hpp"

#include <perfspec/cuda/counted/work_counter.hpp>
#include <perfspec/measure/failure.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace perfspec::testing {
namespace {

using namespace std::chrono_literals;

/// A GPU that counts, and the counters.
struct counting_machine : simulated_machine {
    simulated_counting cupti{gpu};
    detail::work_counter traffic{detail::counted_work::traffic, simulated_gpu::runtime(), simulated_counting::library};
    detail::work_counter operations{detail::counted_work::operations, simulated_gpu::runtime(),
                                    simulated_counting::library};
    cudaStream_t stream = gpu.make_stream();

    counting_machine() {
        cupti.of["k"] = {{"dram__bytes", 1e6},
                         {"sm__inst_executed", 10.0},
                         {"sm__sass_inst_executed", 10.0},
                         {"sm__sass_thread_inst_executed_op_fadd_pred_on", 100.0},
                         {"sm__ops_path_tensor_src_fp64", 1'000.0}};
    }
    void launch(const char* name = "k") { gpu.launch(stream, {.cold = 10us, .name = name}); }
    /// What one run comes to; nothing where the count takes another one.
    std::optional<std::int64_t> run(detail::work_counter& counter, int kernels = 1) {
        const std::int64_t before = counter.now();
        for (int i = 0; i < kernels; ++i) launch();
        const std::int64_t after = counter.now();
        if (counter.needs_another_run()) return {};
        return after - before;
    }
    /// Runs up to the end of a count.
    std::int64_t count(detail::work_counter& counter) {
        for (;;)
            if (const auto found = run(counter)) return *found;
    }
    std::string fault() {
        try {
            static_cast<void>(count(traffic));
        } catch (const measurement_failure& failure) { return failure.what(); }
        return {};
    }
};

}  // namespace

TEST_CASE("work_counter counts what runs on any stream between the beginning and the end of a run", "[cuda][unit]") {
    counting_machine m;
    REQUIRE(m.traffic.begin().empty());
    m.launch();  // it still runs
    static_cast<void>(m.traffic.now());
    m.gpu.launch(m.gpu.make_stream(), {.cold = 1s, .name = "k"});
    m.launch();
    m.launch("of which nothing is known");
    CHECK(m.traffic.now() == 2'000'000);
    m.launch();
    CHECK(m.run(m.traffic) == 1'000'000);
    m.traffic.end();
    CHECK_FALSE(m.cupti.is_enabled);
    CHECK(m.cupti.hosts == 0);
}

TEST_CASE("work_counter needs as many runs as a count has passes", "[cuda][unit]") {
    counting_machine m;
    m.cupti.passes = 3;
    REQUIRE(m.operations.begin().empty());
    CHECK_FALSE(m.run(m.operations).has_value());
    CHECK_FALSE(m.run(m.operations).has_value());
    CHECK(m.run(m.operations) == 1'100);
    CHECK_FALSE(m.cupti.is_enabled);
    CHECK(m.count(m.operations) == 1'100);
}

TEST_CASE("work_counter leaves out a run after every second count, so that work in turns meets other passes",
          "[cuda][unit]") {
    counting_machine m;
    m.cupti.passes = 2;
    m.cupti.of["k"]["sm__sass_thread_inst_executed_op_dadd_pred_on"] = 100.0;  // the first number is of the first pass
    REQUIRE(m.operations.begin().empty());
    std::vector<std::int64_t> counts;
    for (int run = 0; counts.size() < 4; ++run)
        if (const auto found = m.run(m.operations, 1 + run % 2)) counts.push_back(*found);
    CHECK(counts[0] == counts[1]);
    CHECK(counts[2] == counts[3]);
    CHECK(counts[0] != counts[2]);
}

TEST_CASE("work_counter begins anew after a run that did not end", "[cuda][unit]") {
    counting_machine m;
    m.cupti.passes = 2;
    REQUIRE(m.operations.begin().empty());
    static_cast<void>(m.operations.now());
    m.launch();
    m.operations.end();
    CHECK_FALSE(m.cupti.is_enabled);
    REQUIRE(m.operations.begin().empty());
    CHECK_FALSE(m.run(m.operations).has_value());
    CHECK(m.run(m.operations) == 1'100);
}

TEST_CASE("work_counter says why it cannot begin, and what to do", "[cuda][unit]") {
    struct row {
        std::function<void(counting_machine&)> happens;
        const char* says;
    };
    const auto r = GENERATE(values<row>({
        {[](counting_machine& m) { m.cupti.missing = "libcupti.so.13: no such file"; },
         "the work of a GPU is counted by CUPTI: libcupti.so.13: no such file"},
        {[](counting_machine& m) { m.gpu.counting = cudaErrorNoDevice; },
         "no CUDA device: cudaErrorNoDevice: no CUDA-capable device is detected"},
        {[](counting_machine& m) { m.cupti.refusing["initialize"] = 27; },
         "CUPTI does not start: CUPTI_ERROR_NOT_SUPPORTED"},
        {[](counting_machine& m) { m.cupti.refusing["chip_name"] = 7; },
         "CUPTI does not know the chip of the GPU: error 7 of CUPTI"},
        {[](counting_machine& m) { m.cupti.refusing["host_begin"] = 46; },
         "CUPTI does not know the chip GA100: CUPTI_ERROR_INVALID_CHIP_NAME"},
        {[](counting_machine& m) { m.cupti.names = {"sm__inst_executed"}; },
         "CUPTI does not count dram__bytes of the chip GA100: declare the work by .flops(n) or .bytes(n), and bound device_throughput(x, flops) or (x, bytes)"},
    }));
    counting_machine m;
    r.happens(m);
    CHECK(m.traffic.begin() == r.says);
    CHECK(m.cupti.hosts == 0);
}

TEST_CASE("work_counter refuses a count that CUPTI does not make, or not completely", "[cuda][unit]") {
    struct row {
        std::function<void(counting_machine&)> happens;
        const char* says;
    };
    const auto r = GENERATE(values<row>({
        {[](counting_machine& m) { m.cupti.refusing["enable"] = 35; },
         "CUPTI does not prepare the GPU to count: CUPTI_ERROR_INSUFFICIENT_PRIVILEGES: the driver lets only administrators count the work of a GPU "
         "(ERR_NVGPUCTRPERM). An administrator of the machine lets all users, by the option NVreg_RestrictProfilingToAdminUsers=0 of the kernel "
         "module nvidia; a container needs CAP_SYS_ADMIN"},
        {[](counting_machine& m) { m.cupti.refusing["start"] = 26; },
         "CUPTI does not count the work of the GPU: CUPTI_ERROR_HARDWARE_BUSY: another profiler counts there, such as Nsight Compute or DCGM; end it"},
        {[](counting_machine& m) { m.cupti.refusing["data_size"] = 27; },
         "CUPTI does not prepare the GPU to count: CUPTI_ERROR_NOT_SUPPORTED"},
        {[](counting_machine& m) { m.cupti.refusing["configure"] = 27; },
         "CUPTI does not prepare the GPU to count: CUPTI_ERROR_NOT_SUPPORTED"},
        {[](counting_machine& m) { m.cupti.refusing["decode"] = 27; },
         "CUPTI does not count the work of the GPU: CUPTI_ERROR_NOT_SUPPORTED"},
        {[](counting_machine& m) { m.cupti.refusing["host_values"] = 27; },
         "CUPTI does not tell what was counted: CUPTI_ERROR_NOT_SUPPORTED"},
        {[](counting_machine& m) { m.cupti.announced_passes = 2; },
         "CUPTI ended a count after 1 of 2 runs, or did not end it: a part is lost"},
        {[](counting_machine& m) { m.cupti.passes = 2, m.cupti.announced_passes = 1; },
         "CUPTI ended a count after 1 of 1 runs, or did not end it: a part is lost"},
        {[](counting_machine& m) { m.cupti.dropped = 1; },
         "CUPTI lost a part of its count: it has 1 of 1 range, and dropped 1"},
        {[](counting_machine& m) { m.cupti.ranges = 0; },
         "CUPTI lost a part of its count: it has 0 of 1 range, and dropped 0"},
        {[](counting_machine& m) { m.cupti.of.clear(); },
         "CUPTI saw no kernel on the device: the body starts none, or works on another device than the current one; call cudaSetDevice for it before "
         "the claim"},
        {[](counting_machine& m) { m.gpu.lose(cudaErrorLaunchFailure); },
         "the work of the device cannot be counted: cudaErrorLaunchFailure: unspecified launch failure"},
    }));
    counting_machine m;
    REQUIRE(m.traffic.begin().empty());
    r.happens(m);
    CHECK(m.fault() == r.says);
    m.traffic.end();
    CHECK_FALSE(m.cupti.is_enabled);
    CHECK(m.cupti.hosts == 0);
}

TEST_CASE("work_counter tells of traffic what caches it has, and nothing of operations", "[cuda][unit]") {
    counting_machine m;
    REQUIRE(m.traffic.begin().empty());
    CHECK(
        m.traffic.caveat() ==
        "the caches are as the iteration before left them, so data that stay in the L2 cache do not count, and what other processes do on the "
        "device does; for inputs that are not in the cache write .rotating(n, each)");
    REQUIRE(m.operations.begin().empty());
    CHECK(m.operations.caveat().empty());
}

}  // namespace perfspec::testing
