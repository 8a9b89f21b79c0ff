// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/judge/claim_context.hpp>

#include <memory>
#include <vector>

namespace perfspec::detail {

/// Starts to watch the devices that the subjects of a claim work on.
[[nodiscard]] std::vector<std::unique_ptr<device_watch>> watch_devices(const claim_context& context);

/// Adds what the devices did meanwhile to the disturbances of the result, and a note where something slowed them down.
void describe_devices(const claim_context& context, claim_result& result,
                      const std::vector<std::unique_ptr<device_watch>>& watches);

/// Notes what a subject's adapter and the watch of its device saw of samples that were slow. Where both saw the device
/// slowed down, that is one event: the watch's note says what became of the samples, or the reason of an invalid claim
/// says what slowed the device down.
void note_slow_samples(const claim_context& context, claim_result& result);

/// Notes, once in a process, that nothing tells what the devices of a claim do.
void note_unwatched_devices(const claim_context& context, claim_result& result);

}  // namespace perfspec::detail
