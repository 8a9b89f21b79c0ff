// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Formats with a line for each result.

#include "../results/claims.hpp"
#include "exports.hpp"

#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_write.hpp>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>

namespace perfspec::tool {
namespace {

/// A text in XML 1.0, as content or attribute. What XML cannot hold becomes U+FFFD.
std::string xml_text(std::string_view text) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string all = detail::utf8_or_replaced(text);
    for (const std::string_view none : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})  // U+FFFE and U+FFFF, which are no characters
        for (std::size_t at = all.find(none); at != std::string::npos; at = all.find(none, at))
            all.replace(at, none.size(), replacement);
    std::string safe;
    for (const char c : all) {
        const auto code = static_cast<unsigned char>(c);
        if (c == '<') safe += "&lt;";
        else if (c == '>') safe += "&gt;";
        else if (c == '&') safe += "&amp;";
        else if (c == '"') safe += "&quot;";
        else if (c == '\n' || c == '\t' || c == '\r') safe += fmt::format("&#{};", code);
        else if (code < 0x20) safe += replacement;
        else safe += c;
    }
    return safe;
}

/// A number that every reader of JSON, XML and CSV reads back exactly.
std::string exact_number(double value) { return fmt::format("{}", value); }

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
    const auto of = [&](double estimate::*member) {
        return r.estimate ? exact_number((*r.estimate).*member) : std::string{};
    };
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

std::string property(std::string_view name, std::string_view value) {
    return value.empty() ? std::string{}
                         : fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
}

std::string properties_of(const record& r) {
    std::string all = property("verdict", to_string(r.verdict)) + property("key", r.key) + property("query", r.query) +
                      property("unit", unit_name(r));
    if (r.estimate)
        all += property("median", exact_number(r.estimate->median)) + property("low", exact_number(r.estimate->low)) +
               property("high", exact_number(r.estimate->high));
    if (r.bound) all += property("bound", exact_number(*r.bound));
    if (r.baseline) all += property("baseline", exact_number(r.baseline->median));
    if (r.waiver)
        all += property("waiver",
                        fmt::format("{} until {}: {}", to_string(r.waiver->effect), r.waiver->until, r.waiver->reason));
    return "    <properties>\n" + all + property("commit", r.commit) + property("hardware", r.hardware_key) +
           "    </properties>\n";
}

std::string element(std::string_view name, std::string_view message, std::string_view type) {
    return fmt::format("    <{} message=\"{}\" type=\"{}\"/>\n", name, xml_text(message), xml_text(type));
}

/// Only a failed claim is a failure: one under PERF_WARN passes, as it does in the test.
std::string outcome_of(const record& r) {
    if (r.failed)
        return element(r.verdict == verdict::invalid ? "error" : "failure", change_and_reason(r), to_string(r.verdict));
    return r.verdict == verdict::not_judged && !r.on_request ? element("skipped", r.reason, to_string(r.verdict))
                                                             : std::string{};
}

std::string case_of(const record& r) {
    const std::string name = r.claim.empty() ? r.query : r.claim;
    return fmt::format(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{}\" file=\"{}\" line=\"{}\">\n{}{}    <system-out>{}</system-out>\n"
        "  </testcase>\n",
        xml_text(r.suite.empty() ? test_of(r) : r.suite + "." + test_of(r)), xml_text(name),
        exact_number(r.evidence.seconds), xml_text(r.file), r.line, properties_of(r), outcome_of(r),
        xml_text(render_console(r, {})));
}

std::string suite_of(const std::string& name, std::span<const record* const> records) {
    std::string cases;
    std::map<std::string_view, std::size_t> counts;
    double seconds = 0.0;
    for (const record* r : records) {
        const std::string outcome = outcome_of(*r);
        if (outcome.starts_with("    <error")) ++counts["errors"];
        else if (outcome.starts_with("    <failure")) ++counts["failures"];
        else if (!outcome.empty()) ++counts["skipped"];
        seconds += r->evidence.seconds;
        cases += case_of(*r);
    }
    return fmt::format(
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\">\n{}</testsuite>\n",
        xml_text(name), records.size(), counts["failures"], counts["errors"], counts["skipped"], exact_number(seconds),
        cases);
}

}  // namespace

exported to_csv(std::span<const record> records) {
    exported done{.text = std::string(csv_headings)};
    for (const record& r : records) done.text += fmt::format("{}\r\n", fmt::join(csv_row(r), ","));
    return done;
}

exported to_junit(std::span<const record> records) {
    std::map<std::string, std::vector<const record*>> suites;
    for (const record& r : records) suites[r.suite].push_back(&r);
    exported done{.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfspec\">\n"};
    for (const auto& [name, of_suite] : suites) done.text += suite_of(name, of_suite);
    done.text += "</testsuites>\n";
    return done;
}

}  // namespace perfspec::tool
