// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>

#include <memory>
#include <string>

namespace perfspec::testing {

/// A machine whose devices are all of one model, without activity.
struct scripted_device_machine final : device_machine {
    device_facts all{.model = "Made-up", .hardware_key = "made-up", .fault = {}, .libraries = {{"driver", "1.0"}}};

    [[nodiscard]] device_facts facts(const std::string&, const file_system&) override { return all; }
    [[nodiscard]] std::unique_ptr<device_watch> watch(const std::string&) override { return nullptr; }
    [[nodiscard]] std::string reason_unwatched(const std::string&) override { return {}; }
    void require_granted() override {}
    [[nodiscard]] std::string examine() override { return "\n  Devices: all are made up\n"; }
};

}  // namespace perfspec::testing
