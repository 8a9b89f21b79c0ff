// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

#include "live_claims.hpp"

#include <perfspec/perfspec.hpp>

#include <perfspec/quantity/text.hpp>

namespace perfspec::testing {
namespace {

std::string name_of(const live_workload& workload, const live_claim& claim) {
    return workload.name + " / " + std::string(claim.name);
}

record judge_key(const live_workload& workload, const live_claim& claim, const std::string& key) {
    const auto usual =
        subject("usual", [&workload, units = live_workload::usual_units] { return workload.work(units); });
    const auto changed = subject("changed", [&workload, units = claim.units] { return workload.work(units); });
    return detail::record_of(evaluate(language::speedup(usual, changed) > claim.bound, language::key(key.c_str())));
}

}  // namespace

const char* to_string(truth t) noexcept {
    switch (t) {
    case truth::inside: return "true";
    case truth::at_bound: return "at the bound";
    case truth::beyond: return "false";
    }
    return "?";
}

std::string key_of(const live_workload& workload, const live_claim& claim, std::size_t nth) {
    return name_of(workload, claim) + " #" + std::to_string(nth);
}

record judge_live(const live_workload& workload, const live_claim& claim, std::size_t nth) {
    return judge_key(workload, claim, key_of(workload, claim, nth));
}

void repeat_claim(const std::vector<live_workload>& workloads, const std::string& key) {
    for (const live_workload& workload : workloads) {
        for (const live_claim& claim : live_claims) {
            if (key.starts_with(name_of(workload, claim) + " #")) (void)judge_key(workload, claim, key);
        }
    }
    throw input_error("the key \"" + key + "\" belongs to no live claim, expected one such as \"" +
                      key_of(workloads[0], live_claims[0], 0) + "\"");
}

}  // namespace perfspec::testing
