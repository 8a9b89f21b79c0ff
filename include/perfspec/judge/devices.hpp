// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/claim_context.hpp>

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

}  // namespace perfspec::detail
