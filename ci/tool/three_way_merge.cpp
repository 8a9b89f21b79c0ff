// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <set>

namespace perfspec::tool {
namespace {

bool is_same(const baseline_entry* a, const baseline_entry* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return *a == *b;
}

std::string_view how_both_changed(const baseline_entry* ours, const baseline_entry* theirs) {
    if (ours == nullptr) return "removed here, recorded there";
    return theirs == nullptr ? "recorded here, removed there" : "recorded on both sides";
}

void require_one_address(const located_file& ours, const located_file& theirs) {
    if (ours.file.hardware == theirs.file.hardware && ours.file.variant == theirs.file.variant && ours.file.suite == theirs.file.suite)
        return;
    throw input_error(fmt::format("{} is of {} and {} of {}, expected three versions of one file", detail::single_line(ours.path),
                                  title_of(ours.file), detail::single_line(theirs.path), title_of(theirs.file)));
}

}  // namespace

merged_baselines merge_baselines(const located_file& base, const located_file& ours, const located_file& theirs) {
    require_one_address(ours, theirs);
    std::set<std::string_view> keys;
    for (const located_file* side : {&base, &ours, &theirs})
        for (const baseline_entry& entry : side->file.entries) keys.insert(entry.key);
    merged_baselines merged{.file = {ours.file.hardware, ours.file.variant, ours.file.suite, {}}};
    for (const std::string_view key : keys) {
        const baseline_entry* before = base.file.find(key);
        const baseline_entry* our = ours.file.find(key);
        const baseline_entry* their = theirs.file.find(key);
        const bool only_theirs = is_same(our, before);
        if (!only_theirs && !is_same(their, before) && !is_same(our, their))
            merged.on_both_sides.push_back({std::string(key), how_both_changed(our, their)});
        if (const baseline_entry* taken = only_theirs ? their : our) merged.file.entries.push_back(*taken);
    }
    return merged;
}

outcome describe_merge(const merged_baselines& merged) {
    if (merged.on_both_sides.empty()) return {};
    outcome done{.text = fmt::format("{}: changed on both sides, and ours is kept:\n", title_of(merged.file)), .code = exit_code::unusable};
    for (const two_sided_change& change : merged.on_both_sides)
        done.text += fmt::format("  {}: {}\n", detail::single_line(change.key), change.how);
    done.text +=
        "  neither is of the merged code: record them again, with PERFSPEC_UPDATE_BASELINES=all and ctest -R, or git add the file as it is\n";
    return done;
}

}  // namespace perfspec::tool
