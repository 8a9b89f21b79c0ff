// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include <recorded/recorded.hpp>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <map>
#include <regex>
#include <sstream>
#include <vector>

namespace perfspec::testing {
namespace {

struct rule {
    std::regex found;
    const char* mark;
};

/// The order counts: a later rule may match parts of an earlier one's text.
const std::vector<rule>& rules() {
    static const std::string number = R"((?:\d+(?:\.\d+)?(?:e[-+]?\d+)?))";
    static const std::string unit = R"( (?:ns|us|ms|s|min|KiB|MiB|GiB|bytes|[kMG]? ?items/s|[kMG]?B/s|[kMG]?FLOP/s|%))";
    static const std::vector<rule> all{
        {std::regex("\n {13,15}(?=[^ ])"), " "},  // a row that is broken: where, depends on its numbers
        {std::regex("([,;])\n {2,4}(at (?:most|least) )"), "$1 $2"},  // and so does how much a claim changed
        {std::regex("^ +disturbed .*\n", std::regex::multiline), ""},
        {std::regex(", [^,]* waiting for a processor"), ""},
        {std::regex("; (other processes used|it misses smaller changes)[^;\n]*"), ""},
        {std::regex(",[^,;]* to start processes"), ""},
        {std::regex("^perfspec: (.* takes up to|waiting for another measurement) .*\n", std::regex::multiline),
         ""},  // a machine that is slow enough announces it
        {std::regex(R"(\d{4}-\d\d-\d\d(T\d\d:\d\d:\d\d(\.\d+)?Z)?)"), "<date>"},
        {std::regex(R"(--test-dir ('[^']*'|\S+))"), "--test-dir <build>"},
        {std::regex(R"((\.\.)?(/[-+.\w]+)+/)"), "<path>/"},
        {std::regex(R"(\bseed \d+)"), "seed #"},
        {std::regex(R"(\bseeded to: \d+)"), "seeded to: #"},
        {std::regex(R"(\bCatch2 v[\w.-]+)"), "Catch2 v#"},
        {std::regex(R"(\b\d+ (rounds?|fresh process(?:es)?|process pairs?|more pairs|more blocks|pairs|blocks)\b)"),
         "# $1"},
        {std::regex(R"(\brepeated by \d+ in)"), "repeated by # in"},
        {std::regex("-?" + number + " ?\\.\\. ?-?" + number + unit), "# .. #"},
        {std::regex("-?" + number + " ?\\.\\. ?-?" + number), "# .. #"},
        {std::regex("-?\\b" + number + unit + R"((?![\w/]))"), "#"},
        {std::regex(R"(\b\d+(\.\d+)?x )"), "#x "},  // factors of a change
        {std::regex(R"(-?\b\d+\.\d+\b)"), "#"},
        {std::regex("((?:inside|beyond) +)[-+]#"), "$1#"},  // the change to a baseline that a claim still holds beside
        {std::regex(R"(\(# \.\. #, #\), # process pairs)"),
         "(# .. #), # process pairs"},  // seven show their range, more an interval at a level
    };
    return all;
}

bool records_anew() {
    const char* wanted = std::getenv("PERFSPEC_TEST_RECORD");
    return wanted != nullptr && std::string_view(wanted) == "1";
}

std::string text_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

/// Whether this is Catch2's first line of perfspec's message.
bool starts_evidence(std::string_view line) {
    static constexpr std::string_view starts[] = {"  holds",   "  violated", "  undecided", "  error",
                                                  "  skipped", "  recorded", "  measured"};
    const auto is_whole_word = [&](std::string_view start) {
        return line.size() == start.size() || line[start.size()] == ' ';
    };
    return std::ranges::any_of(starts,
                               [&](std::string_view start) { return line.starts_with(start) && is_whole_word(start); });
}

/// From this line of the file on.
std::string first_difference(const std::string& path, int line, const std::string& kept, std::string_view now,
                             blanks between_words) {
    const auto same = [&](const std::string& a, const std::string& b) {
        return between_words == blanks::ignored ? without_blanks(a) == without_blanks(b) : a == b;
    };
    std::istringstream expected(kept);
    std::istringstream found{std::string(now)};
    for (;; ++line) {
        std::string e;
        std::string f;
        const bool more_expected = static_cast<bool>(std::getline(expected, e));
        const bool more_found = static_cast<bool>(std::getline(found, f));
        if (more_expected && more_found && same(e, f)) continue;
        return path + ":" + std::to_string(line) + ":\n  kept: " + (more_expected ? e : "(the end)") +
               "\n  now:  " + (more_found ? f : "(the end)") +
               "\n  right as it is now? Record it: PERFSPEC_TEST_RECORD=1 ctest -L 'recorded|texts'";
    }
}

}  // namespace

/// Puts the result of a claim that holds in one line, because its numbers decide whether it is broken.
std::string with_results_in_one_line(std::string text) {
    static const std::regex broken(
        R"(((?:\)  |\n  )(?:holds|recorded)(?![^\n]*(?:inside|beyond)  )[^\n]*)\n {2,4}(?! *note:)(?=[^ ]))");
    for (std::string before; before != text;) {
        before = text;
        text = std::regex_replace(before, broken, "$1 ");
    }
    return text;
}

std::string neutralized(std::string_view output) {
    std::string text = with_results_in_one_line(std::string(output));
    for (const rule& r : rules()) text = std::regex_replace(text, r.found, r.mark);
    return text;
}

std::string unbroken(std::string_view output) {
    std::istringstream lines{std::string(output)};
    std::string text;
    bool evidence = false;
    for (std::string line; std::getline(lines, line);) {
        const std::size_t indentation = std::min(line.find_first_not_of(' '), line.size());
        const bool starts = starts_evidence(line);
        if (evidence && !starts && indentation == 2) {
            text.pop_back();
            constexpr std::string_view broken_after = "/-+=.";  // where Catch2 breaks a word
            if (broken_after.find(text.back()) == std::string_view::npos) text += ' ';
            text += line.substr(2) + '\n';
            continue;
        }
        evidence = starts || (evidence && indentation > 2 && !line.empty());
        text += line + '\n';
    }
    return text;
}

std::string without_blanks(std::string_view text) {
    std::string rest(text);
    std::erase(rest, ' ');
    return rest;
}

comparison_result compare_recorded(const std::string& path, std::string_view text, blanks between_words) {
    if (records_anew()) {
        std::ofstream(path, std::ios::binary) << text;
        return {true, {}};
    }
    if (!std::ifstream(path))
        return {false, path + ": no such recording; make it: PERFSPEC_TEST_RECORD=1 ctest -L 'recorded|texts'"};
    const std::string kept = text_of(path);
    const bool same = between_words == blanks::ignored ? without_blanks(kept) == without_blanks(text) : kept == text;
    return same ? comparison_result{true, {}}
                : comparison_result{false, first_difference(path, 1, kept, text, between_words)};
}

namespace {

/// Writes a part. The first one of a process begins the file anew, so parts of tests that are gone disappear.
comparison_result record_part(const std::string& path, const std::string& head, std::string_view text) {
    static std::map<std::string, std::map<std::string, std::string>> written;
    if (("\n" + std::string(text)).find("\n=== ") != std::string::npos)
        return {false, head + "its text has a line that heads a part"};
    const bool begins = !written.contains(path);
    const auto [part, is_new] = written[path].emplace(head, text);
    if (is_new)
        std::ofstream(path, std::ios::binary | (begins ? std::ios::trunc : std::ios::app)) << head << text << "\n";
    return {part->second == text, head + "two texts for one part: give it another label"};
}

}  // namespace

comparison_result compare_recorded_part(const std::string& path, const std::string& name, std::string_view text) {
    const std::string head = "=== " + name + "\n";
    if (records_anew()) return record_part(path, head, text);
    const std::string all = "\n" + text_of(path) + "=== ";
    const std::size_t found = all.find("\n" + head);
    if (found == std::string::npos)
        return {false, path + ": no part \"" + name + "\"; make it: PERFSPEC_TEST_RECORD=1 ctest -L 'recorded|texts'"};
    const std::size_t begin = found + 1 + head.size();
    const std::string kept = all.substr(begin, all.find("\n=== ", begin) - begin);
    if (kept == text) return {true, {}};
    const auto line = std::count(all.begin(), all.begin() + static_cast<std::ptrdiff_t>(begin), '\n');
    return {false, first_difference(path, static_cast<int>(line), kept, text, blanks::compared)};
}

}  // namespace perfspec::testing
