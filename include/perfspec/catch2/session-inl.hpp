// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
#pragma once

#include <perfspec/catch2/host-inl.hpp>
#include <perfspec/catch2/session.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/session/process_end.hpp>
#include <perfspec/session/program.hpp>
#include <perfspec/session/session.hpp>

#include <catch2/catch_session.hpp>

#include <cstdio>
#include <map>
#include <string>
#include <vector>

namespace perfspec {
namespace detail {

struct texts_of_option {
    std::string name;
    std::string hint;
    std::string help;
};

/// The texts live until the end of the program: the nodes of a static map never move.
inline const texts_of_option& texts_of(const option_description& row) {
    static std::map<option_id, texts_of_option> texts;
    return texts
        .try_emplace(row.id, texts_of_option{command_line_name(row), std::string(row.legal),
                                             std::string(row.help) + "; default: " + default_text(row)})
        .first->second;
}

/// Makes one perfspec option an option of Catch2's command line. Its value is read at once, so a bad value stops the
/// run.
inline Catch::Clara::Opt catch2_option(const option_description& row) {
    using Catch::Clara::ParseResultType;
    using Catch::Clara::ParserResult;
    const auto take = [&row](const std::string& text) {
        try {
            this_session().set_option(row.id, text);
        } catch (const input_error& e) { return ParserResult::runtimeError(e.what()); }
        return ParserResult::ok(ParseResultType::Matched);
    };
    // Catch2 keeps references to these texts as long as the session lives.
    const texts_of_option& texts = texts_of(row);
    if (row.bare.empty()) return Catch::Clara::Opt(take, texts.hint)[texts.name](texts.help);
    const auto flag = [&row, take](bool) { return take(std::string(row.bare)); };
    return Catch::Clara::Opt(flag)[texts.name](texts.help);
}

/// Whether Catch2 runs no test case, but prints what there is.
inline bool only_lists(const Catch::ConfigData& asked) {
    return asked.showHelp || asked.listTests || asked.listTags || asked.listReporters || asked.listListeners ||
           asked.libIdentify;
}

}  // namespace detail

void add_options(Catch::Session& session) {
    auto cli = session.cli();
    for (const option_description& row : option_table()) {
        if (row.scope != option_scope::call) cli |= detail::catch2_option(row);
    }
    const auto ask = [](bool) {
        this_session().ask_for_doctor();
        return Catch::Clara::ParserResult::ok(Catch::Clara::ParseResultType::Matched);
    };
    static const std::string name(doctor_argument);  // Catch2 keeps references
    static const std::string help(doctor_help);
    cli |= Catch::Clara::Opt(ask)[name](help);
    session.cli(cli);
}

int exit_code(int catch2_result) {
    detail::failures_are_known();
    // Before 3.7.1, Catch2 returns the number of failures, and four failures look like its code for "skipped".
    if (the_catch2_host().any_failure() || this_session().any_failed_outside_of_tests())
        return this_session().exit_code(detail::failure_code);
    // Every test case called SKIP: for ctest, perfspec's own code for it means the same.
    constexpr int all_skipped_by_catch2 = 4;
    constexpr int skipped = 77;
    return this_session().exit_code(catch2_result == all_skipped_by_catch2 ? skipped : catch2_result);
}

int run_tests(int argc, const char* const* argv) {
    Catch::Session session;
    add_options(session);
    try {
        const split_command_line split = split_options(std::vector<std::string>(argv + 1, argv + argc));
        for (const auto& [id, text] : split.options) this_session().set_option(id, text);
        std::vector<const char*> others{argv[0]};
        for (const std::string& argument : split.others) others.push_back(argument.c_str());
        const int parsed = split.doctor ? 0 : session.applyCommandLine(static_cast<int>(others.size()), others.data());
        if (parsed != 0) return parsed;
        // A bad variable stops the run before the first assertion. It does not stop a build, which lists the test
        // cases.
        if (!detail::only_lists(session.configData())) static_cast<void>(this_session().resolve_plan({}));
        if (split.doctor) return detail::print_doctor();
    } catch (const input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return 2;
    }
    return exit_code(session.run());
}

}  // namespace perfspec
