// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "results.hpp"

#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace perfspec::tool {
namespace {

/// Whether the text of an object ends before its last brace.
bool ends_inside(std::string_view object) {
    std::size_t depth = 0;
    bool in_text = false;
    for (std::size_t i = 0; i < object.size(); ++i) {
        const char c = object[i];
        if (in_text && c == '\\') ++i;
        else if (c == '"') in_text = !in_text;
        else if (!in_text && (c == '{' || c == '[')) ++depth;
        else if (!in_text && (c == '}' || c == ']')) --depth;
        if (depth == 0) return false;
    }
    return true;
}

/// Whether a result of perfspec ends in the middle: its process was killed, or the disk was full.
bool is_cut_short(std::string_view line) {
    constexpr std::string_view beginning = "{\"schema\":";
    const bool is_ours = line.starts_with(beginning) || beginning.starts_with(line);
    return is_ours && ends_inside(line);
}

/// Reads the lines of one file into the results.
class line_reader {
public:
    line_reader(results& all, const input_text& file) : all_(all), file_(file) {}

    void read() {
        std::string_view rest = file_.text;
        while (!rest.empty()) add(detail::take_until(rest, '\n'));
        if (results_ == 0)
            throw input_error(
                fmt::format("{}: there are no results in it, expected lines of JSON: give the file of --perf-output or "
                            "PERFSPEC_OUTPUT, and check that the tests ran",
                            detail::single_line(file_.path)));
    }

private:
    void add(std::string_view line) {
        ++number_;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (detail::trimmed(line).empty()) return;
        if (line.size() > max_bytes_of_a_line)
            refuse(fmt::format("the line has {} bytes, expected at most {}: this is no file of results", line.size(),
                               max_bytes_of_a_line));
        ++results_;
        if (is_cut_short(line)) add_note();
        else all_.lines.push_back(parsed(line));
    }
    [[nodiscard]] result_line parsed(std::string_view line) const {
        try {
            json_line read = read_json_line(line);
            return {read.kind, std::move(read.about), line, file_.path, number_};
        } catch (const input_error& error) { refuse(error.what()); }
    }
    void add_note() {
        ++all_.cut_short;
        all_.notes.push_back(fmt::format(
            "{}:{}: the line is cut short, so its result is lost: was the process killed, or the disk full?",
            detail::single_line(file_.path), number_));
    }
    [[noreturn]] void refuse(std::string_view why) const {
        throw input_error(fmt::format("{}:{}: {}", detail::single_line(file_.path), number_, why));
    }

    results& all_;
    const input_text& file_;
    std::size_t number_ = 0;
    std::size_t results_ = 0;
};

/// Makes all runs without an id on a machine one run.
void unite_runs(results& all) {
    for (result_line& line : all.lines) line.about.started_by.clear();
}

/// Results of a newer run replace those with the same key. Claims without a key are identified by their source line.
auto key_in_runs(const record& r) {
    const std::string source_line = r.key.empty() ? fmt::format("{}:{} {}", r.file, r.line, r.test) : std::string{};
    return std::tuple(run_of(r).first, r.hardware_key, r.build_variant, r.suite, r.key, source_line);
}
using run_key = decltype(key_in_runs(record{}));

std::string replaced_text(std::size_t lines, std::size_t failed) {
    return fmt::format(
        "{} of older runs left out ({} failed), because a newer run has the same keys. A key that only an older run "
        "has counts. Remove old results before a run",
        counted(lines, "line"), failed == 0 ? std::string("none") : std::to_string(failed));
}

using fault_lines = std::vector<std::string>;

/// The likely reason why a claim has two results.
std::string reason_of_duplicate(const record& a, const record& b) {
    const auto both = [](auto what, auto x, auto y) { return fmt::format("{} (\"{}\" and \"{}\")", what, x, y); };
    const std::string one = source_of(a.file, a.line), other = source_of(b.file, b.line);
    if (!may_be_one_source(one, other)) return both("two programs are called " + a.suite, one, other);
    if (a.shard != b.shard) return both("two shards ran it", a.shard, b.shard);
    return both("two runs, attempts or programs have it", a.run_id, b.run_id);
}

/// Finds claims with results in two files. Reports one for each file.
void find_duplicates(fault_lines& faults, const results& found) {
    std::map<entry_address, const result_line*> first;
    std::set<std::string_view> reported;
    for (const result_line* line : found.finished()) {
        const record& r = line->about;
        const result_line& other = *first.emplace(address_of(r), line).first->second;
        if (r.key.empty() || r.test.empty() || other.path == line->path || !reported.insert(line->path).second)
            continue;
        if (other.raw == line->raw)
            faults.push_back(fmt::format(
                "{}: this result is the same as {}: a shard is given twice, or the merged file is among the shards",
                line->place(), other.place()));
        else
            faults.push_back(
                detail::single_line(fmt::format("{}: \"{}\" has a result at {}, too: {}", line->place(), r.key,
                                                other.place(), reason_of_duplicate(other.about, r))));
    }
}

/// The id of a run of GitHub, "123-2", without its attempt: jobs that run again have results beside those of others.
std::string_view run_without_attempt(std::string_view id) {
    constexpr std::string_view digits = "0123456789";
    const std::size_t end = id.find_first_not_of(digits);
    const bool has_attempt =
        end != id.npos && end > 0 && id[end] == '-' && id.find_first_not_of(digits, end + 1) == id.npos;
    return has_attempt ? id.substr(0, end) : id;
}

/// Reports results that differ in what all shards have in common; `value_of` returns nullopt if it is unknown.
template <class ValueOf>
void find_several(fault_lines& faults, const results& found, std::string_view what, ValueOf value_of) {
    std::map<std::string_view, const result_line*> values;
    for (const result_line& line : found.lines)
        if (const std::optional<std::string_view> value = value_of(line.about)) values.emplace(*value, &line);
    if (values.size() < 2) return;
    std::string text;
    for (const auto& [value, line] : values)
        text += fmt::format("{}{} ({})", text.empty() ? "" : ", ", value.empty() ? "none" : detail::single_line(value),
                            line->place());
    faults.push_back(fmt::format("results of more than one {}: {}", what, text));
}

fault_lines faults_of(const results& found, std::span<const input_text> files, std::optional<std::size_t> shards) {
    fault_lines faults;
    if (found.cut_short > 0) faults.push_back(fmt::format("{} cut short", counted(found.cut_short, "result")));
    if (shards && files.size() != *shards)
        faults.push_back(
            fmt::format("{} given, expected {}: {}", counted(files.size(), "file"), counted(*shards, "shard"),
                        files.size() < *shards ? "the job of a shard did not run, or its artifact is missing"
                                               : "there are files of another run among them"));
    std::set<std::string_view> known;
    for (const input_text& file : files)
        if (!known.insert(file.path).second) faults.push_back(detail::single_line(file.path) + ": given twice");
    if (found.lines.empty())
        faults.emplace_back(
            "there are no results in any shard: check that the tests ran, and that PERFSPEC_OUTPUT was set");
    find_duplicates(faults, found);
    find_several(faults, found, "commit", [](const record& r) { return std::optional<std::string_view>(r.commit); });
    find_several(faults, found, "run", [](const record& r) {
        return r.run_id.empty() ? std::nullopt : std::optional(run_without_attempt(r.run_id));
    });
    for (const result_line* line : found.unfinished())
        faults.push_back(
            fmt::format("{}: {}: started and has no result", line->place(), detail::single_line(line->about.key)));
    return faults;
}

}  // namespace

