// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace perfspec::inline v0_2 {

class file_system;

/// The facts that decide a processor's speed and do not change from boot to boot. Clock rates are not among them: they
/// would split one kind of machine into many.
struct cpu_facts {
    std::string model{};  ///< "AMD EPYC 7763 64-Core Processor", "Neoverse-N1"; empty if the system does not report it
    std::string revision{};  ///< "f25m1s1" (family, model, stepping) on x86, "r3p1" on Arm; empty if not reported
    /// Logical processors that the kernel has online. The fingerprint has the ones that this process may use (affinity,
    /// quotas), because these change from job to job.
    std::size_t processors = 0;

    [[nodiscard]] bool known() const noexcept { return !model.empty() && processors != 0; }
    friend bool operator==(const cpu_facts&, const cpu_facts&) = default;
};

/// Reads the facts of this machine from /proc/cpuinfo; unknown if there is no such file.
[[nodiscard]] cpu_facts read_cpu_facts(const file_system& files);

/// Parses the text of a /proc/cpuinfo, as x86 and 64-bit Arm kernels write it.
[[nodiscard]] cpu_facts parse_cpuinfo(std::string_view text);

/// The folder name of this processor's baselines: lower-case letters, digits and hyphens.
///
/// "AMD EPYC 7763 64-Core Processor" on 4 processors is `amd-epyc-7763-4c`. A name without a model number, as in
/// virtual machines, gets the revision: `amd-epyc-f26m2s1-2c`. An unknown processor is `unknown-cpu-<architecture>`.
/// Use that key for recordings in the build tree only: two different machines would share a committed one.
[[nodiscard]] std::string hardware_key(const cpu_facts& facts);

/// The key of metrics that do not depend on the hardware, such as counts of allocations: `any-x86_64`.
[[nodiscard]] std::string any_hardware_key();

/// The key of a device, from its model: "NVIDIA H100 80GB HBM3" is `nvidia-h100-80gb-hbm3`. An empty model is
/// `unknown-device`.
[[nodiscard]] std::string device_hardware_key(std::string_view model);

}  // namespace perfspec::inline v0_2
