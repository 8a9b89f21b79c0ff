// SPDX-FileCopyrightText: The perfspec authors
// SPDX-License-Identifier: BSL-1.0
//
// perfspec::catch2_main: the Catch2 host and its listener. They are separate from main, because a program may have
// another main. The bodies of the core are separate units, implementation/*.cpp.

#include <perfspec/catch2.hpp>

#include <perfspec/catch2/host-inl.hpp>
#include <perfspec/catch2/session.hpp>
#include <perfspec/plan/option_table.hpp>
#include <perfspec/program/program.hpp>
#include <perfspec/quantity/text.hpp>
#include <perfspec/report/console/console.hpp>
#include <perfspec/session/host.hpp>
#include <perfspec/session/session.hpp>

#include <catch2/catch_config.hpp>
#include <catch2/catch_session.hpp>
#include <catch2/catch_test_case_info.hpp>
#include <catch2/reporters/catch_reporter_event_listener.hpp>
#include <catch2/reporters/catch_reporter_registrars.hpp>

#include <cstdio>
#include <cstdlib>
#include <map>
#include <string>
#include <vector>

namespace perfspec::inline v0_2 {
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

/// Makes one perfspec option an option of Catch2's command line. Reads the value at once, so a bad one stops the run.
inline Catch::Clara::Opt catch2_option(const option_description& row) {
    using Catch::Clara::ParseResultType;
    using Catch::Clara::ParserResult;
    const auto set = [&row](const std::string& text) {
        try {
            this_session().set_option(row.id, text);
        } catch (const input_error& e) { return ParserResult::runtimeError(e.what()); }
        return ParserResult::ok(ParseResultType::Matched);
    };
    // Catch2 keeps references to these texts as long as the session lives.
    const texts_of_option& texts = texts_of(row);
    if (row.bare.empty()) return Catch::Clara::Opt(set, texts.hint)[texts.name](texts.help);
    const auto flag = [&row, set](bool) { return set(std::string(row.bare)); };
    return Catch::Clara::Opt(flag)[texts.name](texts.help);
}

/// Whether Catch2 only prints lists or help and runs no test case.
inline bool only_lists(const Catch::ConfigData& config) {
    return config.showHelp || config.listTests || config.listTags || config.listReporters || config.listListeners ||
           config.libIdentify;
}

}  // namespace detail

void add_options(Catch::Session& session) {
    auto cli = session.cli();
    for (const option_description& row : option_table()) {
        if (row.scope != option_scope::call) cli |= detail::catch2_option(row);
    }
    const auto request = [](bool) {
        this_session().request_doctor();
        return Catch::Clara::ParserResult::ok(Catch::Clara::ParseResultType::Matched);
    };
    static const std::string name(doctor_argument);  // Catch2 keeps references
    static const std::string help(doctor_help);
    cli |= Catch::Clara::Opt(request)[name](help);
    session.cli(cli);
}

int exit_code(int catch2_result) {
    detail::forget_failures();
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
        // A bad variable stops the run before the first assertion, but not a build, which lists the test cases, nor a
        // child, which has its parent's plan.
        if (!detail::only_lists(session.configData()) && !in_child())
            static_cast<void>(this_session().resolve_plan({}));
        if (split.doctor) return detail::print_doctor();
    } catch (const input_error& e) {
        std::fprintf(stderr, "perfspec: %s\n", e.what());
        return 2;
    }
    return exit_code(session.run());
}

namespace detail {

/// Reports the position in the run to the host, and prints the summary at the end.
class position_listener final : public Catch::EventListenerBase {
public:
    using EventListenerBase::EventListenerBase;

