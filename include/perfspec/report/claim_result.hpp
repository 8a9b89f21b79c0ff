// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/baseline/stored_process.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/quantity/quantity.hpp>
#include <perfspec/report/evaluation.hpp>

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// A value with its confidence interval, in the base unit of its query.
struct estimate {
    double value{};  ///< the printed one: Hodges-Lehmann center of the tested values, a count, a fresh process's median
    double low{};
    double high{};
    double level{};  ///< nominal coverage of the interval, such as 0.95; 0 for the range of all values
};

/// The parts of one namespace: "aten" with "abs", "add". Each name appears once.
struct part_namespace {
    std::string name;
    std::vector<std::string> parts;  ///< sorted
};

/// All parts that a profile could have, such as the operators of a library. A suite's profiles are compared with them.
struct part_library {
    std::string library;  ///< "zlib 1.3.1"
    std::vector<part_namespace> namespaces{};
};

/// The samples of one subject, per iteration, in the base unit of `unit`.
struct sample_summary {
    std::string subject;
    double minimum{};
    double q1{};
    double median{};
    double q3{};
    double p90{};
    double p99{};
    double maximum{};
    std::size_t samples{};
    std::uint64_t iterations{};       ///< of a sample
    std::vector<double> strip;        ///< at most 64 quantiles in rising order, for pictures
    dimension unit{dimension::time};  ///< also time if the query is a ratio of times or a rate
    std::vector<double> course{};     ///< at most 64 medians of consecutive samples, in order of time
};

/// One of several subjects that were measured in the same rounds.
struct compared_subject {
    std::string subject;
    estimate speedup{};  ///< time of the first subject divided by that of this one
};

/// The range that the tolerance of a claim allows, in the base unit.
struct tolerated_range {
    double low{};
    double high{};
};

/// A cell of a table that shows where time goes.
struct part_value {
    std::string part;  ///< the row: a layer, an operator or a library; "sum", "end to end"
    std::string
        method;  ///< the column: "timer", "subtraction", "operators"; "self", "total", "calls"; a variant for a mixture
    dimension unit{dimension::time};
    estimate value{};
    double share{};    ///< of the end-to-end time; 0 if it has none
    std::string mark;  ///< "unresolved" by subtraction, "chosen" by a mixture, "chosen, unresolved", "library" of a
                       ///< library in a profile; otherwise empty
};

/// A subject that another process ran, and facts about that process.
struct remote_subject {
    std::string subject;
    std::string process;  ///< "the worker of models.py"
    std::vector<std::pair<std::string, std::string>>
        facts;  ///< {"language", "Ruby 3.3"}, {"numpy", "2.1.0"}, {"threads", "2"}
};

namespace detail {

/// The part of a cold start before its process: the exporter compiled the model.
inline constexpr const char* compilation_part = "compiled before, in";
/// The part of a speedup with the number of calls after which compiling pays.
inline constexpr const char* break_even_part = "calls until compiling has paid";
/// The mark of a profile's rows that sum up its other rows by library.
inline constexpr const char* library_mark = "library";

}  // namespace detail

/// The evidence behind a verdict.
struct evidence_counts {
    std::string method{};             ///< such as "randomized pairs, rank-and-sign e-process, two stages"
    std::size_t rounds{};             ///< pairs or blocks of this process
    std::size_t confirming_rounds{};  ///< the same, in the fresh process that repeated the claim
    std::size_t processes{};          ///< fresh processes whose values were judged
    double seconds{};                 ///< spent on this claim's samples, children included
    double starting_seconds{};        ///< of these, until started processes could measure
    double budget_seconds{};
    std::uint64_t seed{};
    double processor_ns{};    ///< of a process: work of all threads in an iteration; 0: unknown
    double log_e_holds{};     ///< natural log of the evidence that the claim holds (at the bound moved by the margin)
    double log_e_violated{};  ///< natural log of the evidence that it is violated (at the bound)
    bool exact{};             ///< the value repeats and is compared exactly, so no rates apply
    double false_failure{};   ///< rate of the method (stored baselines); 0: that of the option
    bool approximate{};       ///< no rate is guaranteed at the bound, as for absolute claims and spreads

    [[nodiscard]] double measuring_seconds() const noexcept { return seconds - starting_seconds; }
    void add_time(const evidence_counts& more) noexcept {
        seconds += more.seconds;
        starting_seconds += more.starting_seconds;
    }
};

