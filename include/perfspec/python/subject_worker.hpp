// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/explain/operator_events.hpp>
#include <perfspec/language/verification.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/measure/machine/disturbance.hpp>
#include <perfspec/measure/machine/processor_use.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/workers/worker.hpp>
#include <perfspec/report/record_fields.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2::detail {

/// How to start a worker.
struct worker_recipe {
    std::string who{};        ///< its name in messages: "the worker of models.py"
    std::string runs{};       ///< its program or file, with the path, and the variables that the test sets
    child_command command{};  ///< without the variable PERFSPEC_WORKER
    std::string missing{};    ///< what this machine lacks to run it, or empty
    std::string misplaced{};  ///< what of perfspec is not where it should be, or empty
    std::chrono::nanoseconds patience{std::chrono::minutes(10)};
    bool has_own_threads{};    ///< the test sets its number of threads, so other workers may have another one
    bool has_own_version{};    ///< the test names its interpreter, so other workers may have other libraries
    bool has_own_clock{};      ///< a program that is not perfspec's: its times are checked
    bool rests{};              ///< its process is stopped between requests, because its idle threads would spin
    std::string cold_cache{};  ///< a folder, emptied before each start and removed at the end; empty: none
};

/// Times of calls of a body in a worker, in nanoseconds.
struct remote_sample {
    std::int64_t elapsed_ns{};
    std::int64_t cpu_ns{};
    std::string cpu_unknown{};  ///< why the worker does not know cpu_ns, or empty

    friend bool operator==(const remote_sample&, const remote_sample&) = default;
};

/// The meter of a worker's process, which the worker itself reads around each sample. If it does not, the meter shows
/// how long the process has waited since its start, and no sample that waited is exact.
class worker_meter final : public usage_meter {
public:
    explicit worker_meter(usage_meter& process) : process_(process) {}

    /// Adds the use in a sample, as the worker reports it.
    void add(const processor_use& of_sample);

    [[nodiscard]] perfspec::usage now() override { return process_.now(); }
    [[nodiscard]] processor_use use_of_processors(metered_waiting which, reading_place where) override;

private:
    usage_meter& process_;
    processor_use reported_{};
    std::uint64_t readings_{};
};

/// Called once a second during a wait for an answer, with a text: "the worker of models.py builds \"compiled\"".
using worker_wait_teller =
    std::function<void(const std::string& doing, std::chrono::nanoseconds so_far, std::chrono::nanoseconds limit)>;

using setting_list = std::vector<std::pair<std::string, std::string>>;

/// Empty for a name that is not in the list.
[[nodiscard]] inline std::string value_in(const setting_list& settings, std::string_view name) {
    const auto found = std::ranges::find(settings, name, &setting_list::value_type::first);
    return found == settings.end() ? std::string() : found->second;
}

/// A request to a worker (PROTOCOL.md).
struct subject_request {
    std::string request{};
    std::optional<std::uint64_t> number{};
    std::string subject{};
    setting_list settings{};  ///< of "load"
    std::optional<std::uint64_t> iterations{};
    std::string name{};  ///< of a count
    std::string reference{}, candidate{}, file{};
};

/// An operator in an answer: all its calls together.
struct called_operator {
    std::string name{};
    std::uint64_t calls{};
    std::int64_t ns{};
};

/// An answer of a worker: those of all words.
struct subject_answer {
    std::string answer{}, reason{}, kind{};
    std::optional<std::uint64_t> number{}, protocol{}, iterations{}, elapsed_ns{}, cpu_ns{}, calls{};
    std::string language{}, cpu_unknown{}, text{};
    std::vector<std::string> subjects{}, notes{}, places{};
    setting_list settings{};  ///< on which its times depend, or which a subject has: {"threads", "2"}
    std::optional<processor_use> use{};
    std::optional<double> value{}, peak_bytes{};
    std::vector<called_operator> operators{};
    std::optional<verification_code> code{};
    std::vector<verification_statistic> statistics{};
};

