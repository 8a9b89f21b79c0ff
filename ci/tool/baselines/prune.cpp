// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/baseline_store.hpp>
#include <perfspec/baseline/golden/golden_store.hpp>
#include <perfspec/baseline/project_file.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

namespace perfspec::tool {
namespace {

/// Which keys the run of these results must have reached.
struct run_coverage {
    std::set<entry_address> suites{};  ///< with an empty key
    std::set<entry_address> named{};
    std::set<entry_address> failed_tests{};  ///< in place of the key, the name of a test case, with which keys begin;
                                             ///< empty for claims without a test case

    explicit run_coverage(const results& found) {
        for (const result_line& line : found.lines) {
            const entry_address at = address_of(line.about);
            named.insert(at);
            suites.insert({at.hardware, at.variant, at.suite, {}});
            if (line.about.failed) failed_tests.insert({at.hardware, at.variant, at.suite, line.about.test});
        }
    }

    [[nodiscard]] bool knows_suite(const entry_address& at) const {
        return suites.contains({at.hardware, at.variant, at.suite, {}});
    }

    /// Whether the run may have skipped this key. A test case may have ended at a failed claim, and then its later keys
    /// are in no result. Keys begin with the name of their test case.
    [[nodiscard]] bool may_have_been_passed_over(const entry_address& at) const {
        return std::ranges::any_of(failed_tests, [&](const entry_address& failed) {
            const std::string_view test = failed.key;
            const bool same_suite = entry_address{at.hardware, at.variant, at.suite, test} == failed;
            return same_suite &&
                   (test.empty() || (at.key.starts_with(test) && at.key.substr(test.size()).starts_with(" / ")));
        });
    }
};

/// Where and how the results are incomplete: in a process that was cut short, no later test ran.
std::optional<std::string> cut_short(const results& found) {
    const auto told = [](const result_line& line) {
        return fmt::format("{}: {}: started and has no result", line.place(), detail::single_line(line.about.key));
    };
    if (const auto unfinished = found.unfinished(); !unfinished.empty()) return told(*unfinished.front());
    const auto merged =
        std::ranges::find(found.lines, reason_of_unfinished, [](const result_line& line) { return line.about.reason; });
    if (merged != found.lines.end()) return told(*merged);
    if (!found.notes.empty()) return found.notes.front();
    for (const result_line& line : found.lines)
        if (const auto only = detail::option_of(line.about, "only"); !only.empty())
            return fmt::format("{}: a run with only={}, which leaves out claims", line.place(),
                               detail::single_line(only));
    return {};
}

/// Removes the keys of one kind of file after the other, and reports them.
class pruning {
public:
    pruning(const results& found, std::string folder, writing writes, file_system& disk)
        : run_(found), folder_(std::move(folder)), writes_(writes), disk_(disk) {}

    template <class File> void look_through(const std::vector<located<File>>& files) {
        for (const addressed<File>& at : entries_in(files, "")) {
            const entry_address address = at.address();
            if (!run_.knows_suite(address)) continue;
            ++considered_;
            if (!run_.named.contains(address)) forget(at);
        }
    }

    [[nodiscard]] outcome told(const std::optional<std::string>& cut) {
        text_ += fmt::format("{} of {} in the suites of the results {} in no result", pruned_,
                             counted(considered_, "key"), pruned_ == 1 ? "is" : "are");
        if (pruned_ == 0) text_ += "\n";
        else if (writes_ == writing::done) text_ += ": removed; review the diff\n";
        else if (cut) text_ += fmt::format(": nothing was written, and --write refuses these results: {}\n", *cut);
        else text_ += ": nothing was written; --write removes them, if the results are of complete runs\n";
        return {std::move(text_)};
    }

private:
    template <class File> void forget(const addressed<File>& at) {
        const std::string name =
            fmt::format("  {}: {}", detail::single_line(at.in->path), detail::single_line(at.entry->key));
        if (run_.may_have_been_passed_over(at.address())) {
            text_ += name + ": kept, a claim of its test case failed, which may have ended it\n";
            return;
        }
        if (writes_ == writing::done) with_account(text_, [&] { return erase(at.in->file, at.entry->key); });
        text_ += fmt::format("{} ({})\n", name, size_text(*at.entry));
        ++pruned_;
    }

