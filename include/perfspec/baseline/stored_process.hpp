// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/quantity/quantity.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// An operator in one iteration: its self time over all calls, and the number of calls.
struct profiled_part {
    std::string name{};
    double self_ns{};  ///< on the device, if the subject runs on one
    double calls{};    ///< not whole if rounds differ

    friend bool operator==(const profiled_part&, const profiled_part&) = default;
};

/// The longest parts of an iteration, such as the operators of a model, stored with its times. No verdict depends on
/// them: they only show which parts moved when a later claim is violated.
struct part_profile {
    static constexpr std::size_t max_parts = 32;

    std::string settings{};                ///< what the times depend on besides machine and subject: "2 threads"
    std::vector<profiled_part> longest{};  ///< 1 to max_parts, the longest first
    double others_ns{};                    ///< the self times of all other parts

    friend bool operator==(const part_profile&, const part_profile&) = default;
};

/// What one process measured for one key, in the unit of its entry.
struct stored_process {
    double value = 0;  ///< the median of its samples; for a ratio, exp of the center of its paired log ratios
    double q1 = 0, q3 = 0, p90 = 0, p99 = 0;  ///< of the samples
    std::size_t samples = 1;                  ///< the number of samples
    std::size_t iterations = 1;               ///< per sample
    std::string time{};    ///< when it was measured, in UTC: "2026-11-18T09:12:44Z" (RFC 3339, whole seconds)
    std::string commit{};  ///< of the measured code; empty if unknown
    std::string run{};     ///< the run id of the record; empty if unknown
    std::string recording_session{};  ///< the mark shared by processes recorded one after the other; processes of
                                      ///< another session also differ by drift
    double processor_ns{};            ///< work of all threads in an iteration; 0: unknown

    friend bool operator==(const stored_process&, const stored_process&) = default;
};

namespace detail {

struct process_number {
    const char* name;
    double stored_process::*member;
};

/// The numbers of a stored process in its unit, with their names in messages.
inline constexpr process_number process_numbers[] = {
    {"value", &stored_process::value}, {"q1", &stored_process::q1},   {"q3", &stored_process::q3},
    {"p90", &stored_process::p90},     {"p99", &stored_process::p99},
};

}  // namespace detail

/// The baseline of one key: what its processes measured.
struct baseline_entry {
    static constexpr unsigned schema_version = 2;  ///< of files with such entries
    static constexpr std::size_t max_sessions = 10;
    static constexpr std::size_t max_processes_of_session = 40;

    std::string key{};
    std::string unit{};  ///< base_unit() of the metric's dimension, or the user's own ("tokens/s")
    better direction = better::less;
    std::string source{};                     ///< the place of the claim, by source_of; empty if unknown
    fingerprint recorded_on{};                ///< where the latest session was recorded
    std::vector<stored_process> processes{};  ///< at least one, the oldest first, grouped by session
    std::optional<part_profile> profile{};    ///< of the latest session

    friend bool operator==(const baseline_entry&, const baseline_entry&) = default;
};

/// A place in a source file, without its folder, and the program that has it: "sort_test.cpp:42 in sort_test".
[[nodiscard]] std::string source_of(std::string_view file, int line, std::string_view program = {});

/// Whether both places may be one claim: their files have one name, or one place is unknown.
[[nodiscard]] bool may_be_one_source(std::string_view a, std::string_view b) noexcept;

/// Whether both places are known, and have neither the file's name nor the program's in common: two programs then use
/// one key. After a move to another file, or in a renamed program, one of both is the same.
[[nodiscard]] bool are_of_two_programs(std::string_view a, std::string_view b) noexcept;

/// The values of the processes, in their order.
[[nodiscard]] std::vector<double> values_of(std::span<const stored_process> processes);

/// The values in the form for relative spreads and changes. For the powers of `complexity` this is e to the power,
/// because a power is a logarithm: 0.01 more is a change of 1 %. All other values stay as they are.
[[nodiscard]] std::vector<double> relative_values_of(std::span<const stored_process> processes, std::string_view unit);

/// Why an entry cannot be stored; nullopt if it can. The text names the field, its value, and a legal value.
///
/// Times, ratios and rates must be positive; counts and bytes must not be negative; every number is finite. The key is
/// UTF-8.
[[nodiscard]] std::optional<std::string> fault_of(const baseline_entry& entry);

}  // namespace perfspec::inline v0_2
