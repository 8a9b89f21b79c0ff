// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::inline v0_1 {

class usage_meter;
struct operator_event;

/// The settings that `--perf-with` requests of all subjects that have them.
struct requested_settings {
    std::string device{};                  ///< "cuda:1"; empty: not requested
    std::string dtype{};                   ///< "bfloat16"; empty: not requested
    std::optional<std::uint32_t> batch{};  ///< size of the first dimension of the inputs
    std::optional<std::uint32_t> threads{};

    /// The requested settings as axes: {"batch", "8"}.
    [[nodiscard]] std::vector<std::pair<std::string, std::string>> axes() const {
        std::vector<std::pair<std::string, std::string>> all;
        if (!device.empty()) all.emplace_back("device", device);
        if (!dtype.empty()) all.emplace_back("dtype", dtype);
        if (batch) all.emplace_back("batch", std::to_string(*batch));
        if (threads) all.emplace_back("threads", std::to_string(*threads));
        return all;
    }
};

namespace detail {

/// Where the kernels of a subject are recorded. `operators`: its kernels are the operators outside other operators.
enum class kernel_view : std::uint8_t { none, operators, device };

/// Whether to start the process if it does not run. `last_known`: no, use its last answer.
enum class remote_lookup : std::uint8_t { may_start, last_known };

/// Functions of an adapter around an iteration whose kernels are recorded. Each may be null, and may throw.
struct traced_iteration {
    void* self{};
    void (*settle)(void* self){};  ///< before the trace: brings the device's caches into the state of a time sample
    void (*begin)(void* self){};   ///< in the trace, before the iteration
    bool (*end)(void* self){};     ///< in the trace, after it; returns whether the sample counts
};

/// The kernels of one name in the samples of a subject so far.
struct kernel_launches {
    std::uint64_t fewest{};  ///< in an iteration
    std::uint64_t most{};
    std::set<std::string> names{};
};

/// The declarations of a subject. An adapter's subject copies them from the inner one.
struct subject_declarations {
    bool verify{true};
    bool may_be_optimised_away{};
    std::string invalid_reason;
    std::string not_judged_reason;  ///< what this machine or build lacks
    double items{};
    double bytes{};
    double flops{};
    double work_factor{1.0};  ///< of items, bytes and flops: the requested batch divided by that of the code
    std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of declaration
    std::vector<std::string> settings;  ///< names of axes that distinguish the subjects of one query; adapters set them
    double compile_ns{};                ///< time of compilation before this program ran; 0: unknown
    std::string compile_fault{};        ///< why that time cannot be used; empty: it can
    bool compiled_from_cache{};         ///< a warm compiler cache made that time shorter
    std::string hidden_operators{};     ///< why its operators cannot be recorded; empty: they can
    std::string hidden_operations{};    ///< why the operations of its operators cannot be counted; empty: they can
    std::string hidden_memory{};        ///< why the memory of its tensors cannot be recorded; empty: it can
    kernel_view kernels{kernel_view::none};
    std::string device{};  ///< the device of its work, "cuda:0"; empty: the processor
};

/// The state behind a subject's handles. `id` is unique in the process and never used again, so that it can be the key
/// of samples after the body is gone.
struct subject_state : subject_declarations {
    std::uint64_t id{};
    std::atomic<std::uint32_t> owners{1};  ///< in any threads
    bool constructed{};
    std::string name;
    /// Returns the value of a declared metric, or throws. Null: the fields here have it.
    double (*read_declared)(void* storage){};
    /// How the device's clock times an iteration, "cold"; empty: its adapter has only one way.
    std::string device_timing{};
    std::string remote{};   ///< the process of its work: "the worker of models.py"; empty: this one
    const void* process{};  ///< equal for subjects of one such process; null: this one
    std::string runs{};     ///< what that process runs: path and settings; empty: this process
    /// What its times depend on in that process, by name and value: {"torch", "2.13.0"}. Empty: unknown.
    std::vector<std::pair<std::string, std::string>> (*remote_facts)(void* storage, remote_lookup how){};
    /// The operators of one iteration in that process, one after another; none if it cannot record them.
    std::vector<operator_event> (*remote_operators)(void* storage){};
    usage_meter* (*remote_usage)(void* storage){};  ///< the meter of that process; null if it does not run
    const body_functions* functions{};
    void* storage{};
    void* load_step{};
    void (*run_load)(void* step){};
    void (*destroy_load)(void* step) noexcept {};
    bool loaded{};                           ///< whether loading has begun in this process
    std::string (*caveat)(void* storage){};  ///< a note on the samples since the last call, or empty
    double (*held_bytes)(void* storage){};   ///< of a model in memory before the subject was made; null: none
    std::string (*report_slow_samples)(void* storage){};  ///< since the last call; empty: none
    traced_iteration traced{};
    std::map<std::string, kernel_launches> launches_by_kernel{};  ///< by the name in the query
};

/// Whether another process runs the subject and reads the clock.
[[nodiscard]] inline bool runs_elsewhere(const subject& x) { return x.state().functions->run_remotely != nullptr; }

/// The meter of the process that runs the subject: `own` for this one. Null if there is none.
[[nodiscard]] inline usage_meter* meter_of(const subject& x, usage_meter* own) {
    if (!runs_elsewhere(x)) return own;
    return x.state().remote_usage == nullptr ? nullptr : x.state().remote_usage(x.storage());
}

/// Copies the declarations of the inner subject to the subject of an adapter.
void declare_like(subject& made, const subject& inner);

}  // namespace detail
}  // namespace perfspec::inline v0_1
