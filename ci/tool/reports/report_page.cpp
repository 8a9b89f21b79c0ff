// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report_page.hpp"

#include "../results/concern.hpp"
#include "page/page.hpp"
#include "report.hpp"

#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_write.hpp>

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perfspec::tool {
namespace {

/// What the page also shows of a record, apart from its fields. The page computes no text that another report has, too.
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

/// A record's line of JSON with one more member.
std::string with_view(const record& r, std::size_t number, const source_pages& pages) {
    std::string line = to_json_line(r);
    line.pop_back();
    return line + ",\"view\":" + view_of(r, number, pages) + "}";
}

std::string data_of(const results& found, const source_pages& pages) {
    const std::vector<record> records = records_of(found);
    std::vector<const record*> sorted;
    for (const record& r : records) sorted.push_back(&r);
    std::ranges::stable_sort(sorted, {}, [](const record* r) { return concern_of(*r); });
    std::string lines;
    for (std::size_t i = 0; i < sorted.size(); ++i) lines += (i == 0 ? "\n" : ",\n") + with_view(*sorted[i], i + 1, pages);
    detail::json_members all;
    all.add("title", "perfspec: " + counts_text(records));
    all.add("notes", found.notes);
    all.add_raw("records", "[" + lines + "]");
    return all.object();
}

}  // namespace

std::string report_page(const results& found, const source_pages& pages) { return page_with(data_of(found, pages)); }

}  // namespace perfspec::tool
