// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_activity.hpp>
#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace perfspec {

class file_system;

/// What a device is, for the baselines of work on it.
struct device_facts {
    std::string model{};         ///< "NVIDIA H100 80GB HBM3"; empty where unknown
    std::string hardware_key{};  ///< `nvidia-h100-80gb-hbm3`; `unknown-cuda` where its model is unknown
    std::string fault{};         ///< why its model is unknown; empty where it is known
    std::vector<versioned_library>
        libraries{};  ///< the model and what else may change its speed, as a fingerprint has it

    friend bool operator==(const device_facts&, const device_facts&) = default;
};

/// Watches a device from when it is made.
class device_watch {
public:
    device_watch() = default;
    device_watch(const device_watch&) = delete;
    device_watch& operator=(const device_watch&) = delete;
    virtual ~device_watch() = default;

    /// What the device did since then; no device where it does not tell.
    [[nodiscard]] virtual device_activity activity() = 0;
};

/// The devices of a machine that subjects work on, beside its processors. The module of a kind of device implements
/// it; a program without one knows no device.
class device_machine {
public:
    device_machine() = default;
    device_machine(const device_machine&) = delete;
    device_machine& operator=(const device_machine&) = delete;
    virtual ~device_machine() = default;

    /// What the device "cuda:1" is.
    [[nodiscard]] virtual device_facts facts(const std::string& device, const file_system& files) = 0;
    /// Null where nothing tells what the device does.
    [[nodiscard]] virtual std::unique_ptr<device_watch> watch(const std::string& device) = 0;
    /// Why nothing tells that, and what to do about it; empty where something does, or the device is not there.
    [[nodiscard]] virtual std::string reason_unwatched(const std::string& device) = 0;
    /// Throws input_error where ctest granted a device that this process does not have.
    virtual void require_granted() = 0;
    /// What the doctor says of the devices, as it prints it.
    [[nodiscard]] virtual std::string examine() = 0;
};

/// The devices of this process. Null until a module sets it, before main; they live until the process ends.
[[nodiscard]] device_machine*& known_device_machine() noexcept;

/// The facts of a device whose model is unknown: what is stored of one must not be compared with another one.
[[nodiscard]] device_facts unknown_device(std::string_view device, std::string why);

}  // namespace perfspec
