// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Files of results, as tests write them and ci/tool reads them.
#include "fuzz/oracle.hpp"

#include <tool/results/results.hpp>

#include <perfspec/report/record_fields.hpp>

#include <algorithm>
#include <concepts>
#include <span>
#include <tuple>

namespace perfspec::fuzz {
namespace {

template <class T> constexpr bool is_list = false;
template <class T> constexpr bool is_list<std::vector<T>> = true;

/// Whether both are the same value, by the lists of fields; NaN is the same as NaN.
template <class T> bool same(const T& a, const T& b) {
    if constexpr (std::floating_point<T>) {
        return a == b || (a != a && b != b);
    } else if constexpr (std::same_as<T, stored_process>) {
        return same(a.value, b.value) && same(stored_session{a, {}}, stored_session{b, {}});
    } else if constexpr (detail::Described<T>) {
        const bool are =
            std::apply([&](const auto&... f) { return (same(a.*f.member, b.*f.member) && ...); }, detail::fields_of<T>);
        if constexpr (detail::Named<T>) return are && a.*detail::name_member<T> == b.*detail::name_member<T>;
        else return are;
    } else if constexpr (requires { a.has_value(); }) {
        return a.has_value() == b.has_value() && (!a || same(*a, *b));
    } else if constexpr (is_list<T>) {
        return std::ranges::equal(a, b, [](const auto& x, const auto& y) { return same(x, y); });
    } else {
        return a == b;
    }
}

tool::results results_in(std::string_view text) {
    return tool::read_results(std::vector<tool::input_text>{{"results.jsonl", std::string(text)}});
}

void check_written_again(const tool::result_line& line) {
    const bool is_result = line.kind == json_line_kind::result;
    const std::string written = is_result ? to_json_line(line.about) : to_started_line(line.about);
    require(written.find('\n') == std::string::npos, "a result is one line", written);
    const json_line again = read_json_line(written);
    require(again.kind == line.kind, "a line keeps its kind", written);
    require(!is_result || same(again.about, line.about), "a result is read back as the same value", written);
    require(is_result || to_started_line(again.about) == written, "a start is read back as the same value", written);
    const std::size_t cut = 1 + some_position(written) % (written.size() - 1);
    require(results_in(written.substr(0, cut)).cut_short == 1, "a cut line is known as one", written.substr(0, cut));
}

/// Whether the lines are those of the file, also if it is read in two parts. A line that is cut short may have the text
/// of a later one in it, so places count, not texts.
void check_parts(const tool::results& found, std::string_view text) {
    const auto begin_of = [&](const tool::result_line& line) {
        return static_cast<std::size_t>(line.raw.data() - text.data());
    };
    for (const tool::result_line& line : found.lines) {
        const std::size_t begin = begin_of(line);
        require(begin < text.size() && text.substr(begin, line.raw.size()) == line.raw, "lines are those of the file",
                line.raw);
        require(line.number == 1 + static_cast<std::size_t>(std::ranges::count(text.substr(0, begin), '\n')),
                "a line has its number", line.place());
    }
    if (found.lines.size() < 2) return;
    const std::size_t end = text.find('\n', begin_of(found.lines.front()));
    const tool::results first = results_in(text.substr(0, end)), rest = results_in(text.substr(end));
    require(first.lines.size() + rest.lines.size() == found.lines.size() &&
                first.cut_short + rest.cut_short == found.cut_short,
            "two parts have the lines of the whole file");
}

}  // namespace
}  // namespace perfspec::fuzz

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace perfspec;
    using namespace perfspec::fuzz;
    const std::vector<tool::input_text> files{{"results.jsonl", std::string(text_of(data, size))}};
    const auto found = accepted([&] { return tool::read_results(files); }, "results.jsonl:");
    if (!found) return 0;
    for (const tool::result_line& line : found->lines) check_written_again(line);
    check_parts(*found, files.front().text);
    return 0;
}
