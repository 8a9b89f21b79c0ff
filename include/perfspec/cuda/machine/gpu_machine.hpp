// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/baseline/fingerprint/fingerprint.hpp>
#include <perfspec/cuda/machine/cuda_driver.hpp>
#include <perfspec/doctor/doctor.hpp>
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

namespace perfspec::detail {

/// The environment variable of a run that has to have a GPU.
inline constexpr const char* require_gpu_variable = "PERFSPEC_REQUIRE_GPU";

/// Whether a value of the variable asks for a GPU: any but none, the empty one, and 0. Without a GPU tests then fail in
/// place of being skipped: on the machine that has the GPU, a driver that broke would else pass.
[[nodiscard]] inline bool requires_gpu(const char* value = std::getenv(require_gpu_variable)) noexcept {
    return value != nullptr && *value != '\0' && std::string_view(value) != "0";
}

/// Notes on a subject that its device does not exist. Its claims are then *not judged*; *invalid* where the run has to
/// have a GPU.
///
/// missing  why there is none; empty where there is one, and then nothing is noted
inline void note_missing_device(subject& made, const std::string& missing, bool is_required = requires_gpu()) {
    if (missing.empty()) return;
    if (is_required) made.refuse(missing + "; " + require_gpu_variable + " asks for one");
    else made.lacks(missing);
}

}  // namespace perfspec::detail

namespace perfspec {

/// The GPUs that ctest granted to this test by its resource specification (ctest --resource-spec-file).
struct granted_gpus {
    std::vector<std::string> ids{};  ///< as that file names them; none where ctest granted none
    std::string visible{};  ///< the same in the words of CUDA_VISIBLE_DEVICES: "2", or "0,3", or "GPU-8932f937-…"
    std::string fault{};    ///< why a name means no GPU; empty where each does

    friend bool operator==(const granted_gpus&, const granted_gpus&) = default;
};

namespace detail {

/// Reads what ctest granted. A name is the unique name of a GPU as `resource_id_of` writes it, or where
/// CUDA_VISIBLE_DEVICES is not set, the number of a GPU.
///
/// Source: "Resource Allocation" in the manual of ctest, with the variables CTEST_RESOURCE_GROUP_<n> and
/// CTEST_RESOURCE_GROUP_<n>_GPUS.
[[nodiscard]] granted_gpus read_granted_gpus(const environment& variables);

/// Reads what ctest granted, and shows this process and those that it starts no other GPU. Before main, because CUDA
/// reads the variable when it is first used. In a process that perfspec started for a claim it is nothing: its parent
/// has set the variable.
[[nodiscard]] granted_gpus grant_of_this_process();

/// The unique name of a GPU, "GPU-8932f937-…" or "MIG-…", as a name that ctest allows: lowercase letters, digits and
/// underscores.
[[nodiscard]] std::string resource_id_of(const std::string& uuid);

}  // namespace detail

/// The GPUs of this machine, as NVIDIA's driver and its management library tell of them. Each is loaded when it is
/// first needed. Nothing changes a setting.
class gpu_machine final : public device_machine {
public:
    /// granted  by ctest to this process
    explicit gpu_machine(granted_gpus granted = {}) : granted_(std::move(granted)) {}
    /// Tests script the functions.
    explicit gpu_machine(detail::cuda_driver driver,
                         detail::nvml_library nvml = {.fault = "no management library was asked"},
                         granted_gpus granted = {})
        : driver_(std::move(driver)), nvml_(std::move(nvml)), granted_(std::move(granted)) {}

    /// How many GPUs CUDA numbers in this process, from "cuda:0" on. CUDA_VISIBLE_DEVICES may hide others.
    [[nodiscard]] gpu_count count();

    /// The facts of a GPU by its number in CUDA, "cuda:1". Each is asked for once: a GPU does not change while a
    /// program uses it.
    [[nodiscard]] const gpu_facts& of_cuda(int ordinal);

    /// What that GPU does now, as NVML tells.
    ///
    /// since_microseconds  what processes used before is left out
    [[nodiscard]] gpu_state state_of_cuda(int ordinal, std::uint64_t since_microseconds = 0);

    /// As the driver tells them. Nothing else is asked: /proc names whole GPUs, and the device may be a slice of one.
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

/// Examines each GPU, and tells as the doctor prints it: clocks, persistence mode, what slows it down now, and who else
/// uses it. Changes nothing.
[[nodiscard]] std::string examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid) = detail::kin_of_this_process);

}  // namespace perfspec
