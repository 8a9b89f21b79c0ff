// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0

// Registers the command `report` with CLI11.

#include "../program.hpp"
#include "report.hpp"
#include "summaries.hpp"

#include <perfspec/plan/plan.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/annotation.hpp>

#include <CLI/CLI.hpp>

#include <memory>

namespace perfspec::tool {
namespace {

struct report_options {
    std::vector<std::string> results;
    std::string markdown;
    std::string html;
    std::string max_undecided = "100%";
    std::string max_skipped = "100%";
    std::string max_new = "100%";
    bool annotations = false;
    bool suite = false;
    bool operators = false;
    bool verbose = false;
    bool quiet = false;
};

outcome report(const report_options& o, const command_context& context) {
    if (o.markdown == "-" && o.annotations)
        throw input_error(
            "--markdown - and --annotations would print into one output, expected only one of them; write the Markdown "
            "to a file:  --markdown FILE --annotations");
    const auto texts = context.read_results_files(o.results);
    const run_separation runs = is_ci(context.system.variables) ? run_separation::none : run_separation::by_process;
    const results input = newest_results(read_results(texts), runs);
    const auto verbosity = o.verbose ? console_verbosity::verbose
                           : o.quiet ? console_verbosity::quiet
                                     : console_verbosity::normal;
    const max_allowed allowed{.undecided = parse_share("--max-undecided", o.max_undecided),
                              .skipped = parse_share("--max-skipped", o.max_skipped),
                              .is_new = parse_share("--max-new", o.max_new)};
    outcome done = report_console(input, allowed, {.color = context.system.color, .verbosity = verbosity});
    std::string markdown = report_markdown(input, pages_of_ci(context.system.variables));
    const auto add = [&](const report_part& part) {
        done.text += '\n' + console_of(part);
        markdown += '\n' + markdown_of(part);
    };
    const std::vector<record> records = records_of(input);
    if (o.suite) {
        const std::vector<suite_row> rows = suite_of(records);
        for (const suite_row& row : rows) add(models_part(row));
        add(suite_part(rows));
    }
    const std::string coverage = operators_summary(records);
    done.text += coverage;
    if (o.operators) {
        markdown += "\n```\n" + coverage + "```\n";
        add(operators_part(records));
    }
    if (o.markdown == "-") done.text = markdown;
    else if (!o.markdown.empty()) write_file(context.system, o.markdown, markdown);
    if (!o.html.empty()) write_file(context.system, o.html, report_page(input, pages_of_ci(context.system.variables)));
    if (!o.annotations) return done;
    for (const record& r : records) {
        const std::string line = render_annotation(r, context.system.variables.get("GITHUB_WORKSPACE").value_or(""));
        if (!line.empty()) done.text += line + '\n';
    }
    return done;
}

}  // namespace

void add_report(CLI::App& app, command_context& context) {
    auto* command = app.add_subcommand("report", "Shows results; the exit code is their verdict.");
    const auto o = std::make_shared<report_options>();
    command->add_option("RESULTS", o->results, "files that --perf-output wrote")->required();
    const auto option = [&](const char* name, auto& value, const char* type, const char* what) {
        command->add_option(name, value, what)->type_name(type)->allow_extra_args(false);
    };
    const auto flag = [&](const char* name, bool& value, const char* what) { command->add_flag(name, value, what); };
    option("--markdown", o->markdown, "FILE", "also write Markdown for GitHub; - prints only that");
    option("--html", o->html, "FILE",
           "also write a page for a browser, with charts; it loads nothing from the network");
    option("--max-undecided", o->max_undecided, "PERCENT",
           "exit with 3 if more than this share of the judged claims is undecided  [100%]");
    option("--max-skipped", o->max_skipped, "PERCENT",
           "exit with 3 if more than this share of all claims is skipped, or recorded instead of judged  [100%]");
    option("--max-new", o->max_new, "PERCENT",
           "exit with 3 if more than this share of all claims is new, so the baseline build lacks it  [100%]");
    flag("--annotations", o->annotations, "print an annotation for GitHub for each claim that did not hold");
    flag("--suite", o->suite,
         "also print tables of models: the speedup of each, how many pass, geometric means, and more");
    flag("--operators", o->operators, "also print each operator that profile(x) saw, and the models that ran it");
    flag("--verbose", o->verbose, "show the whole block of each claim, also of those that hold");
    flag("--quiet", o->quiet, "print only counts");
    command->footer(
        R"(Exit codes: 2 wrong input; 4 a claim is an error or never ended, or its line was cut short; else 1 a claim is violated; else
3 one looks violated, or too many are undecided, skipped or new; else 0. Claims under PERF_WARN never count as error or violated.
If several runs appended to one file, the newest run of each key counts, and the command prints how many older results it skipped.

Examples:
  perfspec report results.jsonl --max-undecided 10% --max-skipped 10% --max-new 50%
  perfspec report results.jsonl --quiet --suite
  perfspec report results.jsonl --markdown - >> "$GITHUB_STEP_SUMMARY"
  perfspec report results.jsonl --html report.html)");
    command->callback([o, &context] { context.done = report(*o, context); });
}

}  // namespace perfspec::tool
