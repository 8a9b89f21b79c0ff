// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/xla_fields.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

namespace perfspec::tool {
namespace {

bool is_profile(const record& r) { return r.query.starts_with("profile(") && !r.parts.empty(); }

/// The mode: the axes but the model, such as "test=train, threads=2"; empty without axes.
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

}  // namespace

operator_coverage::operator_coverage(std::span<const record> records) {
    for (const record& r :
         records)  // first all known operators: one process may have loaded a library that another did not
        if (is_profile(r) && r.operators) {
            libraries_.insert(r.operators->library);
            for (const operator_namespace& each : r.operators->namespaces)
                for (const std::string& name : each.operators) known_[each.name].insert(each.name + "::" + name);
        }
    for (const record& r : records)
        if (is_profile(r)) add(r);
}

void operator_coverage::add(const record& r) {
    const std::string model =
        detail::axis_of(r, "model").value_or(r.subjects.empty() ? r.test : r.subjects.front().subject);
    models_.insert(model);
    for (const part_value& part : r.parts) {
        if (part.method != "calls") continue;
        const std::string name =
            part.part.substr(0, part.part.find(" ["));  // without the shapes of profile(x, by_shape)
        const auto of_name = known_.find(name.substr(0, name.find("::")));
        if (of_name == known_.end() || !of_name->second.contains(name)) others_.insert(name);
        else ran_[name][model].insert(mode_of(r));
    }
}

report_part operator_coverage::part() const {
    report_part part{.rows = {{"operator", "models and modes"}}, .columns = "|---|---|"};
    for (const auto& [name, models] : ran_) {
        std::string text;
        for (const auto& [model, modes] : models) {
            const std::string all = fmt::format("{}", fmt::join(modes, "; "));
            text += (text.empty() ? "" : ", ") + model + (all.empty() ? "" : fmt::format(" ({})", all));
        }
        part.rows.push_back({detail::single_line(name), detail::single_line(text)});
    }
    return part;
}

std::string operator_coverage::summary() const {
    if (models_.empty()) return {};
    const std::string models = counted(models_.size(), "model");
    if (known_.empty())
        return fmt::format("operators: {} in {}; the results do not say how many there are\n", others_.size(), models);
    std::string lines;
    std::size_t all = 0, idle_namespaces = 0, idle_operators = 0;
    for (const auto& [name, operators] : known_) {
        all += operators.size();
        const auto ran = std::ranges::count_if(operators, [&](const std::string& each) { return ran_.contains(each); });
        if (ran > 0 || name == "aten") {
            lines += fmt::format("  {}: {}\n", detail::single_line(name),
                                 share_text(static_cast<std::size_t>(ran), operators.size()));
        } else {
            ++idle_namespaces;
            idle_operators += operators.size();
        }
    }
    if (idle_namespaces > 0)
        lines += fmt::format("  {}: none of {}\n", counted(idle_namespaces, "other namespace"), idle_operators);
    if (!others_.empty())
        lines += fmt::format("  also {} that no namespace has, such as {}\n", counted(others_.size(), "name"),
                             detail::single_line(*others_.begin()));
    return fmt::format("operators: {} of those that {} has, in {}\n", share_text(ran_.size(), all),
                       detail::single_line(fmt::format("{}", fmt::join(libraries_, ", "))), models) +
           lines;
}

}  // namespace perfspec::tool
