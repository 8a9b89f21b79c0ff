// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Recorders that adapters of tensor libraries install (`install_recorder`), and the counters that count by them.

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// Counts by the recorder of a module.
template <class Recorder> class recorder_counter : public counter {
public:
    /// recorder  called at each use, because a module may install its own later; its result may be null
    explicit recorder_counter(Recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    void end() noexcept override {
        if (Recorder* const recorder = recorder_()) static_cast<void>(recorder->end());
    }

protected:
    Recorder* (*recorder_)() noexcept;
};

/// Counts calls of operators.
class operator_counter final : public recorder_counter<operator_recorder> {
public:
    using count_of = std::int64_t (operator_recorder::*)() const;

    /// count  all calls, or with `&operator_recorder::outermost` calls outside other calls
    explicit operator_counter(operator_recorder* (*recorder)() noexcept,
                              count_of count = &operator_recorder::seen) noexcept
        : recorder_counter(recorder), count_(count) {}

    /// Counts one operator: "aten::copy_". `begin` fails if the library has no such operator.
    void count_only(const std::string& name) override { name_ = name; }

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;

private:
    count_of count_;
    std::string name_;
};

/// Sees the memory that a tensor library allocates; an adapter installs it.
class tensor_recorder : public seam {
public:
    /// Sees allocations from now on, in all threads; on devices only in this thread and in threads that the library
    /// starts for it. Returns why it cannot; empty if it can.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// The number of blocks allocated so far.
    [[nodiscard]] virtual std::int64_t allocations() const = 0;
    /// Makes `peak` start again, from the bytes that are allocated now.
    virtual void restart_peak() = 0;
    /// How far the allocated bytes rose above their level at the last `restart_peak`.
    [[nodiscard]] virtual std::int64_t peak() const = 0;
    /// The bytes that it saw and that are still allocated. Only differences of levels have a meaning.
    [[nodiscard]] virtual std::int64_t level() const = 0;
};

/// Counts blocks of memory of tensors.
class tensor_counter : public recorder_counter<tensor_recorder> {
public:
    using recorder_counter::recorder_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;
};

/// Measures how far the body raises the bytes of tensors. The reading before the body is the level, and the reading
/// after it is the peak since then.
class tensor_memory_counter final : public tensor_counter {
public:
    using tensor_counter::tensor_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;

private:
    bool in_sample_{};
};

/// Sees the floating-point operations of a tensor library's operators; an adapter installs it.
class operation_recorder : public seam {
public:
    /// Counts every call that begins from now on, in all threads.
    virtual void begin() = 0;
    virtual void end() noexcept = 0;
    /// The operations of all calls so far that have a formula.
    [[nodiscard]] virtual std::int64_t operations() const = 0;
    /// The number of those calls.
    [[nodiscard]] virtual std::int64_t counted_calls() const = 0;
    /// Products and convolutions that ran since `begin` and have no formula, by name.
    [[nodiscard]] virtual std::vector<std::string> uncounted() const = 0;
    /// The operators that have a formula: "aten::mm, aten::add".
    [[nodiscard]] virtual std::string counted_operators() const = 0;
};

/// Counts floating-point operations. A body without any counted call has no count: its operations are unknown, not 0.
class operation_counter final : public recorder_counter<operation_recorder> {
public:
    using recorder_counter::recorder_counter;

    [[nodiscard]] std::string begin() override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    bool in_sample_{};
    std::int64_t calls_before_{};
};

}  // namespace perfspec::inline v0_2
