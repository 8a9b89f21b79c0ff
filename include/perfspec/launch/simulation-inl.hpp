// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

// Counts on a simulated processor: how a process is started there, and what it does there (stats/README.md, "Simulated
// counts").

#include <perfspec/ask/commands.hpp>
#include <perfspec/baseline/path_component.hpp>
#include <perfspec/judge/measuring.hpp>
#include <perfspec/judge/readings.hpp>
#include <perfspec/launch/fresh_process.hpp>
#include <perfspec/launch/simulation.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/measure/simulation/children.hpp>
#include <perfspec/measure/simulation/profile.hpp>
#include <perfspec/process/variables.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace perfspec::detail {

std::string reason_not_to_simulate(const surroundings& around) {
    return around.simulation == nullptr ? "no simulated processor is known on this system" : around.simulation->fault();
}

std::size_t simulations_that_agree(const plan& p) {
    constexpr double minimum = 3.0;
    return static_cast<std::size_t>(std::max(minimum, std::ceil(-std::log2(p.false_pass))));
}

bool do_agree(const std::vector<double>& values) {
    return std::ranges::adjacent_find(values, std::ranges::not_equal_to{}) == values.end();
}

namespace {

/// The folder for temporary files.
std::string temporary_folder(const environment& variables) {
    const std::string given = variables.get("TMPDIR").value_or("");
    return given.starts_with('/') ? given : "/tmp";
}

std::string path_of_profiles(const question& asked) {
    const std::uint64_t drawn = asked.context.around().draw_seed();
    if (asked.plan.trace.empty())
        return fmt::format("{}/perfspec-{:016x}", temporary_folder(asked.context.around().variables), drawn);
    return fmt::format("{}/callgrind.out.{}-{:08x}", asked.plan.trace, path_component(asked.key), drawn >> 32U);
}

}  // namespace

simulation_files::simulation_files(const question& asked)
    : files_(asked.context.around().files), are_kept_(!asked.plan.trace.empty()) {
    if (!is_simulated(asked.query.metric)) return;
    profiles_ = path_of_profiles(asked);
    if (are_kept_) files_.create_folders(asked.plan.trace);
}

simulation_files::~simulation_files() {
    if (!profiles_.empty()) files_.remove(profiles_);  // the last profile, of what the program did after the claim
}

void simulate(child_command& command, const question& asked, const simulation_files& files) {
    if (files.profiles().empty()) return;
    std::vector<std::string> words = asked.context.around().simulation->command(asked.query.metric, files.profiles());
    words.push_back(command.executable);
    words.insert(words.end(), command.arguments.begin(), command.arguments.end());
    command.executable = words.front();
    command.arguments.assign(words.begin() + 1, words.end());
    command.environment = with_variable(std::move(command.environment), "DEBUGINFOD_URLS", "");  // no downloads
    command.time_out *= 10;
}

namespace {

/// The first reading forgets what was counted, and the second one writes the profile of what was counted since.
class profiled_span final : public clock {
public:
    explicit profiled_span(simulator& simulation) noexcept : simulation_(simulation) {}

