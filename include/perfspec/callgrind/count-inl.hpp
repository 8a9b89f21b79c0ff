// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Starts a process on a simulated processor, and counts in it (README.md).

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/callgrind/count.hpp>
#include <perfspec/claim/estimates.hpp>
#include <perfspec/claim/partial_result.hpp>
#include <perfspec/claim/readings.hpp>
#include <perfspec/fresh_processes/take_processes.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/procedures/procedure.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include <sys/resource.h>

namespace perfspec::inline v0_2::detail {
namespace {

/// The variable with the beginning of the paths of a process's profiles.
inline constexpr const char* profiles_variable = "CALLGRIND_PROFILES";
/// The most profiles of a process before it ends: of an empty body, of the counted calls, of a while after them, and of
/// later calls.
inline constexpr std::size_t most_profiles = runs_of_a_count + 3;

std::string path_of_profile(const std::string& profiles, std::size_t number) {
    return fmt::format("{}.{}", profiles, number);
}

std::string temporary_folder(const environment& variables) {
    const std::string folder = variables.get("TMPDIR").value_or("");
    return folder.starts_with('/') ? folder : "/tmp";
}

std::string path_of_profiles(const claim_context& context) {
    const std::uint64_t drawn = context.run.system().draw_seed();
    if (context.plan.trace.empty())
        return fmt::format("{}/perfspec-{:016x}", temporary_folder(context.run.system().variables), drawn);
    return fmt::format("{}/callgrind.out.{}-{:08x}", context.plan.trace, path_component(context.key), drawn >> 32U);
}

}  // namespace

void instruction_counter::prepare(child_command& command, const claim_context& context) const {
    file_system& files = context.run.system().files;
    const std::string path = path_of_profiles(context);
    const bool keeps_profiles = !context.plan.trace.empty();
    if (keeps_profiles) files.create_folders(context.plan.trace);
    command.belongings = std::shared_ptr<void>(nullptr, [&files, path, keeps_profiles](void*) {
        files.remove(path);  // the profile after the claim
        for (std::size_t n = 1; n <= most_profiles && !keeps_profiles; ++n) files.remove(path_of_profile(path, n));
    });
    std::vector<std::string> words = machine_.command(path);
    words.push_back(command.executable);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    command.executable = words.front();
    command.arguments.assign(words.begin() + 1, words.end());
    command.environment = with_variable(std::move(command.environment), "DEBUGINFOD_URLS", "");  // no downloads
    command.environment = with_variable(std::move(command.environment), profiles_variable, path);
    command.time_out *= 10;
}

process_children children_of_process() {
    process_children children;
    rusage ended{};
    if (::getrusage(RUSAGE_CHILDREN, &ended) == 0)
        children.page_faults_of_ended = static_cast<std::uint64_t>(ended.ru_minflt + ended.ru_majflt);
    std::error_code ignored;
    for (const auto& task : std::filesystem::directory_iterator("/proc/self/task", ignored)) {
        std::ifstream ids(task.path() / "children");
        for (std::string id; ids >> id;) ++children.living;
    }
    return children;
}

namespace {

/// The first reading resets the counts, and the second one writes the profile of the span in between.
class profiled_span final : public clock {
public:
    explicit profiled_span(simulator& machine) noexcept : machine_(machine) {}

    [[nodiscard]] std::int64_t now() override {
        is_open_ = !is_open_;
        is_open_ ? machine_.forget() : machine_.write_profile();
        return is_open_ ? 0 : 1;
    }

private:
    simulator& machine_;
    bool is_open_{};
};

/// Reads the profiles of this process, one after the other.
class profile_files {
public:
    explicit profile_files(const system_access& system)
        : files_(system.files), profiles_(system.variables.get(profiles_variable).value_or("")) {}

    [[nodiscard]] bool any() const noexcept { return !profiles_.empty(); }