    bool erase(const baseline_file& file, std::string_view key) {
        return baseline_store(disk_, address_of_file(file)).erase(key);
    }
    bool erase(const golden_file& file, std::string_view key) {
        return golden_store(disk_, address_of_file(file)).erase(key);
    }
    template <class File> [[nodiscard]] baseline_address address_of_file(const File& file) const {
        return {folder_, file.hardware, file.variant, file.suite};
    }
    static std::string size_text(const baseline_entry& entry) { return counted(entry.launches.size(), "launch"); }
    static std::string size_text(const golden_outputs& entry) { return counted(entry.outputs.size(), "golden output"); }

    run_coverage run_;
    std::string folder_;
    writing writes_;
    file_system& disk_;
    std::string text_;
    std::size_t pruned_ = 0;
    std::size_t considered_ = 0;
};

std::string proper_path(const baseline_address& where, const baseline_file&) { return path_of(where); }
std::string proper_path(const baseline_address& where, const golden_file&) { return golden_path_of(where); }

/// Whether a file of baselines has schema version 1. Such a file is valid; the next update of one of its keys writes it
/// as version 2.
bool is_of_older_version(std::string_view text) {
    constexpr std::string_view version_1 = "{\n  \"schema_version\": 1,\n";
    return text.starts_with(version_1) && baseline_file::schema_version > 1 && !has_golden_outputs(text);
}

/// What is wrong with a text; nothing where it is a file of this kind in its place.
template <class File>
std::optional<std::string> fault_of_text(const input_text& text, const std::string& folder, std::size_t& keys) {
    File file;
    try {
        file = parse_as<File>(text);
    } catch (const input_error& error) { return error.what(); }
    keys += file.entries.size();
    const std::string expected = proper_path({folder, file.hardware, file.variant, file.suite}, file);
    if (expected != text.path)
        return fmt::format(
            "{}: it says that it is {}, expected at {}\n  move the file to where it belongs, or remove it and record again",
            detail::single_line(text.path), title_of(file), detail::single_line(expected));
    if (is_of_older_version(text.text)) return {};
    if (render(file) != text.text)
        return fmt::format(
            "{}: not in the form that perfspec writes, expected keys in byte order and one recording session or output in each line\n"
            "  update or accept one of its keys to write it again, or restore it from version control",
            detail::single_line(text.path));
    return {};
}

}  // namespace

outcome prune_baselines(const stored_files& files, const results& found, const std::string& folder, writing writes,
                        file_system& disk) {
    const auto cut = cut_short(found);
    if (cut && writes == writing::done)
        throw input_error(
            *cut + "; expected results of complete runs: correct what crashed or timed out, and run the tests again");
    pruning all(found, folder, writes, disk);
    all.look_through(files.baselines);
    all.look_through(files.golden);
    return all.told(cut);
}

outcome verify_baselines(std::span<const input_text> texts, const std::string& folder) {
    outcome done;
    std::size_t keys = 0;
    std::size_t faults = 0;
    for (const input_text& text : texts) {
        const auto fault = is_name_of_golden_outputs(text.path) ? fault_of_text<golden_file>(text, folder, keys)
                                                                : fault_of_text<baseline_file>(text, folder, keys);
        if (!fault) continue;
        ++faults;
        done.text += *fault + '\n';
    }
    if (faults > 0) done.code = exit_code::unusable;
    done.text += fmt::format("{}, {}: {}\n", counted(texts.size(), "file"), counted(keys, "key"),
                             faults == 0 ? std::string("no faults") : counted(faults, "fault"));
    return done;
}

void verify_project_file(outcome& done, const file_system& disk, const std::string& folder, std::string_view now) {
    try {
        const auto [options, waivers] = read_project_file(disk, folder);
        if (!options.empty())
            done.text += fmt::format("{}: {}\n", project_file::name, counted(options.size(), "option"));
        for (const waiver& w : waivers)
            done.text +=
                fmt::format("{}: {} {}: {}, {} ({})\n", detail::single_line(w.place),
                            now.substr(0, w.until.size()) > w.until ? "its waiver ended on" : "waived until", w.until,
                            detail::single_line(w.key), detail::single_line(w.reason), detail::single_line(w.owner));
    } catch (const input_error& error) {
        done.text += std::string(error.what()) + '\n';
        done.code = exit_code::unusable;
    }
}

}  // namespace perfspec::tool
