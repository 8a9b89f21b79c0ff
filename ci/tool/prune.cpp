// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include "merge.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>

namespace perfspec::tool {
namespace {

/// What the results say of the keys that they do not name.
struct run_coverage {
    std::set<entry_address> suites{};  ///< without a key
    std::set<entry_address> named{};
    std::set<entry_address> failed_tests{};  ///< the beginning of the keys of a test case; empty without one

    explicit run_coverage(const results& found) {
        for (const result_line& line : found.lines) {
            const entry_address at = address_of(line.about);
            named.insert(at);
            suites.insert({at.hardware, at.variant, at.suite, {}});
            if (line.about.failed) failed_tests.insert({at.hardware, at.variant, at.suite, line.about.test});
        }
    }

    [[nodiscard]] bool knows_suite(const entry_address& at) const { return suites.contains({at.hardware, at.variant, at.suite, {}}); }

    /// A test case may have ended at a claim that failed, so that its later keys are in no result. Keys begin with its name.
    [[nodiscard]] bool may_have_been_passed_over(const entry_address& at) const {
        return std::ranges::any_of(failed_tests, [&](const entry_address& failed) {
            const std::string_view test = failed.key;
            const bool same_suite = entry_address{at.hardware, at.variant, at.suite, test} == failed;
            return same_suite && (test.empty() || (at.key.starts_with(test) && at.key.substr(test.size()).starts_with(" / ")));
        });
    }
};

/// Where the run was cut short: after that no test of its process ran.
std::optional<std::string> cut_short(const results& found) {
    const auto told = [](const result_line& line) {
        return fmt::format("{}: {}: started and has no result", line.place(), detail::single_line(line.about.key));
    };
    if (const auto unfinished = found.unfinished(); !unfinished.empty()) return told(*unfinished.front());
    const auto merged = std::ranges::find(found.lines, reason_of_unfinished, [](const result_line& line) { return line.about.reason; });
    if (merged != found.lines.end()) return told(*merged);
    if (!found.notes.empty()) return found.notes.front();
    for (const result_line& line : found.lines)
        if (const auto only = detail::option_of(line.about, "only"); !only.empty())
            return fmt::format("{}: a run with only={}, which leaves out claims", line.place(), detail::single_line(only));
    return {};
}

}  // namespace

outcome prune_baselines(std::span<const located_file> files, const results& found, const std::string& folder, writing writes,
                        file_system& disk) {
    const auto cut = cut_short(found);
    if (cut && writes == writing::done)
        throw input_error(*cut + "; expected results of whole runs: mend what crashed or timed out, and run the tests again");
    const run_coverage run(found);
    outcome done;
    std::size_t pruned = 0;
    std::size_t considered = 0;
    for (const addressed_entry& at : entries_in(files, "")) {
        const entry_address address = at.address();
        if (!run.knows_suite(address)) continue;
        ++considered;
        if (run.named.contains(address)) continue;
        const baseline_file& file = at.in->file;
        const std::string name = fmt::format("  {}: {}", detail::single_line(at.in->path), detail::single_line(at.entry->key));
        if (run.may_have_been_passed_over(address)) {
            done.text += name + ": kept, a claim of its test case failed, which may have ended it\n";
            continue;
        }
        if (writes == writing::done)
            with_account(done.text, [&] {
                return baseline_store(disk, {folder, file.hardware, file.variant, file.suite}).erase(at.entry->key);
            });
        done.text += fmt::format("{} ({})\n", name, counted(at.entry->launches.size(), "launch"));
        ++pruned;
    }
    done.text += fmt::format("{} of {} in the suites of the results {} in no result", pruned, counted(considered, "key"),
                             pruned == 1 ? "is" : "are");
    if (pruned == 0) done.text += "\n";
    else if (writes == writing::done) done.text += ": removed; review the diff\n";
    else if (cut) done.text += fmt::format(": nothing was written, and --write refuses these results: {}\n", *cut);
    else done.text += ": nothing was written; --write removes them, if the results are of whole runs\n";
    return done;
}

}  // namespace perfspec::tool
