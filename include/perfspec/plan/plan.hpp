// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/options.hpp>
#include <perfspec/plan/environment.hpp>

#include <chrono>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// Whether the rules of CI apply: then a claim without a baseline is skipped or an error. Otherwise it records one and
/// passes (plan/README.md). `automatic` is resolved by the environment.
enum class ci_rules : std::uint8_t { off, on, automatic };
/// The baselines that a run records: none, changed and missing ones, only missing ones, more processes for each, or
/// all.
enum class baseline_update : std::uint8_t { none, moved, missing, append, all };
/// measure: judge. smoke: run every body once, judge nothing. verify: compare outputs only. dry_run: forecast, without
/// running. off: run nothing.
enum class evaluation_mode : std::uint8_t { measure, smoke, verify, dry_run, off };
enum class console_verbosity : std::uint8_t { quiet, normal, verbose };

/// Every option of one evaluation. It is resolved once and stored in the record.
struct plan {  // NOLINT(clang-analyzer-optin.performance.Padding): in the order of the help
    std::chrono::nanoseconds budget{std::chrono::seconds{1}};  ///< usual time; at most the cap
    std::chrono::nanoseconds cap{std::chrono::seconds{120}};
    confirmation confirm{confirmation::on};
    double false_failure{1e-3};
    double false_pass{0.05};
    double margin{0.005};
    std::optional<double> drift;              ///< between recording sessions, a fraction; none: usual_drift of the unit
    std::optional<std::uint32_t> rounds;      ///< the largest number; none: the limit of the procedure
    std::optional<std::uint32_t> iterations;  ///< of a sample; none: enough to last 100 us
    std::optional<std::uint32_t> processes;   ///< of the call: fresh processes that judge the claim
    std::optional<std::uint32_t> baseline_processes;  ///< that record a baseline
    std::optional<std::uint64_t> seed;
    undecided_effect undecided{undecided_effect::warn};
    ci_rules ci{ci_rules::automatic};
    baseline_update update{baseline_update::none};
    bool record_anyway{};  ///< record in spite of a wide spread or a busy machine
    std::string baseline_dir;
    std::string build_variant;
    std::string baseline_build;  ///< another build, or its folder, that baseline() means; empty: the stored baseline
    std::optional<double>
        allow_regression;  ///< fraction by which a value may be worse than baseline(); none: as claims say
    evaluation_mode mode{evaluation_mode::measure};
    std::string only;    ///< axes and values that a claim must have: "batch=8,batch=16"; empty: evaluate every claim
    std::string with;    ///< settings of subjects: "device=accelerator:1,batch=8"; empty: as the code says
    std::string output;  ///< JSON lines file; empty: none
    std::string trace;   ///< folder for traces of operators; empty: none
    console_verbosity verbosity{console_verbosity::normal};
    std::string key;  ///< from the call; empty: the query's text

    /// The processes of a baseline: those of the call, else those of the run.
    [[nodiscard]] std::optional<std::uint32_t> processes_of_baseline() const noexcept {
        return processes ? processes : baseline_processes;
    }
    /// Whether the budget stretches no further, because it is the cap.
    [[nodiscard]] bool has_hard_budget() const noexcept { return cap <= budget; }
};

/// The plan as names and values in the order of the table, for records. Each pair is legal as an argument or a
/// variable.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> plan_options(const plan& p);

/// A plan in a message to another process: its options by name, as texts.
struct plan_message {
    std::vector<std::pair<std::string, std::string>> set{};
    /// Those with the writer's default. A reader skips one that it lacks, so builds of different releases can measure
    /// together.
    std::vector<std::pair<std::string, std::string>> defaults{};

    friend bool operator==(const plan_message&, const plan_message&) = default;
};

/// `read_plan` returns exactly the same plan.
[[nodiscard]] plan_message message_of(const plan& p);
/// Throws input_error if `set` names an option that this build lacks, or if a value does not parse. An option that is
/// not in the message keeps its default.
[[nodiscard]] plan read_plan(const plan_message& message);

/// Whether the environment is that of a CI system.
[[nodiscard]] bool is_ci(const environment& env);

