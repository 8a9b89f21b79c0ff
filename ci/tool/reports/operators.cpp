// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/console/console_text.hpp>
#include <perfspec/report/json_lines.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

namespace perfspec::tool {
namespace {

bool is_profile(const record& r) { return r.metric == "profile" && !r.parts.empty(); }

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

struct operator_coverage {
    std::set<std::string> libraries{};
    std::map<std::string, std::set<std::string>> known{};  ///< by namespace: "aten" with "aten::abs", "aten::add"
    std::map<std::string, std::map<std::string, std::set<std::string>>> ran{};  ///< known operators: modes by model
    std::set<std::string> others{};                                             ///< other names in profiles
    std::set<std::string> models{};

    void add_library(const part_library& library) {
        libraries.insert(library.library);
        for (const part_namespace& each : library.namespaces)
            for (const std::string& name : each.parts) known[each.name].insert(each.name + "::" + name);
    }
    void add_profile(const record& r) {
        const std::string model =
            detail::axis_of(r, "model").value_or(r.subjects.empty() ? r.test : r.subjects.front().subject);
        models.insert(model);
        for (const part_value& part : r.parts) {
            if (part.method != "calls") continue;
            const std::string name = part.part.substr(0, part.part.find(" ["));  // without the shapes of by_shape
            const auto of_name = known.find(name.substr(0, name.find("::")));
            if (of_name == known.end() || !of_name->second.contains(name)) others.insert(name);
            else ran[name][model].insert(mode_of(r));
        }
    }
};

operator_coverage coverage_of(std::span<const record> records) {
    operator_coverage found;
    for (const record& r : records)  // first all: one process may have loaded a library that another did not
        if (is_profile(r) && r.known_parts) found.add_library(*r.known_parts);
    for (const record& r : records)
        if (is_profile(r)) found.add_profile(r);
    return found;
}

}  // namespace

report_part operators_part(std::span<const record> records) {
    const operator_coverage found = coverage_of(records);
    report_part part{.rows = {{"operator", "models and modes"}}};
    for (const auto& [name, models] : found.ran) {
        std::string text;
        for (const auto& [model, modes] : models) {
            const std::string all = fmt::format("{}", fmt::join(modes, "; "));
            text += (text.empty() ? "" : ", ") + model + (all.empty() ? "" : fmt::format(" ({})", all));
        }
        part.rows.push_back({detail::single_line(name), detail::single_line(text)});
    }
    return part;
}

std::string operators_summary(std::span<const record> records) {
    const operator_coverage found = coverage_of(records);
    if (found.models.empty()) return {};
    const std::string models = counted(found.models.size(), "model");
    if (found.known.empty())
        return fmt::format("operators: {} in {}; the results do not list all operators of the libraries\n",
                           found.others.size(), models);
    std::string lines;
    std::size_t all = 0, idle_namespaces = 0, idle_operators = 0;
    for (const auto& [name, operators] : found.known) {
        all += operators.size();
        const auto ran =
            std::ranges::count_if(operators, [&](const std::string& each) { return found.ran.contains(each); });
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
    if (!found.others.empty())
        lines += fmt::format("  also {} outside of these namespaces, such as {}\n",
                             counted(found.others.size(), "name"), detail::single_line(*found.others.begin()));
    return fmt::format("operators: {} of those that {} has, in {}\n", share_text(found.ran.size(), all),
                       detail::single_line(fmt::format("{}", fmt::join(found.libraries, ", "))), models) +
           lines;
}

}  // namespace perfspec::tool
