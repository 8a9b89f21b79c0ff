// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject.hpp>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {

/// The body of a key. A bare callable becomes a new subject in each claim, so only its type can identify it.
struct keyed_body {
    std::uint64_t id{};
    const body_functions* bare{};  ///< null for a subject with a name, which `id` identifies
    const void* function{};        ///< the function, if the body is a pointer to one
};

namespace detail {

[[nodiscard]] keyed_body keyed(const subject& s);

/// Whether two subjects are the same body: copies of a handle, or the same callable without a name. Callables with
/// state are the same body at two places, and different ones at one place.
[[nodiscard]] bool same_body(const keyed_body& a, const keyed_body& b, bool same_place);

}  // namespace detail

/// One evaluation of an assertion, for the check of its key.
struct key_use {
    std::vector<keyed_body> bodies{};
    std::string place{};        ///< "sort_test.cpp:42"
    std::string query{};        ///< its text and unit
    std::string declared_at{};  ///< place of the test case; empty if the host does not know it
    bool compares_runs{};       ///< the claim is on a stored baseline, or on another build of the program
    bool generated{};           ///< only another value of a generator reaches the place again
};

/// The meaning of each key in a run: one query of one subject at one point of a sweep. Values of two different things
/// must not be stored or compared under one key.
class key_census {
public:
    /// Notes a use of a key. Throws input_error, with both places, if the key already stands for another body in this
    /// pass of the test case, another query, or another test case of the same name; for a claim that compares runs,
    /// also if its place was reached before. Bare callables of one type with captures are the same body at two places,
    /// and two points of a loop at one.
    void use(const std::string& key, const key_use& use);

    /// Notes that a test case begins again, with new subjects.
    void begin_pass() { of_pass_.clear(), places_of_pass_.clear(); }

private:
    std::map<std::string, key_use> of_pass_;
    std::map<std::string, std::vector<std::string>>
        places_of_pass_;                    ///< by key: the places of claims that compare runs
    std::map<std::string, key_use> first_;  ///< the first use of each key in the run
};

}  // namespace perfspec::inline v0_2
