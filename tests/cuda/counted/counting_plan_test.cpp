// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "simulated_counting.hpp"

#include <perfspec/cuda/counted/counting_plan.hpp>
#include <perfspec/measure/failure.hpp>

#include <catch2/catch_test_macros.hpp>
#include <catch2/generators/catch_generators.hpp>
#include <catch2/matchers/catch_matchers_string.hpp>

#include <limits>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfspec::testing {
namespace {

using detail::counted_work;
using detail::counting_plan;
using detail::plan_to_count;

std::set<std::string> names_of_a100() {
    const std::vector<std::string> all = simulated_counting::names_of_a100();
    return {all.begin(), all.end()};
}

std::string instructions_of(const std::string& op) { return "sm__sass_thread_inst_executed_op_" + op + "_pred_on.sum"; }

/// The numbers of a body whose kernels ran.
std::vector<double> numbers_of(const counting_plan& plan, const std::map<std::string, double>& said) {
    std::vector<double> all;
    for (const detail::counted_number& number : plan.numbers) {
        const auto found = said.find(number.name);
        const bool is_proof = number.what == detail::counted_as::proof;
        all.push_back(found != said.end() ? found->second : is_proof ? 1.0 : 0.0);
    }
    return all;
}

std::string fault_of(const counting_plan& plan, const std::map<std::string, double>& said) {
    try {
        static_cast<void>(work_counted(plan, numbers_of(plan, said)));
    } catch (const measurement_failure& failure) { return failure.what(); }
    return {};
}

}  // namespace

