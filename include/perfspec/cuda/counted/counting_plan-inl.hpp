// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/cuda/counted/counting_plan.hpp>
#include <perfspec/measure/failure.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <string_view>
#include <utility>

namespace perfspec::detail {

inline constexpr std::string_view tensor_operations = "sm__ops_path_tensor_src_";

/// Sources and destinations of tensor cores that do not overlap. A chip that has others, too, is not known to be
/// counted completely.
inline constexpr std::array<std::string_view, 8> counted_tensor_types{"fp64", "tf32_dst_fp32",          "bf16_dst_fp32",
                                                                      "fp16", "fp16_dst_fp16",          "fp16_dst_fp32",
                                                                      "fp8",  "fp16_bf16_tf32_dst_fp32"};

/// The floating-point types of tensor cores whose operations the chip counts: "fp16_dst_fp32".
inline std::vector<std::string> tensor_types_of(const std::set<std::string>& known) {
    std::vector<std::string> types;
    for (const std::string& name : known) {
        if (!name.starts_with(tensor_operations)) continue;
        const std::string type = name.substr(tensor_operations.size());
        const bool is_part_of_another =
            type.find("sparsity") != std::string::npos || type.find("realtime") != std::string::npos;
        if (!is_part_of_another && !type.starts_with("int")) types.push_back(type);
    }
    return types;
}

/// Adds what the chip has to count; the plan has a fault where it does not.
inline void need(counting_plan& plan, const std::set<std::string>& known, const std::string& name, counted_as what,
                 double weight = 1.0) {
    if (!known.contains(name) && plan.fault.empty())
        plan.fault =
            "CUPTI does not count " + name + " of the chip " + plan.chip +
            ": declare the work by .flops(n) or .bytes(n), and bound device_throughput(x, flops) or (x, bytes)";
    plan.numbers.push_back({name + ".sum", what, weight});
}

/// Instructions of the ordinary cores. A thread does one operation in an addition, and two in a fused multiply-add.
inline void need_instructions(counting_plan& plan, const std::set<std::string>& known) {
    const auto name = [](const std::string& op) { return "sm__sass_thread_inst_executed_op_" + op + "_pred_on"; };
    for (const char* const precision : {"d", "f", "h"}) {
        const bool is_half = *precision == 'h';
        const counted_as what = is_half ? counted_as::half : counted_as::work;
        const double each = is_half ? 2.0 : 1.0;  // those of half precision may be packed
        for (const char* const op : {"add", "mul"}) need(plan, known, name(std::string(precision) + op), what, each);
        need(plan, known, name(std::string(precision) + "fma"), what, 2.0 * each);
    }
    need(plan, known, "sm__sass_inst_executed", counted_as::proof);
    // Packed instructions of single precision came with Blackwell, of which some chips run them and do not count them.
    for (const auto& [op, operations] : {std::pair{"fadd2", 2.0}, std::pair{"fmul2", 2.0}, std::pair{"ffma2", 4.0}})
        if (known.contains(name(op)) || plan.chip.starts_with("GB"))
            need(plan, known, name(op), counted_as::work, operations);
    for (const char* const op : {"qadd4", "qmul4", "qfma4"})  // of 8 and 4 bits
        if (known.contains(name(op))) need(plan, known, name(op), counted_as::uncounted);
}

inline void need_tensor_operations(counting_plan& plan, const std::set<std::string>& known) {
    const std::vector<std::string> types = tensor_types_of(known);
    const auto is_counted = [](const std::string& type) {
        return std::ranges::find(counted_tensor_types, type) != counted_tensor_types.end();
    };
    if (types.empty() || !std::ranges::all_of(types, is_counted)) {
        need(plan, known, "sm__inst_executed_pipe_tensor", counted_as::uncounted);
        // Matrices that come from tensor memory have a pipe of their own.
        for (const char* const name : {"sm__inst_executed_pipe_tc", "sm__sass_inst_executed_op_utcmma"})
            if (known.contains(name)) need(plan, known, name, counted_as::uncounted);
    } else {
        for (const std::string& type : types)
            need(plan, known, std::string(tensor_operations) + type, counted_as::work);
    }
    need(plan, known, "sm__inst_executed", counted_as::proof);
}

counting_plan plan_to_count(counted_work what, const std::string& chip, const std::set<std::string>& known) {
    counting_plan plan{.chip = chip};
    if (what == counted_work::operations) {
        need_instructions(plan, known);
        need_tensor_operations(plan, known);
    } else {
        need(plan, known, "dram__bytes", counted_as::work);
        need(plan, known, "sm__inst_executed", counted_as::proof);
    }
    return plan;
}

[[noreturn]] inline void fail_to_count(const std::string& reason) {
    throw measurement_failure(failure_kind::not_countable, reason);
}

/// Throws where the body did not run, or where it did work that nothing counts.
inline void require_complete(const counting_plan& plan, const counted_number& number, double value) {
    if (!std::isfinite(value) || value < 0.0)
        fail_to_count("CUPTI tells no number of " + number.name + " of the chip " + plan.chip);
    if (number.what == counted_as::proof && value == 0.0)
        fail_to_count(
            "CUPTI saw no kernel on the device: the body starts none, or works on another device than the current one; call "
            "cudaSetDevice for it before the claim");
    if (number.what == counted_as::uncounted && value > 0.0)
        fail_to_count(
            "the body uses tensor cores, or packed operations of 8 bits, and CUPTI does not count all their operations on a " +
            plan.chip + ": declare them by .flops(n), and bound device_throughput(x, flops)");
}

std::int64_t work_counted(const counting_plan& plan, const std::vector<double>& values) {
    constexpr double share_of_half = 0.01;
    double work = 0.0;
    double most_of_half = 0.0;
    for (std::size_t i = 0; i < plan.numbers.size(); ++i) {
        const counted_number& number = plan.numbers[i];
        require_complete(plan, number, values.at(i));
        if (number.what == counted_as::work) work += number.weight * values[i];
        if (number.what == counted_as::half) most_of_half += number.weight * values[i];
    }
    if (most_of_half > share_of_half * work)
        fail_to_count(
            "the body runs instructions of half precision on the ordinary cores, which are from none to " +
            std::to_string(std::llround(most_of_half)) + " operations beside " + std::to_string(std::llround(work)) +
            " others: such an instruction does several, or loads a constant, or converts; declare them by .flops(n), and bound "
            "device_throughput(x, flops)");
    return std::llround(work);
}

}  // namespace perfspec::detail
