// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "since.hpp"

#include "../baselines/baseline_files.hpp"
#include "../results/concern.hpp"
#include "report.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <string_view>
#include <vector>

namespace perfspec::tool {
namespace {

const record& shown(const claim_in_two_runs& claim) { return claim.now != nullptr ? *claim.now : *claim.before; }

/// Those with another verdict, the ones that concern the reader most first. A claim without a result comes before all others.
std::vector<claim_in_two_runs> changed_ones(std::span<const claim_in_two_runs> claims) {
    std::vector<claim_in_two_runs> changed;
    std::ranges::copy_if(claims, std::back_inserter(changed), &claim_in_two_runs::changed);
    std::ranges::stable_sort(
        changed, {}, [](const claim_in_two_runs& claim) { return claim.now == nullptr ? -1 : static_cast<int>(concern_of(*claim.now)); });
    return changed;
}

std::span<const claim_in_two_runs> first_rows(const std::vector<claim_in_two_runs>& changed) {
    return std::span(changed).first(std::min(most_rows_of_claims, changed.size()));
}

std::string value_of(const record* r) { return r != nullptr && r->estimate ? detail::measured_text(*r) : std::string{}; }

std::string summary(std::size_t changed, std::size_t all, std::string_view since) {
    if (changed == 0) return fmt::format("No verdict changed since {}.", since);
    return fmt::format("{} of {} changed since {}", changed, counted(all, "verdict"), since);
}

}  // namespace

std::string since_console(std::span<const record> now, const earlier_run& before) {
    const std::vector<claim_in_two_runs> claims = claims_in_two_runs(before.records, now);
    const std::vector<claim_in_two_runs> changed = changed_ones(claims);
    table_rows rows{{"before", "now", "key", "value before", "value now"}};
    for (const claim_in_two_runs& claim : first_rows(changed)) {
        const record& r = shown(claim);
        rows.push_back({word_of(claim.before), word_of(claim.now), detail::single_line(r.key.empty() ? test_of(r) : r.key),
                        value_of(claim.before), value_of(claim.now)});
    }
    return summary(changed.size(), claims.size(), before.name()) + '\n' + (changed.empty() ? std::string{} : table_text(rows, "  ")) +
           left_out_text(changed.size());
}

std::string since_markdown(std::span<const record> now, const earlier_run& before) {
    const std::vector<claim_in_two_runs> claims = claims_in_two_runs(before.records, now);
    const std::vector<claim_in_two_runs> changed = changed_ones(claims);
    std::string text = fmt::format("{}\n", markdown_text(summary(changed.size(), claims.size(), before.name())));
    if (!changed.empty()) text += "\n| before | now | test | claim | value before | value now |\n|---|---|---|---|---|---|\n";
    for (const claim_in_two_runs& claim : first_rows(changed)) {
        const record& r = shown(claim);
        text += fmt::format("| {} | **{}** | {} | {} | {} | {} |\n", word_of(claim.before), word_of(claim.now), markdown_code(test_of(r)),
                            markdown_code(r.claim.empty() ? r.query : r.claim), markdown_text(value_of(claim.before)),
                            markdown_text(value_of(claim.now)));
    }
    return text + (changed.size() > most_rows_of_claims ? '\n' + left_out_text(changed.size()) : std::string{});
}

}  // namespace perfspec::tool
