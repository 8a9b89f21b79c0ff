// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The GPUs of this machine by NVIDIA's driver, and the kernels in traces, in one translation unit. It loads the driver
// at run time, so it needs no toolkit.

#include <perfspec/baseline/file_system.hpp>
#include <perfspec/baseline/fingerprint/hardware_key.hpp>
#include <perfspec/gpu/cuda_driver-inl.hpp>
#include <perfspec/gpu/cuda_driver.hpp>
#include <perfspec/gpu/gpu_machine.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

inline constexpr const char* to_have_nvml =
    "install the NVML library of the driver, or give it to the container (NVIDIA_DRIVER_CAPABILITIES=compute,utility)";

[[nodiscard]] inline machine_finding unknown_finding(const char* what, const char* why) {
    return {concern::unknown, what, "unknown", why};
}

[[nodiscard]] inline machine_finding examine_clocks(const gpu_state& now, const std::string& smi) {
    if (!now.sm_mhz || !now.max_sm_mhz) return unknown_finding("clocks", "this GPU does not report its clocks");
    const std::string text = fmt::format("{} of {} MHz now", *now.sm_mhz, *now.max_sm_mhz);
    if (now.is_slow_by(slow_clock::set_by_hand)) return {concern::fine, "clocks", text + ", limited by a setting", ""};
    // Most work at five sixths of the highest clock is within the power limit; device_time discards samples below 3/4.
    return {concern::improvable, "clocks", text + ", not locked, so they change with heat and power",
            fmt::format("lock them:  {0} -lgc {1},{1}   free them again:  {0} -rgc", smi, *now.max_sm_mhz * 5 / 6)};
}

[[nodiscard]] inline machine_finding examine_persistence(const gpu_state& now, const std::string& smi) {
    if (!now.persistence) return unknown_finding("persistence", "this GPU does not report its persistence mode");
    if (*now.persistence) return {concern::fine, "persistence", "on", ""};
    return {concern::improvable, "persistence",
            "off: while no process uses the GPU, the system unloads its driver and forgets a locked clock",
            smi + " -pm 1"};
}

[[nodiscard]] inline machine_finding examine_slowness(const gpu_state& now) {
    if (!now.reasons) return unknown_finding("slowed down by", "this GPU does not report why its clock is low");
    const std::vector<std::string> reasons = reasons_of_slowness({}, now);
    if (reasons.empty()) return {concern::fine, "slowed down by", "nothing now", ""};
    return {concern::improvable, "slowed down by", fmt::format("{} now", fmt::join(reasons, " and ")),
            "let it cool, raise its power limit, or lock a clock that it can keep"};
}

[[nodiscard]] inline machine_finding examine_others(const gpu_state& now, kin (*kin_of)(unsigned pid)) {
    const auto others = std::ranges::count_if(now.holders, [&](unsigned pid) { return kin_of(pid) != kin::own; });
    if (others == 0) return {concern::fine, "other users", "none", ""};
    return {concern::improvable, "other users",
            counted(static_cast<std::size_t>(others), "other process") + " holding memory on it",
            "nvidia-smi lists them: stop them, or let ctest give each test its own GPU (perfspec_discover_tests(… GPUS "
            "1))"};
}

[[nodiscard]] inline std::vector<machine_finding> examine_gpu(const gpu_facts& gpu, const gpu_state& now,
                                                              kin (*kin_of)(unsigned pid)) {
    if (!now.fault.empty())
        return {{concern::unknown, "NVML", now.fault,
                 std::string("clocks, heat and other users are unknown: ") + to_have_nvml}};
    // nvidia-smi and CUDA number GPUs differently.
    const std::string smi = "sudo nvidia-smi" + (gpu.pci_bus_id.empty() ? "" : " -i " + gpu.pci_bus_id);
    return {examine_clocks(now, smi), examine_persistence(now, smi), examine_slowness(now),
            examine_others(now, kin_of)};
}

}  // namespace detail

