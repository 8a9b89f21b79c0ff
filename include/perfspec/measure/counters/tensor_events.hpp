// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <string>

namespace perfspec {

/// Sees the memory that a tensor library allocates; an adapter installs it.
class tensor_recorder {
public:
    tensor_recorder() = default;
    tensor_recorder(const tensor_recorder&) = delete;
    tensor_recorder& operator=(const tensor_recorder&) = delete;
    virtual ~tensor_recorder() = default;

    /// Sees allocations from now on, in all threads; of devices in this thread, and in those that the library starts
    /// for it. Returns why it cannot; empty where it can.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// How many blocks were allocated so far.
    [[nodiscard]] virtual std::int64_t allocations() const = 0;
    /// Makes `peak` start again, from the bytes that are allocated now.
    virtual void restart_peak() = 0;
    /// How far the allocated bytes rose above their level at the last `restart_peak`.
    [[nodiscard]] virtual std::int64_t peak() const = 0;
    /// The bytes that are allocated now, of those that it saw. Differences count, not the level itself.
    [[nodiscard]] virtual std::int64_t level() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_tensor_recorder(tensor_recorder& r) noexcept;

/// The recorder of this process; null where no adapter installed one.
[[nodiscard]] tensor_recorder* known_tensor_recorder() noexcept;

/// Counts blocks of memory of tensors.
class tensor_counter final : public counter {
public:
    /// recorder  called whenever the recorder is needed, because an adapter may install its own later
    explicit tensor_counter(tensor_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    tensor_recorder* (*recorder_)() noexcept;
};

/// Measures how far the body raises the bytes of tensors. The reading before the body is the level, and the reading
/// after it is the peak since then.
class tensor_memory_counter final : public counter {
public:
    explicit tensor_memory_counter(tensor_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;

private:
    tensor_recorder* (*recorder_)() noexcept;
    bool in_sample_{};
};

}  // namespace perfspec
