// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec {

/// What happens if there is no baseline to compare with: `local` records one and passes; `ci` says so or fails
/// (README.md, "Options").
enum class missing_baseline_policy : std::uint8_t { local, ci };
/// Which baselines a run records: none, those that moved or are missing, only missing ones, more launches for each, or
/// all.
enum class baseline_update : std::uint8_t { none, moved, missing, append, all };
/// measure: judge. smoke: run every body once, judge nothing. verify: compare outputs only. dry_run: say what would
/// be measured. off: run nothing.
enum class evaluation_mode : std::uint8_t { measure, smoke, verify, dry_run, off };
enum class console_verbosity : std::uint8_t { quiet, normal, verbose };

/// Every option of one evaluation. It is resolved once, does not change, and is stored in the record.
struct plan {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of the help
    std::chrono::nanoseconds budget{std::chrono::seconds{1}};
    bool budget_given{};  ///< a given budget is a hard limit; the default stretches up to `cap`
    std::chrono::nanoseconds cap{std::chrono::seconds{120}};
    confirmation confirm{confirmation::on};
    double false_failure{1e-3};
    double false_pass{0.05};
    double margin{0.005};
    std::optional<double> drift;              ///< between recording sessions, a fraction; none: usual_drift of the unit
    std::optional<std::uint32_t> rounds;      ///< the largest number; none: the limit of the procedure
    std::optional<std::uint32_t> iterations;  ///< of a sample; none: as many as 100 us need
    std::optional<std::uint32_t> launches;    ///< processes that judge a claim of one run, or record a baseline
    std::optional<std::uint64_t> seed;
    undecided_effect undecided{undecided_effect::warn};
    missing_baseline_policy policy{missing_baseline_policy::local};
    baseline_update update{baseline_update::none};
    bool force{};  ///< record in spite of a wide spread or a busy machine
    std::string baseline_dir;
    std::string build_variant;
    std::string against;               ///< another build, or its folder, that baseline() means; empty: stored launches
    std::optional<double> regression;  ///< by which fraction a value may be worse than baseline(); none: as claims say
    evaluation_mode mode{evaluation_mode::measure};
    std::string only;    ///< axes and values that a claim must have: "batch=8,batch=16"; empty: evaluate every claim
    std::string with;    ///< settings of subjects: "device=cuda:1,batch=8"; empty: as the code says
    std::string output;  ///< JSON lines file; empty: none
    std::string trace;   ///< folder for traces that show where violated claims spend their time; empty: none
    console_verbosity verbosity{console_verbosity::normal};
    std::string key;  ///< from the call; empty: the query's text
};

/// The plan as names and values in the order of the table, for records. Each pair may be given again, as an argument or
/// as a variable.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_options(const plan& p);

/// The plan as one line for one environment variable: "budget=10s;?cap=120s;…". `plan_from_text` gives exactly the same
/// plan back. A question mark marks a value that is the default of the build that writes. A build that reads ignores
/// such a pair if it lacks the option, so builds of different releases can measure together. If it has the option but
/// lacks the word, it refuses the text.
[[nodiscard]] std::string to_text(const plan& p);
/// Throws input_error if the text names an option that this build lacks without a question mark, or has a value that
/// does not parse. An option that the text does not name keeps its default.
[[nodiscard]] plan plan_from_text(std::string_view text);

}  // namespace perfspec
