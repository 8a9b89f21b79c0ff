// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfspec {

class file_system;

/// What decides the speed of a processor and stays the same from boot to boot: no clock reading is among it, because one
/// would split a single kind of machine into many.
struct cpu_facts {
    std::string model{};     ///< "AMD EPYC 7763 64-Core Processor", "Neoverse-N1"; empty where the system does not tell
    std::string revision{};  ///< "f25m1s1" (family, model, stepping) on x86, "r3p1" on Arm; empty where not told
    /// Logical processors that the kernel has online. Those that this process may use (affinity, container quotas) are part of
    /// the fingerprint: they change by the job, and would scatter the baselines of one machine.
    std::size_t processors = 0;

    [[nodiscard]] bool known() const noexcept { return !model.empty() && processors != 0; }
    friend bool operator==(const cpu_facts&, const cpu_facts&) = default;
};

/// The facts of this machine, from /proc/cpuinfo; unknown where there is none (macOS).
[[nodiscard]] cpu_facts read_cpu_facts(const file_system& files);

/// The facts in the text of a /proc/cpuinfo, as x86 and 64-bit Arm kernels write it.
[[nodiscard]] cpu_facts parse_cpuinfo(std::string_view text);

/// Where this processor's baselines are kept: lower-case letters, digits and hyphens.
///
/// "AMD EPYC 7763 64-Core Processor" on 4 processors is `amd-epyc-7763-4c`. A name without a model number, as virtual machines
/// give, gets the revision: `amd-epyc-f26m2s1-2c`. An unknown processor is `unknown-cpu-<architecture>`: fit for
/// recordings in the build tree, not for committed ones, because two unlike machines would share it.
[[nodiscard]] std::string hardware_key(const cpu_facts& facts);

/// Where metrics are kept that hardware does not change, such as counts of allocations: `any-x86_64`.
[[nodiscard]] std::string any_hardware_key();

/// The same for a device, by its model: "NVIDIA H100 80GB HBM3" is `nvidia-h100-80gb-hbm3`. Empty is `unknown-device`.
[[nodiscard]] std::string device_hardware_key(std::string_view model);

}  // namespace perfspec
