// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/quantity/quantity.hpp>

#include <cstdint>

namespace perfspec::inline v0_2 {

/// Every option that a call, the command line, the environment or the project file can set; `plan/option_table.hpp`
/// describes each.
enum class option_id : std::uint8_t {
    none,
    budget,
    cap,
    confirm,
    false_failure,
    false_pass,
    margin,
    drift,
    rounds,
    iterations,
    processes,
    baseline_processes,
    seed,
    undecided,
    ci,
    update_baselines,
    baseline_dir,
    build_variant,
    mode,
    output,
    trace,
    verbosity,
    record_anyway,
    baseline_build,
    allow_regression,
    only,
    with,
    key,
};

/// One option at a call: `PERF_CHECK(claim, budget(10s), margin(1_pct))`. Numbers are in base units.
struct option {
    option_id id{option_id::none};
    double number{};
    const char* text{};
};

/// Whether a violated claim is repeated in a fresh process before it fails.
enum class confirmation : std::uint8_t { off, on };
/// What an undecided claim does to its test.
enum class undecided_effect : std::uint8_t { pass, warn, fail };

inline namespace language {

/// The usual time to measure this claim (default: 1 s). It stretches up to the cap for slow subjects, or while a ratio
/// looks violated.
template <class Rep, class Period>
[[nodiscard]] constexpr option budget(std::chrono::duration<Rep, Period> d) noexcept {
    return {option_id::budget, detail::nanoseconds(d)};
}
/// The longest time to measure this claim, a hard limit (default: 120 s).
template <class Rep, class Period> [[nodiscard]] constexpr option cap(std::chrono::duration<Rep, Period> d) noexcept {
    return {option_id::cap, detail::nanoseconds(d)};
}
/// The tolerated distance beyond the bound of <=, >= and within: *holds* is tested at the bound moved by it (default:
/// 0.5 %).
[[nodiscard]] constexpr option margin(percentage p) noexcept { return {option_id::margin, p.fraction}; }
/// How far the machine may drift between recording sessions. A claim on a stored baseline that is beyond its bound by
/// less than this is undecided. Default: 10 % for times and rates, 3 % for others; with three sessions or more, the
/// drift that they show.
[[nodiscard]] constexpr option drift(percentage p) noexcept { return {option_id::drift, p.fraction}; }
/// How often a claim that is true at its bound may fail (default: 0.001).
[[nodiscard]] constexpr option false_failure(double rate) noexcept { return {option_id::false_failure, rate}; }
/// How often a claim that is false by the margin may hold (default: 0.05).
[[nodiscard]] constexpr option false_pass(double rate) noexcept { return {option_id::false_pass, rate}; }
/// Whether a fresh process repeats a violated claim before it fails (default: on). `confirm::off` is one test at the
/// full rate in this process.
namespace confirm {
inline constexpr option off{option_id::confirm, 0.0};
inline constexpr option on{option_id::confirm, 1.0};
}  // namespace confirm
/// At most this many rounds.
[[nodiscard]] constexpr option rounds(std::uint32_t n) noexcept { return {option_id::rounds, static_cast<double>(n)}; }
/// Iterations of a sample. By default a sample lasts 100 us.
[[nodiscard]] constexpr option iterations(std::uint32_t n) noexcept {
    return {option_id::iterations, static_cast<double>(n)};
}
/// Judges a claim over this many fresh processes, such as a close bound on a ratio of unlike subjects.
[[nodiscard]] constexpr option processes(std::uint32_t n) noexcept {
    return {option_id::processes, static_cast<double>(n)};
}
/// Fixes the random order. By default the seed is random, and the record has it.
[[nodiscard]] constexpr option seed(std::uint32_t n) noexcept { return {option_id::seed, static_cast<double>(n)}; }
/// What an undecided claim does to its test: `undecided::fail`.
namespace undecided {
inline constexpr option pass{option_id::undecided, static_cast<double>(undecided_effect::pass)};
inline constexpr option warn{option_id::undecided, static_cast<double>(undecided_effect::warn)};
inline constexpr option fail{option_id::undecided, static_cast<double>(undecided_effect::fail)};
}  // namespace undecided
/// The key of this query, for queries with changing or repeated text. The text must outlive the call (a string literal
/// does).
[[nodiscard]] constexpr option key(const char* text) noexcept { return {option_id::key, 0.0, text}; }

}  // namespace language
}  // namespace perfspec::inline v0_2
