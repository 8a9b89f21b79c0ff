// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include "support/claim_simulation.hpp"
#include "support/noise.hpp"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

namespace perfspec::testing {

/// The times of one process, nanoseconds, in the order taken.
using recorded_process = std::vector<double>;

/// Where a violated claim is repeated.
enum class second_stage : std::uint8_t {
    elsewhere,  ///< in another process; at least a third of it away if there is only one
    at_once,    ///< in the same process, 0.1 s later: the worst case
};

/// The processes of the rank test.
enum class process_unit : std::uint8_t {
    process,  ///< medians of processes, as perfspec does
    sample,   ///< samples of one stored and of one fresh process, as if each were a process
};

/// A claim, and how to replay it. The same request gives the same results.
struct replay_request {
    double bound = 1;                ///< of the ratio a / b (paired), or of the time in units of the reference
    double inject_share = 1;         ///< of the samples that are injected (paired, percentile_paired), drawn at random
    double inject = 1;               ///< factor on the times of b, the subject, or the fresh processes
    std::size_t replays = 2000;      ///< runs
    std::size_t budget_pairs = 500;  ///< the most that a stage takes (paired)
    double budget_ms = 1000;         ///< of a stage (absolute)
    pair_order order = pair_order::random;  ///< paired: of the slots; stored: one_coin takes processes in a row
    second_stage again = second_stage::elsewhere;
    stages confirm = stages::two;
    double margin = 0.005;
    double false_failure = 1e-3;
    double level = 0.99;  ///< of the percentile
    process_unit unit = process_unit::process;
    std::size_t stored = 10;  ///< processes of the baseline
    std::uint64_t seed = 20;
};

/// The slots of one process of a claim: (run, nth process of it, draws of that process).
using slot_source = std::function<std::vector<double>(std::size_t run, std::size_t nth, dice& random)>;

/// Synthetic slots around one millisecond, another draw for each process.
[[nodiscard]] slot_source synthetic_slots(noise_kind kind, const replay_request& request);

/// Contiguous segments of recorded processes. Throws input_error for a process of fewer slots than ten pairs.
[[nodiscard]] slot_source recorded_slots(std::vector<recorded_process> processes, const replay_request& request);

/// `speedup(a, b) > bound`: pairs of consecutive slots, into the sequential test (stats/README.md, "Pairs").
[[nodiscard]] std::vector<run_result> replay_paired(const slot_source& slots, const replay_request& request);

/// The median over processes of the process median: absolute bounds are multiples of it.
[[nodiscard]] double reference_of(const std::vector<recorded_process>& processes);

/// `latency(x) < bound * reference`: perfspec's own calibration and block source run on a clock that plays the
/// recording; block medians into the sequential test (stats/README.md, "Blocks"). Throws input_error for a process that
/// lasts less than five fourths of the budget.
[[nodiscard]] std::vector<run_result> replay_absolute(const std::vector<recorded_process>& processes,
                                                      double reference_ns, const replay_request& request);

/// `p99(b) < bound * p99(a)`: perfspec's own calibration and pair source run on a clock that plays the slots; pairs of
/// single iterations into percentile_sequential (stats/README.md, "Percentile pairs"). In a fixed order the pairs are
/// the plain slots, without calibration. Throws measurement_failure as calibrate_pair does.
[[nodiscard]] std::vector<run_result> replay_percentile_paired(const slot_source& slots, const replay_request& request);

/// The median over processes of the percentile of their samples: bounds of absolute percentiles are multiples of it.
[[nodiscard]] double percentile_reference_of(const std::vector<recorded_process>& processes, double level);

/// `p99(x) < bound * reference`: perfspec's own calibration and block source, as in replay_absolute, of single
/// iterations; percentile_of each block into the sequential test. Throws as replay_absolute, and measurement_failure
/// for calls too short to be timed alone.
[[nodiscard]] std::vector<run_result> replay_percentile(const std::vector<recorded_process>& processes,
                                                        double reference_ns, const replay_request& request);

/// One process of a stored or fresh process: its value is the median of its samples.
struct recorded_baseline {
    double median_ns = 0;
    std::vector<double> samples_ns;
};

/// In the order recorded.
using recorded_baselines = std::vector<recorded_baseline>;

/// `latency(x) < bound * baseline()`: stored and fresh processes drawn without replacement from one recording into the
/// exact rank test (stats/README.md, "Stored processes"). Throws input_error for too few processes.
[[nodiscard]] std::vector<run_result> replay_stored(const recorded_baselines& processes, const replay_request& request);

/// How often honest code gets a note on a trend: such a run is `violated`. A run uses 8 to `budget_pairs` consecutive
/// samples of one process. The last quarter has to be `bound` times the first. The times rise, step by step, by the
/// factor `inject`.
[[nodiscard]] std::vector<run_result> replay_trend(const slot_source& slots, const replay_request& request);

}  // namespace perfspec::testing
