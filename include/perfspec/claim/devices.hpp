// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// The devices that the subjects of a claim work on.

#include <perfspec/claim/claim_context.hpp>

#include <string>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The devices that subjects work on, each once, in the order of the subjects: {"accelerator:0"}. None for subjects on
/// the processor.
[[nodiscard]] std::vector<std::string> devices_of(const std::vector<subject>& subjects);

/// The hardware key of this claim's baselines: that of the device, if its subjects work on one. Several keys are
/// joined: `nvidia-h100-and-nvidia-a100`.
[[nodiscard]] std::string hardware_key_of(const claim_context& context);

/// Throws measurement_failure for a claim on a baseline of a device of unknown model: its baseline may be of another
/// one.
void require_known_devices(const claim_context& context);

/// Notes, once in a process, that nothing monitors the devices of a claim.
[[nodiscard]] std::vector<std::string> note_of_unwatched_devices(const claim_context& context);

}  // namespace perfspec::inline v0_2::detail
