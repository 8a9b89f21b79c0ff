// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/process/child.hpp>
#include <perfspec/python/subject_worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <string_view>
#include <system_error>

namespace perfspec::inline v0_2::detail {

inline constexpr std::uint64_t worker_protocol = 2;

subject_worker::subject_worker(worker_recipe recipe, process_launcher& launcher, clock& wall, worker_wait_teller tell)
    : recipe_(std::move(recipe)), launcher_(launcher), wall_(wall), tell_(std::move(tell)) {
    recipe_.command.environment =
        with_variable(recipe_.command.environment, "PERFSPEC_WORKER",
                      fmt::format(R"({{"protocol":{},"answers":{},"requests":{}}})", worker_protocol,
                                  child_result_descriptor, child_request_descriptor));
    recipe_.command.time_out = recipe_.patience;
}

subject_worker::~subject_worker() { stop(); }

void worker_meter::add(const processor_use& of_sample) {
    std::apply([&](const auto&... f) { ((reported_.*f.member += of_sample.*f.member), ...); },
               fields_of<processor_use>);
}

processor_use worker_meter::use_of_processors(metered_waiting which, reading_place where) {
    if (reported_.own_ns > 0 && which == metered_waiting::none) return reported_;
    processor_use use = process_.use_of_processors(which, where);
    reported_.is_beside_others = use.is_beside_others;
    if (reported_.own_ns > 0) return reported_;
    use.blocks = ++readings_;  // whether it blocked in a sample is unknown
    return use;
}

void subject_worker::stop() noexcept {
    meter_.reset();
    channel_.reset();
    for (auto& [subject, known] : known_) known = {.requested = std::move(known.requested)};
    remove_cache();
}

void subject_worker::remove_cache() noexcept {
    std::error_code ignored;
    if (!recipe_.cold_cache.empty()) std::filesystem::remove_all(recipe_.cold_cache, ignored);
}

/// What a worker does during a request; one without a word stands for its start.
inline std::string doing_text(const subject_request& request) {
    const std::string subject = "\"" + request.subject + "\"";
    if (request.request.empty()) return "starts, with its imports";
    if (request.request == "load") return "builds " + subject;
    if (request.request == "count") return "calls " + subject + " until nothing is compiled any more";
    if (request.request != "compare") return "calls " + subject + ", and a first call may compile";
    return fmt::format("calls {}\"{}\" to compare outputs, and a first call may compile",
                       request.reference.empty() ? "" : "\"" + request.reference + "\" and ", request.candidate);
}

wait_callback subject_worker::teller_for(const subject_request& request) const {
    if (!tell_) return {};
    return [this, &request](std::chrono::nanoseconds so_far) {
        tell_(recipe_.who + " " + doing_text(request), so_far, recipe_.patience);
    };
}

void subject_worker::start() {
    if (channel_) return;
    if (!recipe_.missing.empty())
        throw measurement_failure(failure_kind::unavailable, recipe_.who + ": " + recipe_.missing);
    if (!recipe_.misplaced.empty())
        throw measurement_failure(failure_kind::worker_failed, recipe_.who + ": " + recipe_.misplaced);
    remove_cache();  // a killed program of the same process number may have left one
    channel_.emplace(launcher_, recipe_.command, recipe_.who, recipe_.patience);
    if (usage_meter* const process = channel_->usage()) meter_.emplace(*process);
    or_stop([&] { greet(channel_->read<subject_answer>(channel_->receive(teller_for({})))); });
}

const subject_answer& subject_worker::facts() {
    start();
    return *last_facts_;
}

void subject_worker::greet(const subject_answer& hello) {
    if (hello.answer == "error") refuse(hello);
    if (hello.answer != "hello") channel_->throw_unexpected(hello, "hello");
    if (hello.protocol != worker_protocol)
        channel_->fail(fmt::format(
            "it uses version {} of the protocol, but this program uses version {}: install the same version of "
            "perfspec for both",
            hello.protocol ? std::to_string(*hello.protocol) : "none", worker_protocol));
    if (std::ranges::find(hello.subjects, std::string()) != hello.subjects.end())
        channel_->fail("it has a subject without a name: give it one");
    std::vector<std::string> sorted = hello.subjects;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        channel_->fail(fmt::format("it has two subjects called {}: give each its own name", excerpt(*twice)));
    last_facts_ = hello;
    if (hello.language.empty()) last_facts_->language = "an unknown language";
    for (const subject_worker* const peer : peers_)
        if (const std::string difference = difference_of_workers(*this, *peer); !difference.empty())
            channel_->fail(difference);
}

void subject_worker::refuse(const subject_answer& answer) const {
    using enum failure_kind;
    const failure_kind said = failure_kind_named(answer.kind).value_or(worker_failed);
    const bool is_of_workers = said == load_threw || said == body_threw || said == out_of_memory || said == no_value ||
                               said == unavailable;  // as PROTOCOL.md lists them
    const std::string why =
        answer.reason.empty() ? "it cannot be measured, and the worker does not say why" : answer.reason;
    throw measurement_failure(is_of_workers ? said : worker_failed, recipe_.who + ": " + printable(why));
}

/// A body that forks, or that finds the descriptor, may send answers of its own: the number shows which one belongs to
/// the request.
subject_answer subject_worker::exchange(subject_request request) {
    start();
    request.number = ++requests_;
    return or_stop([&] {
        auto answer = channel_->exchange<subject_answer>(request, teller_for(request));
        if (answer.number != requests_)
            channel_->fail(fmt::format("it answered {} to request {}: did a body fork, and did the child return to the "
                                       "worker?",
                                       excerpt(message_line(answer)), requests_));
        if (recipe_.rests) channel_->pause();
        return answer;
    });
}

void subject_worker::keep_notes(const std::string& subject, const subject_answer& answer) {
    std::vector<std::string>& known = known_[subject].notes;
    for (const std::string& text : answer.notes)
        if (std::string note = printable(text); std::ranges::find(known, note) == known.end())
            known.push_back(std::move(note));
}

void subject_worker::stop_at(const subject_answer& answer, std::string_view expected) {
    or_stop([&] { channel_->throw_unexpected(answer, expected); });
}

subject_answer subject_worker::ask(const subject_request& request, std::string_view expected) {
    subject_answer answer = exchange(request);
    if (answer.answer == "error") refuse(answer);
    if (answer.answer != expected) stop_at(answer, expected);
    if (!request.subject.empty()) keep_notes(request.subject, answer);
    return answer;
}

void subject_worker::load(const std::string& subject) {
    start();
    known_subject& known = known_[subject];
    if (!known.unavailable) {
        subject_request request{.request = "load", .subject = subject, .settings = known.requested};
        std::erase_if(request.settings, [](const auto& setting) { return setting.first == "threads"; });
        known.unavailable = reason_of_missing_setting(subject, ask(request, "loaded"));
    }
    if (!known.unavailable->empty()) throw measurement_failure(failure_kind::unavailable, *known.unavailable);
}

void subject_worker::request_settings(const std::string& subject, setting_list settings) {
    for (const auto& [name, value] : settings) {
        if (name != "threads" || threads_ == value) continue;
        stop();
        threads_ = value;
        for (const char* const variable : {"OMP_NUM_THREADS", "MKL_NUM_THREADS"})
            recipe_.command.environment = with_variable(std::move(recipe_.command.environment), variable, value);
    }
    known_subject& known = known_[subject];
    if (known.requested == settings) return;
    if (known.unavailable) stop();
    known.requested = std::move(settings);
}

/// Which requested setting the worker did not repeat in its answer; empty if all. Threads are those of its process.
std::string subject_worker::reason_of_missing_setting(const std::string& subject, const subject_answer& answer) {
    for (const auto& [name, value] : known_[subject].requested) {
        const std::string has =
            name == "threads" ? value_in(last_facts_->settings, name) : value_in(answer.settings, name);
        if (has == value) continue;
        return fmt::format(
            "\"{}\": this run asks for {}={} (--perf-with), but {} {}: leave it out, or change the worker so that it "
            "takes the setting",
            subject, name, value, recipe_.who,
            has.empty() ? "does not report it" : "reports " + name + "=" + printable(has));
    }
    return {};
}

subject_answer subject_worker::ask_loaded(const subject_request& request, std::string_view expected) {
    load(request.subject.empty() ? request.candidate : request.subject);
    return ask(request, expected);
}

void subject_worker::require_time(const std::string& subject, std::int64_t elapsed_ns, wait_for_answer wait) {
    constexpr std::int64_t long_enough_ns = 10'000'000;
    constexpr int enough = 8;  // a busy machine delays the answers to several short samples in a row
    if (elapsed_ns > wait.all_ns + wait.all_ns / 100)  // two clocks may run a little apart
        channel_->fail(fmt::format(
            "it reported {1} ns for a sample of \"{0}\", but answered after {2} ns, so it counts in another unit: "
            "report the wall time in nanoseconds as elapsed_ns",
            subject, elapsed_ns, wait.all_ns));
    // perfspec's own module may spend long outside of the timed part, as after a body that left thousands of processes.
    if (!recipe_.has_own_clock) return;
    const std::int64_t waited_ns = std::max<std::int64_t>(wait.all_ns - wait.starved_ns, 0);
    plausibility& samples = known_[subject].samples;
    const bool is_most = elapsed_ns >= waited_ns / 10;
    if (is_most) samples = {.too_short = 0, .is_plausible = samples.is_plausible || waited_ns >= long_enough_ns};
    if (samples.is_plausible || is_most || waited_ns < long_enough_ns) return;
    if (++samples.too_short == enough)
        channel_->fail(fmt::format(
            "it reported {1} ns for a sample of \"{0}\", but answered after {2} ns, {3} times in a row, so it counts "
            "in another unit, or times something else: report the wall time of all calls in nanoseconds as elapsed_ns",
            subject, elapsed_ns, waited_ns, enough));
}

std::int64_t subject_worker::starved_if_doubtful(const std::string& subject) {
    return known_[subject].samples.too_short > 0 ? channel_->waited_for_processor().count() : 0;
}

remote_sample subject_worker::run(const std::string& subject, std::uint64_t iterations) {
    load(subject);
    const std::int64_t starved_before = starved_if_doubtful(subject);
    const std::int64_t before = wall_.now();
    const subject_answer answer = ask({.request = "run", .subject = subject, .iterations = iterations}, "ran");
    const std::int64_t waited = wall_.now() - before;
    const bool has_cpu = is_time(answer.cpu_ns) || (!answer.cpu_ns && !answer.cpu_unknown.empty());
    if (answer.iterations != iterations || !is_time(answer.elapsed_ns) || *answer.elapsed_ns == 0 || !has_cpu ||
        !are_times(answer.use))
        stop_at(answer, fmt::format("ran with iterations {}, elapsed_ns above 0 and cpu_ns", iterations));
    const auto elapsed = static_cast<std::int64_t>(*answer.elapsed_ns);
    or_stop([&] { require_time(subject, elapsed, {waited, starved_if_doubtful(subject) - starved_before}); });
    if (meter_ && answer.use) meter_->add(*answer.use);
    return {elapsed, static_cast<std::int64_t>(answer.cpu_ns.value_or(0)), answer.cpu_unknown};
}

double subject_worker::required(const subject_answer& answer, std::optional<double> number, const char* name) {
    if (!is_amount(number)) stop_at(answer, fmt::format("{} with {} of at least 0", answer.answer, name));
    return *number;
}

double subject_worker::value(const std::string& subject) {
    const auto answer = ask_loaded({.request = "value", .subject = subject}, "value");
    return required(answer, answer.value, "value");
}

std::int64_t subject_worker::memory(const std::string& subject) {
    const subject_answer answer = ask_loaded({.request = "memory", .subject = subject}, "memory");
    return static_cast<std::int64_t>(std::min(required(answer, answer.peak_bytes, "peak_bytes"), 0x1p62));
}

std::vector<operator_event> subject_worker::operators(const std::string& subject) {
    const subject_answer answer = ask_loaded({.request = "operators", .subject = subject}, "ran");
    std::vector<operator_event> events;
    std::int64_t start = 0;
    for (const called_operator& each : answer.operators) {
        if (each.calls == 0 || each.ns > std::numeric_limits<std::int64_t>::max() - start)
            stop_at(answer, "operators with calls of at least 1 and ns of at least 0");
        events.push_back(
            {.name = each.name, .start_ns = start, .end_ns = start + each.ns, .thread = 1, .calls = each.calls});
        start += each.ns;
    }
    return events;
}

double subject_worker::count(const std::string& subject, const std::string& name) {
    const subject_answer answer = ask_loaded({.request = "count", .subject = subject, .name = name}, "counted");
    const double counted = required(answer, answer.value, "value");
    known_[subject].counted_after = answer.calls.value_or(0);
    std::vector<std::string>& places = known_[subject].places[name];
    places.clear();
    for (const std::string& place : answer.places) places.push_back(printable(place));
    return counted;
}

verification subject_worker::read_comparison(const subject_answer& answer) {
    if (!answer.code) stop_at(answer, "compared with a code such as PASS");
    return {*answer.code, printable(answer.text), answer.statistics};
}

verification subject_worker::compare(const std::string& reference, const std::string& candidate) {
    load(reference);
    return read_comparison(
        ask_loaded({.request = "compare", .reference = reference, .candidate = candidate}, "compared"));
}

void subject_worker::write(const std::string& subject, const std::string& file) {
    static_cast<void>(ask_loaded({.request = "write", .subject = subject, .file = file}, "written"));
}

verification subject_worker::compare_with_file(const std::string& file, const std::string& candidate) {
    return read_comparison(ask_loaded({.request = "compare", .candidate = candidate, .file = file}, "compared"));
}

std::string difference_of_workers(const subject_worker& a, const subject_worker& b) {
    if (!a.known_facts() || !b.known_facts()) return {};
    const auto differs = [&](std::string_view setting, const char* what, const char* remedy) {
        const std::string one = value_in(a.known_facts()->settings, setting);
        const std::string other = value_in(b.known_facts()->settings, setting);
        if (one.empty() || other.empty() || one == other) return std::string();
        return fmt::format("it has {} {}, but {} has {}: {}", what, one, b.who(), other, remedy);
    };
    std::string difference;
    if (!a.recipe().has_own_threads && !b.recipe().has_own_threads)
        difference = differs("threads", "threads", "give both the same number, .threads = 2");
    if (difference.empty() && !a.recipe().has_own_version && !b.recipe().has_own_version)
        difference = differs("torch", "torch",
                             "run both with one Python, or name the Python of one of them, .interpreter = "
                             "\"…/bin/python3\"");
    return difference;
}

}  // namespace perfspec::inline v0_2::detail
