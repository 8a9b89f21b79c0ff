// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/verification.hpp>
#include <perfspec/measure/counters/operator_events.hpp>
#include <perfspec/measure/machine/clock.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/process/workers/worker.hpp>

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

namespace perfspec::detail {

/// How to start a worker.
struct worker_recipe {
    std::string who{};        ///< its name in messages: "the worker of models.py"
    std::string runs{};       ///< its program or file, with the path, and the variables that the test sets
    child_command command{};  ///< without the variable that tells it what it is
    std::string missing{};    ///< what this machine lacks to run it; empty: nothing known
    std::string misplaced{};  ///< what of perfspec is not where it should be; empty: nothing
    std::chrono::nanoseconds patience{std::chrono::minutes(10)};
    bool has_own_threads{};  ///< the test sets its number of threads, which may then differ from that of other workers
    bool has_own_version{};  ///< the test names its interpreter, which may then have other libraries than those of
                             ///< other workers
    bool rests{};            ///< its process is stopped between requests, since its idle threads would spin
    std::string cold_cache{};  ///< a folder that is empty before each start and removed in the end; empty: none
};

/// What a worker's process read around the calls of a body, in nanoseconds.
struct remote_sample {
    std::int64_t elapsed_ns{};
    std::int64_t cpu_ns{};
    std::string cpu_unknown{};  ///< why the worker does not know cpu_ns; empty: it does

    friend bool operator==(const remote_sample&, const remote_sample&) = default;
};

/// Called once a second while a worker owes an answer, with what it does: "the worker of models.py builds
/// \"compiled\"".
using worker_wait_teller =
    std::function<void(const std::string& doing, std::chrono::nanoseconds so_far, std::chrono::nanoseconds limit)>;

using setting_list = std::vector<std::pair<std::string, std::string>>;

/// Empty where it is not among them.
[[nodiscard]] inline std::string value_in(const setting_list& settings, std::string_view name) {
    const auto found = std::ranges::find(settings, name, &setting_list::value_type::first);
    return found == settings.end() ? std::string() : found->second;
}

/// What a worker says of itself.
struct worker_facts {
    std::string language{};               ///< "Python 3.11.7"
    std::vector<std::string> subjects{};  ///< in the worker's order
    setting_list settings{};              ///< {"threads", "2"}: what its times depend on

    [[nodiscard]] std::string setting(std::string_view name) const { return value_in(settings, name); }
};

/// A process that has subjects and runs them on request (PROTOCOL.md). It starts with the first request, and again with
/// the next one after it failed. Before a subject is first asked for in a process, it is loaded there.
///
///     subject_worker worker(recipe, launcher, wall);
///     worker.load("eager");
///     const remote_sample taken = worker.run("eager", 5);
///
/// Each function throws measurement_failure, which names the worker: with the kind that it tells, or worker_failed,
/// timed_out and out_of_memory where its process ends, does not answer in time, or says something that is not an
/// answer.
class subject_worker {
public:
    subject_worker(worker_recipe recipe, process_launcher& launcher, clock& wall, worker_wait_teller tell = {});
    subject_worker(const subject_worker&) = delete;
    subject_worker& operator=(const subject_worker&) = delete;
    ~subject_worker();

    [[nodiscard]] const std::string& who() const noexcept { return recipe_.who; }
    [[nodiscard]] const worker_recipe& recipe() const noexcept { return recipe_; }
    /// Another worker of this program, whose times are compared with those of this one.
    void add_peer(const subject_worker& other) { peers_.push_back(&other); }
    /// Starts the process if it does not run.
    [[nodiscard]] const worker_facts& facts();
    /// What it said of itself where it runs; nothing where it does not.
    [[nodiscard]] const std::optional<worker_facts>& known_facts() const noexcept { return facts_; }

    /// What it said of itself when it last started; nothing where it never did.
    [[nodiscard]] const std::optional<worker_facts>& last_facts() const noexcept { return last_facts_; }

