// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/comparable_launches.hpp>
#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/sessions/utc_time.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/stored/detectable.hpp>
#include <perfspec/stats/stored/stored_rank_test.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace perfspec::tool {
namespace {

/// "today", "3 days"; "-" for a time in the future.
std::string age_text(std::string_view when, std::string_view today) {
    constexpr std::int64_t seconds_of_day = 86'400;
    const auto then = detail::seconds_of_utc(when);
    const auto now = detail::seconds_of_utc(today);
    if (!then || !now || *now / seconds_of_day < *then / seconds_of_day) return "-";
    const std::int64_t days = *now / seconds_of_day - *then / seconds_of_day;
    if (days == 0) return "today";
    return days == 1 ? "1 day" : fmt::format("{} days", days);
}

using cells = std::vector<std::string>;

cells row_of(const baseline_entry& entry, std::string_view today) {
    const bool few = entry.launches.size() < stored_rank_test::min_stored;
    return {detail::single_line(entry.key),
            median_text(entry),
            std::to_string(entry.launches.size()) + (few ? " (too few)" : ""),
            std::to_string(recordings_of(entry)),
            age_text(newest_of(entry.launches), today),
            detectable_text(entry)};
}
cells row_of(const golden_outputs& entry, std::string_view today) {
    return {detail::single_line(entry.key), std::to_string(entry.outputs.size()), detail::single_line(entry.made_by),
            age_text(entry.when, today)};
}

/// Adds a table for each file with matching keys. Returns the number of keys.
template <class File>
std::size_t add_tables(outcome& done, const std::vector<located<File>>& files, std::string_view pattern,
                       const cells& head, std::string_view today) {
    std::size_t keys = 0;
    for (const located<File>& in : files) {
        std::vector<cells> rows{head};
        for (const auto& at : entries_in(std::span(&in, 1), pattern)) rows.push_back(row_of(*at.entry, today));
        if (rows.size() == 1) continue;
        keys += rows.size() - 1;
        done.text +=
            fmt::format("{}\n  {}\n{}", detail::single_line(in.path), title_of(in.file), table_text(rows, "  "));
    }
    return keys;
}

std::string machine_text(const fingerprint& machine) {
    std::string text;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty())
            text +=
                fmt::format("{}{} {}", text.empty() ? "" : ", ", detail::single_line(name), detail::single_line(value));
    };
    for (const auto& [name, member] : detail::fingerprint_fields) add(name, machine.*member);
    for (const versioned_library& library : machine.libraries) add(library.name, library.version);
    return text;
}

/// A line for each recording session, and its launches below it.
std::string sessions_text(const baseline_entry& entry) {
    const auto show = [&](double v) { return value_text(v, entry.unit); };
    std::string text;
    for (const recording_session& s : sessions_of(entry.launches)) {
        const std::string load = s.moved_by_load ? ", moved by load " + format_change(*s.moved_by_load) : "";
        const std::string run = s.run.empty() ? "" : ", run " + detail::single_line(s.run);
        text +=
            fmt::format("    {}: {}, median {}, spread {}{}; commit {}{}\n", s.when, counted(s.values.size(), "launch"),
                        show(median(s.values)), format_percentage(spread_between(launches_in(s), entry.unit).fraction),
                        load, s.commit.empty() ? "unknown" : detail::single_line(s.commit).substr(0, 10), run);
        text += fmt::format("      samples of a launch: quartiles {} {}, p90 {}, p99 {}; {} x {} iterations\n     ",
                            show(s.q1), show(s.q3), show(s.p90), show(s.p99), s.samples, s.iterations);
        for (std::size_t v = 0; v < s.values.size(); ++v) text += (v == 0 ? " " : ", ") + show(s.values[v]);
        text += "\n";
    }
    return text;
}

/// A line for the operators, and one for each of them.
std::string operators_text(const operator_profile& profile) {
    std::string text = fmt::format("    operators of an iteration{}\n",
                                   profile.settings.empty() ? "" : ", " + detail::single_line(profile.settings));
    const auto add = [&](double ns, const std::string& what) {
        text += fmt::format("      {:>8}  {}\n", value_text(ns, "ns"), what);
    };
    for (const profiled_operator& o : profile.longest)
        add(o.self_ns, fmt::format("{}, {} {}", detail::single_line(o.name), value_text(o.calls, "count"),
                                   o.calls == 1.0 ? "call" : "calls"));
    if (profile.others_ns > 0.0) add(profile.others_ns, "all others");
    return text;
}

