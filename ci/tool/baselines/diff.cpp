// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <cmath>
#include <map>

namespace perfspec::tool {
namespace {

template <class File> std::map<entry_address, addressed<File>> by_address(const std::vector<located<File>>& files) {
    std::map<entry_address, addressed<File>> all;
    for (const addressed<File>& at : entries_in(files, "")) all.emplace(at.address(), at);
    return all;
}

std::string side_text(const baseline_entry& entry) {
    return fmt::format("{} ({})", median_text(entry), counted(entry.launches.size(), "launch"));
}

/// Whether the detectable change differs by a tenth or more.
bool detects_otherwise(const baseline_entry& before, const baseline_entry& after) {
    const double then = detectable_by(before);
    const double now = detectable_by(after);
    return std::isfinite(then) != std::isfinite(now) || (std::isfinite(now) && std::abs(now - then) >= 0.1 * then);
}

/// "; detected +10 % or more, detects +5.1 % or more"; empty where both are about the same.
std::string change_of_resolution(const baseline_entry& before, const baseline_entry& after) {
    if (!detects_otherwise(before, after)) return {};
    return fmt::format("; detected {}, detects {}", detectable_text(before), detectable_text(after));
}

/// Whether an entry that both sides have differs in a way that changes claims on it.
bool matters(const baseline_entry& before, const baseline_entry& after) {
    constexpr double noticeable = 0.01;
    const bool same_metric = before.unit == after.unit && before.polarity == after.polarity;
    const bool shows_drift =
        recordings_of(before) < 3 && recordings_of(after) > recordings_of(before);  // drift needs three sessions
    return !same_metric || shows_drift || std::abs(change_between(before, after).fraction) >= noticeable ||
           detects_otherwise(before, after);
}
bool matters(const golden_outputs& before, const golden_outputs& after) {
    return !output_difference(before, after).empty();
}

std::string change_text(const baseline_entry& before, const baseline_entry& after) {
    const bool same_metric = before.unit == after.unit && before.polarity == after.polarity;
    const double change = change_between(before, after).fraction;
    const std::string moved = same_metric ? format_change(change) : std::string("another metric");
    std::string text = fmt::format("{} -> {}, {}{}\n", side_text(before), side_text(after), moved,
                                   change_of_resolution(before, after));
    for (const std::string& difference : describe_difference(before.recorded_on, after.recorded_on))
        text += fmt::format("      {}\n", detail::single_line(difference));
    return text;
}

std::string side_text(const golden_outputs& entry) { return "golden, " + outputs_text(entry); }

std::string change_text(const golden_outputs& before, const golden_outputs& after) {
    const std::string difference = output_difference(before, after);
    const std::string bits = difference.empty() ? "the same bits" : detail::single_line(difference);
    return fmt::format("{} -> {}, {}\n", side_text(before), side_text(after), bits);
}

/// The entries of one kind of file that came, went and moved.
class differences {
public:
    template <class File>
    void compare(const std::vector<located<File>>& before, const std::vector<located<File>>& after) {
        const auto then = by_address(before);
        const auto now = by_address(after);
        auto all = then;
        all.insert(now.begin(), now.end());
        for (const auto& [address, at] : all) {
            const auto old_one = then.find(address);
            const auto new_one = now.find(address);
            tell(at, old_one == then.end() ? nullptr : old_one->second.entry,
                 new_one == now.end() ? nullptr : new_one->second.entry);
        }
    }

    [[nodiscard]] outcome told(exit_codes codes) {
        text_ += fmt::format("{} added, {} removed, {} changed, {} as before\n", counts_["added"], counts_["removed"],
                             counts_["changed"], counts_["as before"]);
        return {std::move(text_), codes == exit_codes::told && matter_ ? exit_code::violated : exit_code::holds};
    }

private:
    template <class File>
    void tell(const addressed<File>& at, const typename File::entry_type* old_one,
              const typename File::entry_type* new_one) {
        const bool both = old_one != nullptr && new_one != nullptr;
        const std::string_view what = old_one == nullptr       ? "added"
                                      : new_one == nullptr     ? "removed"
                                      : (*old_one == *new_one) ? "as before"
                                                               : "changed";
        ++counts_[what];
        if (what == "as before") return;
        if (!both || matters(*old_one, *new_one)) matter_ = true;
        if (const std::string here = title_of(at.in->file); here != title_) text_ += (title_ = here) + '\n';
        const std::string values = both ? change_text(*old_one, *new_one) : side_text(*at.entry) + '\n';
        text_ += fmt::format("  {:<7}  {}: {}", what, detail::single_line(at.entry->key), values);
    }

    std::string text_;
    std::string title_;
    std::map<std::string_view, std::size_t> counts_;
    bool matter_ = false;
};

}  // namespace

outcome diff_baselines(const stored_files& before, const stored_files& after, exit_codes codes) {
    differences found;
    found.compare(before.baselines, after.baselines);
    found.compare(before.golden, after.golden);
    return found.told(codes);
}

}  // namespace perfspec::tool
