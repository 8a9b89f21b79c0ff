// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include "support/scripted_clock.hpp"

#include <chrono>
#include <cstdint>
#include <new>
#include <stdexcept>
#include <string>
#include <vector>

namespace perfspec::testing {

/// The costs of a subject, and its log.
struct role {
    stepped_clock* time{};
    std::chrono::nanoseconds call{};                      ///< an iteration
    std::chrono::nanoseconds make{};                      ///< the input of an iteration
    std::chrono::nanoseconds drop{};                      ///< the inputs of a sample
    std::vector<std::chrono::nanoseconds> first_calls{};  ///< instead of `call`, for the first runs
    std::string fails_in{};                               ///< "run", "wait" or "prepare": there it throws
    std::vector<std::string> log{};
    std::size_t runs{};

    void passes(std::chrono::nanoseconds d) {
        if (time != nullptr) time->advance(d);
    }
    std::chrono::nanoseconds next_call() { return runs < first_calls.size() ? first_calls[runs++] : (++runs, call); }
};

namespace acting {

/// The body of the subject.
struct actor {
    role* plays{};
};

inline role& of(void* self) { return *static_cast<actor*>(self)->plays; }
inline void note(role& r, const std::string& what, const std::string& n = {}) {
    r.log.push_back(what + n);
    if (what == r.fails_in) throw std::runtime_error("cannot " + what);
}

inline void run(void* self, std::uint64_t n) {
    note(of(self), "run", " " + std::to_string(n));
    of(self).passes(of(self).next_call() * static_cast<std::int64_t>(n));
}
inline void prepare(void* self, std::uint64_t n) {
    note(of(self), "prepare", " " + std::to_string(n));
    of(self).passes(of(self).make * static_cast<std::int64_t>(n));
}
inline void discard(void* self) noexcept {
    of(self).log.emplace_back("discard");
    of(self).passes(of(self).drop);
}
inline void wait(void* self) { note(of(self), "wait"); }

inline constexpr body_functions body{.run = run};
inline constexpr body_functions body_with_setup{.run = run, .prepare = prepare, .discard = discard};
inline constexpr body_functions device_body{.run = run, .prepare = prepare, .discard = discard, .wait = wait};

}  // namespace acting

/// A subject that plays `r`, which must outlive it.
inline subject acted(const char* name, role& r, const body_functions& functions = acting::body) {
    subject x(name, functions, sizeof(acting::actor));
    ::new (x.storage()) acting::actor{&r};
    x.constructed();
    return x;
}

}  // namespace perfspec::testing
