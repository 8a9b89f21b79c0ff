// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "history_page.hpp"

#include "../reports/page/page.hpp"
#include "history_console.hpp"

#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

namespace perfspec::tool {
namespace {

/// A number that a browser can draw, or null.
std::string drawn(double value) { return std::isfinite(value) ? detail::json(value) : "null"; }

std::string json_of(const history_run& run) {
    detail::json_members members;
    members.add("time", run.time);
    members.add("commit", run.commit);
    members.add("branch", run.branch);
    members.add("dirty", run.dirty);
    return members.object();
}

/// [run, value, low, high, bound, verdict]: a history has many points, and names would make the page three times as large.
std::string json_of(const history_point& p) {
    const std::string_view word = p.worst == concern::waived ? to_string(p.worst) : detail::file_word(p.judged);
    return fmt::format("[{},{},{},{},{},\"{}\"]", p.run, drawn(p.value), drawn(p.low), drawn(p.high), drawn(p.bound), word);
}

std::string json_of(const creep& c) {
    detail::json_members members;
    members.add("before", c.before);
    members.add("now", c.now);
    members.add("change", c.change);
    return members.object();
}

std::string json_of(const change_point& c) {
    detail::json_members members;
    members.add("run", c.run);
    members.add("before", c.before);
    members.add("after", c.after);
    return members.object();
}

template <class T> std::string json_list(const std::vector<T>& all) {
    std::string text = "[";
    for (const T& one : all) text += (text.size() == 1 ? "" : ",") + json_of(one);
    return text + "]";
}

std::string json_of(const history& all, const key_history& key, const key_findings& found, std::size_t number) {
    detail::json_members members;
    members.add("number", number);
    members.add("state", to_string(found.state()));
    members.add("key", key.key);
    members.add("suite", key.suite);
    members.add("hardware", key.hardware);
    members.add("variant", key.variant);
    members.add("claim", key.claim);
    members.add("unit", key.unit);
    members.add("newest", newest_text(all, key));
    members.add("missing", found.is_missing);
    members.add_raw("creep", found.crept ? json_of(*found.crept) : "null");
    members.add_raw("changes", json_list(found.changes));
    members.add_raw("points", json_list(key.points));
    return members.object();
}

}  // namespace

std::string history_page(const history& all, std::span<const key_findings> found) {
    std::vector<std::size_t> sorted(found.size());
    std::iota(sorted.begin(), sorted.end(), std::size_t{});
    std::ranges::stable_sort(sorted, {}, [&](std::size_t i) { return found[i].state(); });
    std::string keys;
    for (std::size_t at = 0; at < sorted.size(); ++at)
        keys += (at == 0 ? "\n" : ",\n") + json_of(all, all.keys[sorted[at]], found[sorted[at]], at + 1);
    detail::json_members data;
    data.add("title", "perfspec: " + extent_text(all));
    data.add("notes", all.notes);
    data.add_raw("runs", json_list(all.runs));
    data.add_raw("keys", "[" + keys + "]");
    return page_with(data.object());
}

}  // namespace perfspec::tool
