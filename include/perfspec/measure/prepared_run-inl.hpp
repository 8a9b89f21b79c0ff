// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/measure/failure.hpp>
#include <perfspec/measure/sample.hpp>

#include <fmt/format.h>

#include <cstdint>
#include <exception>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include <pthread.h>

namespace perfspec::inline v0_2::detail {

/// The text of the current exception.
inline std::string text_of_current_exception() {
    try {
        throw;
    } catch (const std::exception& e) { return e.what(); } catch (...) {
        return "an exception that is not a std::exception";
    }
}

/// The kind of the current exception.
inline failure_kind kind_of_current_exception(failure_kind usual) {
    try {
        throw;
    } catch (const std::exception& e) {
        return is_lack_of_memory(e) ? failure_kind::out_of_memory : usual;
    } catch (...) { return usual; }
}

/// Whether the user gave the body a setup: adapters prepare their bodies, too.
inline bool has_own_setup(const subject& x) noexcept {
    const body_functions& f = *x.state().functions;
    return f.prepare != nullptr && f.same_output == nullptr && f.wait == nullptr && x.state().device.empty();
}

/// The run of a body that goes on in this process, and the thread that runs it.
struct running_body {
    std::mutex mutex{};
    std::uint64_t runs{};    ///< begun so far
    std::uint64_t number{};  ///< of the run that goes on; 0: none
    pthread_t thread{};
};

inline running_body& body_of_this_process() noexcept {
    static running_body running;
    return running;
}

/// Marks the run of a body for its lifetime. Runs within runs are of other sessions, in the same thread.
class marked_run {
public:
    marked_run() {
        running_body& running = body_of_this_process();
        const std::lock_guard hold(running.mutex);
        outer_ = std::exchange(running.number, ++running.runs);
        running.thread = ::pthread_self();
    }
    marked_run(const marked_run&) = delete;
    marked_run& operator=(const marked_run&) = delete;
    ~marked_run() {
        running_body& running = body_of_this_process();
        const std::lock_guard hold(running.mutex);
        running.number = outer_;
    }

private:
    std::uint64_t outer_{};
};

/// One run of a subject: prepared when constructed, discarded when destroyed.
class prepared_run {
public:
    prepared_run(const subject& x, std::uint64_t iterations)
        : subject_(x), functions_(*x.state().functions), self_(x.storage()), iterations_(iterations) {
        if (const std::string& reason = x.state().error_reason; !reason.empty())
            throw measurement_failure(failure_kind::refused,
                                      fmt::format("{} cannot be measured: {}", subject_name(x), reason));
        load();
        if (functions_.prepare != nullptr) prepare();
        if (!runs_elsewhere(x)) marked_.emplace();
    }
    prepared_run(const prepared_run&) = delete;
    prepared_run& operator=(const prepared_run&) = delete;
    ~prepared_run() { discard(); }

    // Only the indirect calls are between the two readings of the clock.
    void run() const {
        try {
            functions_.run(self_, iterations_);
            if (functions_.wait != nullptr) functions_.wait(self_);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

    /// The reading of a remote subject's process for its run.
    [[nodiscard]] std::int64_t read_remotely(remote_reading what) const {
        if (what == remote_reading::none)
            throw measurement_failure(failure_kind::not_countable,
                                      fmt::format("{} runs in {}, but perfspec counts only in its own process",
                                                  subject_name(subject_), subject_.state().remote));
        try {
            return functions_.run_remotely(self_, iterations_, what);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

    /// Calls a function of the adapter.
    template <class Result> Result call(Result (*function)(void* self), void* self) const {
        try {
            return function(self);
        } catch (...) { fail(failure_kind::body_threw, "threw"); }
    }

private:
    void load() const {
        subject_state& state = subject_.state();
        if (state.run_load == nullptr || std::exchange(state.loaded, true)) return;
        try {
            state.run_load(state.load_step);
        } catch (...) {
            state.loaded = false;
            fail(failure_kind::load_threw, "threw while it was loaded");
        }
    }
    void prepare() const {
        try {
            functions_.prepare(self_, iterations_);
        } catch (...) {
            discard();
            fail(failure_kind::setup_threw, "threw while its input was prepared");
        }
    }
    void discard() const noexcept {
        if (functions_.discard != nullptr) functions_.discard(self_);
    }
    /// Throws the current exception as a failure. Failures of adapters stay as they are.
    [[noreturn, gnu::cold, gnu::noinline]] void fail(failure_kind kind, const char* action) const {
        try {
            throw;
        } catch (const measurement_failure&) { throw; } catch (...) {
        }
        const std::string thrown = text_of_current_exception();
        const bool shares_setup = kind == failure_kind::body_threw && has_own_setup(subject_) && iterations_ > 1;
        throw measurement_failure(
            kind_of_current_exception(kind),
            fmt::format("{} {}: {}{}", subject_name(subject_), action, thrown,
                        shares_setup ? ". All inputs of a batch are made before its first call. If a call undoes "
                                       "an effect of the setup, move the setup into the body, or write "
                                       "iterations(1)"
                                     : ""),
            std::current_exception());
    }

    const subject& subject_;
    const body_functions functions_;
    void* self_;
    std::uint64_t iterations_;
    std::optional<marked_run> marked_{};  ///< until the end of this run; empty for one in another process
};

}  // namespace perfspec::inline v0_2::detail
