// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// What adapters of models and devices keep with their subjects.

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/language/subjects/subject_state.hpp>

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

/// Where the kernels of a subject are recorded. `operators`: its kernels are the operators outside other operators.
enum class kernel_view : std::uint8_t { none, operators, device };

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

/// The declarations of a model. An adapter's subject has those of the inner one.
struct model_declarations {
    double compile_ns{};              ///< time of compilation before this program ran; 0: unknown
    std::string compile_fault{};      ///< why that time cannot be used; empty: it can
    bool compiled_from_cache{};       ///< a warm compiler cache made that time shorter
    std::string hidden_operators{};   ///< why its operators cannot be recorded; empty: they can
    std::string hidden_operations{};  ///< why the operations of its operators cannot be counted; empty: they can
    std::string hidden_memory{};      ///< why the memory of its tensors cannot be recorded; empty: it can
    kernel_view kernels{kernel_view::none};
};

/// How an adapter reads its subject.
struct model_readings {
    /// Returns the compile time in nanoseconds, or throws. Null: `model_declarations` has it.
    double (*compile_time)(void* storage){};
    double (*device_ns)(void* storage){};  ///< runs one iteration and returns the time that the device took for it
    /// How the device's clock times an iteration, "cold"; empty: its adapter has only one way.
    std::string timing{};
    traced_iteration traced{};
    std::map<std::string, kernel_launches> launches_by_kernel{};  ///< by the name in the query
    /// The operators of one iteration in the process of its work, one after another; none if it cannot record them.
    std::vector<operator_event> (*remote_operators)(void* storage){};
};

}  // namespace detail

[[nodiscard]] inline detail::model_declarations& model_of(const subject& x) {
    return x.state().declared.of<detail::model_declarations>();
}
[[nodiscard]] inline detail::model_readings& readings_of(const subject& x) {
    return x.state().parts.of<detail::model_readings>();
}

/// Runs the subject once and returns the nanoseconds that its device took. Throws as take_sample does. Precondition: it
/// has such a clock (`model_readings::device_ns`).
[[nodiscard]] double take_device_time(const subject& x);

}  // namespace perfspec::inline v0_2