/// The options of the command line as text, for `resolve`. A later pair of the same option wins.
using option_values = std::vector<std::pair<option_id, std::string>>;

/// One option of the project file (`baseline/project_file.hpp`). Its text is legal.
struct project_option {
    option_id id{option_id::none};
    std::string text;
    std::string place;  ///< "baselines/perfspec.json:3"

    friend bool operator==(const project_option&, const project_option&) = default;
};

/// A command line, split into the `--perf-…` arguments and the others, in their order.
struct split_command_line {
    option_values options;
    std::vector<std::string> others;
    bool doctor{};  ///< `--perf-doctor`: report what this machine can judge, and run no tests
};

/// The argument that starts the doctor. It is not an option: no table, variable or call has it.
inline constexpr std::string_view doctor_argument = "--perf-doctor";
inline constexpr std::string_view doctor_help =
    "instead of running tests, examine this machine and print the smallest slowdown that it can detect";

/// Removes `--perf-budget 10s`, `--perf-budget=10s` and `--perf-record-anyway` from the arguments, up to `--`. Throws
/// input_error for an unknown `--perf-` name, with the nearest known one, for a missing value, and for a value that
/// does not parse.
[[nodiscard]] split_command_line split_options(std::span<const std::string> arguments);

/// Resolves every option of one evaluation. The call wins, then the command line, the environment, the project file,
/// and last the default.
///
/// The option `ci` is on in CI, unless it is set (ci/README.md). An empty PERFSPEC_ variable counts as not set, because
/// CI systems cannot unset one.
///
/// Throws input_error for a value that does not parse or is out of range, for `baseline_build` together with an update
/// of baselines, and for a PERFSPEC_ variable whose name is near that of an option, or begins one. The message has the
/// option as spelled, a legal value, and the nearest known name. Names that begin with PERFSPEC_TEST_ are for users.
[[nodiscard]] plan resolve(std::span<const option> at_call, const option_values& command_line, const environment& env,
                           std::span<const project_option> project = {});

/// A note on each PERFSPEC_ variable that perfspec does not know and that is near no option. Throws as `resolve` does.
[[nodiscard]] std::vector<std::string> notes_on_variables(const environment& env);

/// The origins of the plan's options that are set, in the order of the table: {"budget", "call"}, {"margin", "command
/// line"}, {"ci", "CI"}, {"rounds", "environment"}, {"undecided", "baselines/perfspec.json:3"}.
[[nodiscard]] std::vector<std::pair<std::string, std::string>> option_origins(
    std::span<const option> at_call, const option_values& command_line, const environment& env,
    std::span<const project_option> project = {});

/// A known violation that a project tolerates until a day. Its texts are verbatim.
struct waiver {
    std::string key{};      ///< of the claims that it covers; `*` stands for any text
    std::string reason{};   ///< why the violation is tolerated
    std::string owner{};    ///< who looks after it, or the number of an issue
    std::string ceiling{};  ///< "20%" beyond the bound, or the farthest value itself, such as "150us" or "3"
    std::string until{};    ///< the last day, UTC: "2027-01-31"
    std::string place{};    ///< "baselines/perfspec.json:7"

    friend bool operator==(const waiver&, const waiver&) = default;
};

/// Checks the ceiling and the day. The ceiling is a percentage above 0 of at most 1000 %, a duration, or a number that
/// is not negative.
///
/// Throws input_error, which begins with `spelled` and shows a legal text.
void check_waiver(const waiver& w, std::string_view spelled);

/// Whether the pattern of the waiver matches this key.
[[nodiscard]] bool covers(const waiver& w, std::string_view key) noexcept;

/// The ceiling as a fraction of the bound, or as a value in the base unit. One of them is set if the text is legal.
struct waiver_ceiling {
    std::optional<double> fraction{};
    std::optional<double> value{};
    bool is_duration{};  ///< whether the value has a unit of time
};

[[nodiscard]] waiver_ceiling ceiling_of(const waiver& w);

/// Whether the text is a day of the calendar: "2027-01-31".
[[nodiscard]] bool is_day(std::string_view text);

}  // namespace perfspec::inline v0_2