measurement_identity identity_of(const record& r) {
    return {r.time, r.host, r.run_id, r.suite, r.test, r.sections, r.key, r.claim, r.file, r.line};
}

std::string result_line::place() const { return fmt::format("{}:{}", detail::single_line(path), number); }

std::vector<const result_line*> results::finished() const {
    std::vector<const result_line*> found;
    for (const result_line& line : lines)
        if (line.kind == json_line_kind::result) found.push_back(&line);
    return found;
}

std::vector<const result_line*> results::unfinished() const {
    std::map<measurement_identity, std::size_t> ends;
    for (const result_line* line : finished()) ++ends[identity_of(line->about)];
    std::vector<const result_line*> found;
    for (const result_line& line : lines) {
        if (line.kind != json_line_kind::started) continue;
        auto& remaining = ends[identity_of(line.about)];
        if (remaining == 0) found.push_back(&line);
        else --remaining;
    }
    return found;
}

std::string notes_text(const results& all) {
    std::string text;
    for (const std::string& note : all.notes) text += note + '\n';
    return text;
}

results read_results(std::span<const input_text> files, empty_file empty) {
    results all;
    for (const input_text& file : files)
        if (empty == empty_file::refused || !detail::trimmed(file.text).empty()) line_reader(all, file).read();
    return all;
}

std::string day_of(std::string_view time) {
    constexpr std::size_t bytes_of_a_day = 10;
    return detail::single_line(time.substr(0, bytes_of_a_day));
}

std::string commit_and_day(std::string_view commit, bool dirty, std::string_view time) {
    if (commit.empty()) return day_of(time);
    constexpr std::size_t letters = 10;
    return fmt::format("{}{} of {}", detail::single_line(commit.substr(0, letters)), dirty ? " with changes" : "",
                       day_of(time));
}

run_mark run_of(const record& r) { return r.run_id.empty() ? run_mark(r.host, r.started_by) : run_mark({}, r.run_id); }

results newest_results(results all, run_separation runs) {
    if (runs == run_separation::none) unite_runs(all);
    std::map<run_key, const record*> newest;
    for (const result_line& line : all.lines) {
        const record*& r = newest.try_emplace(key_in_runs(line.about), &line.about).first->second;
        if (line.about.time >= r->time) r = &line.about;
    }
    results kept{.lines = {}, .notes = std::move(all.notes), .cut_short = all.cut_short};
    std::size_t failed = 0;
    for (const result_line& line : all.lines) {
        if (run_of(*newest.at(key_in_runs(line.about))) == run_of(line.about)) kept.lines.push_back(line);
        else failed += line.kind == json_line_kind::result && line.about.failed ? 1U : 0U;
    }
    if (const std::size_t older = all.lines.size() - kept.lines.size(); older > 0)
        kept.notes.push_back(replaced_text(older, failed));
    return kept;
}

record result_of_unfinished(record r) {
    r.verdict = verdict::error;
    r.failed = true;
    r.reason = reason_of_unfinished;
    r.failure = failure_kind::unfinished;
    r.verified = verification{verification_code::verifier_didnt_run, r.reason, {}};
    return r;
}

merged_results merge(const results& found, std::span<const input_text> files, std::optional<std::size_t> shards) {
    merged_results all;
    for (const result_line& line : found.lines) all.lines += fmt::format("{}\n", line.raw);
    for (const result_line* line : found.unfinished())
        all.lines += to_json_line(result_of_unfinished(line->about)) + '\n';
    const fault_lines faults = faults_of(found, files, shards);
    all.report.text = notes_text(found);
    for (const std::string& fault : faults) all.report.text += fault + '\n';
    if (!faults.empty()) all.report.code = exit_code::error;
    all.report.text += fmt::format("{} of {}{}\n", counted(found.finished().size(), "result"),
                                   counted(files.size(), "file"), faults.empty() ? ", complete" : ", not complete");
    return all;
}

}  // namespace perfspec::tool
