// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// The command `export`: results in the formats of other programs.

#include "program.hpp"
#include "reports/report.hpp"
#include "results/claims.hpp"
#include "results/dynamo.hpp"

#include <perfspec/baseline/process_fields.hpp>
#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/report/json_lines.hpp>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <span>

namespace perfspec::tool {
namespace {

/// Exported text, and the number of results that do not fit the format.
struct exported {
    std::string text{};
    std::size_t left_out{};
    std::string_view why{};  ///< what they lack, "a measured value"; empty if none is left out
};

using json = nlohmann::ordered_json;

std::string text_of(const json& all) { return all.dump(1, ' ', false, json::error_handler_t::replace) + '\n'; }

/// The values of the processes that were judged; else the value of this process alone.
std::vector<double> repetitions_of(const record& r) {
    if (r.baseline && r.baseline->now.size() > 1) return r.baseline->now;
    return {r.estimate->value};
}

std::string axis_or(const record& r, std::string_view axis, const std::string& other) {
    return detail::axis_of(r, axis).value_or(other);
}

json pytorch_object(const record& r) {
    json about{{"key", r.key}, {"claim", r.claim}, {"verdict", detail::file_word(r.verdict)}};
    for (const auto& [axis, value] : r.axes) about[axis] = value;
    return {{"schema_version", "v3"},
            {"timestamp", r.time},
            {"name", "perfspec"},
            {"head_branch", r.branch},
            {"head_sha", r.commit},
            {"benchmark",
             {{"name", r.suite},
              {"mode", axis_or(r, "test", "eval")},
              {"dtype", axis_or(r, "dtype", "")},
              {"extra_info", about}}},
            {"model",
             {{"name", axis_or(r, "model", r.test)},
              {"type", "OSS model"},
              {"backend", axis_or(r, "dynamo", "")},
              {"origins", json::array()}}},
            {"metric",
             {{"name", r.metric},
              {"benchmark_values", repetitions_of(r)},
              {"target_value", r.bound ? json(*r.bound) : json()},
              {"extra_info", {{"unit", unit_name(r)}}}}},
            {"runners", json::array({{{"name", r.host}, {"type", r.hardware_key}}})}};
}

/// The benchmark records of PyTorch's OSS benchmark database, schema v3: a JSON array with an object for each measured
/// value.
///
/// Source: pytorch/pytorch wiki, "How to integrate with PyTorch OSS benchmark database".
exported to_pytorch(std::span<const record> records) {
    exported done{.why = "a measured value"};
    json all = json::array();
    for (const record& r : records) {
        if (r.estimate) all.push_back(pytorch_object(r));
        else ++done.left_out;
    }
    done.text = text_of(all);
    return done;
}

/// A text in XML 1.0, as content or attribute. What XML cannot hold becomes U+FFFD.
std::string xml_text(std::string_view text) {
    constexpr std::string_view replacement = "\xEF\xBF\xBD";
    std::string all = detail::utf8_or_replaced(text);
    for (const std::string_view noncharacter : {"\xEF\xBF\xBE", "\xEF\xBF\xBF"})  // U+FFFE and U+FFFF
        for (std::size_t at = all.find(noncharacter); at != std::string::npos; at = all.find(noncharacter, at))
            all.replace(at, noncharacter.size(), replacement);
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

/// The subject that the claim is about: the numerator of a ratio that should be small, the denominator of a speedup,
/// the only subject of another query. Null without samples.
const sample_summary* subject_under_test(const record& r) {
    if (r.subjects.empty()) return nullptr;
    return r.direction == better::less ? &r.subjects.front() : &r.subjects.back();
}

json scaled(const std::vector<double>& values, double factor) {
    json all = json::array();
    for (const double v : values) all.push_back(std::isfinite(v * factor) ? json(v * factor) : json());
    return all;
}

/// Seconds of the quantiles of the samples, which are no single samples.
json xla_metrics(const record& r, const sample_summary* s) {
    json metrics = json::object();
    if (r.verdict == verdict::error) metrics["error"] = r.reason;
    if (s == nullptr) return metrics;
    if (s->unit == dimension::time) {
        metrics["per_iter_time"] = scaled(s->strip, 1e-9);
        metrics["total_time"] = scaled(s->strip, 1e-9 * static_cast<double>(s->iterations));
    } else {
        metrics["per_iter_" + std::string(detail::file_word(s->unit))] = scaled(s->strip, 1.0);
    }
    return metrics;
}

template <class T> json or_null(const std::optional<T>& value) { return value ? json(*value) : json(); }

json xla_experiment(const record& r) {
    const std::string device = axis_or(r, "device", "cpu");
    return {{"experiment_name", r.query},
            {"accelerator", device.substr(0, device.find(':'))},
            {"accelerator_model", r.hardware_key},
            {"xla", nullptr},
            {"xla_flags", nullptr},
            {"dynamo", or_null(detail::axis_of(r, "dynamo"))},
            {"torch_xla2", nullptr},
            {"keep_model_data_on_cuda", nullptr},
            {"test", or_null(detail::axis_of(r, "test"))},
            {"batch_size", or_null(detail::whole_number<long>(axis_or(r, "batch", "")))}};
}

/// A line of PyTorch/XLA's results.jsonl. What perfspec does not know is null.
json xla_line(const record& r) {
    const sample_summary* const s = subject_under_test(r);
    const std::string status = dynamo_status(r);
    return {{"model", {{"suite_name", axis_or(r, "suite", r.suite)}, {"model_name", axis_or(r, "model", r.test)}}},
            {"experiment", xla_experiment(r)},
            {"repeat", s == nullptr ? r.evidence.rounds : s->samples},
            {"iterations_per_run", s == nullptr ? json() : json(s->iterations)},
            {"metrics", xla_metrics(r, s)},
            {"timestamp", or_null(detail::seconds_of_utc(r.time))},
            {"outputs_file", nullptr},
            {"verification_code", to_string(r.verified ? r.verified->code : verification_code::verifier_skipped)},
            {"accuracy", status.empty() ? json() : json(status)}};
}

/// A number that every reader of JSON, XML and CSV reads back exactly.
std::string exact_number(double value) { return fmt::format("{}", value); }

/// A cell of RFC 4180. A leading apostrophe keeps spreadsheets from computing it.
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
            detail::file_word(r.verdict),
            r.failed ? "1" : "0",
            r.waiver ? detail::file_word(r.waiver->effect) : std::string{},
            csv_cell(unit_name(r)),
            of(&estimate::value),
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
    "time,suite,test,sections,key,query,claim,verdict,failed,waiver,unit,value,low,high,bound,baseline,seconds,commit,branch,host,hardware,"
    "file,line,reason\r\n";

std::string property(std::string_view name, std::string_view value) {
    return value.empty() ? std::string{}
                         : fmt::format("      <property name=\"{}\" value=\"{}\"/>\n", name, xml_text(value));
}

std::string properties_of(const record& r) {
    std::string all = property("verdict", to_string(r.verdict)) + property("key", r.key) + property("query", r.query) +
                      property("unit", unit_name(r));
    if (r.estimate)
        all += property("value", exact_number(r.estimate->value)) + property("low", exact_number(r.estimate->low)) +
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
        return element(r.verdict == verdict::error ? "error" : "failure", change_and_reason(r), to_string(r.verdict));
    const bool is_skipped = (r.verdict == verdict::skipped && !r.on_request) || detail::skips_test(r);
    return is_skipped ? element("skipped", r.reason, detail::verdict_word(r, {})) : std::string{};
}

std::string junit_case(const record& r) {
    const std::string name = r.claim.empty() ? r.query : r.claim;
    return fmt::format(
        "  <testcase classname=\"{}\" name=\"{}\" time=\"{}\" file=\"{}\" line=\"{}\">\n{}{}    <system-out>{}</system-out>\n"
        "  </testcase>\n",
        xml_text(r.suite.empty() ? test_of(r) : r.suite + "." + test_of(r)), xml_text(name),
        exact_number(r.evidence.seconds), xml_text(r.file), r.line, properties_of(r), outcome_of(r),
        xml_text(render_console(r, {})));
}

std::string junit_suite(const std::string& name, std::span<const record* const> records) {
    std::string cases;
    std::map<std::string_view, std::size_t> counts;
    double seconds = 0.0;
    for (const record* r : records) {
        const std::string outcome = outcome_of(*r);
        if (outcome.starts_with("    <error")) ++counts["errors"];
        else if (outcome.starts_with("    <failure")) ++counts["failures"];
        else if (!outcome.empty()) ++counts["skipped"];
        seconds += r->evidence.seconds;
        cases += junit_case(*r);
    }
    return fmt::format(
        "<testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\" time=\"{}\">\n{}</testsuite>\n",
        xml_text(name), records.size(), counts["failures"], counts["errors"], counts["skipped"], exact_number(seconds),
        cases);
}

/// Comma-separated values (RFC 4180) with a line of headings and a line for each result, in base units.
exported to_csv(std::span<const record> records) {
    exported done{.text = std::string(csv_headings)};
    for (const record& r : records) done.text += fmt::format("{}\r\n", fmt::join(csv_row(r), ","));
    return done;
}

/// JUnit XML: a test case for each result, with its numbers as properties, and its verdict as failure, error or
/// skipped.
exported to_junit(std::span<const record> records) {
    std::map<std::string, std::vector<const record*>> suites;
    for (const record& r : records) suites[r.suite].push_back(&r);
    exported done{.text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"perfspec\">\n"};
    for (const auto& [name, of_suite] : suites) done.text += junit_suite(name, of_suite);
    done.text += "</testsuites>\n";
    return done;
}

/// The lines of PyTorch/XLA's results.jsonl, with the word of benchmarks/dynamo as `accuracy`.
exported to_xla(std::span<const record> records) {
    exported done;
    for (const record& r : records)
        done.text += xla_line(r).dump(-1, ' ', false, json::error_handler_t::replace) + '\n';
    return done;
}

/// A format by its name on the command line.
struct export_format {
    const char* name;
    exported (*write)(std::span<const record>);
};
constexpr export_format formats[] = {{"pytorch", to_pytorch}, {"csv", to_csv}, {"junit", to_junit}, {"xla", to_xla}};

struct export_options {
    std::vector<std::string> results;
    std::string format;
    std::string out;
    bool all_runs{};
};

/// Writes the results in another program's format. Reports how many do not fit it.
outcome run_export(const export_options& o, const command_context& context) {
    const auto texts = context.read_results_files(o.results);
    const run_separation runs = is_ci(context.system.variables) ? run_separation::none : run_separation::by_process;
    const results input = o.all_runs ? read_results(texts) : newest_results(read_results(texts), runs);
    const std::vector<record> records = records_of(input);
    const exported done = std::ranges::find(formats, std::string_view(o.format), &export_format::name)->write(records);
    write_file(context.system, o.out, done.text);
    outcome report{notes_text(input)};
    report.text += fmt::format("{} of {} written to {} as {}\n", records.size() - done.left_out,
                               counted(records.size(), "result"), o.out, o.format);
    if (done.left_out > 0)
        report.text +=
            fmt::format("{} left out, because the format needs {}\n", counted(done.left_out, "result"), done.why);
    return report;
}

}  // namespace

void add_export(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("export", "Writes results in the format of another program.");
    const auto o = std::make_shared<export_options>();
    std::vector<std::string> names;
    for (const export_format& format : formats) names.emplace_back(format.name);
    command->add_option("RESULTS", o->results, "files that --perf-output wrote")->required();
    command->add_option("--format", o->format, "pytorch, csv, junit or xla")
        ->type_name("FORMAT")
        ->required()
        ->check(CLI::IsMember(names));
    command->add_option("-o,--output", o->out, "the file to write; an existing file is replaced")
        ->type_name("FILE")
        ->required();
    command->add_flag("--all-runs", o->all_runs, "write the results of all runs, not only the newest of each key");
    command->footer(
        R"(pytorch  records of PyTorch's OSS benchmark database, schema v3
csv      a line for each result, in base units (ns, bytes)
junit    JUnit XML with the numbers of every claim, also of those that hold
xla      lines of PyTorch/XLA's results.jsonl

If there are results of several runs, the newest run of each key counts, unless you give --all-runs.

Exit codes: 0 written; 2 wrong input, or the file cannot be written.

Examples:
  perfspec export runs/*.jsonl --all-runs --format csv -o history.csv)");
    command->callback([o, &context] { context.done = run_export(*o, context); });
}

}  // namespace perfspec::tool
