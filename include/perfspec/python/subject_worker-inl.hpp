// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>
#include <perfspec/process/child.hpp>
#include <perfspec/python/subject_worker.hpp>
#include <perfspec/quantity/text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <limits>
#include <sstream>
#include <string_view>
#include <system_error>

namespace perfspec::inline v0_1::detail {

inline constexpr std::string_view worker_protocol = "1";

subject_worker::subject_worker(worker_recipe recipe, process_launcher& launcher, clock& wall, worker_wait_teller tell)
    : recipe_(std::move(recipe)), launcher_(launcher), wall_(wall), tell_(std::move(tell)) {
    recipe_.command.environment = with_variable(recipe_.command.environment, "PERFSPEC_WORKER",
                                                fmt::format("protocol={} answers=3 requests=4", worker_protocol));
    recipe_.command.time_out = recipe_.patience;
}

subject_worker::~subject_worker() { stop(); }

void worker_meter::add(const processor_use& of_sample) {
    reported_.own_ns += of_sample.own_ns;
    reported_.others_ns += of_sample.others_ns;
    reported_.ended_ns += of_sample.ended_ns;
    reported_.waited_ns += of_sample.waited_ns;
    reported_.interruptions += of_sample.interruptions;
    reported_.blocks += of_sample.blocks;
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
    facts_.reset();
    for (auto& [subject, known] : known_) known = {.requested = std::move(known.requested)};
    remove_cache();
}

void subject_worker::remove_cache() noexcept {
    std::error_code ignored;
    if (!recipe_.cold_cache.empty()) std::filesystem::remove_all(recipe_.cold_cache, ignored);
}

/// What a worker does during a request; one without a word stands for its start.
inline std::string doing_text(const worker_message& request) {
    const std::string subject = "\"" + request.text("subject").value_or("") + "\"";
    if (request.word.empty()) return "starts, with its imports";
    if (request.word == "load") return "builds " + subject;
    if (request.word == "count") return "calls " + subject + " until nothing is compiled any more";
    if (request.word != "compare") return "calls " + subject + ", and a first call may compile";
    const std::string reference = request.text("reference").value_or("");
    return fmt::format("calls {}\"{}\" to compare outputs, and a first call may compile",
                       reference.empty() ? "" : "\"" + reference + "\" and ", request.text("candidate").value_or(""));
}

wait_callback subject_worker::teller_for(const worker_message& request) const {
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
    try {
        greet(channel_->next_message(teller_for({})));
    } catch (...) {
        stop();
        throw;
    }
}

const worker_facts& subject_worker::facts() {
    start();
    return *facts_;
}

void subject_worker::greet(const worker_message& hello) {
    if (hello.word == "invalid") refuse(hello);
    if (hello.word != "hello") channel_->throw_unexpected(hello, "hello");
    if (const auto version = hello.text("protocol").value_or("none"); version != worker_protocol)
        channel_->fail(fmt::format(
            "it speaks version {} of the protocol, and this program speaks version {}: take both from one perfspec",
            excerpt(version), worker_protocol));
    worker_facts facts{.language = hello.text("language").value_or("an unknown language")};
    for (const auto& [name, value] : hello.fields) {
        if (name == "subject") facts.subjects.push_back(value);
        else if (name != "protocol" && name != "language") facts.settings.emplace_back(name, value);
    }
    std::vector<std::string> sorted = facts.subjects;
    std::ranges::sort(sorted);
    if (const auto twice = std::ranges::adjacent_find(sorted); twice != sorted.end())
        channel_->fail(fmt::format("it has two subjects called {}: give each its own name", excerpt(*twice)));
    facts_ = last_facts_ = std::move(facts);
    for (const subject_worker* const peer : peers_)
        if (const std::string difference = difference_of_workers(*this, *peer); !difference.empty())
            channel_->fail(difference);
}

/// The kind that a worker may say, as PROTOCOL.md lists them.
inline failure_kind kind_said(const worker_message& answer) {
    using enum failure_kind;
    const failure_kind kind = failure_kind_named(answer.text("kind").value_or("")).value_or(worker_failed);
    const bool is_of_workers =
        kind == load_threw || kind == body_threw || kind == out_of_memory || kind == no_value || kind == unavailable;
    return is_of_workers ? kind : worker_failed;
}

void subject_worker::refuse(const worker_message& answer) const {
    const std::string reason = answer.text("reason").value_or("it cannot be measured, and the worker does not say why");
    throw measurement_failure(kind_said(answer), recipe_.who + ": " + printable(reason));
}

/// Ends the process after a wrong answer, so that the next request starts another one. A body that forks, or that finds
/// the descriptor, may send answers of its own: the number shows which one belongs to the request.
worker_message subject_worker::exchange(worker_message request) {
    start();
    request.add("number", ++requests_);
    try {
        worker_message answer = channel_->exchange(request, teller_for(request));
        if (answer.whole("number") != requests_)
            channel_->fail(fmt::format("it says {} to request {}: did a body fork, and the child go on?",
                                       excerpt(to_text(answer)), requests_));
        std::erase_if(answer.fields, [](const auto& field) { return field.first == "number"; });
        if (recipe_.rests) channel_->pause();
        return answer;
    } catch (...) {
        stop();
        throw;
    }
}

void subject_worker::keep_notes(const worker_message& request, const worker_message& answer) {
    const auto subject = request.text("subject");
    if (!subject) return;
    for (const auto& [name, value] : answer.fields) {
        if (name != "note") continue;
        std::vector<std::string>& known = known_[*subject].notes;
        if (std::string note = printable(value); std::ranges::find(known, note) == known.end())
            known.push_back(std::move(note));
    }
}

worker_message subject_worker::ask(const worker_message& request, std::string_view expected) {
    worker_message answer = exchange(request);
    if (answer.word == expected) {
        keep_notes(request, answer);
        return answer;
    }
    if (answer.word == "invalid") refuse(answer);
    try {
        channel_->throw_unexpected(answer, expected);
    } catch (...) {
        stop();
        throw;
    }
}

void subject_worker::load(const std::string& subject) {
    start();
    known_subject& known = known_[subject];
    if (!known.unavailable) {
        worker_message request{"load", {{"subject", subject}}};
        for (const auto& [name, value] : known.requested)
            if (name != "threads") request.add(name, value);
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
std::string subject_worker::reason_of_missing_setting(const std::string& subject, const worker_message& answer) {
    for (const auto& [name, value] : known_[subject].requested) {
        const std::string has = name == "threads" ? facts_->setting(name) : answer.text(name).value_or("");
        if (has == value) continue;
        return fmt::format(
            "\"{}\": this run asks for {}={} (--perf-with), and {} {}: leave it out, or have the worker take it",
            subject, name, value, recipe_.who,
            has.empty() ? "does not say that it took it" : "says " + name + "=" + printable(has));
    }
    return {};
}

worker_message subject_worker::ask_loaded(const std::string& subject, const worker_message& request,
                                          std::string_view expected) {
    load(subject);
    return ask(request, expected);
}

void subject_worker::require_time(const std::string& subject, std::int64_t elapsed_ns, wait_for_answer wait) {
    constexpr std::int64_t long_enough_ns = 10'000'000;
    constexpr int enough = 8;  // a busy machine delays the answers to several short samples in a row
    if (elapsed_ns > wait.all_ns + wait.all_ns / 100)  // two clocks may run a little apart
        channel_->fail(fmt::format(
            "it says that a sample of \"{}\" took {} ns, and its answer came after {} ns: it counts in another unit; "
            "the worker tells wall time in nanoseconds, as elapsed_ns",
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
            "it says that a sample of \"{}\" took {} ns, and its answer came after {} ns, {} times in a row: it counts in "
            "another unit, or times something else; the worker tells wall time of all calls in nanoseconds, as elapsed_ns",
            subject, elapsed_ns, waited_ns, enough));
}

std::int64_t subject_worker::starved_if_doubtful(const std::string& subject) {
    return known_[subject].samples.too_short > 0 ? channel_->waited_for_processor().count() : 0;
}

remote_sample subject_worker::run(const std::string& subject, std::uint64_t iterations) {
    load(subject);
    worker_message request{"run", {{"subject", subject}}};
    request.add("iterations", iterations);
    const std::int64_t starved_before = starved_if_doubtful(subject);
    const std::int64_t before = wall_.now();
    const worker_message answer = ask(request, "ran");
    const std::int64_t waited = wall_.now() - before;
    constexpr auto largest = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    const std::uint64_t elapsed = answer.whole("elapsed_ns").value_or(0);
    const std::string cpu_unknown = answer.text("cpu_unknown").value_or("");
    const std::uint64_t cpu = answer.whole("cpu_ns").value_or(cpu_unknown.empty() ? largest : 0);
    try {
        if (answer.whole("iterations") != iterations || elapsed == 0 || elapsed >= largest || cpu >= largest)
            channel_->throw_unexpected(answer,
                                       fmt::format("ran iterations={} elapsed_ns=100123 cpu_ns=200001", iterations));
        require_time(subject, static_cast<std::int64_t>(elapsed),
                     {waited, starved_if_doubtful(subject) - starved_before});
    } catch (...) {
        stop();
        throw;
    }
    if (meter_) meter_->add(use_in(answer));
    return {static_cast<std::int64_t>(elapsed), static_cast<std::int64_t>(cpu), cpu_unknown};
}

inline double required_number(const worker_channel& channel, const worker_message& answer, std::string_view name) {
    const auto number = answer.number(name);
    if (!number) channel.throw_unexpected(answer, fmt::format("{} {}=41.5", answer.word, name));
    return *number;
}

double subject_worker::value(const std::string& subject) {
    const worker_message answer = ask_loaded(subject, {"value", {{"subject", subject}}}, "value");
    return required_number(*channel_, answer, "value");
}

std::int64_t subject_worker::memory(const std::string& subject) {
    const worker_message answer = ask_loaded(subject, {"memory", {{"subject", subject}}}, "memory");
    return static_cast<std::int64_t>(std::min(required_number(*channel_, answer, "peak_bytes"), 0x1p62));
}

/// Adds the calls of an operator, "12000 3 aten::copy_": nanoseconds of all calls, their number, and its name. Returns
/// false for another text.
inline bool add_calls(std::vector<operator_event>& events, const std::string& text) {
    std::istringstream words(text);
    std::int64_t ns = 0, calls = 0;
    std::string name;
    if (!(words >> ns >> calls >> std::ws) || !std::getline(words, name) || ns < 0 || calls < 1) return false;
    const std::int64_t start = events.empty() ? 0 : events.back().end_ns;
    if (ns > std::numeric_limits<std::int64_t>::max() - start) return false;
    events.push_back({.name = name,
                      .start_ns = start,
                      .end_ns = start + ns,
                      .thread = 1,
                      .calls = static_cast<std::uint64_t>(calls)});
    return true;
}

std::vector<operator_event> subject_worker::operators(const std::string& subject) {
    const worker_message answer = ask_loaded(subject, {"operators", {{"subject", subject}}}, "ran");
    std::vector<operator_event> events;
    for (const auto& [field, value] : answer.fields)
        if (field == "operator" && !add_calls(events, value))
            channel_->throw_unexpected(answer, "ran operator=12000%203%20aten::copy_");
    return events;
}

double subject_worker::count(const std::string& subject, const std::string& name) {
    const worker_message answer = ask_loaded(subject, {"count", {{"subject", subject}, {"name", name}}}, "counted");
    known_[subject].counted_after = answer.whole("calls").value_or(0);
    std::vector<std::string>& places = known_[subject].places[name];
    places.clear();
    for (const auto& [field, value] : answer.fields)
        if (field == "where") places.push_back(printable(value));
    return required_number(*channel_, answer, "value");
}

inline std::optional<verification_code> verification_code_named(std::string_view name) {
    for (int code = 0; code <= static_cast<int>(verification_code::verifier_didnt_run); ++code)
        if (name == to_string(static_cast<verification_code>(code))) return static_cast<verification_code>(code);
    return {};
}

verification subject_worker::read_comparison(const worker_message& answer) const {
    const auto code = verification_code_named(answer.text("code").value_or(""));
    if (!code) channel_->throw_unexpected(answer, "compared code=PASS text=…");
    verification v{*code, printable(answer.text("text").value_or("")), {}};
    for (const auto& [name, value] : answer.fields)
        if (const auto number = answer.number(name); number && name != "code" && name != "text")
            v.statistics.push_back({name, *number});
    return v;
}

verification subject_worker::compare(const std::string& reference, const std::string& candidate) {
    load(reference);
    return read_comparison(
        ask_loaded(candidate, {"compare", {{"reference", reference}, {"candidate", candidate}}}, "compared"));
}

void subject_worker::write(const std::string& subject, const std::string& file) {
    static_cast<void>(ask_loaded(subject, {"write", {{"subject", subject}, {"file", file}}}, "written"));
}

verification subject_worker::compare_with_file(const std::string& file, const std::string& candidate) {
    return read_comparison(ask_loaded(candidate, {"compare", {{"file", file}, {"candidate", candidate}}}, "compared"));
}

std::string difference_of_workers(const subject_worker& a, const subject_worker& b) {
    if (!a.known_facts() || !b.known_facts()) return {};
    const auto differs = [&](std::string_view setting, const char* what, const char* remedy) {
        const std::string one = a.known_facts()->setting(setting), other = b.known_facts()->setting(setting);
        if (one.empty() || other.empty() || one == other) return std::string();
        return fmt::format("it has {} {}, and {} has {}: {}", what, one, b.who(), other, remedy);
    };
    std::string difference;
    if (!a.recipe().has_own_threads && !b.recipe().has_own_threads)
        difference = differs("threads", "threads", "give both the same number, .threads = 2");
    if (difference.empty() && !a.recipe().has_own_version && !b.recipe().has_own_version)
        difference = differs("torch", "torch",
                             "run both with one Python, or name that of one of them, .interpreter = \"…/bin/python3\"");
    return difference;
}

}  // namespace perfspec::inline v0_1::detail