    /// What a run asks of a subject, {"batch", "8"}, before the next request for it. The process starts anew where it
    /// runs with others. Loading throws measurement_failure of the kind `unavailable` where the worker does not say
    /// that the subject has them.
    void ask_for(const std::string& subject, setting_list asked);
    void load(const std::string& subject);
    [[nodiscard]] remote_sample run(const std::string& subject, std::uint64_t iterations);
    /// The number that one call returns: finite, from 0 up.
    [[nodiscard]] double value(const std::string& subject);
    /// How much one call raised the memory of the process, in bytes.
    [[nodiscard]] std::int64_t memory(const std::string& subject);
    /// The operators of one call, one after another: their times of their own.
    [[nodiscard]] std::vector<operator_event> operators(const std::string& subject);
    /// A number that the worker knows of a subject: finite, from 0 up.
    [[nodiscard]] double count(const std::string& subject, const std::string& name);
    /// How often the subject had been called when it was last counted; 0 where the worker does not tell.
    [[nodiscard]] std::uint64_t counted_after(const std::string& subject) { return known_[subject].counted_after; }
    /// Where that was which was last counted under this name of the subject, and why, in the worker's words.
    [[nodiscard]] const std::vector<std::string>& counted_places(const std::string& subject, const std::string& name) {
        return known_[subject].places[name];
    }
    [[nodiscard]] verification compare(const std::string& reference, const std::string& candidate);
    /// What the worker told readers of this subject's figures, each once.
    [[nodiscard]] const std::vector<std::string>& notes(const std::string& subject) { return known_[subject].notes; }
    /// Writes what one call returns to a new file, for a worker of the same language.
    void write(const std::string& subject, const std::string& file);
    [[nodiscard]] verification compare_with_file(const std::string& file, const std::string& candidate);

private:
    /// Of the samples whose answers took long: how many in a row seemed to last less than a tenth of the time until
    /// their answer. Time of waiting for a processor is none of that. It is looked up from the second of them on,
    /// because that takes time.
    struct plausibility {
        int too_short{};
        bool is_plausible{};  ///< one lasted most of a long wait
    };

    /// What is known of a subject in the process that runs.
    struct known_subject {
        setting_list asked{};  ///< what the run asks of it, in any process
        std::optional<std::string>
            unavailable{};  ///< once it is loaded: why it cannot be measured as the run asks; empty: it can
        plausibility seen{};
        std::vector<std::string> notes{};
        std::uint64_t counted_after{};                             ///< calls
        std::map<std::string, std::vector<std::string>> places{};  ///< by the name of the count
    };
    struct wait_for_answer {
        std::int64_t all_ns{};
        std::int64_t starved_ns{};  ///< of it the worker, or this program, waited for a processor
    };

    void start();
    [[nodiscard]] waiting_teller teller_for(const worker_message& request) const;
    void greet(const worker_message& hello);
    void stop() noexcept;
    void remove_cache() noexcept;
    [[nodiscard]] worker_message ask(const worker_message& request, std::string_view expected);
    [[nodiscard]] worker_message ask_loaded(const std::string& subject, const worker_message& request,
                                            std::string_view expected);
    [[nodiscard]] worker_message exchange(worker_message request);
    [[nodiscard]] verification read_comparison(const worker_message& found) const;
    [[noreturn]] void refuse(const worker_message& found) const;
    void keep_notes(const worker_message& request, const worker_message& answer);
    [[nodiscard]] std::string setting_not_taken(const std::string& subject, const worker_message& answer);
    [[nodiscard]] std::int64_t starved_if_doubtful(const std::string& subject);
    void require_time(const std::string& subject, std::int64_t told_ns, wait_for_answer wait);

    worker_recipe recipe_;
    std::vector<const subject_worker*> peers_;
    process_launcher& launcher_;
    clock& wall_;
    worker_wait_teller tell_;
    std::optional<worker_channel> channel_;
    std::uint64_t requests_{};  ///< so far, over all processes
    std::optional<worker_facts> facts_;
    std::optional<worker_facts> last_facts_;
    std::string threads_;  ///< that the run asks for; empty: none
    std::map<std::string, known_subject> known_;
};

/// Why what two workers of one program measure cannot be compared, as `a` says it; empty if it can. Threads and
/// versions of libraries must be equal, unless the test sets them for one of the two.
[[nodiscard]] std::string difference_of_workers(const subject_worker& a, const subject_worker& b);

}  // namespace perfspec::detail
