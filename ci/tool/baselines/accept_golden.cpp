// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "accept.hpp"
#include "baselines.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

namespace perfspec::tool {
namespace {

golden_outputs outputs_of(const record& r) {
    return {r.key, r.verified->made_by, r.time, r.commit, r.verified->fingerprints};
}

bool carries_golden_outputs(const record& r) { return r.verified && !r.verified->fingerprints.empty(); }

}  // namespace

golden_acceptance::golden_acceptance(std::span<const result_line* const> lines, const accept_request& request,
                                     file_system& files)
    : request_(request), files_(files) {
    for (const result_line* line : lines)
        if (carries_golden_outputs(line->about) && contains_pattern(line->about.key, request.filter)) consider(*line);
    std::erase_if(plans_, [](const auto& each) {
        return each.second.older == 0 && each.second.from->about.verdict == verdict::holds;
    });
    std::map<std::string, golden_snapshot> stored;
    for (auto& [address, plan] : plans_) {
        const golden_store store = store_of(plan);
        auto known = stored.find(store.path());
        if (known == stored.end()) known = stored.emplace(store.path(), store.load()).first;
        const bool usable =
            known->second.outcome != lookup_outcome::unreadable && known->second.outcome != lookup_outcome::corrupt;
        if (!usable) throw input_error(known->second.reason);
        decide(plan, known->second);
        if (plan.writes) ++written_;
        if (plan.became == "refused") ++refused_;
    }
}

void golden_acceptance::consider(const result_line& line) {
    golden_outputs fresh = outputs_of(line.about);
    planned& plan = plans_[address_of(line.about)];
    if (plan.from != nullptr && !output_difference(plan.fresh, fresh).empty()) ++plan.older;
    if (plan.from != nullptr && fresh.when < plan.fresh.when) return;
    plan.from = &line;
    plan.fresh = std::move(fresh);
}

void golden_acceptance::decide(planned& plan, const golden_snapshot& stored) const {
    const golden_outputs* kept = stored.file.find(plan.fresh.key);
    const auto becomes = [&plan](const char* word, std::string reason) {
        plan.became = word;
        plan.reason = std::move(reason);
    };
    if (const auto fault = fault_of_accepted(plan.fresh.key)) return becomes("refused", *fault);
    if (kept == nullptr) {
        becomes("recorded", "no outputs were stored for this key");
    } else if (const std::string difference = output_difference(*kept, plan.fresh); difference.empty()) {
        return becomes("kept", "the same bits are stored already");
    } else if (kept->when > plan.fresh.when && request_.noisy == noisy_launches::refuse) {
        return becomes("refused",
                       fmt::format("the stored outputs of {} are newer than these of {}; --force stores them",
                                   kept->when, plan.fresh.when));
    } else {
        becomes("recorded anew", difference + origin_text(*kept));
    }
    plan.writes = true;
}

golden_store golden_acceptance::store_of(const planned& plan) const {
    const record& r = plan.from->about;
    return {files_, {request_.baseline_dir, r.hardware_key, r.build_variant, r.suite}};
}

std::string golden_acceptance::carry_out(const std::string& told) {
    std::string text;
    for (auto next = plans_.begin(); next != plans_.end();) {
        golden_store store = store_of(next->second);
        text += detail::single_line(store.path()) + "\n";
        std::vector<golden_outputs> fresh;
        std::string of_file;
        for (; next != plans_.end() && store_of(next->second).path() == store.path(); ++next) {
            if (next->second.writes) fresh.push_back(next->second.fresh);
            of_file += text_of(next->second);
        }
        if (!fresh.empty() && request_.writes == writing::done)
            with_account(told + text, [&] { store.keep_all(fresh); });
        text += of_file;
    }
    return text;
}

std::string golden_acceptance::text_of(const planned& plan) const {
    std::string text = fmt::format("  {}: {}: {}\n    {} ({})\n", detail::single_line(plan.fresh.key), plan.became,
                                   outputs_text(plan.fresh), detail::single_line(plan.reason), plan.from->place());
    if (plan.older > 0)
        text += fmt::format("    {} of this key with other outputs, not stored\n", counted(plan.older, "result"));
    return plan.writes ? text + warnings_about(plan.from->about) : text;
}

}  // namespace perfspec::tool
