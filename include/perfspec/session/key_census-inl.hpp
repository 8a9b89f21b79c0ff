// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/language/subjects/subject_state.hpp>
#include <perfspec/quantity/input_error.hpp>
#include <perfspec/session/key_census.hpp>

#include <algorithm>
#include <cstring>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {
namespace detail {

keyed_body keyed(const subject& s) {
    const subject_state& state = s.state();
    keyed_body body{.id = state.id, .bare = state.name.empty() ? state.functions : nullptr, .function = nullptr};
    if (state.functions->identity == body_identity::function)
        std::memcpy(&body.function, state.storage, sizeof body.function);
    return body;
}

bool same_body(const keyed_body& a, const keyed_body& b, bool same_place) {
    if (a.id == b.id) return true;
    if (a.bare == nullptr || a.bare != b.bare) return false;
    switch (a.bare->identity) {
    case body_identity::type: return true;
    case body_identity::function: return a.function == b.function;
    case body_identity::own: break;
    }
    return !same_place;
}

inline bool same_bodies(const key_use& a, const key_use& b) {
    return std::ranges::equal(a.bodies, b.bodies, [&](const keyed_body& x, const keyed_body& y) {
        return same_body(x, y, a.place == b.place);
    });
}

constexpr const char* advice_on_axes = "give the values of a sweep an axis (.axis(\"n\", n)), or add key(\"…\")";

inline void require_one_query(const std::string& key, const key_use& first, const key_use& use) {
    if (first.query == use.query) return;
    throw input_error("two different queries have the key \"" + key + "\": " + first.query + " at " + first.place +
                      ", and " + use.query + " at " + use.place + ": give one of them another key(\"…\")");
}

inline void require_one_test_case(const std::string& key, const key_use& first, const key_use& use) {
    if (first.declared_at == use.declared_at) return;
    throw input_error("two test cases of one name have the key \"" + key + "\": one at " + first.declared_at +
                      ", another at " + use.declared_at + ": rename one of them");
}

}  // namespace detail

void key_census::use(const std::string& key, const key_use& use) {
    const auto [first, is_new_in_run] = first_.emplace(key, use);
    if (!is_new_in_run) {
        detail::require_one_test_case(key, first->second, use);
        detail::require_one_query(key, first->second, use);
    }
    const auto [earlier, is_new] = of_pass_.emplace(key, use);
    if (!is_new && !detail::same_bodies(earlier->second, use))
        throw input_error("two different subjects have the key \"" + key + "\": one at " + earlier->second.place +
                          ", another at " + use.place + ": give each its own name (perfspec::subject(\"name\", f)), " +
                          detail::advice_on_axes + " to one assertion");
    if (!use.compares_runs) return;
    std::vector<std::string>& places = places_of_pass_[key];
    const bool is_repeated = std::ranges::find(places, use.place) != places.end();
    places.push_back(use.place);
    const bool is_generated = use.generated && !is_new_in_run;
    if (is_generated || is_repeated)
        throw input_error(
            "the claim on baseline() at " + use.place + " is reached " +
            (is_repeated ? "twice in one pass of its test case" : "once more, with another value of a generator,") +
            " under one key, \"" + key + "\", so two measurements would share one baseline: " + detail::advice_on_axes);
}

}  // namespace perfspec::inline v0_2