/// What else happened on the machine during the measurement.
struct disturbances {
    double load{};  ///< one-minute load average at the end
    int cores{};
    double steal_seconds{};        ///< taken by the hypervisor
    double waited_seconds{};       ///< for which a thread waited for a processor; for several at once, on average
    std::size_t interrupted{};     ///< samples in which the system gave the processor to others
    double interrupted_seconds{};  ///< for which these samples did not work, at most
    std::size_t excluded{};        ///< of these samples, those whose time without interruptions is not known
    double working_share{1.0};     ///< the time without interruptions is at least this share of the measured one
    std::uint64_t page_faults{};
    int runnable{};                          ///< threads that ran or wanted to run at the end, including this one
    std::size_t lengthened{};                ///< processes of which other work may have taken more than a tenth
    double others_cores{};                   ///< processors that other processes used meanwhile, on average
    double frequency_mhz{};                  ///< mean over the cores at the end; 0: unknown
    double frequency_change{};               ///< from the start to the end, as a fraction
    std::vector<device_activity> devices{};  ///< that the subjects worked on, each in its slowest process
    std::size_t slowed_device{};             ///< processes whose device the machine or other processes slowed down
    std::vector<std::string> notes{};        ///< such as "another perfspec process was measuring"
};

/// What happened to the processes of a claim on `baseline()`. The last two are for another build; its path is `file`.
enum class baseline_action : std::uint8_t {
    compared,
    recorded,
    updated,
    appended,
    kept,
    refused,
    would_be_recorded,
    baseline_build,
    is_new
};

/// "compared", "recorded", "updated", "appended", "kept", "refused", "would be recorded", "baseline build",
/// "new".
[[nodiscard]] const char* to_string(baseline_action a) noexcept;

/// The origin of a bound from stored processes, and the new processes, with all that `perfspec accept` needs to store
/// them elsewhere.
struct baseline_origin {
    std::string file;
    std::string key;
    double median{};  ///< of the stored processes, base unit
    std::size_t processes{};
    std::string recorded;  ///< when the newest process was recorded, RFC 3339
    std::string commit;
    double detectable{};     ///< "detects +x % or more", as a fraction beyond the bound; 0 if unknown
    std::size_t sessions{};  ///< number of recording sessions that are half an hour or more apart
    double drift{};  ///< how far machine and load may move the value, a fraction: a smaller excess does not fail
    std::vector<double> values;            ///< stored processes
    std::vector<double> now;               ///< new processes that were judged
    std::vector<std::string> differences;  ///< between the fingerprints: "compiler: was g++ 12.2, is g++ 13.1"
    baseline_action action{baseline_action::compared};
    std::vector<stored_process> taken{};  ///< all new processes; more than `now` if CI took more to accept
    fingerprint machine{};                ///< of the new processes
    double headroom{};  ///< from the baseline to the bound, as a fraction; a change above a third of it is stored
    std::optional<part_profile> profile{};  ///< of the new processes' subject, if its parts are known
};

/// The forecast of a dry run for one assertion.
struct forecast {
    std::string method{};     ///< of judging, such as "pairs in random order"; or why it would not be judged
    std::string baseline{};   ///< the baseline of a claim on `baseline()`; otherwise empty
    double cap_seconds{};     ///< upper limit; 0 for no limit, as of a recording
    double budget_seconds{};  ///< limit for a body that is neither slow nor suspect
};

/// The result of a procedure for a claim or a query.
struct claim_result {
    perfspec::verdict verdict{verdict::skipped};
    bool on_request{};                      ///< the user requested no judging (an update, a smoke run)
    std::string reason{};                   ///< one sentence: why error, skipped or undecided
    std::optional<failure_kind> failure{};  ///< why it was not measured, as a code; empty for a mistake in the claim
    std::vector<std::string> advice{};      ///< what would decide it, what to do
    std::vector<std::string>
        notes{};  ///< facts about the measured value, whatever the verdict; each once in a test case

    dimension unit{dimension::time};  ///< of the measured value
    std::optional<perfspec::estimate> estimate{};
    std::vector<compared_subject> compared{};    ///< of speedups(a, b, c): all but the first
    std::vector<part_value> parts{};             ///< of layers(x), best_mixture(a, b), profile(x), cold_start(x),
                                                 ///< peak_memory(x, including_load), row by row
    std::optional<part_library> known_parts{};   ///< of a profile: all parts that could have run
    std::optional<double> bound{};               ///< base unit
    std::optional<tolerated_range> tolerated{};  ///< of `== within(bound, tolerance)`, around the bound
    std::string bound_text{};                    ///< the origin of the bound: "0.97 x 1.42, baseline of 10 processes"
    double margin{};

    evidence_counts evidence{};
    std::vector<sample_summary> subjects{};
    std::vector<remote_subject> workers{};  ///< processes that ran subjects and reported facts
    disturbances disturbed{};
    std::optional<baseline_origin> baseline{};
    std::optional<verification> verified{};
    std::optional<perfspec::forecast> forecast{};  ///< of a dry run
};

