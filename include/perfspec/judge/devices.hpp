// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/judge/claim_context.hpp>

#include <memory>
#include <string>
#include <vector>

namespace perfspec::detail {

/// The devices that subjects work on, each once, in the order of the subjects: {"cuda:0"}. None for subjects on the
/// processor.
[[nodiscard]] std::vector<std::string> devices_of(const std::vector<subject>& subjects);

/// Where baselines of this claim belong: to the device, if its subjects work on one. The keys of several devices, or of
/// a device and the processor, are joined: `nvidia-h100-and-nvidia-a100`.
[[nodiscard]] std::string hardware_key_of(const claim_context& context);

/// Throws measurement_failure for a claim on a baseline of a device that may be any: its baseline may be of another
/// one.
void require_known_devices(const claim_context& context);

/// Starts to watch the devices that the subjects of a claim work on.
[[nodiscard]] std::vector<std::unique_ptr<device_watch>> watch_devices(const claim_context& context);

/// What the devices did meanwhile, of those that tell.
[[nodiscard]] std::vector<device_activity> activities_of(const std::vector<std::unique_ptr<device_watch>>& watches);

/// Notes where something slowed devices down.
[[nodiscard]] std::vector<std::string> notes_of_devices(const claim_context& context,
                                                        const std::vector<device_activity>& devices);

/// Notes, once in a process, that nothing tells what the devices of a claim do.
[[nodiscard]] std::vector<std::string> note_of_unwatched_devices(const claim_context& context);

}  // namespace perfspec::detail
