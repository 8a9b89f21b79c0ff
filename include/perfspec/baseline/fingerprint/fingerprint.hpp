// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// What a device did while a claim was measured on it.
struct device_activity {
    std::string device{};  ///< "accelerator:0"
    std::string text{};    ///< "accelerator:0 slowed down by heat, 1100 of 1980 MHz"; empty: no note
    double slowdown{1.0};  ///< the largest factor by which this may have slowed down some of the runs
    std::size_t others{};  ///< other processes that computed on it
    std::vector<std::pair<std::string, std::string>> facts{};  ///< facts from the device's module, by name

    friend bool operator==(const device_activity&, const device_activity&) = default;
};

}  // namespace perfspec::inline v0_2

namespace perfspec::inline v0_2::detail {

/// How a program was compiled, in CMake's terms.
struct compile_options {
    std::string_view flags{};        ///< as on a command line: CMAKE_CXX_FLAGS and those of the build type
    std::string_view options{};      ///< a list with ";" between: COMPILE_OPTIONS of the target
    std::string_view definitions{};  ///< a list with ";" between: COMPILE_DEFINITIONS of the target
    bool link_time{};                ///< INTERPROCEDURAL_OPTIMIZATION
};

/// The options that may change the speed of the program, in normal form: "-O3 -march=native -flto -DNDEBUG".
///
/// Keeps -O, -m and -f options, sorted and unique, then definitions. Leaves out options with folders, options that only
/// change messages, and PERFSPEC_COMMIT.
[[nodiscard]] std::string significant_flags(const compile_options& build);

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {

class file_system;

struct versioned_library {
    std::string name{};
    std::string version{};
    friend bool operator==(const versioned_library&, const versioned_library&) = default;
};

/// Facts that may change the speed of the same hardware. perfspec stores them with the measurements, and reports
/// differences with the verdict. A field is empty if the system does not report it.
struct fingerprint {
    std::string memory{};      ///< "8 GiB", rounded: the kernels of one machine reserve different amounts
    std::string os{};          ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel{};      ///< "6.1.0-18-amd64"
    std::string compiler{};    ///< "g++ 12.2.0"
    std::string flags{};       ///< "-O2 -DNDEBUG"
    std::string governor{};    ///< "performance"
    std::string container{};   ///< "docker", "podman", "kubernetes"
    std::string processors{};  ///< the ones that this process may use: "0-3", or "0-3, quota 1.5"
    std::vector<versioned_library> libraries{};  ///< sorted by name

    friend bool operator==(const fingerprint&, const fingerprint&) = default;
};

/// Facts that are not in a file. The compiler is not here: each file with assertions knows its own.
struct build_facts {
    std::string flags{};
    std::vector<versioned_library> libraries{};  ///< in any order
};

/// The processor time that this process may use, in processors: the smallest quota of its control group (version 2) and
/// the groups above it. nullopt: no limit.
[[nodiscard]] std::optional<double> processor_quota(const file_system& files);

/// The fingerprint of this machine and build, from /proc, /sys and /etc.
[[nodiscard]] fingerprint read_fingerprint(const file_system& files, const build_facts& build);

/// One text per difference, in the order of the fields: "kernel: was 6.1.0, is 6.8.0". Lists only the flags that
/// differ. Ignores flags and libraries if one side has none, as in recordings of an older perfspec.
[[nodiscard]] std::vector<std::string> describe_difference(const fingerprint& then, const fingerprint& now);

/// What a device is, for the baselines of work on it.
struct device_facts {
    std::string model{};                         ///< "NVIDIA H100 80GB HBM3"; empty: unknown
    std::string hardware_key{};                  ///< `vendor-model-x`; `unknown-accelerator` if the model is unknown
    std::string fault{};                         ///< why the model is unknown; empty: it is known
    std::vector<versioned_library> libraries{};  ///< for the fingerprint: the model and facts that affect its speed

    friend bool operator==(const device_facts&, const device_facts&) = default;
};

/// Watches a device during its lifetime.
class device_watch {
public:
    device_watch() = default;
    device_watch(const device_watch&) = delete;
    device_watch& operator=(const device_watch&) = delete;
    virtual ~device_watch() = default;

    /// What the device has done so far; without a device name if it does not report that.
    [[nodiscard]] virtual device_activity activity() = 0;
};

/// The devices of a machine that subjects can use. The module for a kind of device implements it.
class device_machine {
public:
    device_machine() = default;
    device_machine(const device_machine&) = delete;
    device_machine& operator=(const device_machine&) = delete;
    virtual ~device_machine() = default;

    /// The facts of a device such as "accelerator:1".
    [[nodiscard]] virtual device_facts facts(const std::string& device, const file_system& files) = 0;
    /// Null if nothing can watch the device.
    [[nodiscard]] virtual std::unique_ptr<device_watch> watch(const std::string& device) = 0;
    /// Why nothing can watch it, and the remedy; empty if something can, or if there is no such device.
    [[nodiscard]] virtual std::string reason_unwatched(const std::string& device) = 0;
    /// Throws input_error if ctest granted a device that this process does not have.
    virtual void require_granted() = 0;
    /// The doctor's report on the devices, as it prints it.
    [[nodiscard]] virtual std::string examine() = 0;
};

/// The devices of this process. Null until a module sets it, before main; they live until the process ends.
[[nodiscard]] device_machine*& known_device_machine() noexcept;

/// Facts for a device of unknown model. Its own key keeps its baselines apart from those of known devices.
[[nodiscard]] device_facts unknown_device(std::string_view device, std::string why);

}  // namespace perfspec::inline v0_2