namespace detail {

/// A verdict, why, and what to do.
struct judgement {
    perfspec::verdict verdict{perfspec::verdict::skipped};
    std::string reason{};
    std::vector<std::string> advice{};
    std::optional<failure_kind> failure{};
};

/// The result with this judgement. An empty reason keeps the present one; the advice is appended.
[[nodiscard]] claim_result judged(claim_result result, judgement outcome);

template <class T> void append(std::vector<T>& to, std::vector<T> more) {
    to.insert(to.end(), std::make_move_iterator(more.begin()), std::make_move_iterator(more.end()));
}

template <class T> [[nodiscard]] std::vector<T> joined(std::vector<T> first, std::vector<T> second) {
    append(first, std::move(second));
    return first;
}

/// The disturbances of a measurement, with those of another part added.
[[nodiscard]] disturbances joined(disturbances all, const disturbances& part);

/// The later result, with empty fields filled from `before`. Notes, advice and disturbances are those of both.
[[nodiscard]] claim_result joined(const claim_result& before, claim_result after);

/// Whether the process waited for a processor for more than a twentieth of the claim.
[[nodiscard]] bool has_waited(const claim_result& result) noexcept;

/// The largest factor by which one of these devices may have slowed work down; at least 1.
[[nodiscard]] double slowdown_of(const std::vector<device_activity>& devices);

/// Whether the device of more than a quarter of the processes was slowed down by the machine or by other processes.
[[nodiscard]] bool are_devices_slowed(const claim_result& result);

/// "accelerator:0 slowed down by heat, 1100 of 1980 MHz, in 10 of 10 processes".
[[nodiscard]] std::string slowed_device_text(const claim_result& result);

/// Whether other work lengthened more than a quarter of the processes, enough to change the verdict.
[[nodiscard]] bool are_processes_lengthened(const claim_result& result);

/// "other work lengthened 10 of 10 processes: up to 9 threads wanted to run on 4 cores".
[[nodiscard]] std::string lengthening_text(const claim_result& result);

}  // namespace detail

/// The effect of a waiver on its claim. `not_needed`: the claim holds. `too_far`: its value is beyond the ceiling.
enum class waiver_effect : std::uint8_t { waived, not_needed, too_far, expired };

/// "waived", "not needed", "too far", "expired".
[[nodiscard]] const char* to_string(waiver_effect e) noexcept;

/// The waiver that covers a claim. A waived claim does not fail its test.
struct applied_waiver {
    waiver_effect effect{waiver_effect::waived};
    std::string ceiling;  ///< "20%" beyond the bound, or the farthest value
    std::string until;    ///< the last day, UTC: "2027-01-31"
    std::string reason;
    std::string owner;  ///< person or issue
    std::string place;  ///< "baselines/perfspec.json:7"
};

/// One assertion and its result, flat and versioned. Renderers show it and decide nothing.
struct record : claim_result {
    int schema{1};
    std::string time;  ///< RFC 3339, UTC
    std::string suite;
    std::string test;
    std::vector<std::string> sections;
    std::string key;
    std::string macro;  ///< "PERF_CHECK"; "evaluate" without a macro
    std::string claim;  ///< as written
    std::string file;
    int line{};

    bool failed{};  ///< violated or error, except under PERF_WARN; undecided if the option says so
    std::optional<applied_waiver> waiver{};

    std::string query;                 ///< "speedup(slow, fast)"
    std::string metric{};              ///< "speedup", "p99", "peak_memory, including_load"; the name of an own metric
    std::vector<std::string> names{};  ///< of the query's subjects
    std::string own_unit;              ///< of the user's own metric: "tokens/s"; otherwise empty
    better direction{better::less};
    std::string comparison;  ///< "<", "<=", ">", ">=", "=="; empty without a bound

    std::vector<std::pair<std::string, std::string>> axes;
    std::vector<std::pair<std::string, std::string>> options;  ///< the plan as names and values of options
    std::vector<std::pair<std::string, std::string>>
        origins{};  ///< of options that are set: {"budget", "call"}, {"margin", "environment"}
    std::vector<std::pair<std::string, std::string>>
        commands;  ///< {"again", "ctest …"}, {"accept", "PERFSPEC_… ctest …"}, {"from CI", "perfspec accept …"}

    std::string hardware_key;
    std::string build_variant;
    std::string build;  ///< "optimized", "not optimized", "AddressSanitizer", …
    std::string host;
    std::string commit;
    std::string branch;
    bool dirty{};
    std::string shard{};       ///< of the test cases, "1 of 4"; empty: all of them
    std::string run_id;        ///< the same for all processes of one run, if the environment sets it
    std::string started_by{};  ///< the parent process, the same for all programs of one ctest: "4711 1834512"
};

/// The name of the record's unit in baseline files: that of its dimension, or the user's own.
[[nodiscard]] std::string unit_name(const record& r);

}  // namespace perfspec::inline v0_2
