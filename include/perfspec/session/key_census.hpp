// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfspec {

/// Which body a key stands for. A bare callable becomes another subject in each claim, so that its type has to tell.
struct keyed_body {
    std::uint64_t id{};
    const body_functions* bare{};  ///< null where the subject has a name: then the object itself is meant
    const void* function{};        ///< the one pointed at, where the body is such a pointer
};

/// One evaluation of an assertion, as its key sees it.
struct key_use {
    std::vector<keyed_body> bodies{};
    std::string place{};        ///< "sort_test.cpp:42"
    std::string query{};        ///< its text and unit
    std::string declared_at{};  ///< where the test case stands; empty where the host does not tell
    bool compares_runs{};       ///< the claim is on stored launches, or on another build of the program
    bool generated{};           ///< only another value of a generator comes here again
};

/// What each key has stood for in a run. A key is used by one query of one subject at one point of a sweep: what is stored or compared under it must
/// not be two things.
class key_census {
public:
    /// Notes a use. Throws input_error, naming both places, where the key stands for something else already: other bodies in this pass of the test
    /// case, another query, a test case of the same name; and, of a claim that compares runs, a place that was reached before.
    /// Bare callables of one type with captures are the same one at two places, and two points of a loop at the same place.
    void use(const std::string& key, const key_use& use);

    /// A test case begins anew: its subjects are other objects.
    void begin_pass() { of_pass_.clear(), places_of_pass_.clear(), ++passes_; }

    /// Notes what was measured under a key for a claim that compares runs. Throws input_error where an earlier pass of this run measured something
    /// that differs by more than half: the key stands for two things. `shown` renders a value.
    template <class Show> void note_value(const std::string& key, double value, Show shown) {
        const auto [known, is_new] = values_.try_emplace(key, measured_value{value, passes_});
        if (is_new || known->second.pass == passes_ || !differ(known->second.value, value)) return;
        refuse_values(key, shown(known->second.value), shown(value));
    }

private:
    struct measured_value {
        double value;
        std::uint64_t pass;
    };

    [[nodiscard]] static bool differ(double a, double b) noexcept;
    [[noreturn]] static void refuse_values(const std::string& key, const std::string& before, const std::string& now);

    std::uint64_t passes_{};
    std::map<std::string, key_use> of_pass_;
    std::map<std::string, std::vector<std::string>> places_of_pass_;  ///< by key: where claims that compare runs stand
    std::map<std::string, key_use> first_;                            ///< of the run
    std::map<std::string, measured_value> values_;
};

}  // namespace perfspec
