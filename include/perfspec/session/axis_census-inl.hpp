// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/plan/axis_filter.hpp>
#include <perfspec/process/printable.hpp>
#include <perfspec/session/axis_census.hpp>

namespace perfspec {
namespace detail {

/// "batch=1, 8; device=cpu": a few values of each axis, because a sweep can have thousands.
inline std::string axes_text(const std::map<std::string, std::set<std::string>>& axes) {
    constexpr std::size_t values_shown = 8;
    std::string text;
    for (const auto& [name, values] : axes) {
        text += (text.empty() ? "" : "; ") + name + "=";
        std::size_t shown = 0;
        for (const std::string& value : values) {
            if (shown++ == values_shown) break;
            text += (shown == 1 ? "" : ", ") + value;
        }
        if (values.size() > values_shown) text += " and " + std::to_string(values.size() - values_shown) + " more";
    }
    return text;
}

}  // namespace detail

std::string to_text(const claim_filter& filter) {
    std::string text = filter.only.empty() ? "" : "only=" + filter.only;
    if (filter.train == training_claims::judged) return text;
    return text + (text.empty() ? "" : " and ") + "train=" + (filter.train == training_claims::only ? "on" : "off");
}

bool axis_census::leaves_out(const claim_filter& filter, const std::vector<std::pair<std::string, std::string>>& axes,
                             training_subjects trained) {
    if (to_text(filter).empty()) return false;
    filter_ = filter;
    for (const auto& [name, value] : axes) seen_[name].insert(value);
    const auto unwanted = filter.train == training_claims::only ? training_subjects::none : training_subjects::some;
    const bool matches = has_axes(axes, parse_axis_filter(filter.only).value_or(axis_filter{})) &&
                         (filter.train == training_claims::judged || trained != unwanted);
    ++(matches ? evaluated_ : left_out_);
    return !matches;
}

std::string axis_census::unmatched() const {
    std::string text;
    for (const auto& [name, values] : parse_axis_filter(filter_.only).value_or(axis_filter{})) {
        const auto known = seen_.find(name);
        if (known == seen_.end()) {
            text += "perfspec: warning: no claim of this run has the axis \"" + name + "\" of only=" + filter_.only + "; " +
                    (seen_.empty() ? "none has any axis: declare one on a subject, .axis(\"batch\", 8)"
                                   : "their axes are " + detail::axes_text(seen_)) +
                    "\n";
            continue;
        }
        for (const std::string& value : values)
            if (!known->second.contains(value))
                text += "perfspec: warning: no claim of this run has " + name + "=" + value + " of only=" + filter_.only + "; there is " +
                        detail::axes_text({*known}) + "\n";
    }
    return text;
}

std::string axis_census::summary(console_verbosity verbosity) const {
    std::string text = unmatched();
    const std::string count = std::to_string(left_out_) + (left_out_ == 1 ? " assertion" : " assertions");
    if (left_out_ != 0 && evaluated_ == 0) text += "perfspec: all " + count + " left out by " + to_text(filter_) + ": nothing was judged\n";
    else if (left_out_ != 0 && verbosity != console_verbosity::quiet)
        text += "perfspec: " + count + " left out by " + to_text(filter_) + "\n";
    return detail::printable(text);
}

}  // namespace perfspec
