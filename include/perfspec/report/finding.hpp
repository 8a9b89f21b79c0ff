// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/stored_launch.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/measure/counters/operator_library.hpp>
#include <perfspec/quantity/dimension.hpp>
#include <perfspec/stats/layout.hpp>

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

/// What an assertion says about its claim. The meaning of each: README.md, "Reading a verdict".
enum class verdict : std::uint8_t { holds, violated, undecided, invalid, not_judged };

/// "holds", "violated", "undecided", "invalid", "not judged".
[[nodiscard]] const char* to_string(verdict v) noexcept;

/// A value with the interval that the test supports; in the base unit of the record's dimension.
struct estimate {
    double centre{};  ///< Hodges-Lehmann centre of what was tested
    double median{};
    double low{};
    double high{};
    double level{};  ///< nominal coverage of the interval, such as 0.95
};

/// The samples of one subject, an iteration, in the base unit of `unit`.
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
    dimension unit{dimension::time};  ///< time also where the query is a ratio of times or a rate
};

/// One of several subjects that were measured in the same rounds.
struct compared_subject {
    std::string subject;
    estimate speedup{};  ///< time of the first subject divided by that of this one
};

/// What lies within the tolerance of a claim, in the base unit.
struct tolerated_range {
    double low{};
    double high{};
};

/// A cell of a table that tells where time goes.
struct part_value {
    std::string part;    ///< the row: a layer or an operator; "sum", "end to end"
    std::string method;  ///< the column: "timer", "subtraction", "operators"; "self", "total", "calls"; of an oracle a variant
    dimension unit{dimension::time};
    estimate value{};
    double share{};    ///< of the end-to-end time; 0 where it is none
    std::string mark;  ///< "unresolved" by subtraction, "chosen" by an oracle; else empty
};

namespace detail {

/// The part of a cold start that was over long before it: what the exporter says that compiling the model took.
inline constexpr const char* compilation_part = "compiled before, in";

}  // namespace detail

/// What the evidence rests on.
struct evidence_counts {
    std::string method;               ///< such as "randomised pairs, rank-and-sign e-process, two stages"
    std::size_t rounds{};             ///< pairs or blocks of this process
    std::size_t confirming_rounds{};  ///< the same, of the fresh process that repeated the claim
    std::size_t launches{};           ///< fresh processes whose values were judged
    double seconds{};                 ///< spent on this claim's samples, children included
    double shared_seconds{};          ///< of them, those of samples that an earlier claim took and counts
    std::string shared_with{};        ///< the place of that claim, "sort_test.cpp:42"; two fresh samples were like those that it took
    double budget_seconds{};
    std::uint64_t seed{};
    double log_e_holds{};     ///< natural log of the evidence that the claim holds (at the moved bound)
    double log_e_violated{};  ///< and that it is violated (at the bound)
    bool exact{};             ///< the value repeats from run to run: compared exactly, no rates apply
    double false_failure{};   ///< rate of the method itself, where it is not the option's (stored launches); 0: the option's
    bool approximate{};       ///< no rate is promised at the bound (absolute claims, spreads, growths, launches of two unlike subjects)
};

/// What else happened on the machine while measuring.
struct disturbances {
    double load{};  ///< one-minute load average at the end
    int cores{};
    double steal_seconds{};  ///< taken by the hypervisor
    std::uint64_t involuntary_switches{};
    std::uint64_t page_faults{};
    std::uint64_t migrations{};
    int runnable{};                  ///< threads that ran or wanted to at the end, this one among them
    std::size_t overcommitted{};     ///< launches at whose end more than twice as many threads wanted to run as there are cores
    double frequency_mhz{};          ///< mean over the cores at the end; 0: not told
    double frequency_change{};       ///< from the start to the end, as a fraction
    std::vector<std::string> notes;  ///< such as "another perfspec process was measuring"
};

/// What became of the launches of a claim on `baseline()`; the last two where that means another build, whose path is the `file`.
enum class baseline_action : std::uint8_t {
    compared,
    recorded,
    recorded_anew,
    appended,
    kept,
    refused,
    would_be_recorded,
    reference_build,
    is_new
};

/// "compared", "recorded", "recorded anew", "appended", "kept", "refused", "would be recorded", "reference build", "new".
[[nodiscard]] const char* to_string(baseline_action a) noexcept;

