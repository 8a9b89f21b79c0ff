// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/measure/calibration.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/process/launcher.hpp>
#include <perfspec/quantity/json_fields.hpp>

#include <chrono>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace perfspec::inline v0_2 {

/// A request to a process that serves (README.md), one line of JSON without what is not set.
///
///     {"request":"run","iterations":5,"warm":true}
struct served_request {
    std::string request;
    std::optional<std::uint64_t> iterations{};
    std::optional<bool> warm{};
    std::optional<std::uint32_t> core{};
};

/// Its answer. Readers skip fields that they do not know, so later versions can add some.
///
///     {"answer":"ran","iterations":5,"elapsed_ns":100123}
struct served_answer {
    std::string answer;
    std::string reason{};  ///< of "error"
    std::string kind{};    ///< a failure_kind, or empty
    std::optional<std::uint64_t> protocol{};
    std::string perfspec{};        ///< of "hello": version of its library
    std::string suite{};           ///< if its project names one
    std::string key{};             ///< of the claim that it reached
    std::string unit{};            ///< of the query's value: "ns", "items/s"
    std::optional<double> work{};  ///< per iteration, for rates
    std::string commit{};          ///< of its sources, if its build knows it (PERFSPEC_COMMIT)
    std::string runs{};            ///< the file of a subject in another language, such as Python; empty: C++
    std::optional<double> call_ns{}, untimed_ns{}, tick_ns{};  ///< of "prepared"
    std::optional<std::uint64_t> iterations{}, maximum{};
    std::optional<bool> computes{};
    std::optional<std::uint64_t> elapsed_ns{};  ///< of "ran"
    std::optional<processor_use> use{};
};

namespace detail {

template <>
inline constexpr std::tuple fields_of<served_request>{
    field{"request", &served_request::request},
    field{"iterations", &served_request::iterations},
    field{"warm", &served_request::warm},
    field{"core", &served_request::core},
};

template <>
inline constexpr std::tuple fields_of<processor_use>{
    field{"waited_ns", &processor_use::waited_ns},         field{"own_ns", &processor_use::own_ns},
    field{"others_ns", &processor_use::others_ns},         field{"ended_ns", &processor_use::ended_ns},
    field{"interruptions", &processor_use::interruptions}, field{"blocks", &processor_use::blocks},
};
/// Without is_beside_others, which each process knows itself.
template <>
inline constexpr bool every_member_is_a_field<processor_use> =
    std::tuple_size_v<std::remove_const_t<decltype(fields_of<processor_use>)>> + 1 == member_count<processor_use>();

/// Whether a worker may report it: less than 2^57 ns, four years, so that sums and multiples are in range.
[[nodiscard]] bool is_time(std::optional<std::uint64_t> ns);
/// Whether it may report all of these, or reports none.
[[nodiscard]] bool are_times(const std::optional<processor_use>& use);
/// Whether it is finite, and from 0 up.
[[nodiscard]] bool is_amount(std::optional<double> number);

template <>
inline constexpr std::tuple fields_of<served_answer>{
    field{"answer", &served_answer::answer},         field{"kind", &served_answer::kind},
    field{"reason", &served_answer::reason},         field{"suite", &served_answer::suite},
    field{"protocol", &served_answer::protocol},     field{"key", &served_answer::key},
    field{"perfspec", &served_answer::perfspec},     field{"unit", &served_answer::unit},
    field{"commit", &served_answer::commit},         field{"runs", &served_answer::runs},
    field{"untimed_ns", &served_answer::untimed_ns}, field{"tick_ns", &served_answer::tick_ns},
    field{"call_ns", &served_answer::call_ns},       field{"work", &served_answer::work},
    field{"iterations", &served_answer::iterations}, field{"maximum", &served_answer::maximum},
    field{"elapsed_ns", &served_answer::elapsed_ns}, field{"use", &served_answer::use},
    field{"computes", &served_answer::computes},
};

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

