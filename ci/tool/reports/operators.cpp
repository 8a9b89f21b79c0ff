// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace perfspec::tool {
namespace {

bool is_profile(const record& r) { return r.query.starts_with("profile(") && !r.parts.empty(); }

/// The model: the axis "model", else the subject.
std::string model_of(const record& r) {
    const auto axis = std::ranges::find(r.axes, "model", &std::pair<std::string, std::string>::first);
    if (axis != r.axes.end()) return axis->second;
    return r.subjects.empty() ? r.test : r.subjects.front().subject;
}

/// The mode: the other axes, such as "test=train, threads=2"; empty without axes.
std::string mode_of(const record& r) {
    std::string text;
    for (const auto& [name, value] : r.axes)
        if (name != "model") text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, value);
    return text;
}

std::string share_text(std::size_t part, std::size_t whole) {
    const double share = whole == 0 ? 0.0 : static_cast<double>(part) / static_cast<double>(whole);
    return fmt::format("{} of {} ({})", part, whole, format_percentage(share));
}

/// Without the shapes that a row of profile(x, by_shape) has behind the name.
std::string without_shapes(const std::string& row) { return row.substr(0, row.find(" [")); }

std::string joined(const std::set<std::string>& texts, std::string_view between) {
    std::string all;
    for (const std::string& each : texts) all += (all.empty() ? "" : std::string(between)) + detail::single_line(each);
    return all;
}

}  // namespace

operator_coverage::operator_coverage(std::span<const record> records) {
    for (const record& r : records)  // first all known operators: one process may have loaded a library that another did not
        if (is_profile(r) && r.operators) {
            libraries_.insert(r.operators->library);
            for (const operator_namespace& each : r.operators->namespaces)
                for (const std::string& name : each.operators) known_[each.name].insert(each.name + "::" + name);
        }
    for (const record& r : records)
        if (is_profile(r)) add(r);
}

void operator_coverage::add(const record& r) {
    const std::string model = model_of(r);
    models_.insert(model);
    for (const part_value& part : r.parts) {
        if (part.method != "calls") continue;
        const std::string name = without_shapes(part.part);
        const auto of_name = known_.find(name.substr(0, name.find("::")));
        if (of_name == known_.end() || !of_name->second.contains(name)) others_.insert(name);
        else ran_[name][model].insert(mode_of(r));
    }
}

std::string operator_coverage::models_text(const modes_of_models& models) const {
    std::string text;
    for (const auto& [model, modes] : models) {
        text += (text.empty() ? "" : ", ") + detail::single_line(model);
        const std::string all = joined(modes, "; ");
        if (!all.empty()) text += fmt::format(" ({})", all);
    }
    return text;
}

std::string operator_coverage::namespace_lines() const {
    std::string text;
    std::size_t idle_namespaces = 0;
    std::size_t idle_operators = 0;
    for (const auto& [name, operators] : known_) {
        const auto ran = std::ranges::count_if(operators, [&](const std::string& each) { return ran_.contains(each); });
        if (ran > 0 || name == "aten") {
            text += fmt::format("  {}: {}\n", detail::single_line(name), share_text(static_cast<std::size_t>(ran), operators.size()));
        } else {
            ++idle_namespaces;
            idle_operators += operators.size();
        }
    }
    if (idle_namespaces > 0) text += fmt::format("  {}: none of {}\n", counted(idle_namespaces, "other namespace"), idle_operators);
    return text;
}

std::string operator_coverage::summary() const {
    if (empty()) return {};
    const std::string models = counted(models_.size(), "model");
    if (known_.empty()) return fmt::format("operators: {} in {}; the results do not say how many there are\n", others_.size(), models);
    std::size_t all = 0;
    for (const auto& [name, operators] : known_) all += operators.size();
    std::string text =
        fmt::format("operators: {} of those that {} has, in {}\n", share_text(ran_.size(), all), joined(libraries_, ", "), models);
    text += namespace_lines();
    if (!others_.empty())
        text += fmt::format("  also {} that no namespace has, such as {}\n", counted(others_.size(), "name"),
                            detail::single_line(*others_.begin()));
    return text;
}

std::string operator_coverage::table_console() const {
    table_rows rows{{"operator", "models and modes"}};
    for (const auto& [name, models] : ran_) rows.push_back({detail::single_line(name), models_text(models)});
    return rows.size() == 1 ? std::string{} : table_text(rows, "");
}

std::string operator_coverage::table_markdown() const {
    if (empty()) return {};
    std::string text = "```\n" + summary() + "```\n";
    if (!ran_.empty()) text += "\n| operator | models and modes |\n|---|---|\n";
    for (const auto& [name, models] : ran_) text += fmt::format("| {} | {} |\n", markdown_text(name), markdown_text(models_text(models)));
    return text;
}

std::string operator_coverage::uncovered(std::string_view pattern) const {
    std::string lines;
    std::size_t found = 0;
    for (const auto& [space, operators] : known_)
        for (const std::string& name : operators) {
            if (ran_.contains(name) || !contains_pattern(name, pattern)) continue;
            lines += fmt::format("  {}\n", detail::single_line(name));
            ++found;
        }
    if (known_.empty()) return "no results of profile(x) with a list of operators: which are left out is not known\n";
    return fmt::format("not in any profile: {}\n", counted(found, "operator")) + lines;
}

}  // namespace perfspec::tool
