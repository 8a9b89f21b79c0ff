// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "page/page_text.hpp"
#include "report.hpp"

#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfspec::tool {
namespace {

/// The same JSON, in which nothing can end a script element or begin a comment.
std::string for_script(std::string_view json) {
    std::string safe;
    safe.reserve(json.size());
    for (const char c : json) {
        if (c == '<') safe += "\\u003c";
        else safe += c;
    }
    return safe;
}

/// The texts of a record that other reports have, too, so that the page's script need not compute them.
std::string view_of(const record& r, std::size_t number, const source_pages& pages) {
    detail::json_members view;
    view.add("number", number);
    view.add("concern", to_string(concern_of(r)));
    view.add("word", detail::verdict_word(r, {}) + (detail::is_waived(r) ? ", waived" : ""));
    view.add("test", test_of(r));
    view.add("change", change_and_reason(r));
    view.add("measured", r.estimate ? detail::measured_text(r) : std::string{});
    view.add("place", place_text(r, pages));
    view.add("address", place_address(r, pages));
    return view.object();
}

std::string data_of(const results& input, const source_pages& pages) {
    std::vector<record> records = records_of(input);
    std::ranges::stable_sort(records, {}, concern_of);
    std::string lines;
    for (std::size_t at = 0; at < records.size(); ++at) {
        std::string line = to_json_line(records[at]);
        line.pop_back();
        lines += (at == 0 ? "\n" : ",\n") + line + ",\"view\":" + view_of(records[at], at + 1, pages) + "}";
    }
    detail::json_members all;
    all.add("title", "perfspec: " + counts_text(records));
    all.add("notes", input.notes);
    all.add_raw("records", "[" + lines + "]");
    return all.object();
}

}  // namespace

std::string page_with(std::string_view json) {
    constexpr std::string_view place = "@data@";
    std::string page(page_text());
    page.replace(page.find(place), place.size(), for_script(json));
    return page;
}

std::string report_page(const results& input, const source_pages& pages) { return page_with(data_of(input, pages)); }

}  // namespace perfspec::tool