    /// Sends a request, and returns the answer, a struct with its fields. Calls `tell` during the wait, unless it is
    /// empty.
    template <class Answer, class Request>
    [[nodiscard]] Answer exchange(const Request& request, const wait_callback& tell = {}) {
        return read<Answer>(send(detail::message_line(request), tell));
    }
    /// The same; the answer's word must be `expected`.
    template <class Answer, class Request> [[nodiscard]] Answer ask(const Request& request, std::string_view expected) {
        Answer reply = exchange<Answer>(request);
        if (reply.answer != expected) throw_unexpected(reply, expected);
        return reply;
    }
    /// The answer to a request, unread, or its fault.
    [[nodiscard]] child_answer send(std::string_view request, const wait_callback& tell = {});
    /// The same without a request, such as a greeting.
    [[nodiscard]] child_answer receive(const wait_callback& tell = {});
    /// Throws the fault, too.
    template <class Answer> [[nodiscard]] Answer read(const child_answer& received) const {
        if (!received.payload) fail(received.fault, received.kind);
        try {
            return detail::read_message_as<Answer>(*received.payload);
        } catch (const detail::json_fault& fault) { refuse_line(*received.payload, fault.what()); }
    }
    /// Stops the process until the next request.
    void pause() { process_->pause(); }
    /// How long it has waited for a processor (`running_process::waited_for_processor`).
    [[nodiscard]] std::chrono::nanoseconds waited_for_processor() const { return process_->waited_for_processor(); }
    /// The meter of the process (`running_process::usage`).
    [[nodiscard]] usage_meter* usage() const { return process_->usage(); }
    /// Waits for the end of the process.
    [[nodiscard]] child_end wait() { return process_->wait(patience_); }

    [[noreturn]] void fail(const std::string& what, failure_kind kind = failure_kind::worker_failed) const;
    template <class Answer> [[noreturn]] void throw_unexpected(const Answer& reply, std::string_view expected) const {
        if (reply.answer == "error") refuse(reply.reason, reply.kind);
        refuse_line(detail::message_line(reply), "expected " + std::string(expected));
    }

private:
    [[noreturn]] void refuse(const std::string& reason, std::string_view kind) const;
    [[noreturn]] void refuse_line(std::string_view line, const std::string& why) const;

    std::string who_;
    std::chrono::nanoseconds patience_;
    std::unique_ptr<running_process> process_;
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
///     worker baseline(launcher, command, "the baseline build", 60s);
///     if (!baseline.greeting(key, {"sort_test", true})) …         // it ended without coming to this claim
///     baseline.prepare();
///     const sample taken = baseline.run(5, warm_call::yes);
///
/// A failure throws measurement_failure with the process's last words (worker_channel).
class worker {
public:
    /// who       its name in messages
    /// patience  for each answer
    /// Throws input_error as `process_launcher::start` does.
    worker(process_launcher& launcher, const child_command& command, std::string who,
           std::chrono::nanoseconds patience);

    /// Waits until the worker has reached the claim with this key, and returns its "hello". nullopt if it ended well
    /// without reaching it. A worker of another suite is a failure if both projects set theirs, or if it did not reach
    /// the claim.
    [[nodiscard]] std::optional<served_answer> greeting(std::string_view key, const own_suite& own);

    /// Discards a first call, then times calls.
    [[nodiscard]] worker_calibration prepare();
    /// core  nullopt: the system chooses
    [[nodiscard]] sample run(std::uint64_t iterations, warm_call warm, std::optional<std::uint32_t> core = {});
    /// Measures one process of a baseline. Returns its record as a line of JSON.
    [[nodiscard]] std::string measure();
    /// Ends the worker, and waits for its end.
    void finish();

private:
    void require_suite(const served_answer& reply, const own_suite& own) const;

    std::shared_ptr<void> belongings_;  // destroyed last
    worker_channel channel_;
};

}  // namespace perfspec::inline v0_2
