// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/queries.hpp>
#include <perfspec/explain/subject_parts.hpp>
#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/python/subject_worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <filesystem>
#include <new>
#include <string>
#include <string_view>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

// Settings of a run (--perf-with) for the subjects of workers.

namespace perfspec::inline v0_2::detail {

/// The storage of a subject that a worker runs.
struct worker_body {
    subject_worker* worker;
    std::string name;
};

/// The requested settings that the test does not declare: with .axis("batch", 8) the subject has that batch already.
inline setting_list undeclared(const subject_state& is, const requested_settings& requested) {
    setting_list all = requested.axes();
    std::erase_if(all, [&](const auto& each) {
        const bool has_axis =
            std::ranges::find(is.axes, each.first, &std::pair<std::string, std::string>::first) != is.axes.end();
        return has_axis && std::ranges::find(is.settings, each.first) == is.settings.end();
    });
    return all;
}

/// Why a subject cannot take the settings, with any worker; empty if the worker decides.
inline std::string why_worker_stays(const subject_state& is, const subject_worker& worker,
                                    const setting_list& settings) {
    const std::string threads = value_in(settings, "threads");
    const std::string in_code = value_in(worker.recipe().command.environment, "OMP_NUM_THREADS");
    if (!threads.empty() && worker.recipe().has_own_threads && threads != in_code)
        return fmt::format(
            "this run asks for threads={} (--perf-with), but the code gives {} threads={}, which takes precedence: "
            "leave threads out of the code, or out of the run",
            threads, worker.who(), in_code);
    if (!value_in(settings, "batch").empty() && (is.items != 0.0 || is.bytes != 0.0 || is.flops != 0.0))
        return "the run changes its batch, but its items, bytes or flops are those of the batch in the code: leave out "
               "one of them";
    return {};
}

/// The worker itself reports which settings the subject takes, when it loads the subject.
inline std::string take_worker_settings(const subject& x, const requested_settings& requested) {
    const auto& body = *static_cast<worker_body*>(x.storage());
    setting_list settings = undeclared(x.state(), requested);
    if (std::string reason = why_worker_stays(x.state(), *body.worker, settings); !reason.empty()) return reason;
    body.worker->request_settings(body.name, std::move(settings));
    return {};
}

// The body of a subject that a worker runs.

inline std::int64_t read_worker(void* self, std::uint64_t iterations, remote_reading what) {
    const auto& body = *static_cast<worker_body*>(self);
    if (what == remote_reading::peak_memory) return body.worker->memory(body.name);
    const remote_sample sample = body.worker->run(body.name, iterations);
    if (what != remote_reading::processor_time) return sample.elapsed_ns;
    if (sample.cpu_unknown.empty()) return sample.cpu_ns;
    throw measurement_failure(failure_kind::unavailable,
                              fmt::format("{} does not know the processor time of \"{}\": {}", body.worker->who(),
                                          body.name, printable(sample.cpu_unknown)));
}

inline void run_worker(void* self, std::uint64_t iterations) {
    static_cast<void>(read_worker(self, iterations, remote_reading::wall_time));
}

inline double ask_value(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    return body.worker->value(body.name);
}

/// The path of a new temporary file, through which one worker passes outputs to another.
class exchanged_file {
public:
    exchanged_file() {
        static std::atomic<unsigned> number{};
        path_ = std::filesystem::temp_directory_path() / fmt::format("perfspec-output-{}-{}", ::getpid(), ++number);
    }
    exchanged_file(const exchanged_file&) = delete;
    exchanged_file& operator=(const exchanged_file&) = delete;
    ~exchanged_file() {
        std::error_code ignored;
        std::filesystem::remove(path_, ignored);
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path path_;
};

/// "Python" of "Python 3.11.7".
inline std::string language_of(subject_worker& worker) {
    const std::string& language = worker.facts().language;
    return language.substr(0, language.find(' '));
}

inline verification compare_workers(const worker_body& reference, const worker_body& candidate) {
    if (reference.worker == candidate.worker) return reference.worker->compare(reference.name, candidate.name);
    const std::string one = language_of(*reference.worker);
    const std::string other = language_of(*candidate.worker);
    if (one != other)
        return {verification_code::verifier_didnt_run,
                fmt::format("\"{}\" is in {}, but \"{}\" is in {}: perfspec compares outputs only within one language",
                            reference.name, one, candidate.name, other),
                {}};
    const exchanged_file file;
    reference.worker->write(reference.name, file.path());
    return candidate.worker->compare_with_file(file.path(), candidate.name);
}

/// Whether the failure is not one of the body: XLA has no codes for a worker that died, hung, or lacks something.
inline bool is_of_no_body(failure_kind kind) {
    return kind == failure_kind::unavailable || kind == failure_kind::timed_out || kind == failure_kind::worker_failed;
}

/// The code for a candidate that a worker could not run. The worker reports failures of the reference itself.
inline verification_code code_of_failure(failure_kind kind) {
    if (kind == failure_kind::out_of_memory) return verification_code::out_of_memory;
    return kind == failure_kind::load_threw ? verification_code::load_failed : verification_code::exception_raised;
}

inline verification compare_worker_outputs(void* reference, void* candidate) {
    try {
        return compare_workers(*static_cast<worker_body*>(reference), *static_cast<worker_body*>(candidate));
    } catch (const measurement_failure& failure) {
        if (is_of_no_body(failure.kind)) throw;
        return {code_of_failure(failure.kind), failure.what(), {}};
    }
}

inline constexpr body_functions worker_functions{.run = run_worker,
                                                 .destroy = destroy_body<worker_body>,
                                                 .same_output = compare_worker_outputs,
                                                 .value = ask_value,
                                                 .take_settings = take_worker_settings,
                                                 .run_remotely = read_worker};

/// Time of compiling in the worker of a subject. Throws measurement_failure for a warm compiler cache.
inline double ask_compile_ns(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    const double ns = body.worker->count(body.name, "compile_ns");
    if (body.worker->count(body.name, "cache_hits") == 0.0) return ns;
    throw measurement_failure(
        failure_kind::not_countable,
        fmt::format("\"{}\" was compiled with a warm compiler cache, so its time says nothing about a first "
                    "compilation: write {{.cold_compiler_cache = true}} after the name of the file in "
                    "python_subjects(…)",
                    body.name));
}

/// The facts of a worker for records, without seeds.
inline std::vector<std::pair<std::string, std::string>> recorded_facts(const subject_answer& facts) {
    std::vector<std::pair<std::string, std::string>> all{{"language", facts.language}};
    for (const auto& setting : facts.settings)
        if (setting.first != "hash_seed") all.push_back(setting);
    return all;
}

inline std::vector<std::pair<std::string, std::string>> tell_worker_facts(void* self, remote_lookup how) {
    subject_worker& worker = *static_cast<worker_body*>(self)->worker;
    try {
        if (how == remote_lookup::may_start) return recorded_facts(worker.facts());
        if (const auto& last = worker.last_facts()) return recorded_facts(*last);
    } catch (const measurement_failure&) {}  // the claim itself reports it
    return {};
}

inline usage_meter* usage_of_worker(void* self) { return static_cast<worker_body*>(self)->worker->usage(); }

/// The worker's notes on the subject, as one text.
inline std::string tell_worker_notes(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    std::string all;
    for (const std::string& note : body.worker->notes(body.name)) all += (all.empty() ? "" : "; ") + note;
    return all;
}

/// Empty if the worker does not know them, since no verdict depends on them.
inline std::vector<operator_event> operators_of_worker(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    try {
        return body.worker->operators(body.name);
    } catch (const measurement_failure&) { return {}; }
}

inline subject worker_subject(subject_worker& worker, std::string_view name) {
    explain();
    subject made(name, worker_functions, sizeof(worker_body));
    made.construct<worker_body>(&worker, std::string(name));
    made.load([at = &worker, called = std::string(name)] { at->load(called); });
    made.state().remote = worker.who();
    made.state().process = &worker;
    made.state().runs = fmt::format("\"{}\" of {}", name, worker.recipe().runs);
    model_of(made).hidden_operators = fmt::format(
        "the operators of \"{}\" run in {}, but perfspec sees only those of this process", name, worker.who());
    readings_of(made).compile_time = ask_compile_ns;
    made.state().remote_facts = tell_worker_facts;
    readings_of(made).remote_operators = operators_of_worker;
    made.state().remote_usage = usage_of_worker;
    made.state().caveat = tell_worker_notes;
    return made;
}

}  // namespace perfspec::inline v0_2::detail
