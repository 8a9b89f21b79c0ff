// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/report/claim_result.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {

/// Whether to record the shapes of the input tensors, which costs time at each call.
enum class input_shapes : std::uint8_t { ignored, recorded };

/// Work on a device: a kernel, a copy or a fill of memory.
struct device_work {
    std::string name;
    double ns{};

    friend bool operator==(const device_work&, const device_work&) = default;
};

/// One call of an operator of a tensor library, on the processor; or several calls, as one of their summed time.
struct operator_event {
    std::string name;
    std::int64_t start_ns{};
    std::int64_t end_ns{};
    std::uint64_t thread{};
    double device_ns{};    ///< of work on a device that the operator itself started
    std::string shapes{};  ///< of the tensors among its inputs, "[8,3,32,32] [16,3,3,3]"; empty: not recorded, or none
    std::vector<device_work> work{};  ///< the parts of device_ns
    std::uint64_t calls{1};

    friend bool operator==(const operator_event&, const operator_event&) = default;
};

/// Where an operator's time goes, over all of its calls.
struct operator_times {
    std::string name;
    double self_ns{};   ///< without the operators that it called
    double total_ns{};  ///< with them; an operator inside itself counts once
    std::uint64_t calls{};
    double device_self_ns{};   ///< of work on a device, without that of the operators that it called
    double device_total_ns{};  ///< with them

    friend bool operator==(const operator_times&, const operator_times&) = default;
};

/// The operators sorted by self time, the longest first; equal ones by name.
///
/// events  in any order; on each thread, two calls are apart or one is inside the other
[[nodiscard]] std::vector<operator_times> tabulate(std::span<const operator_event> events);

/// The sum of all self times: how long operators ran, over all threads.
[[nodiscard]] double total_self_ns(std::span<const operator_event> events);

/// Records the operators of a tensor library; an adapter installs it.
class operator_recorder : public seam {
public:
    /// Records every call that begins from now on, in all threads.
    virtual void begin(input_shapes shapes) = 0;
    /// Stops, and returns the calls that ended since `begin`.
    [[nodiscard]] virtual std::vector<operator_event> end() = 0;
    /// The number of calls that ended since `begin`.
    [[nodiscard]] virtual std::int64_t seen() const = 0;
    /// The number of them for this operator.
    [[nodiscard]] virtual std::int64_t called(std::string_view name) const = 0;
    /// The number of them outside other calls.
    [[nodiscard]] virtual std::int64_t outermost() const = 0;
    /// The operators of the library; no namespaces if the adapter does not know them.
    [[nodiscard]] virtual part_library known() const { return {}; }
    /// What the times of operators depend on besides machine and subject: "2 threads"; empty: unknown.
    [[nodiscard]] virtual std::string settings() const { return {}; }
};

/// The operators of one iteration, with the steps of a sample. Throws as run_untimed does, after stopping the recorder.
[[nodiscard]] std::vector<operator_event> record_operators(operator_recorder& recorder, const subject& x,
                                                           input_shapes shapes = input_shapes::ignored);

}  // namespace perfspec::inline v0_2
