// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <any>
#include <atomic>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <typeindex>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

class usage_meter;

/// The settings that `--perf-with` requests of all subjects that have them.
struct requested_settings {
    std::string device{};                  ///< "accelerator:1"; empty: not requested
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

/// Whether to start the process if it does not run. `last_known`: no, use its last answer.
enum class remote_lookup : std::uint8_t { may_start, last_known };

/// What modules keep with a subject: one part of each type. One thread at a time uses it: the one that makes the
/// subject, then the one that evaluates a claim on it.
class subject_parts {
public:
    /// The part of this type; a default one at its first use.
    template <class Part> [[nodiscard]] Part& of() {
        std::any& part = all_[typeid(Part)];
        return part.has_value() ? *std::any_cast<Part>(&part) : part.emplace<Part>();
    }

private:
    std::map<std::type_index, std::any> all_;
};

/// The declarations of a subject. An adapter's subject copies them from the inner one.
struct subject_declarations {
    bool verify{true};
    bool may_be_optimized_away{};
    std::string error_reason;
    std::string skip_reason;  ///< what this machine or build lacks
    double items{};
    double bytes{};
    double flops{};
    double work_factor{1.0};  ///< of items, bytes and flops: the requested batch divided by that of the code
    std::vector<std::pair<std::string, std::string>> axes;  ///< in the order of declaration
    std::vector<std::string> settings;  ///< names of axes that distinguish the subjects of one query; adapters set them
    std::string device{};               ///< the device of its work, "accelerator:0"; empty: the processor
    subject_parts declared;             ///< by modules
};

/// The state behind a subject's handles. `id` is unique in the process and never used again, so that it can be the key
/// of samples after the body is gone.
struct subject_state : subject_declarations {
    std::uint64_t id{};
    std::atomic<std::uint32_t> owners{1};  ///< in any threads
    bool constructed{};
    std::string name;
    std::string remote{};   ///< the process of its work: "the worker of models.py"; empty: this one
    const void* process{};  ///< equal for subjects of one such process; null: this one
    std::string runs{};     ///< what that process runs: path and settings; empty: this process
    /// What its times depend on in that process, by name and value: {"numpy", "2.1.0"}. Empty: unknown.
    std::vector<std::pair<std::string, std::string>> (*remote_facts)(void* storage, remote_lookup how){};
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
    subject_parts parts;                                  ///< of modules; subjects of adapters do not inherit them
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
}  // namespace perfspec::inline v0_2
