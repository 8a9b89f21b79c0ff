// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#include "export.hpp"
#include "values.hpp"

#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <optional>

// Formats with a line for each result.

namespace perfspec::tool {
namespace {

/// A cell of RFC 4180. A cell that a spreadsheet would compute gets an apostrophe before it.
std::string csv_cell(std::string_view text) {
    constexpr std::string_view computed = "=+-@\t\r";
    std::string safe;
    if (!text.empty() && computed.find(text.front()) != std::string_view::npos) safe += '\'';
    for (const char c : detail::utf8_or_replaced(text)) safe += c == '"' ? std::string("\"\"") : std::string(1, c);
    return safe.find_first_of(",\"\r\n") == std::string::npos ? safe : '"' + safe + '"';
}

std::string number_cell(std::optional<double> value) { return value ? exact_number(*value) : std::string{}; }

std::vector<std::string> csv_row(const record& r) {
    const auto of = [&](double estimate::*member) { return r.estimate ? exact_number((*r.estimate).*member) : std::string{}; };
    const std::string stored = r.baseline ? exact_number(r.baseline->median) : std::string{};
    return {csv_cell(r.time),
            csv_cell(r.suite),
            csv_cell(r.test),
            csv_cell(fmt::format("{}", fmt::join(r.sections, " / "))),
            csv_cell(r.key),
            csv_cell(r.query),
            csv_cell(r.claim),
            std::string(detail::file_word(r.verdict)),
            r.failed ? "1" : "0",
            std::string(r.waiver ? detail::file_word(r.waiver->effect) : std::string_view{}),
            csv_cell(unit_name(r)),
            of(&estimate::median),
            of(&estimate::low),
            of(&estimate::high),
            number_cell(r.bound),
            stored,
            exact_number(r.evidence.seconds),
            csv_cell(r.commit),
            csv_cell(r.branch),
            csv_cell(r.host),
            csv_cell(r.hardware_key),
            csv_cell(r.file),
            std::to_string(r.line),
            csv_cell(r.reason)};
}

constexpr std::string_view csv_headings =
    "time,suite,test,sections,key,query,claim,verdict,failed,waiver,unit,median,low,high,bound,baseline,seconds,commit,branch,host,hardware,"
    "file,line,reason\r\n";

}  // namespace

exported to_csv(std::span<const record> records) {
    exported done{.text = std::string(csv_headings)};
    for (const record& r : records) done.text += fmt::format("{}\r\n", fmt::join(csv_row(r), ","));
    return done;
}

}  // namespace perfspec::tool
