// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/device_machine.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>

namespace perfspec {

device_machine*& known_device_machine() noexcept {
    static device_machine* known = nullptr;
    return known;
}

device_facts unknown_device(std::string_view device, std::string why) {
    return {.model = {},
            .hardware_key = "unknown-" + device_hardware_key(device.substr(0, device.find(':'))),
            .fault = std::move(why),
            .libraries = {}};
}

}  // namespace perfspec
