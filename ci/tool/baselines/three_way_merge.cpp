// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <vector>

namespace perfspec::tool {
namespace {

template <class Entry> bool is_same(const Entry* a, const Entry* b) {
    if (a == nullptr || b == nullptr) return a == b;
    return *a == *b;
}

/// Whether both sides agree so far that ours can stand for both.
bool agree(const baseline_entry* ours, const baseline_entry* theirs) { return is_same(ours, theirs); }
bool agree(const golden_outputs* ours, const golden_outputs* theirs) {
    return is_same(ours, theirs) || (ours != nullptr && theirs != nullptr && output_difference(*ours, *theirs).empty());
}

/// The launches of one session of an entry, by its mark.
std::vector<stored_launch> session_in(const baseline_entry& entry, const std::string& mark) {
    std::vector<stored_launch> launches;
    std::ranges::copy_if(entry.launches, std::back_inserter(launches), [&](const stored_launch& l) { return l.recording_session == mark; });
    return launches;
}

/// Whether `entry` is `to` with further recording sessions. A full entry may have lost its oldest sessions.
bool only_adds_sessions(const baseline_entry& entry, const baseline_entry& to) {
    if (entry.unit != to.unit || entry.polarity != to.polarity) return false;
    const bool is_full = sessions_of(entry.launches).size() == baseline_entry::max_sessions;
    return std::ranges::all_of(sessions_of(to.launches), [&](const recording_session& s) {
        const auto launches = session_in(entry, s.mark);
        return launches == session_in(to, s.mark) || (is_full && launches.empty());
    });
}

/// Whether all sessions that both entries have are the same.
bool agree_on_sessions(const baseline_entry& ours, const baseline_entry& theirs) {
    return std::ranges::all_of(sessions_of(theirs.launches), [&](const recording_session& s) {
        const auto launches = session_in(ours, s.mark);
        return launches.empty() || launches == session_in(theirs, s.mark);
    });
}

/// An entry with the sessions of both sides, where each side only added some: these are launches of the same code, recorded twice.
std::optional<baseline_entry> with_sessions_of_both(const baseline_entry* before, const baseline_entry* our, const baseline_entry* their) {
    if (before == nullptr || our == nullptr || their == nullptr) return {};
    if (!only_adds_sessions(*our, *before) || !only_adds_sessions(*their, *before) || !agree_on_sessions(*our, *their)) return {};
    const bool ours_is_newer = newest_of(our->launches) >= newest_of(their->launches);
    baseline_entry both = ours_is_newer ? *our : *their;
    if (!both.operators) both.operators = ours_is_newer ? their->operators : our->operators;
    both.launches = our->launches;
    std::ranges::copy_if(their->launches, std::back_inserter(both.launches),
                         [&](const stored_launch& l) { return session_in(*our, l.recording_session).empty(); });
    both.launches = newest_launches(both.launches);
    return both;
}
std::optional<golden_outputs> with_sessions_of_both(const golden_outputs*, const golden_outputs*, const golden_outputs*) { return {}; }

template <class Entry> std::string_view how_both_changed(const Entry* ours, const Entry* theirs) {
    if (ours == nullptr) return "removed here, recorded there";
    return theirs == nullptr ? "recorded here, removed there" : "recorded on both sides";
}

template <class File> void require_one_address(const located<File>& ours, const located<File>& theirs) {
    if (ours.file.hardware == theirs.file.hardware && ours.file.variant == theirs.file.variant && ours.file.suite == theirs.file.suite)
        return;
    throw input_error(fmt::format("{} is of {} and {} of {}, expected three versions of one file", detail::single_line(ours.path),
                                  title_of(ours.file), detail::single_line(theirs.path), title_of(theirs.file)));
}

}  // namespace

template <class File> merged<File> merge_baselines(const located<File>& base, const located<File>& ours, const located<File>& theirs) {
    require_one_address(ours, theirs);
    std::set<std::string_view> keys;
    for (const located<File>* side : {&base, &ours, &theirs})
        for (const auto& entry : side->file.entries) keys.insert(entry.key);
    merged<File> all{.file = {ours.file.hardware, ours.file.variant, ours.file.suite, {}}};
    for (const std::string_view key : keys) {
        const auto* before = base.file.find(key);
        const auto* our = ours.file.find(key);
        const auto* their = theirs.file.find(key);
        const bool only_theirs = is_same(our, before);
        const bool both_changed = !only_theirs && !is_same(their, before);
        if (auto united = both_changed ? with_sessions_of_both(before, our, their) : std::nullopt) {
            all.file.entries.push_back(*std::move(united));
            continue;
        }
        if (both_changed && !agree(our, their)) all.on_both_sides.push_back({std::string(key), how_both_changed(our, their)});
        if (const auto* taken = only_theirs ? their : our) all.file.entries.push_back(*taken);
    }
    return all;
}

template <class File> outcome describe_merge(const merged<File>& merged) {
    if (merged.on_both_sides.empty()) return {};
    outcome done{.text = fmt::format("{}: changed on both sides, and ours is kept:\n", title_of(merged.file)), .code = exit_code::unusable};
    for (const two_sided_change& change : merged.on_both_sides)
        done.text += fmt::format("  {}: {}\n", detail::single_line(change.key), change.how);
    done.text +=
        "  neither is of the merged code: record them again, with PERFSPEC_UPDATE_BASELINES=all and ctest -R, or git add the file as it "
        "is\n";
    return done;
}

template merged<baseline_file> merge_baselines(const located_file&, const located_file&, const located_file&);
template merged<golden_file> merge_baselines(const located_golden&, const located_golden&, const located_golden&);
template outcome describe_merge(const merged<baseline_file>&);
template outcome describe_merge(const merged<golden_file>&);

}  // namespace perfspec::tool
