// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/judge/claim_context.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/claim_result.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// How long to take launches one after the other, to record or judge them, where nothing else limits their number.
/// It allows forty cheap launches, or ten expensive ones.
inline constexpr std::chrono::seconds patience_for_launches{10};

/// How many launches measure a query without a bound. `launches=0` concerns only recordings for a baseline, so
/// the usual number applies then.
[[nodiscard]] inline std::size_t launches_to_measure(const plan& p) {
    constexpr std::size_t usual = 3;
    return p.launches.value_or(0) == 0 ? usual : *p.launches;
}

/// How many launches to record. The option `launches` sets the number, but at least the ten that the rank test needs.
/// Without the option it is ten to forty, as far as the patience goes. It is none for `launches=0`: this run then
/// measures nothing for an entry that it cannot write.
struct launches_wanted {
    std::size_t minimum = 0;
    std::size_t maximum = 0;
};
[[nodiscard]] launches_wanted wanted_launches(const claim_context& context);

/// As wanted_launches, but ten for `launches=0`: that option concerns only entries that this run cannot write.
[[nodiscard]] launches_wanted launches_to_record(const claim_context& context);

/// The launches of an entry that this claim is compared with.
[[nodiscard]] comparable_launches launches_to_compare(const claim_context& context, const baseline_entry& entry);

/// The values of the launches to compare with, in the unit of the query.
[[nodiscard]] std::vector<double> values_to_compare(const claim_context& context, const comparable_launches& stored);

/// The bounds of the rank test: the claim's function of each launch to compare with, as a positive number.
[[nodiscard]] std::vector<double> bounds_of_launches(const claim_context& context, const comparable_launches& stored);

/// The claim's function of a stored value: factor * value + offset.
[[nodiscard]] double bound_of(const claim_context& context, double stored);

/// A launch's value as ratios and ranks need it. A power is a logarithm already, and may be 0 or less.
[[nodiscard]] inline double log_of_launch(const claim_context& context, double value) {
    return context.query.unit == dimension::power ? value : log_of(value);
}
[[nodiscard]] inline double positive_of_launch(const claim_context& context, double value) {
    return context.query.unit == dimension::power ? std::exp(value) : value;
}

/// "0.97 x 1.42", "3.2 ms + 1 ms": the bound as a function of a value.
[[nodiscard]] std::string bound_formula(const claim_context& context, double value);

/// Distance of the claim's bound from the baseline, relative to it: 5 % in `1.05 * baseline()`.
[[nodiscard]] percentage headroom_of(const claim_context& context, double baseline);

/// The environment variables that make an update write this store's file: "PERFSPEC_UPDATE_BASELINES=append".
/// They include the folder where an option names it, or where the store is this machine's own.
[[nodiscard]] std::string update_variables(const claim_context& context, std::string_view file, std::string_view mode);

/// The machine of this claim: its hardware and system, the libraries that matter to the claim, and the flags of the
/// build. Where the build's flags are unknown, they come from the compiler's macros in the asserting file.
[[nodiscard]] fingerprint machine_of(const claim_context& context);

/// An entry for these launches, recorded now on this machine.
[[nodiscard]] baseline_entry entry_of(const claim_context& context, std::vector<stored_launch> launches);

/// What a dry run says of a claim on a stored baseline: what is stored, and what the run does where nothing is.
void foresee_stored(const claim_context& context, forecast& f);

}  // namespace perfspec::detail
