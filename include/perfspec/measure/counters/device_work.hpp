// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/counters/counter.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace perfspec {

/// What a device counts of the work of a body: bytes between its memory and the chip, or floating-point operations.
enum class counted_work : std::uint8_t { traffic, operations };

/// Has the current device count the work of bodies; an adapter installs it. A device counts little at a time, so that
/// one count may take several runs of a body.
class device_work_recorder {
public:
    device_work_recorder() = default;
    device_work_recorder(const device_work_recorder&) = delete;
    device_work_recorder& operator=(const device_work_recorder&) = delete;
    virtual ~device_work_recorder() = default;

    /// Prepares to count. Returns why it cannot, and what to do about it; empty where it can.
    [[nodiscard]] virtual std::string begin(counted_work what) = 0;
    /// Forgets a count that is not complete.
    virtual void end() noexcept = 0;
    /// A run of the body begins. Throws measurement_failure (not_countable) where the device does not count.
    virtual void begin_run() = 0;
    /// It has ended. Returns the count of one run where it is complete, nothing where it takes another run. Throws as
    /// `begin_run` does.
    [[nodiscard]] virtual std::optional<std::int64_t> end_run() = 0;
    /// What the count may not show, and what to do about it; empty where it shows everything.
    [[nodiscard]] virtual std::string caveat() const = 0;
};

/// Registers an adapter's recorder for this process; it must live as long as the process. Returns true, so the
/// initialiser of a constant can call it before main.
bool use_device_work_recorder(device_work_recorder& r) noexcept;

/// The recorder of this process; null where no adapter installed one.
[[nodiscard]] device_work_recorder* known_device_work_recorder() noexcept;

/// Counts the work of a body on its device. The reading before a run begins it, and that after it ends it; only the
/// last run of a count moves the counter.
class device_work_counter final : public counter {
public:
    /// recorder  called whenever the recorder is needed, because an adapter may install its own later
    device_work_counter(counted_work what, device_work_recorder* (*recorder)() noexcept) noexcept
        : what_(what), recorder_(recorder) {}

    [[nodiscard]] std::string begin() override;
    void end() noexcept override;
    [[nodiscard]] std::int64_t now() override;
    [[nodiscard]] bool needs_another_run() const noexcept override { return needs_another_run_; }
    [[nodiscard]] std::string caveat() const override;

private:
    counted_work what_;
    device_work_recorder* (*recorder_)() noexcept;
    bool in_run_{};
    bool needs_another_run_{};
    std::int64_t total_{};
};

}  // namespace perfspec
