// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/console/console_rows.hpp>

#include <perfspec/process/printable.hpp>
#include <perfspec/quantity/format.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/console/part_table.hpp>
#include <perfspec/report/console/picture.hpp>
#include <perfspec/report/console/text_width.hpp>
#include <perfspec/stats/p_value.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string_view>
#include <utility>

namespace perfspec::detail {

/// Widths of a block, its labels and its texts. The block fits into a terminal of 80 columns, even if a framework
/// indents it by two more.
constexpr std::size_t columns_of_block = 76;
constexpr std::size_t columns_of_label = 10;
constexpr std::size_t columns_of_text = columns_of_block - columns_of_label - 3;

/// Writes rows of a label and a text beside it. Breaks a text that is too long.
class row_writer {
public:
    row_writer(std::vector<std::string>& lines, console_place place) : lines_(lines), place_(place) {}

    void operator()(std::string_view label, std::string_view text) {
        for (const std::string& line : wrapped(text, columns_of_text)) {
            lines_.push_back("  " + padded(label, columns_of_label) + " " + line);
            label = {};
        }
    }
    /// Writes a path, a key or a command, which users copy. It is never broken. It is left out if a framework would
    /// break it, because the summary has it, too.
    void whole(std::string_view label, std::string_view text) {
        if (text.empty() || (place_ == console_place::left_out && columns_of(text) > columns_of_text)) return;
        lines_.push_back("  " + padded(label, columns_of_label) + " " + std::string(text));
    }

private:
    std::vector<std::string>& lines_;
    console_place place_;
};

/// "recorded 2026-11-18 at 3f2c1ab, detects +9 % or more from 3 sessions".
std::string origin_text(const record& r) {
    std::string text;
    const baseline_origin& b = *r.baseline;
    if (b.action == baseline_action::refused) return text;
    if (!b.recorded.empty()) text += fmt::format(", recorded {}", single_line(b.recorded).substr(0, 10));
    if (!b.commit.empty()) text += fmt::format(" at {}", single_line(b.commit).substr(0, 10));
    if (r.evidence.exact) return text + ", compared exactly";
    if (!(b.detectable > 0.0)) return text;
    text += r.tolerated ? fmt::format(", detects {} or more beyond either side", format_percentage(b.detectable))
                        : fmt::format(", detects {} or more",
                                      format_change(r.comparison.starts_with('<') ? b.detectable : -b.detectable));
    return b.sessions > 0 ? fmt::format("{} from {}", text, counted(b.sessions, "session")) : text;
}

std::string bound_row(const record& r) {
    if (!r.bound) return single_line(r.bound_text);
    std::string text = compared_text(r);
    if (!r.bound_text.empty()) text += " = " + single_line(r.bound_text);
    if (r.baseline) text += origin_text(r);
    if (r.margin > 0.0) text += fmt::format("; margin {}", format_percentage(r.margin));
    return text;
}

/// The promise for a claim that is exactly at its bound.
std::string rate_text(const record& r) {
    if (r.evidence.exact) return "exact";
    if (r.evidence.approximate) return "no false-failure rate is promised at the bound";
    const std::string rate = fmt::format("false-failure rate {}", false_failure_of(r));
    return r.evidence.false_failure > 0.0 ? rate + " where launches are exchangeable" : rate;
}

std::string evidence_row(const record& r) {
    std::string text = amount_text(r);
    if (text.empty()) return text;
    if (r.evidence.budget_seconds > 0.0)
        text += fmt::format(" of a budget of {}", format_seconds(r.evidence.budget_seconds * 1e9));
    if (r.evidence.seed != 0) text += fmt::format("; seed {}", r.evidence.seed);
    if (r.bound) text += "; " + rate_text(r);
    return text;
}

/// The bound, or the ends of its tolerance.
std::vector<double> ends_of_bound(const record& r) {
    if (r.tolerated) return {r.tolerated->low, r.tolerated->high};
    return r.bound ? std::vector{*r.bound} : std::vector<double>{};
}

void draw(std::vector<std::string>& lines, std::vector<distribution> drawn, std::span<const double> bound,
          dimension unit) {
    if (!drawn.empty() && !bound.empty()) drawn.push_back({"bound", bound});
    for (const std::string& line : draw_distributions(drawn, unit)) lines.push_back(single_line(line));
}

void draw_launches(std::vector<std::string>& lines, const record& r) {
    draw(lines,
         {{r.baseline->action == baseline_action::reference_build ? "reference" : "stored", r.baseline->values},
          {"now", r.baseline->now}},
         ends_of_bound(r), r.unit);
}

void draw_samples(std::vector<std::string>& lines, const record& r) {
    if (r.subjects.empty()) return;
    const dimension unit = r.subjects.front().unit;
    std::vector<distribution> drawn;
    for (const sample_summary& s : r.subjects) {
        if (s.unit == unit) drawn.push_back({s.subject, s.strip});
    }
    // A bound that is a ratio or a rate has no place on an axis of times.
    draw(lines, std::move(drawn), unit == r.unit ? ends_of_bound(r) : std::vector<double>{}, unit);
}

std::string disturbance_text(const disturbances& d) {
    std::vector<std::string> parts;
    // The measurement itself is a load of one.
    if (d.load > 1.0)
        parts.push_back(fmt::format("load {:.1f} on {}", d.load, counted(static_cast<std::size_t>(d.cores), "core")));
    if (d.steal_seconds > 0.0)
        parts.push_back(fmt::format("{} stolen by the hypervisor", format_seconds(d.steal_seconds * 1e9)));
    if (d.involuntary_switches > 0) parts.push_back(counted(d.involuntary_switches, "involuntary switch"));
    if (d.migrations > 0) parts.push_back(counted(d.migrations, "migration") + " between cores");
    if (std::abs(d.frequency_change) >= 0.02)
        parts.push_back(fmt::format("clock {} to {:.0f} MHz", format_change(d.frequency_change), d.frequency_mhz));
    if (d.page_faults > 0) parts.push_back(counted(d.page_faults, "page fault"));
    for (const gpu_activity& gpu : d.gpus)
        if (const std::string text = activity_text(gpu); !text.empty()) parts.push_back(single_line(text));
    for (const std::string& note : d.notes) parts.push_back(single_line(note));
    return fmt::format("{}", fmt::join(parts, "; "));
}

std::string everything_about(const gpu_activity& gpu) {
    return fmt::format(
        "{} {:.0f} of {:.0f} MHz, {:.0f} degrees, {:.0f} of {:.0f} W, held back {:.3g} s by heat and {:.3g} s by its power limit, "
        "{}, slowed down by up to {:.2f}{}{}",
        gpu.device, gpu.sm_mhz, gpu.max_sm_mhz, gpu.celsius, gpu.watts, gpu.watts_limit, gpu.heat_seconds,
        gpu.power_seconds, counted(gpu.others, "other process"), gpu.slowdown, gpu.slowed_by.empty() ? "" : ": ",
        fmt::join(gpu.slowed_by, ", "));
}

void add_verification(std::vector<std::string>& lines, row_writer& row, const verification& v) {
    std::string head = to_string(v.code);
    for (const verification_statistic& each : v.statistics)
        head += fmt::format(", {} {:.4g}", single_line(each.name), each.value);
    row("outputs", head);
    std::istringstream text(printable(v.text));
    for (std::string line; std::getline(text, line);) lines.push_back("    " + line);
    if (!v.fingerprints.empty() || !v.made_by.empty())
        row("golden", fmt::format("{} outputs, made by {}", v.fingerprints.size(), single_line(v.made_by)));
}

/// What a dry run says about an assertion, and those of its options that are not the default.
void add_planned(const record& r, row_writer& row) {
    row("would take", single_line(r.planned->method));
    row("cap", r.planned->cap_seconds > 0.0 ? format_seconds(r.planned->cap_seconds * 1e9) : std::string{});
    row("baseline", single_line(r.planned->baseline));
    std::string given;
    for (const auto& [name, origin] : r.origins) {
        if (name == "mode") continue;
        given += fmt::format("{}{}={} ({})", given.empty() ? "" : ", ", single_line(name),
                             single_line(option_of(r, name)), single_line(origin));
    }
    row("options", given);
}

void add_place(const record& r, row_writer& row) {
    row.whole("key", single_line(r.key));
    if (r.baseline) row.whole("file", single_line(r.baseline->file));
}

std::string joined_pairs(const std::vector<std::pair<std::string, std::string>>& pairs) {
    std::string text;
    for (const auto& [name, value] : pairs)
        text += fmt::format("{}{}={}", text.empty() ? "" : " ", single_line(name), single_line(value));
    return text;
}

/// Writes the evidence. A record that was read from a file may have no number here.
std::string e_value_text(double log_e) {
    return std::isnan(log_e) ? "no log e" : fmt::format("log e {:.3g} (p at most {:.2g})", log_e, p_value_bound(log_e));
}

std::string machine_text(const fingerprint& machine) {
    std::string text;
    const auto add = [&](std::string_view name, std::string_view value) {
        if (!value.empty())
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", single_line(name), single_line(value));
    };
    for (const auto& [name, member] : fingerprint_fields) add(name, machine.*member);
    for (const versioned_library& library : machine.libraries) add(library.name, library.version);
    return text;
}

/// "2 threads: aten::conv2d 523.0 us in 9 calls, aten::relu 1.500 us in 1 call, others 120.0 ns".
std::string operators_text(const operator_profile& profile) {
    const auto time = [](double ns) { return format_value(ns, dimension::time); };
    std::string text = single_line(profile.settings) + ": ";
    for (const profiled_operator& o : profile.longest)
        text += fmt::format("{} {} in {} {}, ", single_line(o.name), time(o.self_ns),
                            format_value(o.calls, dimension::count), o.calls == 1.0 ? "call" : "calls");
    return text + "others " + time(profile.others_ns);
}

void add_launches(const baseline_origin& b, dimension unit, row_writer& row) {
    const auto show = [&](double v) { return format_value(v, unit); };
    row("baseline",
        fmt::format("{}: {} launches in {}, the last of {}, median {}, may drift by {}, headroom {}, key \"{}\"",
                    to_string(b.action), b.launches, counted(b.sessions, "session"), single_line(b.recorded),
                    show(b.median), format_percentage(b.drift), format_percentage(b.headroom), single_line(b.key)));
    for (const stored_launch& l : b.taken)
        row("launch",
            fmt::format("{}; quartiles {} {}, p90 {}, p99 {}; {} x {} iterations; {}, commit {}, run {}, session {}{}",
                        show(l.value), show(l.q1), show(l.q3), show(l.p90), show(l.p99), l.samples, l.iterations,
                        single_line(l.when), single_line(l.commit), single_line(l.run),
                        single_line(l.recording_session),
                        l.moved_by_load ? ", moved by load " + format_change(*l.moved_by_load) : ""));
    if (!b.taken.empty()) row("ran on", machine_text(b.machine));
    if (b.operators) row("profile", operators_text(*b.operators));
}

/// "LibTorch 2.13.0 has aten 1407, prim 30".
std::string known_operators_text(const operator_library& all) {
    std::string text;
    for (const operator_namespace& each : all.namespaces)
        text += fmt::format("{} {} {}", text.empty() ? " has" : ",", single_line(each.name), each.operators.size());
    return single_line(all.library) + text;
}

void add_everything_else(const record& r, row_writer& row) {
    row("query", single_line(r.query));
    if (r.failure) row("failure", to_string(*r.failure));
    if (r.estimate) row("median", format_value(r.estimate->median, r.unit));
    for (const sample_summary& s : r.subjects) {
        const auto show = [&](double v) { return format_value(v, s.unit); };
        const std::string course =
            s.course.empty() ? ""
                             : fmt::format("; {} at first, {} at last", show(s.course.front()), show(s.course.back()));
        row("samples",
            fmt::format("{}: {} x {} iterations; minimum {}, quartiles {} {} {}, p90 {}, p99 {}, maximum {}{}",
                        single_line(s.subject), s.samples, s.iterations, show(s.minimum), show(s.q1), show(s.median),
                        show(s.q3), show(s.p90), show(s.p99), show(s.maximum), course));
    }
    for (const remote_subject& w : r.workers)
        row("worker",
            fmt::format("{} ran in {}: {}", single_line(w.subject), single_line(w.process), joined_pairs(w.facts)));
    const evidence_counts& e = r.evidence;
    row("e-values", fmt::format("{} that it holds, {} that it is violated", e_value_text(e.log_e_holds),
                                e_value_text(e.log_e_violated)));
    const disturbances& d = r.disturbed;
    row("machine",
        fmt::format(
            "load {:.2f}, {} cores, {:.3g} s stolen, {} involuntary switches, {} migrations, {} page faults, {} runnable, {} launches "
            "overcommitted, {:.0f} MHz",
            d.load, d.cores, d.steal_seconds, d.involuntary_switches, d.migrations, d.page_faults, d.runnable,
            d.overcommitted, d.frequency_mhz));
    for (const gpu_activity& gpu : d.gpus) row("GPU", single_line(everything_about(gpu)));
    if (d.slowed_gpu > 0) row("GPU", counted(d.slowed_gpu, "launch") + " on a slow one");
    if (r.baseline) add_launches(*r.baseline, r.unit, row);
    if (r.operators) row("operators", known_operators_text(*r.operators));
    row("test", fmt::format("{} / {}{}{}", single_line(r.suite), single_line(r.test), r.sections.empty() ? "" : " / ",
                            single_line(fmt::format("{}", fmt::join(r.sections, " / ")))));
    row("effect", fmt::format("{}{}; unit {}, better is {}", r.failed ? "fails the test" : "does not fail the test",
                              r.on_request ? ", on request" : "", single_line(unit_name(r)),
                              r.direction == better::less ? "less" : "more"));
    if (const auto& w = r.waiver)
        row("waiver", single_line(fmt::format("{}, {} until {}: {} ({}), from {}", to_string(w->effect), w->ceiling,
                                              w->until, w->reason, w->owner, w->place)));
    row("axes", joined_pairs(r.axes));
    row("options", joined_pairs(r.options));
    row("given by", joined_pairs(r.origins));
    row("where", fmt::format("{} on {}, build {}, variant \"{}\"", single_line(r.hardware_key), single_line(r.host),
                             single_line(r.build), single_line(r.build_variant)));
    row("when", fmt::format("{}, commit {} on {}{}, run {}, started by {}, schema {}", single_line(r.time),
                            single_line(r.commit), single_line(r.branch), r.dirty ? " (dirty)" : "",
                            single_line(r.run_id), single_line(r.started_by), r.schema));
}

/// A table of speedups over the first subject.
void add_comparison(const record& r, row_writer& row) {
    std::size_t widest = 0;
    for (const compared_subject& c : r.compared) widest = std::max(widest, columns_of(single_line(c.subject)));
    for (const compared_subject& c : r.compared) {
        const std::string level =
            c.speedup.level > 0.0 ? fmt::format(", {:.4g} %", 100.0 * c.speedup.level) : std::string{};
        row("speedup",
            fmt::format("{}  {} ({}{}), median {}", padded(single_line(c.subject), widest),
                        format_value(c.speedup.centre, r.unit), format_range(c.speedup.low, c.speedup.high, r.unit),
                        level, format_value(c.speedup.median, r.unit)));
    }
}

/// Whether the claim is invalid, and nothing was measured for it: then no method and no disturbance says anything.
bool is_invalid_unmeasured(const record& r) {
    return r.verdict == verdict::invalid && !r.estimate && amount_text(r).empty();
}

/// Adds what disturbed the measurement, what to know about it, and what to do.
void add_remarks(const record& r, row_writer& row) {
    if (!is_invalid_unmeasured(r)) row("disturbed", disturbance_text(r.disturbed));
    if (r.baseline) {
        for (const std::string& d : r.baseline->differences) row("differs", single_line(d));
    }
    for (const std::string& note : r.notes) row("note", single_line(note));
    for (const std::string& a : r.advice) row("advice", single_line(a));
}

std::vector<std::string> console_rows(const record& r, console_style style) {
    std::vector<std::string> lines;
    row_writer row(lines, style.place);
    const std::string change = single_line(change_text(r));
    for (const std::string& line : wrapped(change, columns_of_block - 2)) lines.push_back("  " + line);
    row("reason", single_line(r.reason));
    if (r.planned) add_planned(r, row);
    if (r.estimate) row("measured", measured_text(r));
    add_comparison(r, row);
    for (std::string& line : part_table(r.parts, style.verbosity)) lines.push_back(std::move(line));
    if (has_claim(r)) row("bound", bound_row(r));
    row("evidence", evidence_row(r));
    if (!is_invalid_unmeasured(r)) row("method", single_line(r.evidence.method));
    if (r.baseline) draw_launches(lines, r);
    if (!r.baseline || style.verbosity == console_verbosity::verbose) draw_samples(lines, r);
    if (r.verified) add_verification(lines, row, *r.verified);
    add_remarks(r, row);
    if (style.verbosity == console_verbosity::verbose) add_everything_else(r, row);
    add_place(r, row);
    if (style.commands == console_commands::shown) {
        for (const auto& [what, command] : r.commands) row.whole(what, single_line(command));
    }
    return lines;
}

}  // namespace perfspec::detail
