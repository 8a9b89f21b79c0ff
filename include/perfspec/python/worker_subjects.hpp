// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/query.hpp>
#include <perfspec/language/subjects/subject.hpp>

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

namespace detail {
class subject_worker;
struct worker_recipe;

/// The Python that CMake found; empty: none.
#if defined(PERFSPEC_PYTHON_FOUND)
inline constexpr const char* python_of_build = PERFSPEC_PYTHON_FOUND;
#else
inline constexpr const char* python_of_build = "";
#endif
}  // namespace detail

/// How a worker is run.
struct worker_settings {
    /// Added to the variables of this program, which they override.
    std::vector<std::pair<std::string, std::string>> environment{};
    /// Equal commands with equal settings share a process. Different texts here separate them.
    std::string process{};
    /// The longest time of an answer, compiling included.
    std::chrono::nanoseconds patience{std::chrono::minutes(10)};
};

/// Subjects of a program in another language, which runs as a process of its own. PROTOCOL.md, beside this header,
/// specifies such a program.
///
///     const perfspec::worker_subjects js({"node", "worker.js"});
///     PERF_REQUIRE(speedup(js("map"), js("loop")) > 1.2);
///
/// The process starts when a subject first runs. All claims of the test program share it. Its own clock times the
/// bodies, so samples contain no communication. Claims on times, on cpu_time, peak_memory, metric, load_time,
/// first_call and cold_start work; claims that count events of this process are *skipped*. A process that ends,
/// does not answer, or answers something else makes the claim *error*, with its last lines.
///
/// Throws input_error for an empty command.
class worker_subjects {
public:
    /// command  the program and its arguments. A name without "/" is looked for in PATH; if it is missing there, claims
    ///          are *skipped*. Paths are relative to the folder of the source file that makes this object.
    worker_subjects(const std::vector<std::string>& command, const worker_settings& settings = {},
                    const char* made_in = __builtin_FILE());

    /// The subject of this name, the same one in each call. Its first run shows whether the worker has it.
    /// Declarations, such as `.unverified()` or `.axis(…)`, belong to the returned object: the next call returns one
    /// without them.
    [[nodiscard]] subject operator()(std::string_view name) const;

protected:
    explicit worker_subjects(const detail::worker_recipe& recipe, std::string_view process);

private:
    detail::subject_worker* worker_;  // lives as long as the program
    mutable std::vector<subject> made_{};
};

/// How the worker of a Python file is run.
struct python_settings {
    /// Empty: that of the variable PERFSPEC_PYTHON, otherwise the one that CMake found with torch, otherwise python3
    /// in PATH.
    std::string interpreter{};
    std::uint32_t threads{};     ///< OMP_NUM_THREADS and MKL_NUM_THREADS; 0: as in this program's environment
    bool cold_compiler_cache{};  ///< compile everything again in each process; compile_time needs it
    std::vector<std::pair<std::string, std::string>> environment{};
    std::string process{};
    std::chrono::nanoseconds patience{std::chrono::minutes(10)};
};

/// Subjects of a Python file, such as a model in eager mode and the same under torch.compile.
///
///     const perfspec::python_subjects py("models.py");
///     PERF_REQUIRE(speedup(py("eager"), py("inductor")) > 0.95);
///     PERF_CHECK(graph_breaks(py("inductor")) == 0);
///
/// In models.py a function builds the model once and returns what is measured:
///
///     import perfspec, torch
///
///     @perfspec.subject
///     def eager():
///         model, x = torch.nn.Linear(64, 64), torch.randn(8, 64)
///         return lambda: model(x)
///
/// Both subjects are in one process, so no second process disturbs a speedup. Outputs are compared before a speedup is
/// measured. The worker has these variables, unless the environment or the settings set them: OMP_WAIT_POLICY=passive,
/// so that an idle worker does not spin beside the measured one; TORCHINDUCTOR_COMPILE_THREADS=1; PYTHONHASHSEED=0.
/// Under another policy the worker is stopped between an answer and the next request.
///
/// file     relative to the folder of the source file that makes this object
/// Throws input_error for an empty name of a file. A missing file makes claims *error*.
class python_subjects : public worker_subjects {
public:
    explicit python_subjects(std::string_view file, const python_settings& settings = {},
                             const char* made_in = __builtin_FILE(), const char* found_python = detail::python_of_build,
                             const char* header = __FILE__);
};

inline namespace language {

/// A count that the worker has of a subject, compared exactly. For Python these are the counters of torch.compile by
/// their names, such as "inductor.fxgraph_cache_miss", "graphs", and those with a function below. The worker calls the
/// subject until three calls in a row compiled nothing, so a count is equal before and after claims on times; a note of
/// the claim has the number of calls. Throws input_error for a subject of this process.
///
///     PERF_CHECK(worker_counter(py("inductor"), "inductor.fxgraph_cache_miss") <= 1);
[[nodiscard]] query<dimension::count, statistic::exact> worker_counter(const subject& x, std::string_view name);

/// Places where torch.compile left the graph and returned to Python. The claim is an *error* if the subject compiled
/// nothing.
///
///     PERF_CHECK(graph_breaks(py("inductor")) == 0);
[[nodiscard]] query<dimension::count, statistic::exact> graph_breaks(const subject& x);

/// Functions that torch.compile compiled, recompilations included.
[[nodiscard]] query<dimension::count, statistic::exact> compilations(const subject& x);

/// How often torch.compile compiled a function again, because a guard did not hold: another shape, dtype or value.
[[nodiscard]] query<dimension::count, statistic::exact> recompiles(const subject& x);

}  // namespace language
}  // namespace perfspec::inline v0_2