    // If main is not perfspec's, this is the last place to stop the run.
    void testRunStarting(const Catch::TestRunInfo&) override {
        if (this_session().doctor_requested()) std::exit(print_doctor());
        require_options();
        if (const unsigned shards = m_config->shardCount(); shards > 1)
            this_session().set_shard(std::to_string(m_config->shardIndex() + 1) + " of " + std::to_string(shards));
    }
    void testCaseStarting(const Catch::TestCaseInfo& test) override {
        the_catch2_host().enter_test_case(test.name, test.lineInfo.file + (":" + std::to_string(test.lineInfo.line)));
    }
    // Catch2 accepts assertions only while a test case runs, so the host is installed only then.
    void testCasePartialStarting(const Catch::TestCaseInfo&, std::uint64_t) override {
        the_catch2_host().enter_pass();
        before_ = &current_host();
        install_host(the_catch2_host());
    }
    void testCasePartialEnded(const Catch::TestCaseStats&, std::uint64_t) override {
        the_catch2_host().leave_pass();
        install_host(*before_);
    }
    void sectionStarting(const Catch::SectionInfo& section) override { the_catch2_host().enter_section(section.name); }
    void sectionEnded(const Catch::SectionStats&) override { the_catch2_host().leave_section(); }
    void assertionEnded(const Catch::AssertionStats& stats) override {
        if (!stats.assertionResult.isOk()) the_catch2_host().note_failed_assertion();
    }
    void testRunEnded(const Catch::TestRunStats& stats) override {
        // Test cases and not assertions, because of the tags [!mayfail] and [!shouldfail].
        if (stats.totals.testCases.failed != 0) the_catch2_host().test_failed();
        // Only the console reporter's output stays readable with other text in it.
        std::FILE* const to = only_console_reports() ? stdout : stderr;
        std::string text = this_session().summary(color_on(to));
        // This line is for SKIP_REGULAR_EXPRESSION with Catch2's own main. It is never printed with a failure, which
        // that property would hide.
        const std::string reason = this_session().reason_of_skip();
        if (stats.totals.testCases.failed == 0 && !reason.empty())
            text += "perfspec: skipped, because " + reason + "\n";
        if (!text.empty()) std::fputs(text.c_str(), to);
    }

private:
    /// Stops the run before the first assertion for a bad variable or a missing device.
    static void require_options() {
        try {
            require_settings();
        } catch (const input_error& e) {
            std::fprintf(stderr, "perfspec: %s\n", e.what());
            std::exit(2);
        }
    }
    /// The color of Catch2's options, otherwise that of the terminal and the environment.
    [[nodiscard]] console_color color_on(std::FILE* to) const {
        const Catch::ColourMode mode = m_config->defaultColourMode();
        if (mode == Catch::ColourMode::None) return console_color::never;
        if (mode == Catch::ColourMode::ANSI) return console_color::always;
        return color_for(is_terminal(to), this_session().system().variables);
    }
    [[nodiscard]] bool only_console_reports() const {
        const auto* config = dynamic_cast<const Catch::Config*>(m_config);
        if (config == nullptr) return false;
        for (const auto& reporter : config->getProcessedReporterSpecs()) {
            if (reporter.outputFilename.empty() && reporter.name != "console") return false;
        }
        return true;
    }

    host* before_{};
};

CATCH_REGISTER_LISTENER(position_listener)

/// Removes Bazel's variables from a child. Catch2 lets them change the command line: a shard may leave out the child's
/// test case, and the parent's report would begin again.
inline bool ignore_bazel() {
    if (!in_child()) return false;
    for (const char* name :
         {"BAZEL_TEST", "TEST_TOTAL_SHARDS", "TEST_SHARD_INDEX", "TESTBRIDGE_TEST_ONLY", "XML_OUTPUT_FILE"})
        ::unsetenv(name);
    return true;
}

[[maybe_unused]] static const bool bazel_is_ignored = ignore_bazel();

}  // namespace detail
}  // namespace perfspec::inline v0_2

extern "C" {
extern const int
    perfspec_catch2_host_is_not_linked_so_link_perfspec_catch2_main_or_define_PERFSPEC_IMPLEMENTATION_before_perfspec_catch2_hpp =
        1;
extern const int
    perfspec_catch2_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main;
const int
    perfspec_catch2_is_linked_twice_so_define_PERFSPEC_IMPLEMENTATION_in_one_source_file_or_link_perfspec_catch2_main =
        1;
}
