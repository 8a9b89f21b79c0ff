// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/gpu/cuda_driver.hpp>

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::testing {

/// NVML's facts of a GPU, in its units, such as milliwatts. A missing answer is a fact that the GPU lacks.
struct scripted_nvml_gpu {
    std::string bus_id = "0000:3b:00.0";
    std::optional<unsigned> sm_mhz = 1755, max_sm_mhz = 1980, celsius = 41;
    std::optional<unsigned> milliwatts = 120'500, milliwatts_limit = 700'000;
    std::optional<int> persistence = 1;
    std::optional<unsigned long long> reasons = 0;
    std::optional<detail::nvml_violation> by_power = detail::nvml_violation{}, by_heat = detail::nvml_violation{};
    std::vector<unsigned> holders{};
    std::vector<detail::nvml_use> uses{};
};

/// The functions of NVIDIA's management library. The last one made is in force.
class scripted_nvml {
public:
    explicit scripted_nvml(std::vector<scripted_nvml_gpu> all = {scripted_nvml_gpu{}}) : gpus(std::move(all)) {
        now = this;
    }
    scripted_nvml(const scripted_nvml&) = delete;
    scripted_nvml& operator=(const scripted_nvml&) = delete;
    ~scripted_nvml() { now = nullptr; }

    std::vector<scripted_nvml_gpu> gpus;
    int init_error = 0;                     ///< of the library's first call
    std::vector<scripted_nvml_gpu> then{};  ///< the GPUs from the second reading on, if not empty
    [[nodiscard]] scripted_nvml_gpu& gpu() { return gpus.front(); }

    [[nodiscard]] static detail::nvml_library library() {
        using device = detail::nvml_library::device;
        detail::nvml_library l;
        l.init = [] { return now->init_error; };
        l.error_string = [](int error) {
            return error == 9 ? "Driver Not Loaded" : error == 6 ? "Not Found" : "Not Supported";
        };
        l.by_bus_id = [](const char* bus, device* found) {
            return find(found, [&](const auto& gpu) { return gpu.bus_id == bus; });
        };
        l.clock = [](device gpu, unsigned which, unsigned* mhz) {
            return which == 1 ? answer(mhz, at(gpu).sm_mhz) : 2;
        };
        l.max_clock = [](device gpu, unsigned which, unsigned* mhz) {
            return which == 1 ? answer(mhz, at(gpu).max_sm_mhz) : 2;
        };
        l.temperature = [](device gpu, unsigned sensor, unsigned* c) {
            return sensor == 0 ? answer(c, at(gpu).celsius) : 2;
        };
        l.power = [](device gpu, unsigned* milliwatts) { return answer(milliwatts, at(gpu).milliwatts); };
        l.power_limit = [](device gpu, unsigned* milliwatts) { return answer(milliwatts, at(gpu).milliwatts_limit); };
        l.persistence = [](device gpu, int* is_on) { return answer(is_on, at(gpu).persistence); };
        l.reasons = [](device gpu, unsigned long long* bits) { return answer(bits, at(gpu).reasons); };
        l.held_back = [](device gpu, int policy, detail::nvml_violation* so_long) {
            return answer(so_long, policy == 0 ? at(gpu).by_power : at(gpu).by_heat);
        };
        l.holders = [](device gpu, unsigned* count, detail::nvml_holder* all) {
            return fill(at(gpu).holders, count, all, [](unsigned pid) { return detail::nvml_holder{.pid = pid}; });
        };
        l.uses = [](device gpu, detail::nvml_use* all, unsigned* count, unsigned long long since) {
            std::vector<detail::nvml_use> later;
            for (const detail::nvml_use& each : at(gpu).uses)
                if (each.microseconds > since) later.push_back(each);
            const int done =
                later.empty() ? 6 : fill(later, count, all, [](const detail::nvml_use& use) { return use; });
            if (all != nullptr || later.empty()) go_on();  // the last question of a reading
            return done;
        };
        return l;
    }

private:
    static scripted_nvml_gpu& at(detail::nvml_library::device gpu) { return *static_cast<scripted_nvml_gpu*>(gpu); }
    static void go_on() {
        if (!now->then.empty()) now->gpus = std::exchange(now->then, {});
    }
    template <class Is> static int find(detail::nvml_library::device* found, Is is) {
        const auto known = std::ranges::find_if(now->gpus, is);
        if (known == now->gpus.end()) return 6;
        *found = &*known;
        return 0;
    }
    template <class T> static int answer(T* into, const std::optional<T>& from) {
        if (!from) return 3;
        *into = *from;
        return 0;
    }
    template <class From, class To, class As>
    static int fill(const std::vector<From>& from, unsigned* count, To* all, As as) {
        const bool is_room = all != nullptr && *count >= from.size();
        *count = static_cast<unsigned>(from.size());
        if (!is_room) return from.empty() ? 0 : 7;
        for (std::size_t i = 0; i < from.size(); ++i) all[i] = as(from[i]);
        return 0;
    }

    static inline scripted_nvml* now = nullptr;
};

}  // namespace perfspec::testing
