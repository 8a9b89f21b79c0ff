// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "two_runs.hpp"

#include "concern.hpp"
#include "runs.hpp"

#include <perfspec/report/console/console_text.hpp>

#include <algorithm>
#include <cstddef>
#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

using claim_identity = std::vector<std::string>;

claim_identity place_of(const record& r) { return {r.suite, r.key.empty() ? test_of(r) : r.key}; }

claim_identity text_of(const record& r) {
    claim_identity identity = place_of(r);
    identity.push_back(r.claim.empty() ? r.query : r.claim);
    return identity;
}

claim_identity text_and_machine_of(const record& r) {
    claim_identity identity = text_of(r);
    identity.insert(identity.end(), {r.hardware_key, r.build_variant});
    return identity;
}

/// Gives each claim of now that has none yet the next claim of before with the same identity.
void match_by(claim_identity (*identity_of)(const record&), std::vector<const record*>& left, std::vector<claim_in_two_runs>& claims) {
    std::map<claim_identity, std::vector<std::size_t>> places;  // in `left`, the first one last
    for (std::size_t i = left.size(); i-- > 0;)
        if (left[i] != nullptr) places[identity_of(*left[i])].push_back(i);
    for (claim_in_two_runs& claim : claims) {
        if (claim.before != nullptr) continue;
        const auto found = places.find(identity_of(*claim.now));
        if (found == places.end() || found->second.empty()) continue;
        claim.before = std::exchange(left[found->second.back()], nullptr);
        found->second.pop_back();
    }
}

}  // namespace

std::string word_of(const record* r) {
    if (r == nullptr) return "no result";
    return detail::verdict_word(*r, {}) + (detail::is_waived(*r) ? ", waived" : "");
}

bool claim_in_two_runs::changed() const { return word_of(before) != word_of(now); }

std::vector<claim_in_two_runs> claims_in_two_runs(std::span<const record> before, std::span<const record> now) {
    std::vector<claim_in_two_runs> claims;
    for (const record& r : now) claims.push_back({nullptr, &r});
    std::vector<const record*> left;
    for (const record& r : before) left.push_back(&r);
    for (const auto identity_of : {text_and_machine_of, text_of, place_of}) match_by(identity_of, left, claims);
    for (const record* r : left)
        if (r != nullptr) claims.push_back({r, nullptr});
    return claims;
}

std::string earlier_run::name() const {
    const auto newest = std::ranges::max_element(records, {}, &record::time);
    if (newest == records.end()) return "a run without results";
    return commit_and_day(newest->commit, newest->dirty, newest->time);
}

}  // namespace perfspec::tool