    [[nodiscard]] simulated_profile next() {
        constexpr std::size_t largest = std::size_t{64} << 20;
        const std::string path = path_of_profile(profiles_, ++number_);
        const file_text found = files_.read(path, largest);
        if (found.outcome == read_outcome::complete) return parse_profile(found.text);
        throw measurement_failure(failure_kind::not_countable,
                                  fmt::format("Valgrind left no profile in {}: {}", path, found.reason));
    }

private:
    file_system& files_;
    std::string profiles_;
    std::size_t number_{};
};

/// The profiles of a simulated process's calls.
struct simulated_calls {
    std::vector<simulated_profile> calls{};  ///< in rising order
    std::uint64_t afterwards{};              ///< instructions of all threads while this one slept after the last call

    [[nodiscard]] const simulated_profile& middle() const { return calls[calls.size() / 2]; }
};

/// Runs the calls whose profiles `read_calls` reads. During the last profile this thread sleeps, and others may go on.
void run_calls(const claim_context& context, simulator& machine, const subject& x, std::uint64_t iterations) {
    constexpr std::int64_t a_while_ns = 20'000'000;
    const subject empty_body("nothing", [] {});
    profiled_span span(machine);
    machine.begin();
    static_cast<void>(take_sample(empty_body, iterations, warm_call::no, span));
    run_untimed(x, 1);
    for (std::size_t i = 0; i < runs_of_a_count; ++i)
        static_cast<void>(take_sample(x, iterations, warm_call::no, span));
    context.run.system().rest.sleep(a_while_ns);
    machine.write_profile();
    machine.end();
}

/// The calls, less the count of an empty body.
simulated_calls read_calls(profile_files& profiles) {
    const std::uint64_t empty_body = profiles.next().total;
    simulated_calls result;
    for (std::size_t i = 0; i < runs_of_a_count; ++i) {
        result.calls.push_back(profiles.next());
        result.calls.back().total -= std::min(result.calls.back().total, empty_body);
    }
    result.afterwards = profiles.next().total;
    std::ranges::stable_sort(result.calls, {}, &simulated_profile::total);
    return result;
}

/// Refuses a body whose later calls do more work than the counted ones. Fewer instructions in later calls are usual: a
/// heap settles. Does not check long calls.
void require_equal_calls(simulator& machine, profile_files& profiles, const subject& x, std::uint64_t of_a_call) {
    constexpr std::uint64_t most_instructions = 50'000'000;  // half a second or less
    constexpr std::uint64_t most_calls = 16;
    constexpr double of_reading = 50.0;
    const std::uint64_t calls = std::min(most_calls, most_instructions / std::max<std::uint64_t>(of_a_call, 1));
    if (calls < 2) return;
    profiled_span span(machine);
    machine.begin();
    static_cast<void>(take_sample(x, calls, warm_call::no, span));
    machine.end();
    const double later = static_cast<double>(profiles.next().total) / static_cast<double>(calls);
    if (later <= 1.02 * static_cast<double>(of_a_call) + of_reading) return;
    throw measurement_failure(
        failure_kind::refused,
        fmt::format(
            "calls of the body do different work: three took {} instructions each, later ones {:.0f} on average. "
            "Count many calls together, such as by iterations(1000)",
            of_a_call, later));
}

void require_simulation(const claim_context& context, const simulator& machine, const profile_files& profiles) {
    if (context.is_child() && profiles.any() && machine.is_running()) return;
    throw measurement_failure(
        failure_kind::not_countable,
        "this process does not run under Valgrind, because a wrapper of the test program drops it, or this build was "
        "compiled without valgrind/callgrind.h. Run without the wrapper, or install Valgrind and build again");
}

/// Refuses counts without the work of processes that the body starts, or of threads that go on after it.
void require_all_work(const process_children& before, const simulated_calls& counted) {
    if (children_of_process() != before)
        throw measurement_failure(
            failure_kind::refused,
            "the body starts processes, but perfspec counts only the instructions of its own process. Count the work "
            "of the others in a separate body");
    constexpr std::uint64_t of_sleeping = 5000;
    const std::uint64_t largest = counted.calls.back().total;
    if (counted.afterwards > largest / 10 + of_sleeping)
        throw measurement_failure(
            failure_kind::refused,
            fmt::format("work goes on after the body has returned: {} instructions until then, {} more in the 20 ms "
                        "after it. Wait for the work in the body. For threads that spin between tasks, set "
                        "OMP_WAIT_POLICY=passive",
                        largest, counted.afterwards));
}

void require_instructions(const subject& x, double of_an_iteration) {
    constexpr double too_few = 4.0;
    if (of_an_iteration > too_few || x.state().may_be_optimized_away) return;
    throw measurement_failure(
        failure_kind::optimized_away,
        fmt::format(
            "the body looks optimized away: an iteration takes {:g} instructions more than an empty one. Return the "
            "result or pass it to do_not_optimize(), and hide literal inputs with black_box(). If nothing is optimized "
            "away, the body is too short, so do more work in an iteration. To claim that it costs nothing, write "
            ".may_be_optimized_away() on the subject",
            of_an_iteration));
}

/// The name of a function for users. The body of a claim is inlined into a function of perfspec. Its other functions
/// only measure, and get an empty name.
std::string displayed_name(const std::string& function) {
    if (function.find("::detail::run_body<") != std::string::npos) return "the body itself";
    return function.starts_with("perfspec::") ? std::string() : function;
}

/// The functions with the largest counts of an iteration, and the share of each.
std::vector<part_value> parts_of(const simulated_profile& profile, std::uint64_t iterations) {
    constexpr std::size_t most = 100;
    std::map<std::string, std::uint64_t> by_name;
    for (const auto& [function, count] : profile.functions) by_name[displayed_name(function)] += count;
    by_name.erase("");
    std::vector<std::pair<std::string, std::uint64_t>> functions(by_name.begin(), by_name.end());
    std::ranges::stable_sort(functions, std::ranges::greater{}, [](const auto& f) { return f.second; });
    functions.resize(std::min(functions.size(), most));
    std::vector<part_value> parts;
    for (const auto& [name, count] : functions) {
        const double value = static_cast<double>(count) / static_cast<double>(iterations);
        const double share = profile.total > 0 ? static_cast<double>(count) / static_cast<double>(profile.total) : 0.0;
        parts.push_back({name, "in itself", dimension::count, without_interval(value), std::min(share, 1.0), {}});
    }
    return parts;
}

}  // namespace

claim_result instruction_counter::measure(const claim_context& context) const {
    profile_files profiles(context.run.system());
    require_simulation(context, machine_, profiles);
    const std::size_t index = subject_of_this_process(context);
    const subject& x = context.subjects[index];
    const std::uint64_t iterations = std::max<std::uint64_t>(context.plan.iterations.value_or(1), 1);
    const process_children before = children_of_process();
    run_calls(context, machine_, x, iterations);
    const simulated_calls counted = read_calls(profiles);
    std::vector<double> values;
    for (const simulated_profile& call : counted.calls)
        values.push_back(static_cast<double>(call.total) / static_cast<double>(iterations));
    const double value = values[values.size() / 2];
    require_all_work(before, counted);
    require_instructions(x, value);
    if (!context.plan.iterations) require_equal_calls(machine_, profiles, x, counted.middle().total);
    claim_result result = empty_result(context);
    result.estimate = without_interval(value);
    result.subjects = {summary_of(context.names.at(index), std::move(values), iterations, context.query.unit)};
    result.parts = parts_of(counted.middle(), iterations);
    result.evidence.rounds = counted.calls.size();
    result.evidence.exact = true;  // the parent compares processes
    result.evidence.method = "median of three calls on a simulated processor";
    return result;
}

}  // namespace perfspec::inline v0_2::detail
