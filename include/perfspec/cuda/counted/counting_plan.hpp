// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace perfspec::detail {

/// What a device counts of the work of a body: bytes between its memory and the chip, or floating-point operations.
enum class counted_work : std::uint8_t { traffic, operations };

/// What a number that a device counts says of the work of a body.
enum class counted_as : std::uint8_t {
    work,  ///< so many units of it
    half,  ///< instructions of half precision: at most so many operations each, and none where they load a constant or
           ///< convert
    uncounted,  ///< instructions whose work nothing counts
    proof,      ///< instructions: some ran
};

/// A number that a device counts, by its name in CUPTI.
struct counted_number {
    std::string name;
    counted_as what{};
    double weight{1.0};  ///< units of work, such as 2 operations of a fused multiply-add

    friend bool operator==(const counted_number&, const counted_number&) = default;
};

/// What a kind of chip has to count for a metric.
struct counting_plan {
    std::string chip{};
    std::vector<counted_number> numbers{};
    std::string fault{};  ///< why the chip cannot; empty where it can
};

/// chip   "GH100"
/// known  the base names of all that CUPTI counts of such a chip: "dram__bytes"
///
/// Source: CUPTI, cuptiProfilerHostGetBaseMetrics, with the descriptions of cuptiProfilerHostGetMetricProperties.
/// Operations by instructions (sm__sass_thread_inst_executed_op_*) are what LIKWID and Nsight Compute's roofline count;
/// sm__ops_path_tensor_src_* count a multiply-add of tensor cores as two.
[[nodiscard]] counting_plan plan_to_count(counted_work what, const std::string& chip,
                                          const std::set<std::string>& known);

/// What these numbers, in the order of the plan, come to. Throws measurement_failure (not_countable) where they do not
/// prove that the body ran, or where work ran that is not in them.
[[nodiscard]] std::int64_t work_counted(const counting_plan& plan, const std::vector<double>& values);

}  // namespace perfspec::detail