    [[nodiscard]] std::int64_t now() override {
        is_open_ = !is_open_;
        is_open_ ? simulation_.forget() : simulation_.write_profile();
        return is_open_ ? 0 : 1;
    }

private:
    simulator& simulation_;
    bool is_open_{};
};

/// What the calls of a simulated process counted. Instructions tell whether a body works at all, whatever the claim
/// counts.
struct simulated_calls {
    std::vector<simulated_profile> calls{};     ///< by the claim's metric, in rising order
    std::vector<std::uint64_t> instructions{};  ///< of each call, in rising order
    std::uint64_t instructions_afterwards{};    ///< of all threads, while this one slept after the last call
};

/// Runs the calls whose profiles `read_calls` reads. The last profile is of a while in which this thread sleeps, and
/// others may go on.
void run_calls(const question& asked, const subject& x, std::uint64_t iterations) {
    constexpr std::int64_t a_while_ns = 20'000'000;
    simulator& simulation = *asked.context.around().simulation;
    const subject nothing("nothing", [] {});
    profiled_span span(simulation);
    simulation.begin();
    static_cast<void>(take_sample(nothing, iterations, warm_call::no, span));
    run_untimed(x, 1);
    for (std::size_t i = 0; i < runs_of_a_count; ++i)
        static_cast<void>(take_sample(x, iterations, warm_call::no, span));
    asked.context.around().rest.sleep(a_while_ns);
    simulation.write_profile();
    simulation.end();
}

std::string read_profile(const question& asked, std::size_t number) {
    constexpr std::size_t largest = std::size_t{64} << 20;
    const child_request& request = *asked.context.child();
    const std::string path = fmt::format("{}.{}", request.profiles, number);
    file_system& files = asked.context.around().files;
    file_text found = files.read(path, largest);
    if (!request.keeps_profiles) files.remove(path);
    if (found.outcome == read_outcome::complete) return std::move(found.text);
    throw measurement_failure(failure_kind::not_countable,
                              fmt::format("Valgrind left no profile in {}: {}", path, found.reason));
}

/// A profile without what a body that does nothing counts.
simulated_profile without(simulated_profile profile, const simulated_profile& nothing) {
    profile.total -= std::min(profile.total, nothing.total);
    return profile;
}

simulated_calls read_calls(const question& asked) {
    constexpr metric_kind instructions = metric_kind::simulated_instructions;
    const metric_kind m = asked.query.metric;
    const std::string nothing = read_profile(asked, 1);
    const auto counted = [&](const std::string& text, metric_kind what) {
        return without(parse_profile(text, what), parse_profile(nothing, what));
    };
    simulated_calls found;
    for (std::size_t i = 0; i < runs_of_a_count; ++i) {
        const std::string text = read_profile(asked, 2 + i);
        found.calls.push_back(counted(text, m));
        found.instructions.push_back(counted(text, instructions).total);
    }
    found.instructions_afterwards = parse_profile(read_profile(asked, 2 + runs_of_a_count), instructions).total;
    std::ranges::stable_sort(found.calls, {}, &simulated_profile::total);
    std::ranges::sort(found.instructions);
    return found;
}

/// The mean instructions of a call over many calls after those that were counted; nothing where the calls would take
/// long.
std::optional<double> instructions_of_later_calls(const question& asked, const subject& x, std::uint64_t of_a_call) {
    constexpr std::uint64_t most_instructions = 50'000'000;  // half a second or less
    constexpr std::uint64_t most_calls = 16;
    const std::uint64_t calls = std::min(most_calls, most_instructions / std::max<std::uint64_t>(of_a_call, 1));
    if (calls < 2) return std::nullopt;
    simulator& simulation = *asked.context.around().simulation;
    profiled_span span(simulation);
    simulation.begin();
    static_cast<void>(take_sample(x, calls, warm_call::no, span));
    simulation.end();
    const auto profile = parse_profile(read_profile(asked, 3 + runs_of_a_count), metric_kind::simulated_instructions);
    return static_cast<double>(profile.total) / static_cast<double>(calls);
}

/// Refuses a body that does work in only some of its calls, where those that were counted are others. Fewer
/// instructions in later calls are usual: a heap settles.
void require_calls_alike(const question& asked, const subject& x, std::uint64_t of_a_call) {
    if (asked.plan.iterations) return;
    constexpr double of_reading = 50.0;
    const auto counted = static_cast<double>(of_a_call);
    const std::optional<double> later = instructions_of_later_calls(asked, x, of_a_call);
    if (!later || *later <= 1.02 * counted + of_reading) return;
    throw measurement_failure(
        failure_kind::refused,
        fmt::format(
            "calls of the body do different work: three took {} instructions each, later ones {:.0f} on average. "
            "Count many calls together, such as by iterations(1000)",
            of_a_call, *later));
}

void require_simulation(const question& asked) {
    const surroundings& around = asked.context.around();
    const bool is_asked_for = asked.is_child() && !asked.context.child()->profiles.empty();
    if (is_asked_for && around.simulation != nullptr && around.simulation->is_running()) return;
    throw measurement_failure(
        failure_kind::not_countable,
        "this process does not run under Valgrind: does a wrapper of the test program drop it, or was this build "
        "compiled without valgrind/callgrind.h?");
}

/// Refuses counts that leave out work: of processes that the body starts, and of threads that go on after it.
void require_all_work(const process_children& before, std::uint64_t counted, std::uint64_t afterwards) {
    if (children_of_process() != before)
        throw measurement_failure(
            failure_kind::refused,
            "the body starts processes, and a simulation counts only its own: count what they do in a body of its own");
    constexpr std::uint64_t of_sleeping = 5000;
    if (afterwards > counted / 10 + of_sleeping)
        throw measurement_failure(
            failure_kind::refused,
            fmt::format(
                "work goes on after the body has returned: {} instructions until then, {} more in a while after it. Wait for the "
                "work in the body; for threads that spin between tasks, set OMP_WAIT_POLICY=passive",
                counted, afterwards));
}

void require_instructions(std::uint64_t of_a_call, std::uint64_t iterations) {
    constexpr double too_few = 4.0;
    const double value = static_cast<double>(of_a_call) / static_cast<double>(iterations);
    if (value > too_few) return;
    throw measurement_failure(
        failure_kind::optimised_away,
        fmt::format("the body looks optimised away: an iteration takes {:g} instructions more than an empty one. "
                    "Return the value or keep() it, hide literal inputs with opaque(); if everything is kept, the "
                    "body is too small to be counted: do more work in an iteration",
                    value));
}

/// The name that a reader knows a function by. The body of a claim is inlined into a function of perfspec's own; the
/// others of perfspec measure, and have no name here.
std::string known_name(const std::string& function) {
    if (function.find("perfspec::detail::run_body") != std::string::npos) return "the body itself";
    return function.starts_with("perfspec::") ? std::string() : function;
}

/// The functions with the largest counts of an iteration, and the share of each.
std::vector<part_value> parts_of(const simulated_profile& profile, std::uint64_t iterations) {
    constexpr std::size_t most = 100;
    std::map<std::string, std::uint64_t> by_name;
    for (const auto& [function, count] : profile.functions) by_name[known_name(function)] += count;
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

void measure_simulated(const question& asked, finding& found) {
    require_simulation(asked);
    const std::size_t index = subject_of_this_process(asked);
    const subject& x = asked.subjects[index];
    const std::uint64_t iterations = std::max<std::uint64_t>(asked.plan.iterations.value_or(1), 1);
    const process_children before = children_of_process();
    run_calls(asked, x, iterations);
    const simulated_calls counted = read_calls(asked);
    require_all_work(before, counted.instructions.back(), counted.instructions_afterwards);
    require_instructions(counted.instructions[counted.instructions.size() / 2], iterations);
    require_calls_alike(asked, x, counted.instructions[counted.instructions.size() / 2]);
    std::vector<double> values;
    for (const simulated_profile& call : counted.calls)
        values.push_back(static_cast<double>(call.total) / static_cast<double>(iterations));
    const double value = values[values.size() / 2];
    found.estimate = without_interval(value);
    found.subjects = {summary_of(asked.names.at(index), std::move(values), iterations, asked.query.unit)};
    found.parts = parts_of(counted.calls[counted.calls.size() / 2], iterations);
    found.evidence.rounds = counted.calls.size();
    found.evidence.exact = true;  // whether other processes agree, the process that asked for this one sees
    found.evidence.method = "median of three calls on a simulated processor";
}

namespace {

/// The number of functions that a violated claim names.
inline constexpr std::size_t named_functions = 8;

}  // namespace

std::vector<part_value> largest_functions(std::vector<part_value> parts) {
    std::ranges::stable_sort(parts, std::ranges::greater{}, [](const part_value& p) { return p.value.centre; });
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(std::min(parts.size(), named_functions)), parts.end());
    return parts;
}

std::vector<part_value> moved_functions(const std::vector<part_value>& before, const std::vector<part_value>& now) {
    struct change {
        double before{};
        double now{};
        [[nodiscard]] double size() const { return std::abs(now - before); }
    };
    std::map<std::string, change> changes;
    for (const part_value& p : before) changes[p.part].before = p.value.centre;
    for (const part_value& p : now) changes[p.part].now = p.value.centre;
    std::vector<std::pair<std::string, change>> moved(changes.begin(), changes.end());
    std::erase_if(moved, [](const auto& f) { return f.second.size() == 0.0; });
    std::ranges::stable_sort(moved, std::ranges::greater{}, [](const auto& f) { return f.second.size(); });
    moved.resize(std::min(moved.size(), named_functions));
    std::vector<part_value> parts;
    for (const auto& [name, c] : moved)
        parts.push_back({name, "in itself", dimension::count, without_interval(c.now), 0.0,
                         "was " + format_value(c.before, dimension::count)});
    return parts;
}

}  // namespace perfspec::detail
