// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/plan.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// Whether a claim is on a subject that trains. One of which nobody knows that is judged, and says why.
enum class training_subjects : std::uint8_t { none, some, unknown };

/// What the options of a run leave out.
struct claim_filter {
    std::string only;  ///< an `axis_filter`; empty: nothing
    training_claims train{training_claims::judged};
};

[[nodiscard]] inline claim_filter filter_of(const plan& p) { return {p.only, p.train}; }

/// The options as written: "only=batch=8", "only=batch=8 and train=on". Empty if they leave out nothing.
[[nodiscard]] std::string to_text(const claim_filter& filter);

/// Counts the assertions of one run that the options `only` and `train` evaluate and leave out.
class axis_census {
public:
    /// Notes an assertion with these axes and subjects. Returns whether it is left out, because it lacks an axis of `only` or has another
    /// value of it, or because it trains where the run wants others, or the other way round.
    [[nodiscard]] bool leaves_out(const claim_filter& filter, const std::vector<std::pair<std::string, std::string>>& axes,
                                  training_subjects trained);

    [[nodiscard]] std::size_t left_out() const noexcept { return left_out_; }

    /// Says how many assertions were left out, and which axes and values of the filter no assertion has, one per line. Empty without a
    /// filter. With `quiet` it says only what nobody may miss: a filter that leaves out everything, or has something that no assertion has.
    [[nodiscard]] std::string summary(console_verbosity verbosity) const;

private:
    [[nodiscard]] std::string unmatched() const;

    claim_filter filter_;
    std::size_t left_out_{};
    std::size_t evaluated_{};
    std::map<std::string, std::set<std::string>> seen_;
};

}  // namespace perfspec
