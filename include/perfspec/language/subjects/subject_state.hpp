// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace perfspec {

struct operator_event;

/// What one run asks of every subject that has such settings, by `--perf-with`.
struct requested_settings {
    std::string device{};                  ///< "cuda:1"; empty: as the code says
    std::string dtype{};                   ///< "bfloat16"; empty: as the code says
    std::optional<std::uint32_t> batch{};  ///< size of the first dimension of the inputs
    std::optional<std::uint32_t> threads{};

    /// Those that are asked for, as axes: {"batch", "8"}.
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

/// Where the kernels of a subject can be seen. `operators`: its kernels are those operators that are not inside another
/// one.
enum class kernel_view : std::uint8_t { none, operators, device };

/// Whether a process that does not run is started to be asked. `as_known`: what it said when it last ran is told.
enum class remote_asking : std::uint8_t { may_start, as_known };

/// What an adapter does around an iteration whose kernels are recorded. Null functions are not called. Each may throw.
struct traced_iteration {
    void* self{};
    void (*settle)(void* self){};  ///< before the trace: brings the caches of the device into the state in which a
                                   ///< sample of its time begins
    void (*begin)(void* self){};   ///< in the trace, before the iteration
    bool (*end)(void* self){};     ///< in the trace, behind it; returns whether the sample counts
};

/// The kernels of one name in the samples of a subject so far.
struct seen_kernels {
    std::uint64_t fewest{};  ///< launches of an iteration
    std::uint64_t most{};
    std::set<std::string> names{};
};

/// What a subject declares. An adapter's subject has that of the inner subject.
struct subject_declarations {
    bool verify{true};
    bool may_be_optimised_away{};
    std::string invalid_reason;
    std::string not_judged_reason;  ///< what this machine or build lacks
    double items{};
    double bytes{};
    double flops{};
    double work_factor{1.0};  ///< of items, bytes and flops: the batch that a run asks for, divided by that of the code
    std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of declaration
    std::vector<std::string> settings;  ///< names of axes that distinguish the subjects of one query; adapters set them
    double compile_ns{};  ///< time that compiling took before this program ran, if the adapter knows it; 0: unknown
    std::string compile_fault{};      ///< why what the adapter found of that time cannot be used; empty: it can
    bool compiled_from_cache{};       ///< a warm compiler cache made that time shorter
    std::string hidden_operators{};   ///< why nothing sees the operators that it runs; empty: something does
    std::string hidden_operations{};  ///< why the operations of its operators cannot be counted; empty: they can
    std::string hidden_memory{};  ///< why nothing sees the memory of the tensors that it needs; empty: something does
    kernel_view kernels{kernel_view::none};
    std::string device{};  ///< where its work runs, "cuda:0"; empty: on the processor
};

/// The state behind a subject's handles. `id` is unique in the process and never used again, so samples can be kept
/// under it without keeping the body alive.
struct subject_state : subject_declarations {
    std::uint64_t id{};
    std::uint32_t owners{1};
    bool constructed{};
    std::string name;
    /// Asked for the value of a declared metric when it is needed; throws where nothing knows it. Null: the fields here
    /// have it.
    double (*ask_declared)(void* storage){};
    /// How the device's clock takes the time of an iteration, "cold"; empty: in the one way that its adapter has.
    std::string device_timing{};
    std::string
        remote{};  ///< the other process that its work runs in: "the worker of models.py"; empty: it runs in this one
    const void* process{};  ///< equal for subjects of one such process; null: it runs in this one
    std::string
        runs{};  ///< what that process runs, with the file's path and what was set for it; empty: it runs in this one
    /// What its times depend on in that process, by name and value: {"torch", "2.13.0"}. Empty where it cannot be
    /// asked.
    std::vector<std::pair<std::string, std::string>> (*tell_remote_facts)(void* storage, remote_asking how){};
    /// The operators that one iteration runs in that process, one after another; none where nobody sees them.
    std::vector<operator_event> (*remote_operators)(void* storage){};
    const body_functions* functions{};
    void* storage{};
    void* load_step{};
    void (*run_load)(void* step){};
    void (*destroy_load)(void* step) noexcept {};
    bool loaded{};  ///< whether loading has begun in this process
    std::string (*caveat)(
        void* storage){};  ///< what readers of a result should know of the samples since the last call; empty: nothing
    double (*held_bytes)(
        void* storage){};  ///< of the model that was in memory when the subject was made; null: there was none
    std::string (*tell_slow_samples)(void* storage){};  ///< of those since the last call; empty: none were slow
    traced_iteration traced{};
    std::map<std::string, seen_kernels> kernels_seen{};  ///< by what the query names them
};

/// Gives an adapter's subject what the inner subject declares: work, axes, what it refuses and lacks, whether it is
/// verified.
void declare_like(subject& made, const subject& inner);

}  // namespace detail
}  // namespace perfspec