template <>
inline constexpr std::tuple fields_of<subject_request>{
    field{"request", &subject_request::request},       field{"number", &subject_request::number},
    field{"subject", &subject_request::subject},       field{"name", &subject_request::name},
    field{"settings", &subject_request::settings},     field{"file", &subject_request::file},
    field{"iterations", &subject_request::iterations}, field{"candidate", &subject_request::candidate},
    field{"reference", &subject_request::reference},
};

template <>
inline constexpr std::tuple fields_of<called_operator>{
    field{"name", &called_operator::name},
    field{"calls", &called_operator::calls},
    field{"ns", &called_operator::ns},
};

template <>
inline constexpr std::tuple fields_of<subject_answer>{
    field{"answer", &subject_answer::answer},           field{"number", &subject_answer::number},
    field{"reason", &subject_answer::reason},           field{"kind", &subject_answer::kind},
    field{"protocol", &subject_answer::protocol},       field{"language", &subject_answer::language},
    field{"subjects", &subject_answer::subjects},       field{"settings", &subject_answer::settings},
    field{"iterations", &subject_answer::iterations},   field{"calls", &subject_answer::calls},
    field{"elapsed_ns", &subject_answer::elapsed_ns},   field{"cpu_ns", &subject_answer::cpu_ns},
    field{"cpu_unknown", &subject_answer::cpu_unknown}, field{"use", &subject_answer::use},
    field{"peak_bytes", &subject_answer::peak_bytes},   field{"value", &subject_answer::value},
    field{"operators", &subject_answer::operators},     field{"notes", &subject_answer::notes},
    field{"places", &subject_answer::places},           field{"code", &subject_answer::code},
    field{"statistics", &subject_answer::statistics},   field{"text", &subject_answer::text},
};

/// A process that has subjects and runs them on request (PROTOCOL.md). It starts with the first request, and after a
/// failure with the next one. Each process loads a subject before its first request for it.
///
///     subject_worker worker(recipe, launcher, wall);
///     worker.load("eager");
///     const remote_sample sample = worker.run("eager", 5);
///
/// Each function throws measurement_failure, which names the worker: with the kind that the worker reports, or
/// worker_failed, timed_out or out_of_memory if its process ends, does not answer in time, or sends no valid answer.
class subject_worker {
public:
    subject_worker(worker_recipe recipe, process_launcher& launcher, clock& wall, worker_wait_teller tell = {});
    subject_worker(const subject_worker&) = delete;
    subject_worker& operator=(const subject_worker&) = delete;
    ~subject_worker();

    [[nodiscard]] const std::string& who() const noexcept { return recipe_.who; }
    [[nodiscard]] const worker_recipe& recipe() const noexcept { return recipe_; }
    /// Adds another worker of this program, whose times may be compared with those of this one.
    void add_peer(const subject_worker& other) { peers_.push_back(&other); }
    /// Its `hello`. Starts the process if it does not run.
    [[nodiscard]] const subject_answer& facts();
    /// The facts of the running process; null if it does not run.
    [[nodiscard]] const subject_answer* known_facts() const noexcept {
        return channel_ && last_facts_ ? &*last_facts_ : nullptr;
    }
    /// The facts at the last start; none if it never started.
    [[nodiscard]] const std::optional<subject_answer>& last_facts() const noexcept { return last_facts_; }

    /// The meter of the running process; null if it does not run.
    [[nodiscard]] usage_meter* usage() {
        return channel_ && channel_->usage() != nullptr && meter_ ? &*meter_ : nullptr;
    }

