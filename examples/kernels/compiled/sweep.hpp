// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// What the experiments share: how much of a sweep to run, and a cell's subjects. The environment decides, so that ctest
// runs seconds of it, and a sweep of minutes needs no building:
//
//   KERNELS_FULL=1               every cell and variant, each compiled with a cold cache, and the time that compiling
//   took KERNELS_VARIANTS=default     only these variants, separated by commas KERNELS_LARGEST=1024         the largest
//   matrix
#pragma once

#include <perfspec/catch2.hpp>
#include <perfspec/python.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdlib>
#include <sstream>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace kernels {

[[nodiscard]] inline std::string variable(const char* name) {
    const char* const value = std::getenv(name);
    return value == nullptr ? "" : value;
}

[[nodiscard]] inline bool full() { return !variable("KERNELS_FULL").empty(); }

[[nodiscard]] inline bool contains(const std::vector<std::string>& names, const std::string& name) {
    return std::ranges::find(names, name) != names.end();
}

/// The variants that are asked for, of those that an experiment has; for ctest only torch.compile's default.
[[nodiscard]] inline std::vector<std::string> variants(const std::vector<std::string>& of_experiment) {
    const std::vector<std::string> all{"default",      "reduce-overhead", "max-autotune", "max-autotune-no-cudagraphs",
                                       "aot_inductor", "channels_last"};
    const std::string asked = variable("KERNELS_VARIANTS");
    if (asked.empty()) return full() ? of_experiment : std::vector<std::string>{"default"};
    std::vector<std::string> found;
    std::istringstream names(asked);
    for (std::string name; std::getline(names, name, ',');) {
        if (!contains(all, name))
            throw std::invalid_argument("KERNELS_VARIANTS has \"" + name +
                                        "\": name variants such as default,aot_inductor");
        if (contains(of_experiment, name)) found.push_back(name);
    }
    if (found.empty())
        throw std::invalid_argument("KERNELS_VARIANTS=" + asked +
                                    ": this experiment has none of these; it has default");
    return found;
}

/// The largest matrix that is asked for, and `otherwise` where none is.
[[nodiscard]] inline long largest(long otherwise) {
    const std::string asked = variable("KERNELS_LARGEST");
    if (asked.empty()) return otherwise;
    const long found = std::strtol(asked.c_str(), nullptr, 10);
    if (found < 16) throw std::invalid_argument("KERNELS_LARGEST=" + asked + ": name a size from 16 on, such as 1024");
    return found;
}

/// Subjects of a file beside this one. On one thread, as the other kernels: two would also measure what else the
/// machine does.
///
/// process  another text is another process, with a compiler cache of its own: one for each variant, because Inductor
/// compiles a kernel of equal
///          text once, and a mode would find those of the mode before
[[nodiscard]] inline perfspec::python_subjects subjects_of(std::string_view file, std::string_view process) {
    return perfspec::python_subjects(file,
                                     {.threads = 1, .cold_compiler_cache = full(), .process = std::string(process)});
}

/// Records the speedup of `other` over `eager`, after their outputs were compared, and judges that it is above `floor`.
/// Of a full sweep also how long compiling took; a package is exported and compiled while its subject is loaded.
///
/// pairs  rounds to record: ten are the fewest, for what takes seconds
inline void compare_with_eager(const perfspec::subject& eager, const perfspec::subject& other, std::string_view variant,
                               double floor, std::uint32_t pairs = 30) {
    const bool by_torch_compile = variant != "aot_inductor" && variant != "channels_last" && variant != "numpy";
    const std::chrono::minutes longest(full() ? 120 : 1);
    PERF_MEASURE(speedup(eager, other), rounds(pairs), cap(longest));
    PERF_CHECK(speedup(eager, other) > floor, rounds(pairs), cap(longest));
    if (by_torch_compile) PERF_CHECK(worker_counter(other, "graphs") == 1);
    if (full() && by_torch_compile) PERF_MEASURE(compile_time(other));
    if (full() && variant == "aot_inductor") PERF_MEASURE(worker_counter(other, "loaded_ns"));
}

}  // namespace kernels
