// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/claim/claim_context.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/claim/stores.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/report/claim_result.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// Finds the stored baseline of a claim on baseline().
[[nodiscard]] stored_data<baseline_lookup> find_baseline(const claim_context& context);

/// The number of processes to record: from the option `processes`, at least the ten that the rank test needs; otherwise
/// ten to forty, limited by the patience. `baseline_processes=0` gives 0: then this run measures nothing for an entry
/// that it cannot write.
[[nodiscard]] process_range requested_processes(const claim_context& context);

/// As requested_processes, but ten for `baseline_processes=0`, for entries that this run writes.
[[nodiscard]] process_range processes_to_record(const claim_context& context);

/// The processes of an entry to compare this claim with.
[[nodiscard]] comparable_processes processes_to_compare(const claim_context& context, const baseline_entry& entry);

/// The bounds of the rank test, as positive numbers: `bound_of` each process to compare with.
[[nodiscard]] std::vector<double> bounds_of_processes(const claim_context& context, const comparable_processes& stored);

/// The claim's bound for a stored value: factor * value + offset.
[[nodiscard]] double bound_of(const claim_context& context, double stored);

/// A process's value as ratios and ranks need it. A power is a logarithm already, and may be 0 or less.
[[nodiscard]] inline double log_of_process(const claim_context& context, double value) {
    return context.query.unit == dimension::power ? value : log_of(value);
}
[[nodiscard]] inline double positive_of_process(const claim_context& context, double value) {
    return context.query.unit == dimension::power ? std::exp(value) : value;
}

/// "0.97 x 1.42", "3.2 ms + 1 ms": the bound as a function of a value.
[[nodiscard]] std::string bound_formula(const claim_context& context, double value);

/// Distance of the claim's bound from the baseline, relative to it: 5 % in `1.05 * baseline()`.
[[nodiscard]] percentage headroom_of(const claim_context& context, double baseline);

/// The fingerprint for this claim: hardware, system, the libraries that it uses, and the build's flags. Unknown flags
/// are replaced by the compiler's macros in the asserting file.
[[nodiscard]] fingerprint machine_of(const claim_context& context);

/// Whether CMake has configured this folder.
[[nodiscard]] bool is_build_folder(const file_system& files, const std::string& folder);
[[nodiscard]] bool is_in_build_folder(const session& run);
/// This program's path below its build folder, or its name if it is in none.
[[nodiscard]] std::string place_of_program(const session& run);
/// The place of the claim, as entries name it.
[[nodiscard]] std::string source_of_claim(const claim_context& context);

/// An entry of these processes, recorded now on this machine.
[[nodiscard]] baseline_entry entry_of(const claim_context& context, std::vector<stored_process> processes);

/// "+9 % or more beyond the bound": the change that a baseline detects. For a tolerance, "9 % or more beyond either
/// side".
[[nodiscard]] std::string detectable_text(const claim_context& context, double detectable);

/// "detects +9 % or more beyond the bound, from 3 recording sessions". Counts that all processes agree on are compared
/// exactly.
[[nodiscard]] std::string resolution_text(const claim_context& context, const claim_result& result);

/// The origin for the record of a claim on an entry.
[[nodiscard]] baseline_origin origin_of(const claim_context& context, const std::string& file,
                                        const baseline_entry& entry, baseline_action action);

/// The result with this baseline and its bound.
[[nodiscard]] claim_result with_baseline(const claim_context& context, claim_result result, baseline_origin origin);

/// Adds to a forecast the stored baseline of a claim, or what the run does without one.
[[nodiscard]] forecast forecast_stored(const claim_context& context, forecast f);

}  // namespace perfspec::inline v0_2::detail
