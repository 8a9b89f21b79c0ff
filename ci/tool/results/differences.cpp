// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "differences.hpp"

#include "../tool.hpp"

#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string_view>
#include <vector>

namespace perfspec::tool {
namespace {

using named_texts = std::map<std::string, std::string>;

/// Options that say where a result goes or who may fail, not how it is measured.
bool concerns_measuring(std::string_view option) {
    static constexpr std::array<std::string_view, 6> others{"output", "baseline_dir", "seed", "verbosity", "policy", "build_variant"};
    return std::ranges::find(others, option) == others.end();
}

named_texts facts_of(const record& r) {
    named_texts facts{{"commit", r.commit + (r.dirty ? " with changes" : "")}, {"build", r.build}, {"build variant", r.build_variant}};
    for (const auto& [name, value] : r.options)
        if (concerns_measuring(name)) facts["option " + name] = value;
    for (const remote_subject& worker : r.workers)
        for (const auto& [name, value] : worker.facts) facts[fmt::format("{} of {}", name, worker.process)] = value;
    return facts;
}

/// What the baseline's evidence tells of machine and build. Memory and processors are the hardware itself.
named_texts facts_of(const fingerprint& machine) {
    named_texts facts;
    for (const auto& [name, member] : detail::fingerprint_fields)
        if (name != std::string_view("memory") && name != std::string_view("processors")) facts[name] = machine.*member;
    for (const versioned_library& library : machine.libraries) facts[library.name] = library.version;
    return facts;
}

std::string shown(const std::string& text) { return text.empty() ? "nothing" : detail::single_line(text); }

/// Whether a result tells its compiler: only claims on baselines do.
bool tells_machine(const record& r) { return r.baseline && !r.baseline->machine.compiler.empty(); }

}  // namespace

void differences::note(const std::string& name, const std::string& a, const std::string& b) {
    if (a != b) ++counts_[{name, {a, b}}];
}

void differences::add(const record& a, const record& b) {
    named_texts on_a = facts_of(a);
    named_texts on_b = facts_of(b);
    if (tells_machine(a) && tells_machine(b)) {
        on_a.merge(facts_of(a.baseline->machine));
        on_b.merge(facts_of(b.baseline->machine));
    } else {
        ++unknown_;
    }
    std::set<std::string> names;
    for (const named_texts* side : {&on_a, &on_b})
        for (const auto& [name, value] : *side) names.insert(name);
    for (const std::string& name : names) note(name, on_a[name], on_b[name]);
}

std::string differences::text() const {
    std::string text;
    for (const auto& [about, count] : counts_)
        text += fmt::format("  {}: {} on A, {} on B ({})\n", detail::single_line(about.first), shown(about.second.first),
                            shown(about.second.second), counted(count, "key"));
    if (!text.empty()) text = "not only the hardware differs:\n" + text;
    if (unknown_ > 0)
        text += fmt::format("compiler, flags and libraries of {} are not known: only claims on baseline() tell them\n",
                            counted(unknown_, "key"));
    return text;
}

}  // namespace perfspec::tool