TEST_CASE("operations are additions, multiplications, and two for each that is fused, of all cores", "[cuda][unit]") {
    struct row {
        const char* name;
        std::int64_t operations;
    };
    const auto r = GENERATE(values<row>({
        {"sm__sass_thread_inst_executed_op_dadd_pred_on.sum", 1'000},
        {"sm__sass_thread_inst_executed_op_dmul_pred_on.sum", 1'000},
        {"sm__sass_thread_inst_executed_op_dfma_pred_on.sum", 2'000},
        {"sm__sass_thread_inst_executed_op_fadd_pred_on.sum", 1'000},
        {"sm__sass_thread_inst_executed_op_fmul_pred_on.sum", 1'000},
        {"sm__sass_thread_inst_executed_op_ffma_pred_on.sum", 2'000},
        {"sm__ops_path_tensor_src_fp64.sum", 1'000},
        {"sm__ops_path_tensor_src_tf32_dst_fp32.sum", 1'000},
        {"sm__ops_path_tensor_src_bf16_dst_fp32.sum", 1'000},
        {"sm__ops_path_tensor_src_fp16_dst_fp16.sum", 1'000},
        {"sm__ops_path_tensor_src_fp16_dst_fp32.sum", 1'000},
    }));
    const counting_plan plan = plan_to_count(counted_work::operations, "GA100", names_of_a100());
    CHECK(plan.fault.empty());
    CHECK(work_counted(plan, numbers_of(plan, {{r.name, 1'000.0}})) == r.operations);
}

TEST_CASE("operations count nothing twice, and no integers", "[cuda][unit]") {
    for (const auto& number : plan_to_count(counted_work::operations, "GA100", names_of_a100()).numbers) {
        CHECK(number.name.find("sparsity") == std::string::npos);
        CHECK(number.name.find("int8") == std::string::npos);
    }
}

TEST_CASE("a body that ran no kernel has no operations that could be bounded, and one that only copies has none",
          "[cuda][unit]") {
    const counting_plan plan = plan_to_count(counted_work::operations, "GA100", names_of_a100());
    CHECK(work_counted(plan, numbers_of(plan, {})) == 0);
    for (const char* const proof : {"sm__sass_inst_executed.sum", "sm__inst_executed.sum"})
        CHECK(fault_of(plan, {{proof, 0.0}})
                  .starts_with("CUPTI saw no kernel on the device: the body starts none, or works on another device"));
    CHECK(fault_of(plan_to_count(counted_work::traffic, "GA100", names_of_a100()), {{"sm__inst_executed.sum", 0.0}})
              .starts_with("CUPTI saw no kernel on the device"));
}

TEST_CASE(
    "instructions of half precision count as none where they could be 1 % of the operations, and refuse the count where more",
    "[cuda][unit]") {
    const counting_plan plan = plan_to_count(counted_work::operations, "GA100", names_of_a100());
    const auto beside = [&](const char* op, double n) {
        return std::map<std::string, double>{{instructions_of("ffma"), 500'000.0}, {instructions_of(op), n}};
    };
    CHECK(work_counted(plan, numbers_of(plan, beside("hfma", 2'500.0))) == 1'000'000);
    CHECK(work_counted(plan, numbers_of(plan, beside("hadd", 5'000.0))) == 1'000'000);
    CHECK(
        fault_of(plan, beside("hfma", 2'501.0)) ==
        "the body runs instructions of half precision on the ordinary cores, which are from none to 10004 operations beside 1000000 others: such "
        "an instruction does several, or loads a constant, or converts; declare them by .flops(n), and bound device_throughput(x, flops)");
    CHECK_FALSE(fault_of(plan, beside("hmul", 5'001.0)).empty());
    CHECK_FALSE(fault_of(plan, beside("hadd", 5'001.0)).empty());
}

TEST_CASE("operations of tensor cores that the chip does not count, or not all, refuse the count", "[cuda][unit]") {
    std::set<std::string> known = names_of_a100();
    SECTION("a type that is not known") { known.insert("sm__ops_path_tensor_src_fp4_dst_fp32"); }
    SECTION("none is counted") {
        std::erase_if(known, [](const std::string& name) { return name.starts_with("sm__ops_path_tensor"); });
    }
    const counting_plan plan = plan_to_count(counted_work::operations, "GA100", known);
    REQUIRE(plan.fault.empty());
    CHECK(work_counted(plan, numbers_of(plan, {{instructions_of("fadd"), 5.0}})) == 5);
    CHECK(
        fault_of(plan, {{instructions_of("fadd"), 5.0}, {"sm__inst_executed_pipe_tensor.sum", 1.0}}) ==
        "the body uses tensor cores, or packed operations of 8 bits, and CUPTI does not count all their operations on a GA100: declare them by .flops(n), and bound "
        "device_throughput(x, flops)");
}

TEST_CASE(
    "packed operations of single precision count as so many, and a Blackwell that does not count them has no operations",
    "[cuda][unit]") {
    std::set<std::string> known = names_of_a100();
    CHECK(
        plan_to_count(counted_work::operations, "GB202", known).fault ==
        "CUPTI does not count sm__sass_thread_inst_executed_op_fadd2_pred_on of the chip GB202: declare the work by .flops(n) or .bytes(n), and bound device_throughput(x, flops) or (x, bytes)");
    for (const char* const op : {"fadd2", "fmul2", "ffma2"})
        known.insert("sm__sass_thread_inst_executed_op_" + std::string(op) + "_pred_on");
    const counting_plan plan = plan_to_count(counted_work::operations, "GB100", known);
    REQUIRE(plan.fault.empty());
    CHECK(work_counted(plan, numbers_of(plan, {{instructions_of("fadd2"), 10.0}, {instructions_of("fmul2"), 10.0}})) ==
          40);
    CHECK(work_counted(plan, numbers_of(plan, {{instructions_of("ffma2"), 10.0}})) == 40);
}

TEST_CASE("work of tensor memory and packed operations of 8 bits are found on chips that do not count them",
          "[cuda][unit]") {
    for (const char* const name : {"sm__inst_executed_pipe_tc", "sm__sass_thread_inst_executed_op_qfma4_pred_on"}) {
        std::set<std::string> known = names_of_a100();
        known.insert({name, "sm__ops_path_tensor_src_fp4_dst_fp32"});
        const counting_plan plan = plan_to_count(counted_work::operations, "GA100", known);
        CHECK_THAT(fault_of(plan, {{instructions_of("fadd"), 5.0}, {std::string(name) + ".sum", 1.0}}),
                   Catch::Matchers::ContainsSubstring("CUPTI does not count all their operations"));
    }
}

TEST_CASE("a chip that does not count what a metric needs is refused by name", "[cuda][unit]") {
    std::set<std::string> known = names_of_a100();
    known.erase("dram__bytes");
    CHECK(
        plan_to_count(counted_work::traffic, "GB10B", known).fault ==
        "CUPTI does not count dram__bytes of the chip GB10B: declare the work by .flops(n) or .bytes(n), and bound device_throughput(x, flops) or (x, bytes)");
}

TEST_CASE("a number that CUPTI does not tell is no 0", "[cuda][unit]") {
    const counting_plan plan = plan_to_count(counted_work::traffic, "GA100", names_of_a100());
    CHECK(work_counted(plan, numbers_of(plan, {{"dram__bytes.sum", 12e6}})) == 12'000'000);
    for (const double told : {-1.0, std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()})
        CHECK(fault_of(plan, {{"dram__bytes.sum", told}}) ==
              "CUPTI tells no number of dram__bytes.sum of the chip GA100");
}

}  // namespace perfspec::testing
