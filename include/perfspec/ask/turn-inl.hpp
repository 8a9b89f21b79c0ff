// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/ask/turn.hpp>
#include <perfspec/measure/sample.hpp>
#include <perfspec/session/session.hpp>

#include <mutex>
#include <utility>

namespace perfspec::detail {

/// What the threads of this process share.
struct shared_turn {
    std::recursive_mutex turn;  ///< held by the thread that measures
    std::mutex guard;           ///< protects `now`
    assertion_at_work now;

    static shared_turn& of_this_process() {
        static shared_turn only;
        return only;
    }
};

inline std::string place_of(const assertion_request& request) {
    return std::string(request.where.macro) + "( " + std::string(request.claim) + " ) at " + request.where.file + ":" +
           std::to_string(request.where.line);
}

inline std::string asserts_within(const std::string& place) {
    return "it asserts while it is measured: " + place + "; move the assertion out of the measured body";
}

/// Watches the runs of a body for a thread that waits for its turn.
class watched_run {
public:
    explicit watched_run(clock& wall) : wall_(wall), seen_(runs_so_far()), since_(wall.now()) {}

    /// Whether one run has gone on for longer than this. 0 means no limit.
    [[nodiscard]] bool lasts_longer_than(std::chrono::nanoseconds longest) {
        const body_runs now = runs_so_far();
        if (now.begun == now.ended || now != seen_) since_ = wall_.now();
        seen_ = now;
        return longest.count() > 0 && wall_.now() - since_ > longest.count();
    }

private:
    clock& wall_;
    body_runs seen_;
    std::int64_t since_;
};

void assertion_turn::wait(const session& context, const std::string& place) {
    constexpr std::int64_t poll_ns = 20'000'000;
    shared_turn& shared = shared_turn::of_this_process();
    watched_run run(context.around().wall);
    while (!shared.turn.try_lock()) {
        context.around().rest.sleep(poll_ns);
        const std::lock_guard hold(shared.guard);
        if (!run.lasts_longer_than(shared.now.longest)) continue;
        invalid_reason_ = "it asserts in a thread that the body of another claim waits for, so neither can continue: " + shared.now.place +
                          "; move the assertion out of the measured body";
        shared.now.asserted_within = place;
        return;
    }
}

assertion_turn::assertion_turn(const session& context, const assertion_request& request) {
    const std::string place = place_of(request);
    wait(context, place);
    if (invalid_reason_) return;
    shared_turn& shared = shared_turn::of_this_process();
    const std::lock_guard hold(shared.guard);
    if (shared.now.context == &context) {
        shared.now.asserted_within = place;  // noted here, too, because the body may swallow the exception
        shared.turn.unlock();
        throw assertion_within_assertion(asserts_within(place));
    }
    before_ = std::exchange(shared.now, {.context = &context, .place = place});
}

assertion_turn::~assertion_turn() {
    if (invalid_reason_) return;
    shared_turn& shared = shared_turn::of_this_process();
    {
        const std::lock_guard hold(shared.guard);
        shared.now = std::move(before_);
    }
    shared.turn.unlock();
}

void assertion_turn::leave_result(record r) {
    shared_turn& shared = shared_turn::of_this_process();
    const std::lock_guard hold(shared.guard);
    shared.now.never_had_turn.push_back(std::move(r));
}

void assertion_turn::allow(std::chrono::nanoseconds longest_run) {
    shared_turn& shared = shared_turn::of_this_process();
    const std::lock_guard hold(shared.guard);
    shared.now.longest = longest_run;
}

std::string assertion_turn::reason_of_assertion_within() const {
    shared_turn& shared = shared_turn::of_this_process();
    const std::lock_guard hold(shared.guard);
    return shared.now.asserted_within.empty() ? std::string{} : asserts_within(shared.now.asserted_within);
}

std::vector<record> assertion_turn::take_left_results() {
    shared_turn& shared = shared_turn::of_this_process();
    const std::lock_guard hold(shared.guard);
    return std::exchange(shared.now.never_had_turn, {});
}

}  // namespace perfspec::detail
