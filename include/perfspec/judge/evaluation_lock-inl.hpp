// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/judge/evaluation_lock.hpp>
#include <perfspec/session/process_end.hpp>

#include <utility>

namespace perfspec::detail {

inline std::recursive_mutex& turn_of_process() {
    static std::recursive_mutex turn;
    return turn;
}

inline evaluation_of_thread& evaluation_here() {
    static thread_local evaluation_of_thread here;
    return here;
}

inline std::string asserts_within(const std::string& place) {
    return "it asserts while it is measured: " + place + "; move the assertion out of the measured body";
}

evaluation_lock::evaluation_lock(const session& run, const assertion_request& request) {
    evaluation_of_thread& here = evaluation_here();
    if (here.run == &run) {
        *here.asserted_within = assertion_text(request.where, request.claim);  // the body may swallow the exception
        throw assertion_within_assertion(asserts_within(*here.asserted_within));
    }
    hold_ = std::unique_lock(turn_of_process());
    before_ = std::exchange(here, {.run = &run, .asserted_within = &asserted_within_});
}

evaluation_lock::~evaluation_lock() { evaluation_here() = before_; }

std::string evaluation_lock::reason_of_assertion_within() const {
    return asserted_within_.empty() ? std::string{} : asserts_within(asserted_within_);
}

}  // namespace perfspec::detail
