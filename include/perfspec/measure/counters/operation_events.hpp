// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec {

/// Sees the floating-point operations of a tensor library's operators; an adapter installs it.
class operation_recorder {
public:
    operation_recorder() = default;
    operation_recorder(const operation_recorder&) = delete;
    operation_recorder& operator=(const operation_recorder&) = delete;
    virtual ~operation_recorder() = default;

    /// Counts every call that begins from now on, in all threads.
    virtual void begin() = 0;
    virtual void end() noexcept = 0;
    /// The operations of all calls so far, as far as the library has formulas for them.
    [[nodiscard]] virtual std::int64_t operations() const = 0;
    /// How many calls these are of.
    [[nodiscard]] virtual std::int64_t counted_calls() const = 0;
    /// Products and convolutions that ran since `begin` and have no formula, by name.
    [[nodiscard]] virtual std::vector<std::string> uncounted() const = 0;
    /// The operators that have a formula: "aten::mm, aten::add".
    [[nodiscard]] virtual std::string counted_operators() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_operation_recorder(operation_recorder& r) noexcept;

/// The recorder of this process; null where no adapter installed one.
[[nodiscard]] operation_recorder* known_operation_recorder() noexcept;

/// Counts floating-point operations. A body without any counted call has no count: its operations are unknown, not 0.
class operation_counter final : public counter {
public:
    /// recorder  called whenever the recorder is needed, because an adapter may install its own later
    explicit operation_counter(operation_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    operation_recorder* (*recorder_)() noexcept;
    bool in_sample_{};
    std::int64_t calls_before_{};
};

}  // namespace perfspec
