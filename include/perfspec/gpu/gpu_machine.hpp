// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/doctor/doctor.hpp>
#include <perfspec/gpu/cuda_driver.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/plan/environment.hpp>

#include <cstdint>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// The environment variable of a run that requires a GPU.
inline constexpr const char* require_gpu_variable = "PERFSPEC_REQUIRE_GPU";

/// Whether the variable is set, not empty and not 0. Then tests without a GPU fail instead of being skipped: a broken
/// driver on the machine with the GPU would pass otherwise.
[[nodiscard]] inline bool requires_gpu(const char* value = std::getenv(require_gpu_variable)) noexcept {
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

/// Declares that the device of a subject does not exist. Its claims are then *skipped*, or an *error* if the
/// run requires a GPU.
///
/// missing  why there is none; empty if there is one, then nothing is declared
inline void note_missing_device(subject& made, const std::string& missing, bool is_required = requires_gpu()) {
    if (missing.empty()) return;
    if (is_required) made.refuse(missing + "; " + require_gpu_variable + " requires one");
    else made.lacks(missing);
}

}  // namespace perfspec::inline v0_2::detail

namespace perfspec::inline v0_2 {

/// The GPUs that ctest granted to this test by its resource specification (ctest --resource-spec-file).
struct granted_gpus {
    std::vector<std::string> ids{};  ///< names in that file
    std::string visible{};           ///< as a value of CUDA_VISIBLE_DEVICES: "2", or "0,3", or "GPU-8932f937-…"
    std::string fault{};             ///< why a name is that of no GPU, or empty

    friend bool operator==(const granted_gpus&, const granted_gpus&) = default;
};

namespace detail {

/// Reads the grant of ctest. A name is the unique name of a GPU by `resource_id_of`, or the number of a GPU if
/// CUDA_VISIBLE_DEVICES is not set.
///
/// Source: "Resource Allocation" in the manual of ctest, with the variables CTEST_RESOURCE_GROUP_<n> and
/// CTEST_RESOURCE_GROUP_<n>_GPUS.
[[nodiscard]] granted_gpus read_granted_gpus(const environment& variables);

/// Reads the grant of ctest, and hides other GPUs from this process and its children. Called before main, because CUDA
/// reads the variable at its first use. Empty in a process that perfspec started for a claim, whose parent has set the
/// variable.
[[nodiscard]] granted_gpus grant_of_this_process();

/// The unique name of a GPU, "GPU-8932f937-…" or "MIG-…", as a name that ctest allows: lowercase letters, digits and
/// underscores.
[[nodiscard]] std::string resource_id_of(const std::string& uuid);

}  // namespace detail

/// The GPUs of this machine, by NVIDIA's driver and its management library. Each is loaded when it is first needed.
/// Changes no setting.
class gpu_machine final : public device_machine {
public:
    /// granted  by ctest to this process
    explicit gpu_machine(granted_gpus granted = {}) : granted_(std::move(granted)) {}
    /// Tests script the functions.
    explicit gpu_machine(detail::cuda_driver driver,
                         detail::nvml_library nvml = {.fault = "no management library was loaded"},
                         granted_gpus granted = {})
        : driver_(std::move(driver)), nvml_(std::move(nvml)), granted_(std::move(granted)) {}

    /// The number of GPUs in this process, from "cuda:0" on. CUDA_VISIBLE_DEVICES may hide others.
    [[nodiscard]] gpu_count count();

    /// The facts of a GPU by its number in CUDA, "cuda:1". Cached: a GPU does not change while a program uses it.
    [[nodiscard]] const gpu_facts& of_cuda(int ordinal);

    /// The present state of that GPU, by NVML.
    ///
    /// since_microseconds  start of the use by processes
    [[nodiscard]] gpu_state state_of_cuda(int ordinal, std::uint64_t since_microseconds = 0);

    /// By the driver alone: /proc lists whole GPUs, and the device may be a slice of one.
    [[nodiscard]] device_facts facts(const std::string& device, const file_system& files) override;
    [[nodiscard]] std::unique_ptr<device_watch> watch(const std::string& device) override;
    [[nodiscard]] std::string reason_unwatched(const std::string& device) override;
    void require_granted() override;
    [[nodiscard]] std::string examine() override;

private:
    std::optional<detail::cuda_driver> driver_;
    std::optional<detail::nvml_library> nvml_;
    granted_gpus granted_;
    std::map<int, gpu_facts> known_;
};

/// The doctor's text on each GPU: clocks, persistence mode, present reasons of slowness, and other users. Changes
/// nothing.
[[nodiscard]] std::string examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid) = detail::kin_of_this_process);

}  // namespace perfspec::inline v0_2
