// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "page/page_text.hpp"
#include "report.hpp"

#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_write.hpp>

#include <algorithm>
#include <cstddef>
#include <span>
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

/// What the page shows of a claim in the earlier run; null where that had none.
std::string before_of(const claim_in_two_runs& claim) {
    if (claim.before == nullptr) return "null";
    detail::json_members members;
    members.add("word", word_of(claim.before));
    members.add("test", test_of(*claim.before));
    members.add("measured", claim.before->estimate ? detail::measured_text(*claim.before) : std::string{});
    return members.object();
}

/// A record's line of JSON with what else the page shows.
std::string with_view(const claim_in_two_runs& claim, std::size_t number, const source_pages& pages) {
    std::string line = to_json_line(*claim.now);
    line.pop_back();
    return line + ",\"view\":" + view_of(*claim.now, number, pages) + ",\"before\":" + before_of(claim) + "}";
}

template <class T>
void add_list(detail::json_members& into, std::string_view name, const std::vector<T>& all, const auto& json_of) {
    std::string lines;
    for (const T& one : all) lines += (lines.empty() ? "\n" : ",\n") + json_of(one);
    into.add_raw(name, "[" + lines + "]");
}

std::string data_of(const results& found, const source_pages& pages, const earlier_run* before) {
    const std::vector<record> records = records_of(found);
    std::vector<claim_in_two_runs> claims =
        claims_in_two_runs(before == nullptr ? std::span<const record>{} : before->records, records);
    const auto has_result = [](const claim_in_two_runs& claim) { return claim.now != nullptr; };
    // Not the one of std::ranges: with libstdc++ 12, clang 14 does not compile the range that it returns.
    const auto only_before = std::stable_partition(claims.begin(), claims.end(), has_result);
    const std::vector<claim_in_two_runs> gone(only_before, claims.end());
    claims.erase(only_before, claims.end());
    std::ranges::stable_sort(claims, {}, [](const claim_in_two_runs& claim) { return concern_of(*claim.now); });
    std::size_t number = 0;
    detail::json_members all;
    all.add("title", "perfspec: " + counts_text(records));
    all.add("notes", found.notes);
    all.add("since", before == nullptr ? std::string{} : before->name());
    add_list(all, "gone", gone, before_of);
    add_list(all, "records", claims, [&](const claim_in_two_runs& claim) { return with_view(claim, ++number, pages); });
    return all.object();
}

}  // namespace

std::string page_with(std::string_view json) {
    constexpr std::string_view place = "@data@";
    std::string page(page_text());
    page.replace(page.find(place), place.size(), for_script(json));
    return page;
}

std::string report_page(const results& found, const source_pages& pages, const earlier_run* before) {
    return page_with(data_of(found, pages, before));
}

}  // namespace perfspec::tool
