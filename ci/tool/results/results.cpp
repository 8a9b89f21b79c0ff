// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "results.hpp"

#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <map>
#include <utility>

namespace perfspec::tool {
namespace {

/// Reads the lines of one file into the results.
class line_reader {
public:
    line_reader(results& into, const input_text& file) : into_(into), file_(file) {}

    void read() {
        std::string_view rest = file_.text;
        while (!rest.empty()) take(detail::take_until(rest, '\n'));
        if (found_ == 0)
            throw input_error(
                fmt::format("{}: no results in it, expected lines of JSON; give the file that --perf-output or PERFSPEC_OUTPUT "
                            "named, and see whether the tests ran",
                            detail::single_line(file_.path)));
    }

private:
    void take(std::string_view line) {
        ++number_;
        if (line.ends_with('\r')) line.remove_suffix(1);
        if (detail::trimmed(line).empty()) return;
        if (line.size() > max_bytes_of_a_line)
            refuse(fmt::format("the line has {} bytes, expected at most {}: this is no file of results", line.size(), max_bytes_of_a_line));
        for (const json_line_part& part : parts_of_json_line(line)) {
            ++found_;
            if (part.is_cut) leave_out();
            else into_.lines.push_back(whole(part.text));
        }
    }
    [[nodiscard]] result_line whole(std::string_view line) const {
        try {
            json_line read = read_json_line(line);
            return {read.kind, std::move(read.about), line, file_.path, number_};
        } catch (const input_error& error) { refuse(error.what()); }
    }
    void leave_out() {
        ++into_.cut_short;
        into_.notes.push_back(
            fmt::format("{}:{}: a line ends in the middle, as a process that is killed leaves it, or a full disk: its result is lost",
                        detail::single_line(file_.path), number_));
    }
    [[noreturn]] void refuse(std::string_view why) const {
        throw input_error(fmt::format("{}:{}: {}", detail::single_line(file_.path), number_, why));
    }

    results& into_;
    const input_text& file_;
    std::size_t number_ = 0;
    std::size_t found_ = 0;
};

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
        auto& left = ends[identity_of(line.about)];
        if (left == 0) found.push_back(&line);
        else --left;
    }
    return found;
}

results read_results(std::span<const input_text> files, empty_file empty) {
    results all;
    for (const input_text& file : files)
        if (empty == empty_file::refused || !detail::trimmed(file.text).empty()) line_reader(all, file).read();
    return all;
}

}  // namespace perfspec::tool
