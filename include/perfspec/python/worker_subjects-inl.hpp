// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/claim/modules.hpp>
#include <perfspec/language/expression_node.hpp>
#include <perfspec/plan/environment.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/python/subject_worker.hpp>
#include <perfspec/python/worker_body-inl.hpp>
#include <perfspec/python/worker_script.hpp>
#include <perfspec/python/worker_subjects.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/session/session.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <strings.h>
#include <unistd.h>

namespace perfspec::inline v0_2 {
namespace detail {

/// The variables at the start of this program, without those that mark it as a child of perfspec.
inline variable_list variables_for_workers() {
    variable_list variables = at_program_start().environment;
    std::erase_if(variables, [](const auto& variable) {
        return variable.first == "PERFSPEC_CHILD" || variable.first == "PERFSPEC_PARENT";
    });
    return variables;
}

inline bool is_set(const variable_list& variables, std::string_view name) {
    return std::ranges::find(variables, name, &std::pair<std::string, std::string>::first) != variables.end();
}

/// Adds a variable that neither the environment nor the test has set.
inline void set_by_default(variable_list& variables, std::string_view name, std::string_view value) {
    if (!is_set(variables, name)) variables = with_variable(std::move(variables), name, value);
}

/// Whether idle threads of OpenMP sleep instead of spinning.
inline bool lets_idle_threads_sleep(const variable_list& variables) {
    return ::strcasecmp(value_in(variables, "OMP_WAIT_POLICY").c_str(), "passive") == 0;
}

/// A text that identifies the code of a worker.
inline std::string described_code(std::string_view program, const variable_list& set_by_test) {
    std::string text(program);
    for (const auto& [name, value] : set_by_test) text += fmt::format(" {}={}", name, value);
    return text;
}

inline worker_recipe recipe_of(std::string who, std::vector<std::string> arguments, const worker_settings& settings,
                               const char* made_in) {
    worker_recipe recipe;
    recipe.who = std::move(who);
    recipe.patience = settings.patience;
    const auto program =
        program_called(arguments.front(), folder_of_source(made_in, at_program_start()), program_start_environment());
    if (!program)
        recipe.missing = "there is no \"" + arguments.front() + "\" in PATH: install it, or name it by its path";
    recipe.command.executable = program.value_or(arguments.front());
    recipe.command.working_directory = folder_of_source(made_in, at_program_start());
    recipe.runs = described_code(fmt::format("{} in {}", fmt::join(arguments, " "), recipe.command.working_directory),
                                 settings.environment);
    recipe.command.arguments.assign(std::make_move_iterator(arguments.begin() + 1),
                                    std::make_move_iterator(arguments.end()));
    recipe.command.environment = variables_for_workers();
    recipe.command.dies_with_parent = true;
    for (const auto& [name, value] : settings.environment)
        recipe.command.environment = with_variable(std::move(recipe.command.environment), name, value);
    recipe.has_own_threads = is_set(settings.environment, "OMP_NUM_THREADS");
    return recipe;
}

/// What the caller of python_subjects passes: its file, the Python of its build, and the folder of perfspec's headers.
struct python_caller {
    const char* made_in;
    const char* found_python;
    const char* header;
};

inline worker_recipe python_recipe(std::string_view file, const python_settings& settings,
                                   const python_caller& caller) {
    if (file.empty()) throw input_error("python_subjects(\"\"): name a file with subjects, such as \"models.py\"");
    worker_settings common{settings.environment, settings.process, settings.patience};
    const std::string python = python_to_use(settings.interpreter, caller.found_python, program_start_environment());
    const auto path =
        (std::filesystem::path(folder_of_source(caller.made_in, at_program_start())) / file).lexically_normal();
    const worker_script script =
        find_worker_script({caller.header, __FILE__}, at_program_start(), program_start_environment());
    worker_recipe recipe = recipe_of(fmt::format("the worker of {}", path.filename().string()),
                                     {python, script.path, path.string()}, common, caller.made_in);
    recipe.misplaced = reason_of_missing_python(settings.interpreter, caller.found_python,
                                                recipe.command.working_directory, program_start_environment());
    if (recipe.misplaced.empty()) recipe.misplaced = script.missing;
    recipe.runs = described_code(path.string(), settings.environment);
    if (settings.threads != 0) recipe.runs += fmt::format(" with {} threads", settings.threads);
    variable_list& variables = recipe.command.environment;
    if (settings.threads != 0)
        for (const char* const name : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"})
            variables = with_variable(std::move(variables), name, std::to_string(settings.threads));
    set_by_default(variables, "OMP_WAIT_POLICY", "passive");
    recipe.rests = !lets_idle_threads_sleep(variables);
    set_by_default(variables, "TORCHINDUCTOR_COMPILE_THREADS", "1");
    set_by_default(variables, "PYTHONHASHSEED", "0");
    recipe.has_own_threads = recipe.has_own_threads || settings.threads != 0;
    recipe.has_own_version = !settings.interpreter.empty();
    if (settings.cold_compiler_cache)
        recipe.cold_cache = (std::filesystem::temp_directory_path() / "perfspec-cache-").string();
    return recipe;
}

/// Objects with equal texts share a process.
inline std::string identity_of(const worker_recipe& recipe, std::string_view process) {
    std::string identity = fmt::format("{}\n{}\n{}\n{}\n{}", process, recipe.command.working_directory,
                                       recipe.command.executable, recipe.cold_cache, recipe.patience.count());
    for (const std::string& argument : recipe.command.arguments) identity += "\n" + argument;
    for (const auto& [name, value] : recipe.command.environment) identity += "\n" + name + "=" + value;
    return identity;
}

/// Shows the wait on the console of this run.
inline void show_worker_wait(const std::string& doing, std::chrono::nanoseconds so_far,
                             std::chrono::nanoseconds limit) {
    this_session().status().wait(doing, {so_far, limit});
}

/// The workers of this program. They live until its end.
class workers_of_program {
public:
    subject_worker& worker(worker_recipe recipe, std::string_view process) {
        std::unique_ptr<subject_worker>& known = workers_[identity_of(recipe, process)];
        if (known) return *known;
        if (!recipe.cold_cache.empty()) {
            recipe.cold_cache += fmt::format("{}-{}", ::getpid(), workers_.size());
            recipe.command.environment =
                with_variable(std::move(recipe.command.environment), "TORCHINDUCTOR_CACHE_DIR", recipe.cold_cache);
            recipe.command.environment =
                with_variable(std::move(recipe.command.environment), "TRITON_CACHE_DIR", recipe.cold_cache + "/triton");
        }
        known = std::make_unique<subject_worker>(std::move(recipe), launcher_, wall_, show_worker_wait);
        for (const auto& [identity, other] : workers_)
            if (other != known) {
                known->add_peer(*other);
                other->add_peer(*known);
            }
        return *known;
    }

private:
    posix_launcher launcher_;
    monotonic_clock wall_;
    std::map<std::string, std::unique_ptr<subject_worker>> workers_;
};

inline subject_worker& worker_of_program(const worker_recipe& recipe, std::string_view process) {
    static workers_of_program all;
    return all.worker(recipe, process);
}

/// Whether the test declared something of a worker's subject, such as `py("eager").unverified()`. All handles of one
/// subject share declarations.
inline bool has_declarations(const subject& x) {
    const subject_state& is = x.state();
    return !is.verify || !is.axes.empty() || is.items != 0.0 || is.bytes != 0.0 || is.flops != 0.0;
}

inline worker_recipe recipe_of_command(const std::vector<std::string>& command, const worker_settings& settings,
                                       const char* made_in) {
    if (command.empty() || command.front().empty())
        throw input_error("worker_subjects({}): name the program and its arguments, such as {\"node\", \"worker.js\"}");
    std::string words;
    for (const std::string& word : command) words += (words.empty() ? "" : " ") + word;
    worker_recipe recipe = recipe_of("the worker \"" + words + "\"", command, settings, made_in);
    recipe.has_own_clock = true;
    return recipe;
}

/// A count of a worker as the body of a subject. Its first member is the body of the counted subject, so that functions
/// can take either.
struct counted_body {
    worker_body of;
    std::string name;
};

inline double ask_count(void* self) {
    const auto& body = *static_cast<counted_body*>(self);
    return body.of.worker->count(body.of.name, body.name);
}

/// The number of calls before the count, and the counted places, if the worker reports them.
inline std::string tell_calls(void* self) {
    const auto& body = *static_cast<counted_body*>(self);
    const std::uint64_t calls = body.of.worker->counted_after(body.of.name);
    std::string text =
        calls == 0 ? std::string() : fmt::format("counted after {} call{}", calls, calls == 1 ? "" : "s");
    for (const std::string& place : body.of.worker->counted_places(body.of.name, body.name))
        text += (text.empty() ? "" : "; ") + place;
    return text;
}

inline constexpr body_functions counting_functions{
    .run = [](void*, std::uint64_t) {}, .destroy = destroy_body<counted_body>, .take_settings = take_worker_settings};

inline subject counted_subject(const subject& x, std::string_view name) {
    if (x.state().functions != &worker_functions)
        throw input_error(std::string(name) + "(x): \"" + std::string(x.name()) +
                          "\" is not a subject of a worker, and only workers count this: write " + std::string(name) +
                          "(py(\"inductor\"))");
    subject made(x.name(), counting_functions, sizeof(counted_body));
    made.construct<counted_body>(*static_cast<worker_body*>(x.storage()), std::string(name));
    declare_like(made, x);
    made.state().id = x.state().id;  // two claims on one number are about one subject
    made.state().remote = x.state().remote;
    made.state().process = x.state().process;
    made.state().runs = x.state().runs;
    made.state().caveat = tell_calls;
    made.state().remote_facts = tell_worker_facts;
    return made;
}

constexpr metric_traits worker_counter_metric{.word = "worker_counter",
                                              .unit = dimension::count,
                                              .statistic = statistic::exact,
                                              .direction = better::less,
                                              .from = reading::declared,
                                              .otherwise = unreadable::is_skipped,
                                              .baselines = shared_by::like_machines,
                                              .help = "a number that a worker counts for its subject, such as graph "
                                                      "breaks"};

class worker_counts final : public module_metric {
public:
    [[nodiscard]] bool reads_other_processes() const override { return true; }
    [[nodiscard]] double declared(const subject& x) const override { return ask_count(x.storage()); }
};

}  // namespace detail

worker_subjects::worker_subjects(const detail::worker_recipe& recipe, std::string_view process)
    : worker_(&detail::worker_of_program(recipe, process)) {}

worker_subjects::worker_subjects(const std::vector<std::string>& command, const worker_settings& settings,
                                 const char* made_in)
    : worker_subjects(detail::recipe_of_command(command, settings, made_in), settings.process) {}

subject worker_subjects::operator()(std::string_view name) const {
    const auto known = std::ranges::find(made_, name, &subject::name);
    if (known == made_.end()) return made_.emplace_back(detail::worker_subject(*worker_, name));
    if (!detail::has_declarations(*known)) return *known;
    subject made = detail::worker_subject(*worker_, name);
    made.state().id = known->state().id;
    made.state().loaded = known->state().loaded;
    return *known = made;
}

python_subjects::python_subjects(std::string_view file, const python_settings& settings, const char* made_in,
                                 const char* found_python, const char* header)
    : worker_subjects(detail::python_recipe(file, settings, {made_in, found_python, header}), settings.process) {}

inline namespace language {

query<dimension::count, statistic::exact> worker_counter(const subject& x, std::string_view name) {
    if (name.empty())
        throw input_error("worker_counter(x, \"\"): name the number, such as \"inductor.fxgraph_cache_miss\"");
    const subject counted = detail::counted_subject(x, name);  // may throw, so not within the braces (g++ 12)
    return detail::make_query<dimension::count, statistic::exact>(
        {.metric = detail::worker_counter_metric,
         .module = {.metrics = {std::make_shared<detail::worker_counts>()}, .word = std::string(name)},
         .subjects = {counted}});
}

query<dimension::count, statistic::exact> graph_breaks(const subject& x) { return worker_counter(x, "graph_breaks"); }
query<dimension::count, statistic::exact> compilations(const subject& x) { return worker_counter(x, "compilations"); }
query<dimension::count, statistic::exact> recompiles(const subject& x) { return worker_counter(x, "recompiles"); }

}  // namespace language

}  // namespace perfspec::inline v0_2
