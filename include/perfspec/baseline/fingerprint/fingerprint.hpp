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

namespace perfspec {

/// What a device did while a claim was measured on it.
struct device_activity {
    std::string device{};  ///< "cuda:0"
    std::string text{};    ///< "cuda:0 slowed down by heat, 1100 of 1980 MHz"; empty: nothing worth a note
    double slowdown{1.0};  ///< by which factor that may have slowed work down at most, where not every run has it
    std::size_t others{};  ///< other processes that computed on it
    std::vector<std::pair<std::string, std::string>> facts{};  ///< what its module has to say, by name

    friend bool operator==(const device_activity&, const device_activity&) = default;
};

}  // namespace perfspec

namespace perfspec::detail {

/// How a program was compiled, in CMake's terms.
struct compile_options {
    std::string_view flags{};        ///< as on a command line: CMAKE_CXX_FLAGS and those of the build type
    std::string_view options{};      ///< a list with ";" between: COMPILE_OPTIONS of the target
    std::string_view definitions{};  ///< a list with ";" between: COMPILE_DEFINITIONS of the target
    bool link_time{};                ///< INTERPROCEDURAL_OPTIMIZATION
};

/// The given options that may change the speed of the program, in a form that two builds share: "-O3 -march=native
/// -flto -DNDEBUG".
///
/// Keeps -O, -m and -f options, sorted and each once, then definitions. Leaves out what names a folder or only changes
/// messages, and PERFSPEC_COMMIT.
[[nodiscard]] std::string significant_flags(const compile_options& given);

}  // namespace perfspec::detail

namespace perfspec {

class file_system;

struct versioned_library {
    std::string name{};
    std::string version{};
    friend bool operator==(const versioned_library&, const versioned_library&) = default;
};

/// Facts that may change the speed of the same hardware. They are stored with the launches and compared with them. A
/// difference is reported with the verdict, and forbids nothing. A field is empty where the system does not report it.
struct fingerprint {
    std::string memory{};      ///< "8 GiB", rounded: the kernels of one machine reserve different amounts
    std::string os{};          ///< "Debian GNU/Linux 12 (bookworm)"
    std::string kernel{};      ///< "6.1.0-18-amd64"
    std::string compiler{};    ///< "g++ 12.2.0"
    std::string flags{};       ///< "-O2 -DNDEBUG"
    std::string governor{};    ///< "performance"
    std::string container{};   ///< "docker", "podman", "kubernetes"
    std::string processors{};  ///< those that this process may use: "0-3", or "0-3, quota 1.5"
    std::vector<versioned_library> libraries{};  ///< sorted by name

    friend bool operator==(const fingerprint&, const fingerprint&) = default;
};

/// Facts that the program knows and no file shows. The compiler is known to each file that asserts.
struct build_facts {
    std::string flags{};
    std::vector<versioned_library> libraries{};  ///< in any order
};

/// The processor time that this process may use, in processors; nothing without a limit. It is the smallest quota of
/// its control group (version 2) and the groups above it: each of them limits.
[[nodiscard]] std::optional<double> processor_quota(const file_system& files);

/// The fingerprint of this machine and build, from /proc, /sys and /etc.
[[nodiscard]] fingerprint read_fingerprint(const file_system& files, const build_facts& build);

/// One text per difference, in the order of the fields: "kernel: was 6.1.0, is 6.8.0". None where both agree.
/// Of the flags, only those that differ are listed. Flags or libraries that one side lacks, as recordings of an older
/// perfspec do, are no difference.
[[nodiscard]] std::vector<std::string> describe_difference(const fingerprint& then, const fingerprint& now);

class file_system;

/// What a device is, for the baselines of work on it.
struct device_facts {
    std::string model{};         ///< "NVIDIA H100 80GB HBM3"; empty where unknown
    std::string hardware_key{};  ///< `nvidia-h100-80gb-hbm3`; `unknown-cuda` where its model is unknown
    std::string fault{};         ///< why its model is unknown; empty where it is known
    std::vector<versioned_library>
        libraries{};  ///< the model and what else may change its speed, as a fingerprint has it

    friend bool operator==(const device_facts&, const device_facts&) = default;
};

/// Watches a device from when it is made.
class device_watch {
public:
    device_watch() = default;
    device_watch(const device_watch&) = delete;
    device_watch& operator=(const device_watch&) = delete;
    virtual ~device_watch() = default;

    /// What the device did since then; no device where it does not tell.
    [[nodiscard]] virtual device_activity activity() = 0;
};

/// The devices of a machine that subjects work on, beside its processors. The module of a kind of device implements
/// it; a program without one knows no device.
class device_machine {
public:
    device_machine() = default;
    device_machine(const device_machine&) = delete;
    device_machine& operator=(const device_machine&) = delete;
    virtual ~device_machine() = default;

    /// What the device "cuda:1" is.
    [[nodiscard]] virtual device_facts facts(const std::string& device, const file_system& files) = 0;
    /// Null where nothing tells what the device does.
    [[nodiscard]] virtual std::unique_ptr<device_watch> watch(const std::string& device) = 0;
    /// Why nothing tells that, and what to do about it; empty where something does, or the device is not there.
    [[nodiscard]] virtual std::string reason_unwatched(const std::string& device) = 0;
    /// Throws input_error where ctest granted a device that this process does not have.
    virtual void require_granted() = 0;
    /// What the doctor says of the devices, as it prints it.
    [[nodiscard]] virtual std::string examine() = 0;
};

/// The devices of this process. Null until a module sets it, before main; they live until the process ends.
[[nodiscard]] device_machine*& known_device_machine() noexcept;

/// The facts of a device whose model is unknown: what is stored of one must not be compared with another one.
[[nodiscard]] device_facts unknown_device(std::string_view device, std::string why);

}  // namespace perfspec
