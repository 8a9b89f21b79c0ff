// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/measure/counters/counter.hpp>
#include <perfspec/measure/counters/operator_library.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace perfspec {

/// One call of an operator of a tensor library, on the processor.
struct operator_event {
    std::string name;
    std::int64_t start_ns{};
    std::int64_t end_ns{};
    std::uint64_t thread{};
    double device_ns{};  ///< of the work on a device that it started by itself

    friend bool operator==(const operator_event&, const operator_event&) = default;
};

/// Where an operator's time goes, over all of its calls.
struct operator_times {
    std::string name;
    double self_ns{};   ///< without the operators that it called
    double total_ns{};  ///< with them; calls of an operator within itself count once
    std::uint64_t calls{};
    double device_self_ns{};   ///< what it started on a device by itself, without the operators that it called
    double device_total_ns{};  ///< with them

    friend bool operator==(const operator_times&, const operator_times&) = default;
};

/// The operators by their self times, the longest first; equal ones by name.
///
/// events  in any order. On each thread calls lie apart or within one another, as calls do.
[[nodiscard]] std::vector<operator_times> tabulate(std::span<const operator_event> events);

/// The sum of all self times: how long operators ran, over all threads.
[[nodiscard]] double total_self_ns(std::span<const operator_event> events);

/// Sees the operators of a tensor library; an adapter installs it.
class operator_recorder {
public:
    operator_recorder() = default;
    operator_recorder(const operator_recorder&) = delete;
    operator_recorder& operator=(const operator_recorder&) = delete;
    virtual ~operator_recorder() = default;

    /// Records every call that begins from now on, in all threads.
    virtual void begin() = 0;
    /// Stops, and gives the calls that ended since `begin`.
    [[nodiscard]] virtual std::vector<operator_event> end() = 0;
    /// How many calls have ended since `begin`.
    [[nodiscard]] virtual std::int64_t seen() const = 0;
    /// How many of them lay within no other.
    [[nodiscard]] virtual std::int64_t outermost() const = 0;
    /// What could be called; no namespaces where the adapter cannot tell.
    [[nodiscard]] virtual operator_library known() const { return {}; }
};

/// The operators of one iteration, prepared and waited for as a sample is. Throws as run_untimed does; the recorder has stopped then, too.
[[nodiscard]] std::vector<operator_event> record_operators(operator_recorder& recorder, const subject& x);

/// Makes an adapter's recorder known to this process; it lives as long. True, so that a constant's initialiser can call it before main.
bool use_operator_recorder(operator_recorder& r) noexcept;

/// The recorder of this process; null where no adapter installed one.
[[nodiscard]] operator_recorder* known_operator_recorder() noexcept;

/// Counts calls of operators.
class operator_counter final : public counter {
public:
    using count_of = std::int64_t (operator_recorder::*)() const;

    /// recorder  asked whenever it is needed: an adapter may install its own later
    /// count     which calls: all, or those that lie within no other, `&operator_recorder::outermost`
    explicit operator_counter(operator_recorder* (*recorder)() noexcept, count_of count = &operator_recorder::seen) noexcept
        : recorder_(recorder), count_(count) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    operator_recorder* (*recorder_)() noexcept;
    count_of count_;
};

}  // namespace perfspec
