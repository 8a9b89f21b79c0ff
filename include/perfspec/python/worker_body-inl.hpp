// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/queries.hpp>
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

// What a run asks of the subjects of workers by --perf-with.

namespace perfspec::detail {

/// What is behind a subject that a worker runs.
struct worker_body {
    subject_worker* worker;
    std::string name;
};

/// What is asked of a subject but for what its test declares: .axis("batch", 8) says that it runs so already.
inline setting_list undeclared(const subject_state& is, const requested_settings& asked) {
    setting_list all = asked.axes();
    std::erase_if(all, [&](const auto& each) {
        const bool has_axis =
            std::ranges::find(is.axes, each.first, &std::pair<std::string, std::string>::first) != is.axes.end();
        return has_axis && std::ranges::find(is.settings, each.first) == is.settings.end();
    });
    return all;
}

/// Why a subject cannot be asked at all; empty where its worker decides.
inline std::string why_worker_stays(const subject_state& is, const subject_worker& worker, const setting_list& asked) {
    const std::string threads = value_in(asked, "threads");
    const std::string written = value_in(worker.recipe().command.environment, "OMP_NUM_THREADS");
    if (!threads.empty() && worker.recipe().has_own_threads && threads != written)
        return fmt::format(
            "this run asks for threads={} (--perf-with), and the code gives {} threads={}, which stays: leave it out of the "
            "code, or out of the run",
            threads, worker.who(), written);
    if (!value_in(asked, "batch").empty() && (is.items != 0.0 || is.bytes != 0.0 || is.flops != 0.0))
        return "its items, bytes or flops are those of the batch in the code, and the run changes it: leave one of both out";
    return {};
}

/// Leaves to the worker what it can take: it says so when it loads the subject.
inline std::string take_worker_settings(const subject& x, const requested_settings& asked) {
    const auto& body = *static_cast<worker_body*>(x.storage());
    setting_list wanted = undeclared(x.state(), asked);
    if (std::string reason = why_worker_stays(x.state(), *body.worker, wanted); !reason.empty()) return reason;
    body.worker->ask_for(body.name, std::move(wanted));
    return {};
}

// The body of a subject that a worker runs.

inline std::int64_t read_worker(void* self, std::uint64_t iterations, remote_reading what) {
    const auto& body = *static_cast<worker_body*>(self);
    if (what == remote_reading::peak_memory) return body.worker->memory(body.name);
    const remote_sample taken = body.worker->run(body.name, iterations);
    if (what != remote_reading::processor_time) return taken.elapsed_ns;
    if (taken.cpu_unknown.empty()) return taken.cpu_ns;
    throw measurement_failure(failure_kind::unavailable,
                              fmt::format("{} does not know the processor time of \"{}\": {}", body.worker->who(),
                                          body.name, printable(taken.cpu_unknown)));
}

inline void run_worker(void* self, std::uint64_t iterations) {
    static_cast<void>(read_worker(self, iterations, remote_reading::wall_time));
}

inline double ask_value(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    return body.worker->value(body.name);
}

/// A file of this process that does not exist yet, for what one worker writes and another one reads.
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
    const std::string& told = worker.facts().language;
    return told.substr(0, told.find(' '));
}

inline verification compare_workers(const worker_body& reference, const worker_body& candidate) {
    if (reference.worker == candidate.worker) return reference.worker->compare(reference.name, candidate.name);
    const std::string one = language_of(*reference.worker);
    const std::string other = language_of(*candidate.worker);
    if (one != other)
        return {verification_code::verifier_didnt_run,
                fmt::format("\"{}\" is in {}, and \"{}\" in {}: outputs are compared within one language",
                            reference.name, one, candidate.name, other),
                {}};
    const exchanged_file file;
    reference.worker->write(reference.name, file.path());
    return candidate.worker->compare_with_file(file.path(), candidate.name);
}

/// Whether a failure says nothing of the body: XLA's codes have no word for a worker that died, hung, or lacks
/// something.
inline bool is_of_no_body(failure_kind kind) {
    return kind == failure_kind::unavailable || kind == failure_kind::timed_out || kind == failure_kind::worker_failed;
}

/// The code of a worker that could not run a body when outputs were compared. The reference's own failures are told by
/// the worker.
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

/// How long compiling took in the worker of a subject. Nothing is said of a compiler cache that was warm.
inline double ask_compile_ns(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    const double ns = body.worker->count(body.name, "compile_ns");
    if (body.worker->count(body.name, "cache_hits") == 0.0) return ns;
    throw measurement_failure(
        failure_kind::not_countable,
        fmt::format("\"{}\" was compiled with a warm compiler cache, so its time says nothing of a first compilation: "
                    "write {{.cold_compiler_cache = true}} behind the name of the file in python_subjects(…)",
                    body.name));
}

/// What a worker says of itself, but for seeds, which change nothing that is stored.
inline std::vector<std::pair<std::string, std::string>> facts_to_tell(const worker_facts& facts) {
    std::vector<std::pair<std::string, std::string>> told{{"language", facts.language}};
    for (const auto& setting : facts.settings)
        if (setting.first != "hash_seed") told.push_back(setting);
    return told;
}

inline std::vector<std::pair<std::string, std::string>> tell_worker_facts(void* self, remote_asking how) {
    subject_worker& worker = *static_cast<worker_body*>(self)->worker;
    try {
        if (how == remote_asking::may_start) return facts_to_tell(worker.facts());
        if (const auto& last = worker.last_facts()) return facts_to_tell(*last);
    } catch (const measurement_failure&) {}  // the claim itself says why
    return {};
}

/// What the worker told of the subject's figures, as one text.
inline std::string tell_worker_notes(void* self) {
    const auto& body = *static_cast<worker_body*>(self);
    std::string all;
    for (const std::string& note : body.worker->notes(body.name)) all += (all.empty() ? "" : "; ") + note;
    return all;
}

/// Nothing where the worker does not know: no verdict depends on it.
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
    made.state().hidden_operators =
        fmt::format("the operators of \"{}\" run in {}, and only those of this process are seen", name, worker.who());
    made.state().ask_declared = ask_compile_ns;
    made.state().tell_remote_facts = tell_worker_facts;
    made.state().remote_operators = operators_of_worker;
    made.state().caveat = tell_worker_notes;
    return made;
}

}  // namespace perfspec::detail
