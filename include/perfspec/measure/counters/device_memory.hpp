// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <string>

namespace perfspec {

/// Sees the memory of the current device; an adapter installs it.
class device_memory_recorder {
public:
    device_memory_recorder() = default;
    device_memory_recorder(const device_memory_recorder&) = delete;
    device_memory_recorder& operator=(const device_memory_recorder&) = delete;
    virtual ~device_memory_recorder() = default;

    /// Returns why it sees no memory; empty where it does.
    [[nodiscard]] virtual std::string begin() = 0;
    virtual void end() noexcept = 0;
    /// Makes `peak` start again, from what is in use now. Throws measurement_failure (not_countable) where the device
    /// does not tell.
    virtual void restart_peak() = 0;
    /// How many bytes more were in use since the last `restart_peak` than at it. Throws as `restart_peak` does.
    [[nodiscard]] virtual std::int64_t peak() = 0;
    /// What `peak` may not show; empty where it shows everything.
    [[nodiscard]] virtual std::string caveat() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_device_memory_recorder(device_memory_recorder& r) noexcept;

/// The recorder of this process; null where no adapter installed one.
[[nodiscard]] device_memory_recorder* known_device_memory_recorder() noexcept;

/// Measures how far the body raises the memory of its device. The reading before the body is the level, and the reading
/// after it is the peak since then.
class device_memory_counter final : public counter {
public:
    /// recorder  called whenever the recorder is needed, because an adapter may install its own later
    explicit device_memory_counter(device_memory_recorder* (*recorder)() noexcept) noexcept : recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] std::string caveat() const override;

private:
    device_memory_recorder* (*recorder_)() noexcept;
    bool in_sample_{};
};

}  // namespace perfspec