std::string text_of(const addressed_entry& at) {
    const baseline_entry& entry = *at.entry;
    std::string text = fmt::format("{}\n  {}\n    median {}, {}{}, {} is better, {}\n", detail::single_line(entry.key),
                                   title_of(at.in->file), median_text(entry), counted(entry.launches.size(), "launch"),
                                   resolution_text(entry), entry.polarity == better::less ? "less" : "more",
                                   detail::single_line(at.in->path));
    if (const std::string machine = machine_text(entry.recorded_on); !machine.empty())
        text += fmt::format("    recorded on {}\n", machine);
    if (entry.operators) text += operators_text(*entry.operators);
    return text + sessions_text(entry);
}

std::string text_of(const addressed<golden_file>& at) {
    const golden_outputs& entry = *at.entry;
    std::string text =
        fmt::format("{}\n  {}\n    golden outputs, stored{}, {}\n", detail::single_line(entry.key),
                    title_of(at.in->file), detail::single_line(origin_text(entry)), detail::single_line(at.in->path));
    for (const std::string& output : entry.outputs) text += fmt::format("    {}\n", detail::single_line(output));
    return text;
}

template <class Entry> std::vector<Entry> exactly(std::string_view key, std::vector<Entry> entries) {
    std::erase_if(entries, [&](const Entry& at) { return at.entry->key != key; });
    return entries;
}

}  // namespace

stored_files parse_all(std::span<const input_text> texts) {
    stored_files files;
    for (const input_text& text : texts) {
        if (is_name_of_golden_outputs(text.path)) files.golden.push_back({text.path, parse_as<golden_file>(text)});
        else files.baselines.push_back({text.path, parse_as<baseline_file>(text)});
    }
    return files;
}

std::string title_of(const entry_address& address) {
    const std::string variant = address.variant.empty() ? "" : ", variant " + detail::single_line(address.variant);
    return fmt::format("{} on {}{}", detail::single_line(address.suite), detail::single_line(address.hardware),
                       variant);
}

std::string outputs_text(const golden_outputs& entry) {
    const std::string maker = entry.made_by.empty() ? "" : " by " + detail::single_line(entry.made_by);
    return counted(entry.outputs.size(), "output") + maker;
}

std::string median_text(const baseline_entry& entry) {
    return value_text(median(values_of(entry.launches)), entry.unit);
}

double detectable_by(const baseline_entry& entry) {
    const direction claimed = entry.polarity == better::less ? direction::less : direction::more;
    return detectable_by(what_to_compare(entry.launches, entry.unit), claimed)
        .value_or(std::numeric_limits<double>::infinity());
}

std::string detectable_text(const baseline_entry& entry) {
    const double change = detectable_by(entry);
    if (std::isfinite(change) && entry.unit == base_unit(dimension::power))
        return fmt::format("{:+.2f}", std::log1p(change));
    return std::isfinite(change) ? format_change(entry.polarity == better::less ? change : -change) : "-";
}

std::string resolution_text(const baseline_entry& entry) {
    const std::string change = detectable_text(entry);
    return change == "-" ? std::string{} : ", detects " + change + " or more";
}

const std::string& newest_of(std::span<const stored_launch> launches) {
    return std::ranges::max_element(launches, {}, &stored_launch::when)->when;
}

std::size_t recordings_of(const baseline_entry& entry) { return what_to_compare(entry.launches, entry.unit).sessions; }

outcome list_baselines(const stored_files& files, std::string_view pattern, std::string_view today) {
    outcome done;
    std::size_t keys =
        add_tables(done, files.baselines, pattern, {"key", "median", "launches", "sessions", "age", "detects"}, today);
    keys += add_tables(done, files.golden, pattern, {"key", "golden outputs", "made by", "age"}, today);
    done.text +=
        fmt::format("{} in {}\n", counted(keys, "key"), counted(files.baselines.size() + files.golden.size(), "file"));
    return done;
}

outcome show_baselines(const stored_files& files, std::string_view key) {
    auto launches = entries_in(files.baselines, key);
    auto outputs = entries_in(files.golden, key);
    if (launches.empty() && outputs.empty())
        throw input_error(fmt::format(
            "no key contains {}, expected (a part of) one that is stored; perfspec baselines list shows them",
            detail::excerpt(key)));
    const auto exact_launches = exactly(key, launches);
    const auto exact_outputs = exactly(key, outputs);
    if (!exact_launches.empty() || !exact_outputs.empty()) {
        launches = exact_launches;
        outputs = exact_outputs;
    }
    outcome done;
    for (const auto& at : launches) done.text += text_of(at);
    for (const auto& at : outputs) done.text += text_of(at);
    return done;
}

}  // namespace perfspec::tool
