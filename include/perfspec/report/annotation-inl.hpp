// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/report/annotation.hpp>

#include <perfspec/quantity/format.hpp>
#include <perfspec/report/change.hpp>
#include <perfspec/report/console/console_text.hpp>

#include <fmt/format.h>

namespace perfspec::inline v0_2 {
namespace detail {

std::string percent_encoded(std::string_view text, std::string_view characters) {
    std::string encoded;
    for (const char c : text) {
        if (characters.find(c) == std::string_view::npos) encoded += c;
        else encoded += fmt::format("%{:02X}", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
    return encoded;
}

// Escapes the characters that workflow commands reserve: actions/toolkit, packages/core/src/command.ts.
inline std::string annotation_message(std::string_view text) { return percent_encoded(text, "%\r\n"); }
inline std::string annotation_property(std::string_view text) { return percent_encoded(text, "%\r\n:,"); }

std::string_view below(std::string_view folder, std::string_view path) {
    while (folder.ends_with('/')) folder.remove_suffix(1);
    if (folder.empty() || !path.starts_with(folder) || !path.substr(folder.size()).starts_with('/')) return path;
    return path.substr(folder.size() + 1);
}

/// The claim, and by how much or why it failed.
inline std::string annotation_text(const record& r) {
    std::string text = single_line(r.claim.empty() ? r.query : r.claim);
    if (const std::string change = change_text(r); !change.empty()) text += "\n" + single_line(change);
    if (r.estimate) text += "\nmeasured " + measured_text(r);
    if (r.bound) text += "\nbound " + compared_text(r);
    if (r.bound && !r.bound_text.empty()) text += " = " + single_line(r.bound_text);
    if (!r.reason.empty()) text += "\n" + single_line(r.reason);
    if (is_waived(r))
        text += fmt::format("\nwaived until {}: {}", single_line(r.waiver->until), single_line(r.waiver->reason));
    for (const std::string& a : r.advice) text += "\nadvice: " + single_line(a);
    for (const auto& [name, command] : r.commands) text += "\n" + command_line(name, command).substr(2);
    return text;
}

}  // namespace detail

std::string render_annotation(const record& r, std::string_view workspace) {
    if (detail::has_succeeded(r.verdict) || (r.verdict == verdict::skipped && r.on_request)) return {};
    std::string place;
    if (!r.file.empty())
        place = fmt::format("file={},line={},",
                            detail::annotation_property(detail::single_line(detail::below(workspace, r.file))), r.line);
    const std::string title = fmt::format("perfspec: {}{}", r.test.empty() ? r.test : detail::single_line(r.test) + " ",
                                          detail::verdict_word(r, {}));
    return fmt::format("::{} {}title={}::{}", r.failed ? "error" : "warning", place, detail::annotation_property(title),
                       detail::annotation_message(detail::annotation_text(r)));
}

}  // namespace perfspec::inline v0_2