    /// Sets what the run requests of a subject, {"batch", "8"}. The process restarts if it runs with other settings.
    /// Loading throws measurement_failure (unavailable) if the worker does not confirm them.
    void request_settings(const std::string& subject, setting_list settings);
    void load(const std::string& subject);
    [[nodiscard]] remote_sample run(const std::string& subject, std::uint64_t iterations);
    /// The number that one call returns: finite, from 0 up.
    [[nodiscard]] double value(const std::string& subject);
    /// The bytes by which one call raised the memory of the process.
    [[nodiscard]] std::int64_t memory(const std::string& subject);
    /// The operators of one call, one after another, with times that exclude their callees.
    [[nodiscard]] std::vector<operator_event> operators(const std::string& subject);
    /// A count of a subject: finite, from 0 up.
    [[nodiscard]] double count(const std::string& subject, const std::string& name);
    /// Calls of the subject until its last count; 0 if the worker does not tell.
    [[nodiscard]] std::uint64_t counted_after(const std::string& subject) { return known_[subject].counted_after; }
    /// Places and reasons of the last count of this name, in the worker's words.
    [[nodiscard]] const std::vector<std::string>& counted_places(const std::string& subject, const std::string& name) {
        return known_[subject].places[name];
    }
    [[nodiscard]] verification compare(const std::string& reference, const std::string& candidate);
    /// The worker's notes on this subject, each once.
    [[nodiscard]] const std::vector<std::string>& notes(const std::string& subject) { return known_[subject].notes; }
    /// Writes the result of one call to a new file, for a worker of the same language.
    void write(const std::string& subject, const std::string& file);
    [[nodiscard]] verification compare_with_file(const std::string& file, const std::string& candidate);

private:
    /// Compares samples with the wait for their answers, without time of waiting for a processor. That time is looked
    /// up from the second suspicious sample on, because it takes time.
    struct plausibility {
        int too_short{};      ///< samples in a row below a tenth of a long wait
        bool is_plausible{};  ///< a sample took most of a long wait
    };

    /// A subject in the running process.
    struct known_subject {
        setting_list requested{};  ///< by the run, in any process
        /// Why a loaded subject lacks the requested settings, or empty.
        std::optional<std::string> unavailable{};
        plausibility samples{};
        std::vector<std::string> notes{};
        std::uint64_t counted_after{};                             ///< calls
        std::map<std::string, std::vector<std::string>> places{};  ///< by the name of the count
    };
    struct wait_for_answer {
        std::int64_t all_ns{};
        std::int64_t starved_ns{};  ///< part in which the worker, or this program, waited for a processor
    };

    void start();
    [[nodiscard]] wait_callback teller_for(const subject_request& request) const;
    void greet(const subject_answer& hello);
    void stop() noexcept;
    /// The result of an act. Ends the process if it throws: the next request starts another one.
    template <class Act> auto or_stop(Act act) -> decltype(act()) {
        try {
            return act();
        } catch (...) {
            stop();
            throw;
        }
    }
    void remove_cache() noexcept;
    [[nodiscard]] subject_answer ask(const subject_request& request, std::string_view expected);
    [[nodiscard]] subject_answer ask_loaded(const subject_request& request, std::string_view expected);
    [[nodiscard]] subject_answer exchange(subject_request request);
    [[nodiscard]] double required(const subject_answer& answer, std::optional<double> number, const char* name);
    [[nodiscard]] verification read_comparison(const subject_answer& answer);
    [[noreturn]] void refuse(const subject_answer& answer) const;
    void stop_at(const subject_answer& answer, std::string_view expected);
    void keep_notes(const std::string& subject, const subject_answer& answer);
    [[nodiscard]] std::string reason_of_missing_setting(const std::string& subject, const subject_answer& answer);
    [[nodiscard]] std::int64_t starved_if_doubtful(const std::string& subject);
    void require_time(const std::string& subject, std::int64_t elapsed_ns, wait_for_answer wait);

    worker_recipe recipe_;
    std::vector<const subject_worker*> peers_;
    process_launcher& launcher_;
    clock& wall_;
    worker_wait_teller tell_;
    std::optional<worker_channel> channel_;
    std::optional<worker_meter> meter_;  ///< of the channel's process
    std::uint64_t requests_{};           ///< over all processes
    std::optional<subject_answer> last_facts_;
    std::string threads_;  ///< requested by the run, or empty
    std::map<std::string, known_subject> known_;
};

/// Why times of two workers of one program cannot be compared, from the view of `a`; empty if they can. Threads and
/// versions of libraries must be equal, unless the test sets them for one of the two.
[[nodiscard]] std::string difference_of_workers(const subject_worker& a, const subject_worker& b);

}  // namespace perfspec::inline v0_2::detail
