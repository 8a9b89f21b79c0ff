// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/question.hpp>
#include <perfspec/baseline/baseline_file.hpp>
#include <perfspec/baseline/sessions/comparable_launches.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/finding.hpp>

#include <chrono>
#include <cmath>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::detail {

/// How long fresh launches are taken one after the other, to be recorded or judged, where nothing else says how many: forty cheap ones, ten dear ones.
inline constexpr std::chrono::seconds patience_for_launches{10};

/// How many launches measure a query without a bound. `launches=0` is about what is recorded for a baseline, and leaves the usual number.
[[nodiscard]] inline std::size_t launches_to_measure(const plan& p) {
    constexpr std::size_t usual = 3;
    return p.launches.value_or(0) == 0 ? usual : *p.launches;
}

/// How many launches to record: the option `launches`, and no fewer than can be compared with; without the option from ten to forty, as far as the
/// patience goes. None for `launches=0`, where nothing is to be measured for an entry that this run cannot write.
struct launches_wanted {
    std::size_t minimum = 0;
    std::size_t maximum = 0;
};
[[nodiscard]] launches_wanted wanted_launches(const question& asked);

/// The same, and the usual number for `launches=0`, which is about entries that this run cannot write.
[[nodiscard]] launches_wanted launches_to_record(const question& asked);

/// What stored launches let this claim see.
[[nodiscard]] comparable_launches launches_to_compare(const question& asked, const baseline_entry& entry);

/// The values of the launches to compare with, in the unit of the query.
[[nodiscard]] std::vector<double> values_to_compare(const question& asked, const comparable_launches& stored);

/// The bounds of the rank test: the claim's function of each launch to compare with, as ranks take it.
[[nodiscard]] std::vector<double> bounds_of_launches(const question& asked, const comparable_launches& stored);

/// The claim's function of a stored value: factor * value + offset.
[[nodiscard]] double bound_of(const question& asked, double stored);

/// A launch's value as ratios and ranks take it. A power is a logarithm already, and may be 0 or less.
[[nodiscard]] inline double log_of_launch(const question& asked, double value) {
    return asked.query.unit == dimension::power ? value : log_of(value);
}
[[nodiscard]] inline double positive_of_launch(const question& asked, double value) {
    return asked.query.unit == dimension::power ? std::exp(value) : value;
}

/// "0.97 x 1.42", "3.2 ms + 1 ms": the bound as a function of a value.
[[nodiscard]] std::string bound_formula(const question& asked, double value);

/// Distance of the claim's bound from the baseline, relative to it: 5 % in `1.05 * baseline()`.
[[nodiscard]] percentage headroom_of(const question& asked, double baseline);

/// The variables that make an update write this store's file: "PERFSPEC_UPDATE_BASELINES=append", and the folder besides where an update
/// would not write it otherwise: where an option names it, or the store is this machine's own.
[[nodiscard]] std::string update_variables(const question& asked, std::string_view file, std::string_view mode);

/// What this claim runs on: this machine, the libraries that matter to it, and the build's flags, else what the compiler's macros tell of the
/// file that asserts.
[[nodiscard]] fingerprint machine_of(const question& asked);

/// An entry for these launches, recorded now on this machine.
[[nodiscard]] baseline_entry entry_of(const question& asked, std::vector<stored_launch> launches);

}  // namespace perfspec::detail