/// Where a bound of stored launches came from, and what was measured now: all that `perfspec accept` needs to store it elsewhere.
struct baseline_origin {
    std::string file;
    std::string key;
    double median{};  ///< of the stored launches, base unit
    std::size_t launches{};
    std::string recorded;  ///< when the newest launch was recorded, RFC 3339
    std::string commit;
    double detectable{};         ///< "detects +x % or more", as a fraction beyond the bound; 0 when unknown
    std::size_t sessions{};      ///< recording sessions, those half an hour or more apart
    double drift{};              ///< what is beyond the bound by less does not fail: the machine may drift, and load moves it; a fraction
    std::vector<double> values;  ///< stored launches
    std::vector<double> now;     ///< new launches that were judged
    std::vector<std::string> differences;  ///< of the fingerprint: "compiler: g++ 12.2 was, g++ 13.1 is"
    baseline_action action{baseline_action::compared};
    std::vector<stored_launch> taken{};  ///< every new launch as baseline files hold it; beyond `now` where CI completed them for accepting
    fingerprint machine{};               ///< what they ran on
    double headroom{};                   ///< distance of the claim's bound from the baseline, a fraction; decides whether a move is stored
};

/// What a dry run says that an assertion would do. The seconds are an estimate by one call of each body, without the start of fresh processes and
/// what a test case does in them before the claim.
struct claim_cost {
    std::string method;    ///< such as "pairs in random order"
    std::string amount;    ///< "10 to 2000 rounds"
    std::string baseline;  ///< what there is of a claim on `baseline()`; else empty
    double budget_seconds{};
    double min_seconds{};
    double max_seconds{};
};

/// What a procedure found out about a claim or a query.
struct finding {
    perfspec::verdict verdict{verdict::not_judged};
    bool on_request{};                  ///< not judged because the user asked for something else (an update, a smoke run)
    std::string reason{};               ///< one sentence: why invalid, not judged or undecided
    std::vector<std::string> advice{};  ///< what would decide it, what to do
    std::vector<std::string> notes{};   ///< what to know about what was measured, whatever the verdict; each once in a test case

    dimension unit{dimension::time};  ///< of what was measured
    std::optional<perfspec::estimate> estimate{};
    std::vector<compared_subject> compared{};     ///< of compare(a, b, c): every one but the first
    std::vector<part_value> parts{};              ///< of layers(x), oracle(a, b), profile(x), cold_start(x), row by row
    std::optional<operator_library> operators{};  ///< of profile(x): all that could have run
    std::optional<double> bound{};                ///< base unit
    std::optional<tolerated_range> tolerated{};   ///< of `== within(bound, tolerance)`, around the bound
    std::string bound_text{};                     ///< "0.97 x 1.42, baseline of 10 launches": where the bound came from
    double margin{};

    evidence_counts evidence{};
    std::vector<sample_summary> subjects{};
    disturbances disturbed{};
    std::optional<layout_effect> layout{};  ///< where it was asked for
    std::optional<baseline_origin> baseline{};
    std::optional<verification> verified{};
    std::optional<claim_cost> cost{};  ///< of a dry run
};

namespace detail {

/// An empty reason leaves the one that there is.
inline void set_verdict(finding& found, verdict v, std::string reason = {}) {
    found.verdict = v;
    if (!reason.empty()) found.reason = std::move(reason);
}

/// Adds what disturbed a part of the measurement to what disturbed all of it.
void add_disturbances(finding& found, const disturbances& part);

/// Whether so many threads wanted to run that they took turns: what lasts longer than a turn of the scheduler then takes a multiple of its time.
[[nodiscard]] constexpr bool is_overcommitted(int runnable, int cores) noexcept { return cores > 0 && runnable > 2 * cores; }

/// Whether more than a quarter of the launches ran so: enough to make the others look fast, or all of them slow.
[[nodiscard]] bool are_launches_overcommitted(const finding& found);

/// "up to 9 threads wanted to run on 4 cores, in 10 of 10 launches more than two a core".
[[nodiscard]] std::string overcommitment_text(const finding& found);

/// "moves it by up to 3.1 %, 96 % of the variance between processes: 20 with drawn layouts spread by 1.6 %, 20 with one by 0.3 %; 12.4 s".
[[nodiscard]] std::string layout_text(const layout_effect& e);

}  // namespace detail
}  // namespace perfspec
