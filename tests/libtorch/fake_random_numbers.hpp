// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/detail/PrivateUse1HooksInterface.h>

namespace fake {

/// The random numbers of the fake device are those of the processor.
struct random_numbers final : at::PrivateUse1HooksInterface {
    const at::Generator& getDefaultGenerator(c10::DeviceIndex) const override {
        return at::detail::getDefaultCPUGenerator();
    }
    bool isBuilt() const override { return false; }
    bool isAvailable() const override { return false; }
    bool hasPrimaryContext(c10::DeviceIndex) const override { return false; }

    /// LibTorch uses them for subjects on the device.
    static void install() {
        static random_numbers all;
        if (!at::isPrivateUse1HooksRegistered()) at::RegisterPrivateUse1HooksInterface(&all);
    }
};

}  // namespace fake