std::string examine_gpus(gpu_machine& gpus, kin (*kin_of)(unsigned pid)) {
    const gpu_count visible = gpus.count();
    if (!visible.fault.empty()) return fmt::format("\n  GPUs: none can be used ({})\n", visible.fault);
    std::string text = "\n  GPUs now (perfspec changes none of their settings)\n";
    for (int ordinal = 0; ordinal < visible.gpus; ++ordinal) {
        const gpu_facts& gpu = gpus.of_cuda(ordinal);
        text += fmt::format("    cuda:{}: {}", ordinal, gpu.fault);
        for (const versioned_library& fact : gpu.libraries)
            text += fmt::format("{}{} {}", text.ends_with(": ") ? "" : ", ", fact.name, fact.version);
        text += '\n';
        if (!gpu.fault.empty()) continue;
        for (const machine_finding& f : detail::examine_gpu(gpu, gpus.state_of_cuda(ordinal), kin_of))
            text += finding_lines(f);
    }
    return text;
}

namespace detail {

/// The names in all groups: 2 and 3 of "id:2,slots:1;id:3,slots:1".
[[nodiscard]] inline std::vector<std::string> granted_ids(const environment& variables) {
    std::vector<std::string> ids;
    for (std::size_t group = 0;; ++group) {
        const std::string name = "CTEST_RESOURCE_GROUP_" + std::to_string(group);
        if (!variables.get(name)) return ids;
        const std::string grants = variables.get(name + "_GPUS").value_or("");
        std::string_view rest = grants;
        while (!rest.empty()) {
            std::string_view grant = take_until(rest, ';');
            const std::string_view id = take_until(grant, ',');
            constexpr std::string_view mark = "id:";
            if (id.starts_with(mark)) ids.emplace_back(id.substr(mark.size()));
        }
    }
}

std::string resource_id_of(const std::string& uuid) {
    std::string id;
    for (const char c : uuid) id += c == '-' ? '_' : static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return id;
}

/// The inverse of `resource_id_of`; none for another name.
[[nodiscard]] inline std::optional<std::string> uuid_of_resource(const std::string& id) {
    std::string uuid = id;
    if (!id.starts_with("gpu_") && !id.starts_with("mig_")) return {};
    std::ranges::transform(uuid.begin(), uuid.begin() + 3, uuid.begin(),
                           [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
    std::ranges::replace(uuid, '_', '-');
    return uuid;
}

granted_gpus read_granted_gpus(const environment& variables) {
    granted_gpus granted{.ids = granted_ids(variables), .visible = {}, .fault = {}};
    const bool are_hidden = variables.get("CUDA_VISIBLE_DEVICES").has_value();
    for (const std::string& id : granted.ids) {
        const bool is_number = !id.empty() && id.find_first_not_of("0123456789") == std::string::npos;
        const std::optional<std::string> device = is_number && !are_hidden ? id : uuid_of_resource(id);
        if (!device)
            granted.fault =
                "ctest granted the GPU \"" + id + "\", " +
                (is_number ? "a number, but CUDA_VISIBLE_DEVICES renumbers the GPUs" : "but no GPU has that name") +
                ". Write the resource file where the tests run:  perfspec doctor --ctest-resources gpus.json";
        granted.visible += (granted.visible.empty() ? "" : ",") + device.value_or("");
    }
    return granted;
}

granted_gpus grant_of_this_process() {
    if (in_child()) return {};
    granted_gpus granted = read_granted_gpus(program_start_environment());
    if (!granted.ids.empty()) set_at_program_start("CUDA_VISIBLE_DEVICES", granted.visible);
    return granted;
}

/// Whether CUDA numbers the device.
[[nodiscard]] inline bool is_of_cuda(std::string_view device) { return device.substr(0, device.find(':')) == "cuda"; }

/// The number of "cuda:1"; 0 for "cuda".
[[nodiscard]] inline int ordinal_of(std::string_view device) {
    int ordinal = 0;
    if (const auto colon = device.find(':'); colon != device.npos)
        std::from_chars(device.data() + colon + 1, device.data() + device.size(), ordinal);
    return ordinal;
}

/// "580.65.06" of "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.65.06  Sun Jul …".
[[nodiscard]] inline std::string nvidia_driver(const file_system& files) {
    const file_text read = files.read("/proc/driver/nvidia/version", std::size_t{1} << 16U);
    std::string_view rest = read.text;
    rest = take_until(rest, '\n');
    while (!rest.empty()) {
        const auto word = take_until(rest, ' ');
        const bool numbered =
            !word.empty() && word.find_first_not_of("0123456789.") == word.npos && word.find('.') != word.npos;
        if (numbered) return std::string(word);
    }
    return {};
}

class gpu_watch final : public device_watch {
public:
    gpu_watch(gpu_machine& gpus, const std::string& device, gpu_state before)
        : gpus_(gpus), device_(device), before_(std::move(before)) {}

    [[nodiscard]] device_activity activity() override {
        std::uint64_t since = 0;
        for (const nvml_use& each : before_.uses) since = std::max<std::uint64_t>(since, each.microseconds);
        const gpu_state now = gpus_.state_of_cuda(ordinal_of(device_), since);
        if (!now.fault.empty()) return {};
        return activity_between(device_, before_, now, kin_of_this_process);
    }

private:
    gpu_machine& gpus_;
    std::string device_;
    gpu_state before_;
};

}  // namespace detail

gpu_count gpu_machine::count() {
    if (!driver_) driver_ = detail::load_cuda_driver();
    return detail::count_gpus(*driver_);
}

const gpu_facts& gpu_machine::of_cuda(int ordinal) {
    const auto known = known_.find(ordinal);
    if (known != known_.end()) return known->second;
    if (!driver_) driver_ = detail::load_cuda_driver();
    return known_.emplace(ordinal, detail::identify_gpu(*driver_, ordinal)).first->second;
}

gpu_state gpu_machine::state_of_cuda(int ordinal, std::uint64_t since_microseconds) {
    const gpu_facts& gpu = of_cuda(ordinal);
    if (!gpu.fault.empty()) return {.fault = gpu.fault};
    if (!nvml_) nvml_ = detail::load_nvml();
    return detail::read_gpu_state(*nvml_, gpu.pci_bus_id, since_microseconds);
}

device_facts gpu_machine::facts(const std::string& device, const file_system& files) {
    if (!detail::is_of_cuda(device)) return unknown_device(device, "perfspec knows the models of CUDA devices only");
    const gpu_facts& gpu = of_cuda(detail::ordinal_of(device));
    if (!gpu.fault.empty()) return unknown_device(device, gpu.fault);
    device_facts facts{
        .model = gpu.name, .hardware_key = device_hardware_key(gpu.name), .fault = {}, .libraries = gpu.libraries};
    if (std::string version = detail::nvidia_driver(files); !version.empty())
        facts.libraries.push_back({"NVIDIA driver", std::move(version)});
    return facts;
}

std::unique_ptr<device_watch> gpu_machine::watch(const std::string& device) {
    if (!detail::is_of_cuda(device)) return nullptr;
    gpu_state now = state_of_cuda(detail::ordinal_of(device));
    if (!now.fault.empty()) return nullptr;
    return std::make_unique<detail::gpu_watch>(*this, device, std::move(now));
}

std::string gpu_machine::reason_unwatched(const std::string& device) {
    if (!detail::is_of_cuda(device) || !of_cuda(detail::ordinal_of(device)).fault.empty()) return {};
    const std::string fault = state_of_cuda(detail::ordinal_of(device)).fault;
    if (fault.empty()) return {};
    return "the state of " + device + " during the measurement is unknown (" + fault +
           "), so heat, its power limit or other processes may have slowed it down. To see that, " +
           detail::to_have_nvml;
}

void gpu_machine::require_granted() {
    if (!granted_.fault.empty()) throw input_error(granted_.fault);
    if (granted_.ids.empty()) return;
    const gpu_count visible = count();
    if (static_cast<std::size_t>(visible.gpus) == granted_.ids.size()) return;
    throw input_error(fmt::format(
        "ctest granted the GPU \"{}\" (CUDA_VISIBLE_DEVICES={}), but the driver shows {} to this process{}{}. Write "
        "the resource file where the tests run:  perfspec doctor --ctest-resources gpus.json",
        fmt::join(granted_.ids, "\", \""), granted_.visible, visible.gpus == 0 ? "none" : std::to_string(visible.gpus),
        visible.fault.empty() ? "" : ": ", visible.fault));
}

std::string gpu_machine::examine() { return examine_gpus(*this); }

}  // namespace perfspec::inline v0_2

/// Never destroyed: claims may be judged after main.
static perfspec::device_machine* const gpus_of_this_process = perfspec::known_device_machine() =
    new perfspec::gpu_machine(perfspec::detail::grant_of_this_process());

/// Linked by name (PerfspecAdapters.cmake), so that programs that call nothing of this file contain it.
extern "C" bool perfspec_knows_gpus() noexcept;
bool perfspec_knows_gpus() noexcept { return gpus_of_this_process != nullptr; }
