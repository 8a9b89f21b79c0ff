// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "baselines.hpp"

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/error.hpp>
#include <perfspec/report/console/console_text.hpp>

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

std::string launches_text(const baseline_entry& entry) {
    std::vector<std::vector<std::string>> rows{{"value", "q1", "q3", "p90", "p99", "samples", "when", "commit", "run", "sitting"}};
    for (const stored_launch& l : entry.launches) {
        const auto show = [&](double v) { return value_text(v, entry.unit); };
        rows.push_back({show(l.value), show(l.q1), show(l.q3), show(l.p90), show(l.p99), fmt::format("{} x {}", l.samples, l.iterations),
                        l.when, detail::single_line(l.commit).substr(0, 10), detail::single_line(l.run),
                        detail::single_line(l.recording_session)});
    }
    return table_text(rows, "    ");
}

std::string text_of(const addressed_entry& at) {
    const baseline_entry& entry = *at.entry;
    std::string text =
        fmt::format("{}\n  {}\n    median {}, {}, can see {}, {} is better, {}\n", detail::single_line(entry.key), title_of(at.in->file),
                    median_text(entry), counted(entry.launches.size(), "launch"), detectable_text(entry),
                    entry.polarity == better::less ? "less" : "more", detail::single_line(at.in->path));
    if (const std::string machine = machine_text(entry.recorded_on); !machine.empty()) text += fmt::format("    recorded on {}\n", machine);
    return text + launches_text(entry);
}

std::string text_of(const addressed<golden_file>& at) {
    const golden_outputs& entry = *at.entry;
    std::string text = fmt::format("{}\n  {}\n    golden outputs, kept{}, {}\n", detail::single_line(entry.key), title_of(at.in->file),
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
