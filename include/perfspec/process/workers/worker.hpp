// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/launcher.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_1 {

/// A message between a process and its worker: a word and named fields, on one line (README.md).
///
///     ran iterations=5 elapsed_ns=100123
///
/// A reader skips fields that it does not know, so later versions can add fields. In a value, `%`, blanks and control
/// characters are escaped as in `%20`.
struct worker_message {
    std::string word;
    std::vector<std::pair<std::string, std::string>> fields{};

    void add(std::string name, std::string value) { fields.emplace_back(std::move(name), std::move(value)); }
    void add(std::string name, std::uint64_t value);
    void add(std::string name, double value);  ///< reads back exactly

    /// The first field of this name; nullopt if there is none.
    [[nodiscard]] std::optional<std::string> text(std::string_view name) const;
    /// The same as a number: finite, not negative. nullopt if it is missing or any other text.
    [[nodiscard]] std::optional<double> number(std::string_view name) const;
    [[nodiscard]] std::optional<std::uint64_t> whole(std::string_view name) const;

    friend bool operator==(const worker_message&, const worker_message&) = default;
};

[[nodiscard]] std::string to_text(const worker_message& message);

/// nullopt for a line that is not a message: no word, a field without a name or "=", a `%` without two digits.
[[nodiscard]] std::optional<worker_message> parse_worker_message(std::string_view line);

namespace detail {

/// The message with the use of the processors in a sample, as fields `own_ns`, `others_ns` and so on; without those of 0.
[[nodiscard]] worker_message with_use(worker_message message, const processor_use& use);
/// The use in an answer; 0 for missing fields.
[[nodiscard]] processor_use use_in(const worker_message& answer);

}  // namespace detail

/// Asks a process that serves requests, one at a time. A failure throws measurement_failure; its text begins with the
/// process's name. The kind is that which the process's end or answer shows, such as failure_kind::out_of_memory or
/// timed_out; otherwise worker_failed. The process ends at the latest with this object.
class worker_channel {
public:
    /// who       its name in messages
    /// patience  for each answer
    /// Throws input_error as `process_launcher::start` does.
    worker_channel(process_launcher& launcher, const child_command& command, std::string who,
                   std::chrono::nanoseconds patience);

    /// Sends a request, and returns the answer. Calls `tell` during the wait, unless it is empty.
    [[nodiscard]] worker_message exchange(const worker_message& request, const wait_callback& tell = {});
    /// The same; the answer's word must be `expected`.
    [[nodiscard]] worker_message ask(const worker_message& request, std::string_view expected);
    /// The next answer without a request, such as a greeting.
    [[nodiscard]] worker_message next_message(const wait_callback& tell = {});
    /// The next answer, unparsed, or its fault.
    [[nodiscard]] child_answer receive(const wait_callback& tell = {});
    /// Reads an answer as a message.
    [[nodiscard]] worker_message parse(std::string_view payload) const;
    /// Stops the process until the next request.
    void pause() { process_->pause(); }
    /// How long it has waited for a processor (`running_process::waited_for_processor`).
    [[nodiscard]] std::chrono::nanoseconds waited_for_processor() const { return process_->waited_for_processor(); }
    /// The meter of the process (`running_process::usage`).
    [[nodiscard]] usage_meter* usage() const { return process_->usage(); }
    /// Waits for the end of the process.
    [[nodiscard]] child_end wait() { return process_->wait(patience_); }

    [[noreturn]] void fail(const std::string& what, failure_kind kind = failure_kind::worker_failed) const;
    [[noreturn]] void throw_unexpected(const worker_message& reply, std::string_view expected) const;

private:
    std::string who_;
    std::chrono::nanoseconds patience_;
    std::unique_ptr<running_process> process_;
};

/// A worker's first message, sent when it has reached its claim.
struct worker_greeting {
    std::string perfspec;  ///< version of its library
    std::string key;       ///< of the claim that it reached
    std::string unit;      ///< of the query's value: "ns", "items/s"
    double work{};         ///< per iteration, for rates; 0 elsewhere
    std::string commit;    ///< of its sources, if its build knows it (PERFSPEC_COMMIT)
    std::string runs{};    ///< the file of a subject in another language, such as Python; empty: C++
};

/// The suite that starts a worker. Other programs have other names.
struct own_suite {
    std::string name;    ///< empty: any suite will do
    bool is_explicit{};  ///< whether the project set it; otherwise it is the program's file name
};

/// The calibration of a worker before its samples.
struct worker_calibration {
    subject_calibration x;
    double resolution_ns{};  ///< of the worker's clock
};

/// One process of any build that measures on request. The other side is `judge/serve_claim-inl.hpp`; README.md
/// describes the messages.
///
///     worker reference(launcher, command, "the reference build", 60s);
///     if (!reference.greeting(key, {"sort_test", true})) …         // it ended without coming to this claim
///     reference.prepare();
///     const sample taken = reference.run(5, warm_call::yes);
///
/// A failure throws measurement_failure with the process's last words (worker_channel).
class worker {
public:
    /// who       its name in messages
    /// patience  for each answer
    /// Throws input_error as `process_launcher::start` does.
    worker(process_launcher& launcher, const child_command& command, std::string who,
           std::chrono::nanoseconds patience);

    /// Waits until the worker has reached the claim with this key. nullopt if it ended well without reaching it. A
    /// worker of another suite is a failure if both projects set theirs, or if it did not reach the claim.
    [[nodiscard]] std::optional<worker_greeting> greeting(std::string_view key, const own_suite& own);

    /// Discards a first call, then times calls.
    [[nodiscard]] worker_calibration prepare();
    /// core  nullopt: the system chooses
    [[nodiscard]] sample run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core = {});
    /// Measures one launch of a baseline. Returns its record as a line of JSON.
    [[nodiscard]] std::string launch();
    /// Ends the worker, and waits for its end.
    void finish();

private:
    void require_suite(const worker_message& reply, const own_suite& own) const;

    std::shared_ptr<void> belongings_;  // destroyed last
    worker_channel channel_;
};

}  // namespace perfspec::inline v0_1
