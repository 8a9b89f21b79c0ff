// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "history_console.hpp"

#include "../baselines/baseline_files.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

namespace perfspec::tool {
namespace {

/// The key, and where it was measured unless all keys come from one place.
class key_names {
public:
    explicit key_names(const history& all) {
        std::set<std::string> places;
        for (const key_history& key : all.keys) places.insert(place_of(key));
        is_one_place_ = places.size() == 1;
    }
    [[nodiscard]] std::string name(const key_history& key) const {
        return detail::single_line(key.key) + (is_one_place_ ? "" : "  (" + place_of(key) + ")");
    }

private:
    static std::string place_of(const key_history& key) {
        return detail::single_line(key.hardware) + (key.variant.empty() ? "" : ", variant " + detail::single_line(key.variant));
    }
    bool is_one_place_ = false;
};

std::string section(std::string_view title, const table_rows& rows) {
    return rows.size() < 2 ? std::string{} : fmt::format("{}\n{}\n", title, table_text(rows, "  "));
}

std::string violated_section(const history& all, std::span<const key_findings> found, const key_names& names) {
    table_rows rows{{"key", "last", "bound", "run before", "last run"}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].violates) continue;
        const key_history& key = all.keys[i];
        const history_point& last = key.points.back();
        rows.push_back({names.name(key), std::isfinite(last.value) ? value_text(last.value, key.unit) : "-",
                        std::isfinite(last.bound) ? value_text(last.bound, key.unit) : "-", run_text(all.runs[(key.points.end() - 2)->run]),
                        run_text(all.runs[last.run])});
    }
    return section("Violated in both of the last two runs", rows);
}

std::string creeping_section(const history& all, std::span<const key_findings> found, const key_names& names) {
    table_rows rows{{"key", "at first", "last five", "change", "runs"}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (!found[i].crept) continue;
        const key_history& key = all.keys[i];
        const creep& c = *found[i].crept;
        rows.push_back({names.name(key), value_text(c.before, key.unit), value_text(c.now, key.unit), format_change(c.change),
                        std::to_string(key.points.size())});
    }
    return section("Worse from run to run, whatever the single verdicts say", rows);
}

std::string changed_section(const history& all, std::span<const key_findings> found, const key_names& names) {
    table_rows rows{{"key", "before", "after", "change", "first run after"}};
    for (std::size_t i = 0; i < found.size(); ++i) {
        const key_history& key = all.keys[i];
        for (const change_point& change : found[i].changes)
            rows.push_back({names.name(key), value_text(change.before, key.unit), value_text(change.after, key.unit),
                            format_change(change.after / change.before - 1), run_text(all.runs[change.run])});
    }
    return section("Change points (Apache Otava)", rows);
}

std::string missing_section(const history& all, std::span<const key_findings> found, const key_names& names) {
    table_rows rows{{"key", "last run with it"}};
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i].is_missing) rows.push_back({names.name(all.keys[i]), run_text(all.runs[all.keys[i].points.back().run])});
    return section("Not in the newest run of its machine", rows);
}

std::string counts_line(std::span<const key_findings> found) {
    const auto count = [&](key_state s) { return std::ranges::count(found, s, &key_findings::state); };
    return fmt::format("{}: {} violated twice, {} creeping, {} missing, {} changed, {} steady", counted(found.size(), "key"),
                       count(key_state::violated), count(key_state::creeping), count(key_state::missing), count(key_state::changed),
                       count(key_state::steady));
}

}  // namespace

std::string extent_text(const history& all) {
    if (all.runs.empty()) return "no runs";
    std::set<std::string_view> machines;
    for (const key_history& key : all.keys) machines.insert(key.hardware);
    return fmt::format("{} from {} to {}, {} on {}", counted(all.runs.size(), "run"), day_of(all.runs.front().time),
                       day_of(all.runs.back().time), counted(all.keys.size(), "key"), counted(machines.size(), "machine"));
}

outcome history_console(const history& all, std::span<const key_findings> found) {
    const key_names names(all);
    outcome done;
    for (const std::string& note : all.notes) done.text += note + '\n';
    done.text += extent_text(all) + "\n\n";
    done.text += violated_section(all, found, names) + creeping_section(all, found, names) + changed_section(all, found, names) +
                 missing_section(all, found, names);
    done.text += counts_line(found) + '\n';
    if (std::ranges::any_of(found, &key_findings::violates)) done.code = exit_code::violated;
    return done;
}

}  // namespace perfspec::tool
