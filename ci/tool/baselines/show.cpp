// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/baseline/sessions/recording_session.hpp>
#include <perfspec/baseline/update_rule.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/stats/summary.hpp>

#include <fmt/format.h>

namespace perfspec::tool {
namespace {

std::string machine_text(const fingerprint& machine) {
    std::string text;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty()) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", detail::single_line(name), detail::single_line(value));
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
        text += fmt::format("    {}: {}, median {}, spread {}{}; commit {}{}\n", s.when, counted(s.values.size(), "launch"),
                            show(median(s.values)), format_percentage(spread_between(launches_in(s), entry.unit).fraction), load,
                            s.commit.empty() ? "unknown" : detail::single_line(s.commit).substr(0, 10), run);
        text += fmt::format("      samples of a launch: quartiles {} {}, p90 {}, p99 {}; {} x {} iterations\n     ", show(s.q1), show(s.q3),
                            show(s.p90), show(s.p99), s.samples, s.iterations);
        for (std::size_t v = 0; v < s.values.size(); ++v) text += (v == 0 ? " " : ", ") + show(s.values[v]);
        text += "\n";
    }
    return text;
}

/// A line for the operators, and one for each of them.
std::string operators_text(const operator_profile& profile) {
    std::string text =
        fmt::format("    operators of an iteration{}\n", profile.settings.empty() ? "" : ", " + detail::single_line(profile.settings));
    const auto add = [&](double ns, const std::string& what) { text += fmt::format("      {:>8}  {}\n", value_text(ns, "ns"), what); };
    for (const profiled_operator& o : profile.longest)
        add(o.self_ns,
            fmt::format("{}, {} {}", detail::single_line(o.name), value_text(o.calls, "count"), o.calls == 1.0 ? "call" : "calls"));
    if (profile.others_ns > 0.0) add(profile.others_ns, "all others");
    return text;
}

std::string text_of(const addressed_entry& at) {
    const baseline_entry& entry = *at.entry;
    std::string text =
        fmt::format("{}\n  {}\n    median {}, {}{}, {} is better, {}\n", detail::single_line(entry.key), title_of(at.in->file),
                    median_text(entry), counted(entry.launches.size(), "launch"), resolution_text(entry),
                    entry.polarity == better::less ? "less" : "more", detail::single_line(at.in->path));
    if (const std::string machine = machine_text(entry.recorded_on); !machine.empty()) text += fmt::format("    recorded on {}\n", machine);
    if (entry.operators) text += operators_text(*entry.operators);
    return text + sessions_text(entry);
}

std::string text_of(const addressed<golden_file>& at) {
    const golden_outputs& entry = *at.entry;
    std::string text = fmt::format("{}\n  {}\n    golden outputs, stored{}, {}\n", detail::single_line(entry.key), title_of(at.in->file),
                                   detail::single_line(origin_text(entry)), detail::single_line(at.in->path));
    for (const std::string& output : entry.outputs) text += fmt::format("    {}\n", detail::single_line(output));
    return text;
}

template <class Entry> std::vector<Entry> exactly(std::string_view key, std::vector<Entry> entries) {
    std::erase_if(entries, [&](const Entry& at) { return at.entry->key != key; });
    return entries;
}

}  // namespace

outcome show_baselines(const stored_files& files, std::string_view key) {
    auto launches = entries_in(files.baselines, key);
    auto outputs = entries_in(files.golden, key);
    if (launches.empty() && outputs.empty())
        throw input_error(fmt::format("no key contains {}, expected (a part of) one that is stored; perfspec baselines list shows them",
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
